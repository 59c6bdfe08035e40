// clew-analyze: what `clew analyze` starts. Reads sources with libclang (src/analyze), prints what
// their handlers do, and with --observe explores them to see whether that is all.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "analyze/compare.h"
#include "base/files.h"
#include "base/streams.h"
#include "base/text.h"
#include "check/budget.h"
#include "cli/analyze_flags.h"
#include "drive/kit.h"
#include "drive/session.h"

namespace clew::cli {

namespace {

constexpr uint64_t kMostBytes = 64 << 20;

// As the kit's compiler is called, less what libclang does not know.
std::vector<std::string> flags_of(const drive::Kit& kit) {
  std::vector<std::string> flags{"-xc++"};
  for (const std::string& flag : kit.flags) {
    if (flag.starts_with("-std") || flag.starts_with("-I") || flag.starts_with("-D")) {
      flags.push_back(flag);
    }
  }
  return flags;
}

std::string words_of(const drive::Observed::Entry& entry) {
  const auto& [node, handler, input, set, field] = entry;
  const std::string what = fmt::format("{} {}{}{}", node, handler, input.empty() ? "" : " ", input);
  if (set == "assign") return fmt::format("{} does not only add to {}", what, field);
  if (set == "disk") return fmt::format("{} updates {} on disk", what, field);
  return fmt::format("{} {}s {}", what, set, field);
}

std::string place_of(const analyze::Analysis& analysis, const drive::Observed::Entry& entry) {
  for (const analyze::NodeSets& node : analysis.nodes) {
    for (const analyze::HandlerSets& handler : node.handlers) {
      if (node.name != entry[0] || handler.kind != entry[1] || handler.input != entry[2]) continue;
      return handler.place.line == 0 ? node.place.text() : handler.place.text();
    }
    if (node.name == entry[0]) return node.place.text();
  }
  return "";
}

std::vector<std::string> never_observed(const analyze::Analysis& analysis,
                                        const drive::Observed& observed) {
  std::set<analyze::Touch> seen;
  for (const auto& entry : observed.seen) {
    seen.insert({entry[0], entry[1], entry[2], entry[3], entry[4]});
  }
  return analyze::never_observed(analysis, seen);
}

std::string json_of(const std::string& predicted, const analyze::Analysis& analysis,
                    const drive::Observed& observed) {
  nlohmann::json unpredicted = nlohmann::json::array();
  for (const auto& [entry, step] : observed.unpredicted) {
    unpredicted.push_back({{"what", words_of(entry)},
                           {"at", place_of(analysis, entry)},
                           {"state", step.state},
                           {"input", step.input}});
  }
  nlohmann::json result = nlohmann::json::parse(predicted);
  result["observed"] = {{"steps", observed.steps},
                        {"unpredicted", std::move(unpredicted)},
                        {"never_observed", never_observed(analysis, observed)},
                        {"not_analyzed", observed.unknown}};
  return result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string text_of(const analyze::Analysis& analysis, const drive::Observed& observed) {
  std::string text = fmt::format("\nobserved in {} steps\n", with_thousands(observed.steps));
  for (const std::string& name : observed.unknown) {
    text += fmt::format("not analyzed: {}, which is explored but declared in none of the files\n",
                        name);
  }
  for (const auto& [entry, step] : observed.unpredicted) {
    const std::string place = place_of(analysis, entry);
    text += fmt::format("{}{}not predicted: {}\n  with {}, after {}\n", place,
                        place.empty() ? "" : ": ", words_of(entry), step.input,
                        step.state.empty() ? "no state" : step.state);
  }
  const std::vector<std::string> missing = never_observed(analysis, observed);
  if (!missing.empty()) text += "predicted, but never observed\n";
  for (const std::string& line : missing) text += "  " + line + '\n';
  if (missing.empty() && observed.unpredicted.empty() && observed.unknown.empty()) {
    text += "all that is predicted, and nothing else\n";
  }
  return text;
}

Result<check::Budget> budget_of(const std::string& text) {
  if (text == Allowance::kAllTime) return check::Budget(std::chrono::hours(24 * 365));
  const Result<std::chrono::milliseconds> length = check::parse_duration(text);
  if (!length.ok()) return length.error();
  return check::Budget(*length);
}

std::optional<uint32_t> fixed_at(int32_t value) {
  if (value == AnalyzeFlags::kNotGiven) return std::nullopt;
  return static_cast<uint32_t>(value);
}

Result<drive::Observed> observe(const AnalyzeFlags& flags, const std::string& predicted) {
  const Result<uint64_t> memory = check::parse_size(flags.memory);
  if (!memory.ok()) return memory.error();
  const Result<check::Budget> budget = budget_of(flags.budget);
  if (!budget.ok()) return budget.error();
  drive::Wanted wanted{.sources = flags.files,
                       .requests = fixed_at(flags.requests),
                       .crashes = {},
                       .restarts = {},
                       .losses = {},
                       .duplicates = {},
                       .early_timers = {},
                       .faults = fixed_at(flags.faults),
                       .most_states = flags.states,
                       .seed = {}};
  wanted.analysis = predicted;
  wanted.program.memory = *memory;
  catch_interrupts();
  drive::Session session(wanted, notes_on_stderr(), *budget);
  const Result<drive::Report> report = session.explore();
  if (!report.ok()) return report.error();
  return report->observed;
}

int analyze_files(const AnalyzeFlags& flags) {
  const Result<drive::Kit> kit = drive::find_kit();
  if (!kit.ok()) return fail(kit.error());
  for (const std::string& file : flags.files) {
    if (const auto text = read_file(file, kMostBytes); !text.ok()) return fail(text.error());
  }
  const analyze::Parsed parsed(flags.files, flags_of(*kit));
  if (parsed.failed()) {
    to_stderr("{}", parsed.complaints());
    return fail({"the sources do not compile", "mend what the compiler points at above"});
  }
  const analyze::Analysis analysis = analyze::analyze(parsed);
  if (analysis.nodes.empty()) {
    return fail({"there is no node in these files", "a node is a struct N : Node<N, Message>"});
  }
  std::string predicted = analyze::to_json(analysis);
  if (!flags.observe) {
    to_stdout("{}", flags.json ? predicted + '\n' : analyze::to_text(analysis));
    return kOk;
  }
  if (!flags.predicted.empty()) {
    const Result<std::string> other = read_file(flags.predicted, kMostBytes);
    if (!other.ok()) return fail(other.error());
    predicted = *other;
  }
  const Result<drive::Observed> observed = observe(flags, predicted);
  if (!observed.ok()) return fail(observed.error());
  to_stdout("{}", flags.json ? json_of(predicted, analysis, *observed)
                             : analyze::to_text(analysis) + text_of(analysis, *observed));
  return observed->unpredicted.empty() && observed->unknown.empty() ? kOk : kViolated;
}

}  // namespace

}  // namespace clew::cli

int main(int argc, char** argv) {
  clew::prepare_streams();
  try {
    clew::cli::CommandLine line({.name = "clew",
                                 .version = "clew-analyze",
                                 .description = "What clew analyze starts.",
                                 .footer = ""});
    clew::cli::add_analyze_flags(line, clew::cli::analyze_files);
    const int exit_code = line.run(argc, argv);
    if (const auto failure = clew::stdout_failure()) return clew::cli::fail(*failure);
    return exit_code;
  } catch (const clew::Stopped&) {
    clew::cli::fail(
        {"it ended before there was anything to show", "give it more time with --budget"});
    return clew::cli::kBudgetUsed;
  } catch (const std::bad_alloc&) {
    return clew::cli::fail({"there is not enough memory for this", "name fewer files"});
  } catch (const std::exception& error) {
    clew::to_stderr("clew: a bug of ours: {}\n", error.what());
    return clew::cli::kBug;
  }
}
