#include "check/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/files.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;

Error in_the_way(const std::string& path, const std::string& why) {
  return {fmt::format("cannot remove {}, of an earlier check: {}", path, why),
          "move it elsewhere, or name another folder"};
}

bool matches(std::string_view name, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  const std::string_view end = pattern.substr(star + 1);
  if (name.size() <= star + end.size() || !name.starts_with(pattern.substr(0, star)) ||
      !name.ends_with(end)) {
    return false;
  }
  const std::string_view number = name.substr(star, name.size() - star - end.size());
  return number.find_first_not_of("0123456789") == std::string_view::npos;
}

constexpr const char* kUnchanged = "the folder is as it was before";
constexpr const char* kMixed = "other files of the folder may be new already";

}  // namespace

OutputFolder::OutputFolder(std::string path, std::vector<std::string> patterns, std::string last)
    : path_(std::move(path)), patterns_(std::move(patterns)), last_(std::move(last)) {}

OutputFolder::~OutputFolder() {
  scratch_.reset();
  std::error_code ignored;
  for (const fs::path& folder : made_) {
    if (!fs::remove(folder, ignored)) break;  // it is not empty, as it should be
  }
}

Status OutputFolder::begin() {
  if (Status made = make_folders(); !made.ok()) return made;
  remove_leftovers(path_);
  scratch_.emplace(path_);
  if (!scratch_->valid()) return clew::cannot_write(path_, errno, kUnchanged);
  return Nothing{};
}

Status OutputFolder::make_folders() {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error)) {
    return Error{fmt::format("cannot write {}: it is a file, not a folder", path_),
                 "name a folder that can be written to, or one that does not exist yet"};
  }
  fs::path folder = (fs::path(path_) / "").parent_path();
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) {
    made_.push_back(folder);
  }
  fs::create_directories(path_, error);
  if (error) return clew::cannot_write(path_, error.value(), "nothing was written");
  return Nothing{};
}

Status OutputFolder::write(const std::string& name, std::string_view text) {
  return put(name, text, false);
}

Status OutputFolder::append(const std::string& name, std::string_view text) {
  return put(name, text, true);
}

std::string OutputFolder::place_for(const std::string& name) {
  CHECK(name == last_ || is_ours(name), "{} matches no pattern", name);
  CHECK(scratch_ && scratch_->valid(), "{} before begin()", name);
  written_.insert(name);
  return (fs::path(scratch_->path()) / name).string();
}

Error OutputFolder::cannot_write(const std::string& name, int code) const {
  return clew::cannot_write((fs::path(path_) / name).string(), code, kUnchanged);
}

Status OutputFolder::put(const std::string& name, std::string_view text, bool append) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC);
  Descriptor file(::open(place_for(name).c_str(), flags, 0666));
  if (!file.valid() || !write_all(file.number(), text) || !file.close()) {
    return cannot_write(name, errno);
  }
  return Nothing{};
}

Status OutputFolder::finish() {
  if (Status synced = sync(); !synced.ok()) return synced;
  const Result<Descriptor> lock = lock_folder(path_, Access::kWrite);
  if (!lock.ok()) return lock.error();
  std::error_code error;
  if (!last_.empty()) fs::remove(fs::path(path_) / last_, error);
  if (error) return cannot_write(last_, error.value());
  Status done = move_all();
  if (done.ok()) done = remove_old();
  if (done.ok() && written_.contains(last_)) done = move(last_);
  if (done.ok()) made_.clear();
  return done;
}

// A few files are worth the wait: they outlive a machine that crashes now. Of many, so is the one
// that readers look at first.
Status OutputFolder::sync() const {
  constexpr size_t kFew = 16;
  for (const std::string& name : written_) {
    if (written_.size() > kFew && name != last_) continue;
    const fs::path place = fs::path(scratch_->path()) / name;
    const Descriptor file(::open(place.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid() || !sync_to_disk(file.number())) return cannot_write(name, errno);
  }
  return Nothing{};
}

Status OutputFolder::move(const std::string& name) const {
  std::error_code error;
  const fs::path place = fs::path(path_) / name;
  fs::rename(fs::path(scratch_->path()) / name, place, error);
  if (error) return clew::cannot_write(place.string(), error.value(), kMixed);
  return Nothing{};
}

Status OutputFolder::move_all() const {
  for (const std::string& name : written_) {
    if (name == last_) continue;
    if (Status moved = move(name); !moved.ok()) return moved;
  }
  return Nothing{};
}

Status OutputFolder::remove_old() const {
  std::error_code error;
  std::vector<std::string> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    std::string name = entry.path().filename().string();
    if (is_ours(name) && !written_.contains(name)) old.push_back(std::move(name));
  }
  if (error) return clew::cannot_write(path_, error.value(), kMixed);
  for (const std::string& name : old) {
    const fs::path file = fs::path(path_) / name;
    fs::remove(file, error);
    if (error) return in_the_way(file.string(), error.message());
  }
  return Nothing{};
}

bool OutputFolder::is_ours(const std::string& name) const {
  for (const std::string& pattern : patterns_) {
    if (matches(name, pattern)) return true;
  }
  return false;
}

}  // namespace clew::check
