#include "cli/inject_init.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "base/columns.h"
#include "base/files.h"
#include "base/streams.h"
#include "check/budget.h"
#include "cli/command.h"
#include "inject/first_target.h"
#include "inject/local_runner.h"

namespace clew::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kMostLooks = 3;  // each with folders that the one before could not write in

using TwoRuns = std::array<inject::Observed, 2>;

bool is_taken(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

Result<TwoRuns> run_twice(const inject::FirstCommand& command) {
  Result<inject::Target> target = inject::target_to_watch(command);
  if (!target.ok()) return target.error();
  auto runner =
      inject::LocalRunner::make(*std::move(target), {.jobs = 2, .stop = check::Budget::must_end});
  if (!runner.ok()) return runner.error();
  TwoRuns runs;
  for (uint64_t ticket = 0; ticket < runs.size(); ++ticket) (*runner)->start(ticket, {});
  for (size_t i = 0; i < runs.size(); ++i) {
    inject::Finished done = (*runner)->next();
    runs[done.ticket] = std::move(done.observed);
  }
  return runs;
}

// A run that ends badly may have missed a folder elsewhere: then it has a copy of that one, too.
Result<TwoRuns> watch(inject::FirstCommand& command) {
  for (int look = 1;; ++look) {
    Result<TwoRuns> runs = run_twice(command);
    if (!runs.ok()) return runs.error();
    Status fine = Nothing();
    for (const inject::Observed& seen : *runs) {
      if (fine.ok()) fine = inject::went_well(command, seen);
    }
    if (fine.ok()) return runs;
    const std::vector<std::string> more = inject::folders_refused(command, (*runs)[0]);
    if (more.empty() || look == kMostLooks) return fine.error();
    command.more.insert(command.more.end(), more.begin(), more.end());
  }
}

Status check_places(const std::string& out, const std::string& rules) {
  if (fs::path(out).extension() != ".toml") {
    return Error{fmt::format("{} is no name of a target file", printable(out)),
                 "choose one that ends in .toml"};
  }
  for (const std::string& path : {out, rules}) {
    if (!is_taken(path)) continue;
    return Error{fmt::format("{} is there already", printable(path)),
                 "choose another name with --out, or remove it"};
  }
  const fs::path folder = fs::absolute(out).parent_path();
  std::error_code error;
  if (fs::is_directory(folder, error)) return Nothing();
  return Error{fmt::format("there is no folder {}", printable(folder.string())), "make it first"};
}

std::string folder_of(const std::string& path) {
  return fs::canonical(fs::absolute(path).parent_path()).string();
}

}  // namespace

int write_first_target(const std::vector<std::string>& words, const std::string& out) {
  const std::string rules = fs::path(out).replace_extension(".ded").string();
  if (const Status places = check_places(out, rules); !places.ok()) return fail(places.error());
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  if (error) {
    return fail({fmt::format("the current folder cannot be used: {}", why_not(error.value())),
                 "go to the folder of what the command works on"});
  }
  inject::FirstCommand command{.words = words,
                               .folder = here,
                               .file_folder = folder_of(out),
                               .rules = fs::path(rules).filename().string()};
  catch_interrupts();
  const Result<TwoRuns> runs = watch(command);
  if (!runs.ok()) return fail(runs.error());
  const inject::FirstTarget first = inject::first_target(command, (*runs)[0], (*runs)[1]);
  for (const auto& [path, text] : {std::pair(rules, first.rules), std::pair(out, first.target)}) {
    if (const Status written = write_file_atomically(path, text); !written.ok()) {
      return fail(written.error());
    }
  }
  to_stdout("{} and {} are written. Next: clew inject {} --points\n", out, rules, out);
  for (const std::string& note : first.notes) to_stdout("  note: {}\n", note);
  return kOk;
}

}  // namespace clew::cli
