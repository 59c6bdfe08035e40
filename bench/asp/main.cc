// clew_asp: a protocol and its bounds as an answer set program, for clingo.
//
//   clew_asp protocols/broadcast/ack_deliv.ded --eot 8 --eff 7 --crashes 1 | clingo
//
// SATISFIABLE is a counterexample (the model names its faults), UNSATISFIABLE is robust.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench/asp/translate.h"

namespace clew::asp {
namespace {

constexpr const char* kUsage =
    "usage: clew_asp FILES... --eot N --eff N --crashes N [--nodes a,b,c]\n"
    "                [--crash-model silent|stop] [--unroll] [--all-facts]\n";

struct Flags {
  std::vector<std::string> files;
  Options options;
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

void read_nodes(std::string_view text, std::vector<NodeName>& nodes) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) nodes.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

bool read_value(std::string_view flag, std::string_view value, Options& options) {
  if (flag == "--eot") return read_number(value, options.eot) && options.eot >= 1;
  if (flag == "--eff") return read_number(value, options.eff);
  if (flag == "--crashes") return read_number(value, options.crashes);
  if (flag == "--nodes") {
    read_nodes(value, options.nodes);
    return !options.nodes.empty();
  }
  if (flag != "--crash-model") return false;
  Result<CrashModel> model = parse_crash_model(value);
  if (model.ok()) options.model = *model;
  return model.ok();
}

std::optional<Flags> read_flags(const std::vector<std::string>& args) {
  Flags flags;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].rfind("--", 0) != 0) {
      flags.files.push_back(args[i]);
    } else if (args[i] == "--unroll") {
      flags.options.unroll = true;
    } else if (args[i] == "--all-facts") {
      flags.options.all_facts = true;
    } else if (i + 1 == args.size() || !read_value(args[i], args[i + 1], flags.options)) {
      return std::nullopt;
    } else {
      ++i;
    }
  }
  if (flags.files.empty()) return std::nullopt;
  return flags;
}

int run(Flags flags) {
  SourceSet sources;
  Diagnostics diagnostics;
  auto program = dedalus::load_program(flags.files, sources, diagnostics);
  std::optional<std::string> text;
  if (program) {
    if (flags.options.nodes.empty()) flags.options.nodes = mentioned_nodes(*program);
    if (!flags.options.nodes.empty()) text = translate(*program, flags.options, diagnostics);
  }
  diagnostics.sort();
  fmt::print(stderr, "{}", diagnostics.render(sources));
  if (program && flags.options.nodes.empty()) {
    fmt::print(stderr, "clew_asp: this run has no nodes\n  help: name some with --nodes a,b,c\n");
  }
  if (!text) return 2;
  fmt::print("{}", *text);
  return 0;
}

}  // namespace
}  // namespace clew::asp

int main(int argc, char** argv) {
  auto flags = clew::asp::read_flags({argv + 1, argv + argc});
  if (flags) return clew::asp::run(std::move(*flags));
  fmt::print(stderr, "{}", clew::asp::kUsage);
  return 2;
}
