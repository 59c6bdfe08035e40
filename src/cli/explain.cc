// clew explain: why a fact holds, or why it does not.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/program_input.h"
#include "cli/replayer.h"
#include "cli/scenario_flags.h"
#include "dedalus/parse.h"
#include "report/why.h"

namespace clew::cli {

namespace {

constexpr size_t kMostAnswers = 10;

struct ExplainFlags {
  ScenarioFlags scenario;  // its last file is the fact
  bool why = false;
  bool why_not = false;
  bool json = false;
};

struct Question {
  Pattern pattern;
  int64_t tick = 0;  // 0: the last one
};

// The fact as an atom of the language; mistakes are shown with their place.
class QuestionReader {
 public:
  explicit QuestionReader(const dedalus::Program& program) : program_(program) {}

  std::optional<Question> read(const std::string& text) {
    if (find_invalid_utf8(text)) {
      fail({"the fact is not valid UTF-8", "write it as in log(\"b\", \"data\")@4"});
      return std::nullopt;
    }
    if (text.find_first_not_of(" \t\n") == std::string::npos) {
      fail({"the fact is empty", "write it as in log(\"b\", \"data\")@4"});
      return std::nullopt;
    }
    const bool comment = text.find("//") != std::string::npos;
    const FileId id = sources_.add("FACT", text + (comment ? "\n;" : ";"));
    const dedalus::File file = dedalus::parse(id, sources_, diagnostics_);
    std::optional<Question> question;
    if (!diagnostics_.has_errors()) question = to_question(file);
    show(diagnostics_, sources_);
    if (diagnostics_.has_errors()) return std::nullopt;
    return question;
  }

 private:
  std::optional<Question> to_question(const dedalus::File& file) {
    const bool one = file.clauses.size() == 1;
    if (!one || file.clauses[0].kind != dedalus::Clause::Kind::kFact) {
      const Span span = file.clauses.empty() ? Span{} : file.clauses.back().span;
      diagnostics_.error(
          "not-a-fact", span, "this is not a single fact",
          "ask about one fact, as in log(\"b\", \"data\")@4; `_` stands for anything");
      return std::nullopt;
    }
    const dedalus::Atom& atom = file.clauses[0].head;
    check_relation(atom);
    check_time(atom.time);
    Question question{{atom.relation, {}}, atom.time.tick};
    for (const dedalus::Term& arg : atom.args) question.pattern.columns.push_back(column(arg));
    if (diagnostics_.has_errors()) return std::nullopt;
    return question;
  }

  void check_relation(const dedalus::Atom& atom) {
    const dedalus::RelationInfo* relation = program_.find(atom.relation);
    if (relation == nullptr) {
      std::vector<std::string> known;
      for (const dedalus::RelationInfo& info : program_.relations) known.push_back(info.name);
      const auto meant = closest(atom.relation, known);
      diagnostics_.error("unknown-relation", atom.name_span,
                         fmt::format("the program has no relation `{}`", atom.relation),
                         meant ? fmt::format("did you mean `{}`?", *meant)
                               : fmt::format("its relations are {}", fmt::join(known, ", ")));
    } else if (relation->arity != atom.args.size()) {
      diagnostics_.error("arity-clash", atom.span,
                         fmt::format("`{}` has {} here but {} in the program", atom.relation,
                                     count_noun(atom.args.size(), "argument"), relation->arity),
                         "write `_` for arguments that may be anything");
    }
  }

  void check_time(const dedalus::TimeSuffix& time) {
    using Kind = dedalus::TimeSuffix::Kind;
    const bool good = time.kind == Kind::kNone || (time.kind == Kind::kAt && time.tick >= 1);
    if (good && time.tick > INT32_MAX) {
      diagnostics_.error("bad-tick", time.span, "no run is that long",
                         fmt::format("the largest tick is {}", INT32_MAX));
    }
    if (good) return;
    diagnostics_.error("bad-tick", time.span, "a fact is true at a tick",
                       "write @ and the tick, from 1 on, or nothing for the last tick");
  }

  std::optional<Datum> column(const dedalus::Term& arg) {
    switch (arg.kind) {
      case dedalus::Term::Kind::kString:
        return arg.text;
      case dedalus::Term::Kind::kInteger:
        return arg.integer;
      case dedalus::Term::Kind::kWildcard:
        return std::nullopt;
      default:
        break;
    }
    diagnostics_.error("not-a-constant", arg.span, "this is neither a constant nor `_`",
                       "put strings in quotes, and write `_` for anything");
    return std::nullopt;
  }

  const dedalus::Program& program_;
  SourceSet sources_;
  Diagnostics diagnostics_;
};

std::string list_ticks_of(const Run& run, const Pattern& pattern) {
  std::vector<size_t> ticks;
  for (size_t i = 0; i < run.facts.size() && ticks.size() < kMostAnswers; ++i) {
    if (!find_facts(pattern, run.facts[i]).empty()) ticks.push_back(i + 1);
  }
  return fmt::format("{}", fmt::join(ticks, ", "));
}

// What --why and --why-not took for granted does not apply.
int refuse(const Run& run, const report::Answer& answer, const Pattern& pattern) {
  if (!answer.why.empty()) {
    return fail({fmt::format("{} holds, so there is nothing to say to --why-not", answer.question),
                 "ask with --why, or without both"});
  }
  const std::string ticks = list_ticks_of(run, pattern);
  return fail(
      {fmt::format("{} does not hold, so there is nothing to say to --why", answer.question),
       ticks.empty() ? "it holds at no tick; ask with --why-not, or without both"
                     : fmt::format("it holds at tick {}; or ask with --why-not", ticks)});
}

report::Answer answer(const ProgramInput& input, const Run& run, const Question& question) {
  const bool last = question.tick == 0;
  const Tick tick = last ? run.scenario.eot : static_cast<Tick>(question.tick);
  report::Answer answer;
  answer.scenario = run.scenario;
  answer.question = fmt::format("{}@{}", to_string(question.pattern), tick);
  const lineage::Graph graph(run, &input.program);
  std::vector<const Fact*> found;
  if (tick <= run.scenario.eot) {
    found = find_facts(question.pattern, run.facts[static_cast<size_t>(tick - 1)]);
  }
  lineage::WhyTeller teller(graph);
  for (size_t i = 0; i < std::min(found.size(), kMostAnswers); ++i) {
    answer.why.push_back(teller.tell(graph.find(*found[i], tick)));
  }
  answer.more = found.size() - answer.why.size();
  if (found.empty()) {
    answer.why_not.push_back(
        explain::why_not(input.program, input.sources, graph, question.pattern, tick));
  }
  return answer;
}

int explain(ExplainFlags flags) {
  if (flags.scenario.files.size() < 2) {
    return fail({"a program and a fact are needed",
                 "write clew explain FILE 'log(\"b\", \"data\")@4', quoted because of the shell"});
  }
  const std::string fact = flags.scenario.files.back();
  flags.scenario.files.pop_back();
  std::optional<ProgramInput> input = read_program(flags.scenario.files);
  if (!input) return kInputError;
  std::optional<Question> question = QuestionReader(input->program).read(fact);
  if (!question) return kInputError;
  Result<Scenario> scenario = to_scenario(flags.scenario, *input);
  if (!scenario.ok()) return fail(scenario.error());
  Replayer replayer(*input, scenario->nodes, scenario->crash_model);
  const std::optional<Run> run = replayer.run(*scenario);
  if (!run) {
    Diagnostics diagnostics;
    diagnostics.add(simulate::to_diagnostic(*replayer.error()));
    show(diagnostics, input->sources);
    return kInputError;
  }
  const report::Answer found = answer(*input, *run, *question);
  const bool refused = found.why.empty() ? flags.why : flags.why_not;
  if (refused) return refuse(*run, found, question->pattern);
  fmt::print("{}", flags.json ? report::to_json(found) : report::to_text(found));
  return kOk;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("explain", "Say why a fact holds, or why it does not");
  auto flags = std::make_shared<ExplainFlags>();
  flags->scenario.add_to(*command);
  command->get_option("FILES")->description(
      "Dedalus programs, and last the fact, as 'log(\"b\", _)@4'");
  CLI::Option* why = command->add_flag("--why", flags->why, "the fact holds: say why");
  command->add_flag("--why-not", flags->why_not, "the fact does not hold: say why not")
      ->excludes(why);
  command->add_flag("--json", flags->json, "print the answer as JSON (docs/formats/explain.md)");
  command->footer(
      "Without --why and --why-not it answers whichever applies. `_` in the fact stands for\n"
      "anything; without @ and a tick, it is about the last tick. Exits with 0 if it has an "
      "answer.");
  command->callback([flags, &exit_code] { exit_code = explain(*flags); });
}

}  // namespace clew::cli
