#include "inject/target_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <sstream>

#include "base/check.h"
#include "base/columns.h"
#include "base/files.h"
#include "base/text.h"
#include "inject/call.h"

namespace clew::inject {

namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool lies_in(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

struct KindWord {
  const char* word;
  bool Kinds::*member;
};

constexpr std::array<KindWord, 11> kKinds = {{{"crash", &Kinds::crash},
                                              {"error", &Kinds::error},
                                              {"lasting", &Kinds::lasting},
                                              {"short", &Kinds::short_io},
                                              {"torn", &Kinds::torn},
                                              {"corrupt", &Kinds::corrupt},
                                              {"reset", &Kinds::reset},
                                              {"timeout", &Kinds::timeout},
                                              {"cut", &Kinds::cut},
                                              {"drop", &Kinds::drop},
                                              {"power", &Kinds::power}}};

std::vector<std::string> all_error_names() {
  std::vector<std::string> names;
  for (const CallRow& row : all_calls()) {
    for (const int error : row.errors) names.push_back(error_name(error));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> all_call_names() {
  std::vector<std::string> names;
  for (const CallRow& row : all_calls()) names.emplace_back(row.name);
  return names;
}

// Why a file cannot be run, or nothing.
std::string why_not_a_program(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return why_not(errno);
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  if (!S_ISREG(status.st_mode)) return "it is no file";
  return access(path.c_str(), X_OK) == 0 ? "" : "it is not executable";
}

}  // namespace

std::string remedy_for_word(std::string_view word, const std::vector<std::string>& allowed) {
  const std::optional<std::string> meant = closest(word, allowed);
  const std::string all = fmt::format("allowed: {}", fmt::join(allowed, ", "));
  return meant ? fmt::format("did you mean `{}`? {}", *meant, all) : all;
}

std::string absolute_path(const std::string& path, const std::string& folder) {
  std::string normal = (fs::path(folder) / path).lexically_normal().string();
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  return normal;
}

Status check_folder(const std::string& path) {
  if (is_folder(path)) return Nothing{};
  std::error_code error;
  const bool exists = fs::exists(path, error);
  return Error{
      fmt::format("{} {}", printable(path), exists ? "is no folder" : "does not exist"),
      exists ? "name the folder that it is in"
             : fmt::format("make it, with what is in it at first: mkdir -p {}", printable(path))};
}

Status check_state(const std::string& path, const std::vector<std::string>& others) {
  if (path == "/") return Error{"the state cannot be all of the disk", "name a folder in it"};
  for (const std::string& other : others) {
    if (!lies_in(path, other) && !lies_in(other, path)) continue;
    return Error{fmt::format("{} and {} are not apart", printable(other), printable(path)),
                 "name folders of which none is in another one"};
  }
  return check_folder(path);
}

Status check_spec(const std::string& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return Nothing{};
  return Error{fmt::format("{} is no file", printable(path)),
               "write a file with the promises, or name the one that has them (docs/inject.md)"};
}

Status check_user(const std::string& name) {
  if (getpwnam(name.c_str()) != nullptr) return Nothing{};
  return Error{fmt::format("there is no user `{}`", printable(name, 60)),
               "name one of /etc/passwd, or leave the key out: then it is whoever runs Clew"};
}

Result<std::string> find_program(const std::string& word, const std::string& folder,
                                 const std::string& search) {
  if (word.find('/') != std::string::npos) {
    std::string path = absolute_path(word, folder);
    const std::string wrong = why_not_a_program(path);
    if (wrong.empty()) return path;
    return Error{fmt::format("{} cannot be run: {}", printable(path), wrong),
                 wrong == "it is not executable"
                     ? fmt::format("make it so: chmod +x {}", printable(path))
                     : "build it, or correct the path: it begins at the folder of the target file"};
  }
  std::istringstream folders(search);
  for (std::string one; std::getline(folders, one, ':');) {
    const std::string path = absolute_path(word, one);
    if (one.starts_with('/') && why_not_a_program(path).empty()) return path;
  }
  const bool is_here = why_not_a_program(absolute_path(word, folder)).empty();
  return Error{fmt::format("there is no program `{}` in PATH", printable(word, 60)),
               is_here ? fmt::format("there is one beside the target file: write \"./{}\"",
                                     printable(word, 60))
                       : "install it, or write its path: what has a / begins at the folder of the "
                         "target file"};
}

bool sets_user_id(const std::string& program) {
  struct stat status {};
  return stat(program.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
}

const std::vector<std::string>& kind_words() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words;
    words.reserve(kKinds.size());
    for (const KindWord& kind : kKinds) words.emplace_back(kind.word);
    return words;
  }();
  return kWords;
}

bool& kind_called(Kinds& kinds, std::string_view word) {
  const auto* const found =
      std::ranges::find_if(kKinds, [&](const KindWord& kind) { return kind.word == word; });
  CHECK(found != kKinds.end(), "no kind is called {}", word);
  return kinds.*found->member;
}

Result<int> check_error_name(const std::string& name) {
  const int number = error_number(name);
  if (number != 0) return number;
  return Error{fmt::format("there is no error `{}`", printable(name, 60)),
               remedy_for_word(name, all_error_names())};
}

Status check_call_pattern(const std::string& pattern) {
  const std::vector<std::string> names = all_call_names();
  const bool some = std::ranges::any_of(
      names, [&](const std::string& name) { return glob_matches(pattern, name); });
  if (some) return Nothing{};
  const std::optional<std::string> meant = closest(pattern, names);
  return Error{fmt::format("no call that can fail is called `{}`", printable(pattern, 60)),
               meant ? fmt::format("did you mean `{}`? docs/failure-surface.md lists them", *meant)
                     : "docs/failure-surface.md lists them; * stands for anything"};
}

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?") != std::string_view::npos;
}

// Of several stars only the last needs to be tried again.
bool glob_matches(std::string_view pattern, std::string_view text) {
  constexpr size_t kNone = std::string_view::npos;
  size_t p = 0, t = 0, star = kNone, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace clew::inject
