// The command line. Read this first, then the file of a subcommand.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

constexpr const char* kVersion = "0.1.0";

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The deepest subcommand that was named.
const CLI::App& chosen(const CLI::App& app) {
  std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : chosen(*commands.front());
}

int fail_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App& command = chosen(app);
  std::string path = &command == &app ? "clew" : "clew " + command.get_name();
  fmt::print(stderr, "{}: {}\n", path, error.what());
  for (int i = 1; i < argc; ++i) {
    std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    std::vector<std::string> names = names_of(command);
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    bool could_be_name = word.starts_with("--") || (i == 1 && &command == &app);
    if (!could_be_name) continue;
    if (auto meant = closest(word, names)) {
      fmt::print(stderr, "  help: did you mean {}?\n", *meant);
      break;
    }
  }
  fmt::print(stderr, "  help: {} --help lists what it takes\n", path);
  return kInputError;
}

void describe_app(CLI::App& app, int& exit_code) {
  app.name("clew");
  app.set_version_flag("--version", std::string("clew ") + kVersion);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 the spec holds, 10 it is violated, 20 budget used up,\n"
      "2 usage or input error, 1 a bug of ours.");
  add_check(app, exit_code);
  add_run(app, exit_code);
  add_replay(app, exit_code);
  add_explain(app, exit_code);
  add_verify(app, exit_code);
  add_fmt(app, exit_code);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Clew finds the faults that break a distributed system and explains why,\n"
      "or shows that none within stated bounds can.");
  int exit_code = kOk;
  describe_app(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return fail_usage(app, error, argc, argv);
  }
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  return exit_code;
}

}  // namespace

}  // namespace clew::cli

int main(int argc, char** argv) {
  try {
    return clew::cli::run(argc, argv);
  } catch (const std::filesystem::filesystem_error& error) {
    return clew::cli::fail({error.what(), "check the path"});
  } catch (const std::system_error& error) {
    return clew::cli::fail(
        {fmt::format("the output could not be written: {}", error.code().message()),
         "is the disk full?"});
  } catch (const std::bad_alloc&) {
    return clew::cli::fail({"there is not enough memory for this", "try fewer nodes or ticks"});
  } catch (const std::exception& error) {
    fmt::print(stderr, "clew: a bug of ours: {}\n", error.what());
    return clew::cli::kBug;
  }
}
