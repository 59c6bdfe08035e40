// clew analyze: what handlers read, update and send, by reading their source. The work is done by a
// program of its own, clew-analyze, so that nobody else needs libclang.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "cli/analyze_flags.h"
#include "cli/launch.h"

namespace clew::cli {

namespace {

// How this process was called.
std::vector<std::string> own_arguments() {
  const Result<std::string> text = read_file("/proc/self/cmdline", 16 << 20);
  std::vector<std::string> arguments;
  for (size_t at = 0; text.ok() && at < text->size();) {
    const size_t end = std::min(text->find('\0', at), text->size());
    arguments.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return arguments;
}

int hand_over(const AnalyzeFlags&) {
  std::error_code code;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
  const std::string program = (self.parent_path() / "clew-analyze").string();
  std::vector<std::string> arguments = own_arguments();
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  if (::access(program.c_str(), X_OK) != 0) {
    build_what_is_missing("analyze", pointers.data());
    return fail({fmt::format("clew analyze needs clew-analyze, which is not in {}",
                             self.parent_path().string()),
                 "install libclang-14-dev and build Clew again: ./clew analyze does both"});
  }
  ::execv(program.c_str(), pointers.data());
  return fail({fmt::format("cannot start {}: {}", program, why_not(errno)), ""});
}

}  // namespace

void add_analyze_flags(CommandLine& line, std::function<int(const AnalyzeFlags&)> work) {
  Command command = line.add(
      "analyze", "Say what handlers of nodes in C++ read, update and send, by their source");
  auto flags = std::make_shared<AnalyzeFlags>();
  command.argument("FILES", flags->files, "C++ sources with nodes");
  command.flag("--json", flags->json, "print the result as JSON (docs/formats/analyze.md)");
  command.flag("--observe", flags->observe,
               "explore the nodes, too, and hold what is observed against what is predicted");
  command
      .option("--predicted", flags->predicted,
              "with --observe: do not analyze, but take what FILE predicts, as --json prints it")
      .value("FILE")
      .not_empty();
  command
      .option("--requests", flags->requests,
              "explore: so many clients wait for an answer at a time")
      .between(0, 254)
      .value("N");
  command.option("--faults", flags->faults, "explore: so many faults at most")
      .between(0, 254)
      .value("N");
  command.option("--states", flags->states, "explore: end after so many states")
      .value("N")
      .show_default();
  command.option("--budget", flags->budget, "how long to explore at most, as 90s, 2m, 500ms")
      .value("TIME")
      .show_default();
  add_memory(command, flags->memory);
  command.footer(
      "Exits with 0 if all is well, 10 if something is observed that was not predicted, 2 if the\n"
      "sources cannot be analyzed.");
  command.does([flags, work = std::move(work)] { return work(*flags); });
}

void add_analyze(CommandLine& line) { add_analyze_flags(line, hand_over); }

}  // namespace clew::cli
