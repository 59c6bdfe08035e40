#include "cli/inject_reproduce.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/columns.h"
#include "base/files.h"
#include "check/scenario_file.h"
#include "inject/local_runner.h"
#include "inject/trees.h"
#include "service/reproduction.h"

namespace clew::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kMostTries = 5;

Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return Nothing();
  return cannot_write(path, error.value());
}

Status write_script(const std::string& path, const std::string& text) {
  if (Status written = write_file_atomically(path, text); !written.ok()) return written;
  std::error_code error;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  return Nothing();
}

// Runs it until it is as in the run that violates; false: it never was.
Result<bool> keep_files(const inject::Target& target, const service::Group& group,
                        const std::string& state) {
  for (int i = 0; i < kMostTries; ++i) {
    if (const Status emptied = inject::empty_folder(state); !emptied.ok()) return emptied.error();
    auto runner = inject::LocalRunner::make(target, {.jobs = 1, .stop = {}, .keep_cut = state});
    if (!runner.ok()) return runner.error();
    (*runner)->start(0, group.plan);
    const inject::Observed seen = (*runner)->next().observed;
    const bool same = service::expected(seen) == service::expected(*group.observed);
    if (seen.trouble.empty() && seen.reached.size() == 1 && same) return true;
  }
  return false;
}

Status write_one(const inject::Target& target, const service::Group& group,
                 const std::string& folder) {
  if (Status made = make_folder(folder); !made.ok()) return made;
  std::optional<std::string> why_not = service::why_not_ready_made(target, group);
  const std::string state = folder + "/state";
  if (!why_not) {
    if (Status made = make_folder(state); !made.ok()) return made;
    const Result<bool> kept = keep_files(target, group, state);
    if (!kept.ok()) return kept.error();
    if (!*kept) {
      why_not = "the check does not print the same each time";
      std::error_code ignored;
      fs::remove_all(state, ignored);
    }
  }
  if (!why_not) {
    Status written =
        write_file_atomically(folder + "/expected.txt", service::expected(*group.observed));
    if (!written.ok()) return written;
  }
  const std::string script =
      why_not ? service::replay_script() : service::run_script(target, group);
  if (Status written = write_script(folder + "/run.sh", script); !written.ok()) {
    return written;
  }
  if (Status saved = check::save_scenario(group.scenario, folder + "/scenario.json"); !saved.ok()) {
    return saved;
  }
  return write_file_atomically(folder + "/README.md", service::read_me(target, group, why_not));
}

}  // namespace

Status check_reproduction_folder(const std::string& folder) {
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(folder, error));
  if (!is_there || (fs::is_directory(folder, error) && fs::is_empty(folder, error))) {
    return Nothing();
  }
  return Error{fmt::format("{} is there already", printable(folder)),
               "choose another folder with --reproduce, or remove it"};
}

Status write_reproductions(const inject::Target& target, const service::Report& report,
                           const std::string& folder) {
  for (size_t i = 0; i < report.groups.size(); ++i) {
    Status written = write_one(target, report.groups[i], fmt::format("{}/cause-{}", folder, i + 1));
    if (!written.ok()) return written;
  }
  return Nothing();
}

}  // namespace clew::cli
