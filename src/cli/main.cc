// The command line. Read this first, then the file of a subcommand.
#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "base/files.h"
#include "base/streams.h"
#include "cli/command.h"
#include "cli/launch.h"

namespace clew::cli {

namespace {

constexpr const char* kVersion = "0.1.0";

int run(int argc, char** argv) {
  CommandLine line(
      {.name = "clew",
       .version = std::string("clew ") + kVersion,
       .description = "Clew finds the faults that break a distributed system and explains why,\n"
                      "or shows that none within stated bounds can.",
       .footer = "Exit codes: 0 the spec holds, 10 it is violated, 20 budget used up,\n"
                 "2 usage or input error, 1 a bug of ours."});
  add_check(line);
  add_explore(line);
  add_inject(line);
  add_analyze(line);
  add_new_node(line);
  add_host(line);
  add_call(line);
  add_run(line);
  add_replay(line);
  add_explain(line);
  add_judge(line);
  add_verify(line);
  add_fmt(line);
  const int exit_code = line.run(argc, argv);
  // All else that was wanted has been done by now.
  if (const std::optional<Error> failure = stdout_failure()) return fail(*failure);
  return exit_code;
}

}  // namespace

}  // namespace clew::cli

int main(int argc, char** argv) {
  clew::cli::build_first_if_needed(argv);
  clew::prepare_streams();
  try {
    return clew::cli::run(argc, argv);
  } catch (const std::filesystem::filesystem_error& error) {
    return clew::cli::fail({error.what(), "check the path"});
  } catch (const std::system_error& error) {
    return clew::cli::fail({fmt::format("the system refused something: {}", error.code().message()),
                            clew::remedy_for(error.code().value())});
  } catch (const std::bad_alloc&) {
    return clew::cli::fail({"there is not enough memory for this", "try fewer nodes or ticks"});
  } catch (const std::exception& error) {
    clew::to_stderr("clew: a bug of ours: {}\n", error.what());
    return clew::cli::kBug;
  }
}
