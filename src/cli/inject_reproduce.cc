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
constexpr uint64_t kMostTargetText = 256 << 10;
constexpr uint64_t kMostInjector = 256 << 20;  // bytes

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

// Beside clew, where the build has put it.
Result<std::string> find_injector() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error).parent_path() / "clew-injector";
  if (fs::exists(path, error)) return path.string();
  return Error{fmt::format("there is no {}", path.string()),
               "--reproduce copies it: keep it beside clew, or build Clew again"};
}

Status copy_injector(const std::string& to) {
  const Result<std::string> from = find_injector();
  if (!from.ok()) return from.error();
  const Result<std::string> bytes = read_file(*from, kMostInjector);
  return bytes.ok() ? write_script(to, *bytes) : Status(bytes.error());
}

// Every file that was read for the rules, as it was, where it lies below the folder that all have
// in common. Gives back where the target's own are.
Result<std::vector<std::string>> copy_rules(const inject::Target& target, const SourceSet& sources,
                                            const std::string& folder) {
  std::error_code ignored;
  const auto path_of = [&](const std::string& path) {
    return fs::absolute(path, ignored).lexically_normal();
  };
  fs::path common = path_of(target.spec.front()).parent_path();
  for (FileId id = 0; id < sources.size(); ++id) {
    while (*path_of(sources.path(id)).lexically_relative(common).begin() == "..") {
      common = common.parent_path();
    }
  }
  const auto place = [&](const std::string& path) {
    return "rules/" + path_of(path).lexically_relative(common).string();
  };
  for (FileId id = 0; id < sources.size(); ++id) {
    const std::string to = folder + "/" + place(sources.path(id));
    if (const Status made = make_folder(fs::path(to).parent_path()); !made.ok()) {
      return made.error();
    }
    if (const Status written = write_file_atomically(to, sources.text(id)); !written.ok()) {
      return written.error();
    }
  }
  std::vector<std::string> own;
  own.reserve(target.spec.size());
  for (const std::string& path : target.spec) own.push_back(place(path));
  return own;
}

// The folder of one cause.
class CauseFolder {
 public:
  CauseFolder(const inject::Target& target, const SourceSet& sources, const service::Group& group,
              std::string folder)
      : target_(target), sources_(sources), group_(group), folder_(std::move(folder)) {}

  Status write() {
    if (Status made = make_folder(folder_); !made.ok()) return made;
    std::optional<std::string> why_not = service::why_not_ready_made(target_, group_);
    if (!why_not) {
      const Result<bool> ready = make_ready();
      if (!ready.ok()) return ready.error();
      if (!*ready) why_not = "the check does not print the same each time";
    }
    if (why_not) {
      if (Status added = add_injector(); !added.ok()) return added;
    }
    const std::string scenario = folder_ + "/scenario.json";
    if (Status saved = check::save_scenario(group_.scenario, scenario); !saved.ok()) return saved;
    return write_file_atomically(folder_ + "/README.md",
                                 service::read_me(target_, group_, why_not));
  }

 private:
  // The files that the power cut has left. False: they are not enough.
  Result<bool> make_ready() {
    const std::string state = folder_ + "/state";
    if (const Status made = make_folder(state); !made.ok()) return made.error();
    const Result<bool> kept = keep_files(target_, group_, state);
    if (!kept.ok()) return kept.error();
    if (!*kept) {
      std::error_code ignored;
      fs::remove_all(state, ignored);
      return false;
    }
    Status written =
        write_file_atomically(folder_ + "/expected.txt", service::expected(*group_.observed));
    if (written.ok()) {
      written = write_script(folder_ + "/run.sh", service::run_script(target_, group_));
    }
    if (!written.ok()) return written.error();
    return true;
  }

  Status add_injector() {
    if (Status copied = copy_injector(folder_ + "/injector"); !copied.ok()) return copied;
    const Result<std::string> text = read_file(target_.path, kMostTargetText);
    if (!text.ok()) return text.error();
    if (Status written = write_file_atomically(folder_ + "/target.toml", *text); !written.ok()) {
      return written;
    }
    const Result<std::vector<std::string>> rules = copy_rules(target_, sources_, folder_);
    if (!rules.ok()) return rules.error();
    return write_script(folder_ + "/run.sh", service::injector_script(target_, *rules));
  }

  const inject::Target& target_;
  const SourceSet& sources_;
  const service::Group& group_;
  std::string folder_;
};

}  // namespace

Status check_reproduction_folder(const std::string& folder) {
  if (folder.empty()) return Nothing();
  if (const Result<std::string> injector = find_injector(); !injector.ok()) return injector.error();
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(folder, error));
  if (!is_there || (fs::is_directory(folder, error) && fs::is_empty(folder, error))) {
    return Nothing();
  }
  return Error{fmt::format("{} is there already", printable(folder)),
               "choose another folder with --reproduce, or remove it"};
}

Status write_reproductions(const inject::Target& target, const SourceSet& sources,
                           const service::Report& report, const std::string& folder) {
  std::error_code ignored;
  const bool was_there = fs::exists(folder, ignored);
  const auto cause = [&](size_t i) { return fmt::format("{}/cause-{}", folder, i + 1); };
  for (size_t i = 0; i < report.groups.size(); ++i) {
    Status written = CauseFolder(target, sources, report.groups[i], cause(i)).write();
    if (written.ok()) continue;
    for (size_t j = 0; j <= i; ++j) fs::remove_all(cause(j), ignored);
    if (!was_there) fs::remove(folder, ignored);
    return written;
  }
  return Nothing();
}

}  // namespace clew::cli
