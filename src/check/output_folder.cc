#include "check/output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/check.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;

Error cannot(const std::string& path, const std::string& why) {
  return {fmt::format("cannot write {}: {}", path, why),
          "name a folder that can be written to, or one that does not exist yet"};
}

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

constexpr std::string_view kScratch = ".clew-";

// The process that made such a folder is no more: it was killed, or had the id that is ours now.
bool is_abandoned(std::string_view name) {
  if (!name.starts_with(kScratch)) return false;
  name.remove_prefix(kScratch.size());
  pid_t maker = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), maker);
  if (error != std::errc{} || end != name.data() + name.size() || maker <= 0) return false;
  return maker == ::getpid() || (::kill(maker, 0) != 0 && errno == ESRCH);
}

// What cannot be removed is only untidy.
void remove_abandoned(const std::string& folder) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    std::error_code unknown;
    if (is_abandoned(at->path().filename().string()) &&
        at->symlink_status(unknown).type() == fs::file_type::directory) {
      found.push_back(at->path());
    }
  }
  for (const fs::path& path : found) fs::remove_all(path, ignored);
}

}  // namespace

OutputFolder::OutputFolder(std::string path, std::vector<std::string> patterns, std::string last)
    : path_(std::move(path)), patterns_(std::move(patterns)), last_(std::move(last)) {}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
}

Status OutputFolder::begin() {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error)) {
    return cannot(path_, "it is a file, not a folder");
  }
  fs::create_directories(path_, error);
  if (error) return cannot(path_, error.message());
  remove_abandoned(path_);
  std::string scratch = (fs::path(path_) / fmt::format("{}{}", kScratch, ::getpid())).string();
  if (!fs::create_directory(scratch, error)) {
    return cannot(path_, error ? error.message() : fmt::format("{} is in the way", scratch));
  }
  scratch_ = std::move(scratch);
  return Nothing{};
}

Status OutputFolder::write(const std::string& name, std::string_view text) {
  return put(name, text, false);
}

Status OutputFolder::append(const std::string& name, std::string_view text) {
  return put(name, text, true);
}

Status OutputFolder::put(const std::string& name, std::string_view text, bool append) {
  CHECK(name == last_ || is_ours(name), "{} matches no pattern", name);
  const std::string file = (fs::path(scratch_) / name).string();
  std::ofstream out(file, append ? std::ios::binary | std::ios::app : std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) return cannot((fs::path(path_) / name).string(), std::strerror(errno));
  written_.insert(name);
  return Nothing{};
}

Status OutputFolder::finish() {
  std::error_code error;
  if (!last_.empty()) fs::remove(fs::path(path_) / last_, error);
  if (error) return cannot((fs::path(path_) / last_).string(), error.message());
  Status done = move_all();
  if (done.ok()) done = remove_old();
  if (!done.ok()) return done;
  if (written_.contains(last_)) {
    fs::rename(fs::path(scratch_) / last_, fs::path(path_) / last_, error);
    if (error) return cannot((fs::path(path_) / last_).string(), error.message());
  }
  return Nothing{};
}

Status OutputFolder::move_all() {
  for (const std::string& name : written_) {
    if (name == last_) continue;
    std::error_code error;
    fs::rename(fs::path(scratch_) / name, fs::path(path_) / name, error);
    if (error) return cannot((fs::path(path_) / name).string(), error.message());
  }
  return Nothing{};
}

Status OutputFolder::remove_old() {
  std::error_code error;
  std::vector<std::string> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    std::string name = entry.path().filename().string();
    if (is_ours(name) && !written_.contains(name)) old.push_back(std::move(name));
  }
  if (error) return cannot(path_, error.message());
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
