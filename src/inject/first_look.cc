#include "inject/first_look.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "inject/names.h"

namespace clew::inject {

namespace {

namespace fs = std::filesystem;

constexpr std::array kPrivate = {"/tmp", "/var/tmp", "/dev/shm", "/run"};
constexpr std::array kNobodys = {"/dev", "/proc", "/sys"};
constexpr size_t kMostRenames = 20;

bool is_a_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

// Where something of this name is, or would be: a folder that is there.
std::string folder_of(const std::string& path) {
  std::string folder = fs::path(path).parent_path().string();
  while (!folder.empty() && folder != "/" && !is_a_folder(folder)) {
    folder = fs::path(folder).parent_path().string();
  }
  return folder;
}

template <class Folders>
bool is_in_any(const std::string& path, const Folders& folders) {
  return std::ranges::any_of(folders, [&](const auto& folder) { return is_in(path, folder); });
}

// A file that was opened and is not there outside of the run was made by it.
bool changes(const Call& call) {
  switch (call.row->io) {
    case Io::kWrite:
    case Io::kNames:
    case Io::kSize:
    case Io::kCopy:
      return true;
    case Io::kOpen:
      return !is_there(call.object.exact);
    default:
      return false;
  }
}

bool is_path(const Object& object) {
  const bool output = object.kind == Object::Kind::kOutput;
  return !output && object.exact.starts_with('/') && !object.exact.starts_with("/memfd:");
}

class Looking {
 public:
  explicit Looking(const FirstCommand& command) : command_(command) {}

  void add(const Call& call) {
    if (!call.finished || !is_path(call.object)) return;
    if (call.result == -EROFS) look_.refused.insert(folder_of(call.object.exact));
    if (call.result < 0 || !changes(call)) return;
    const std::string first = add_path(call.object.exact);
    if (call.row->io != Io::kNames || !is_path(call.object2)) return;
    look_.moves_across |= top_of(first) != top_of(add_path(call.object2.exact));
  }

  void add(const Listening& one) {
    if (one.path.starts_with('/')) add_path(one.path);
    if (one.port == 0 && !one.path.starts_with('/')) return;
    if (is_passing_port(one.port)) {
      look_.listens_anywhere = true;
    } else {
      look_.listening.push_back(one);
    }
  }

  void add(const Change& change) { look_.ends |= change.kind == Change::Kind::kExited; }
  void add(const Line& line) { look_.lines.push_back(line.text); }

  FirstLook take() {
    std::erase_if(look_.refused, [](const std::string& one) { return is_in_any(one, kNobodys); });
    return std::move(look_);
  }

 private:
  // The first folder below the one it is called in; that one itself, for what is in it.
  std::string top_of(const std::string& path) const {
    if (!is_in(path, command_.folder)) return path;
    const fs::path below = fs::path(path).lexically_relative(command_.folder);
    return below.begin()->string();
  }

  std::string add_path(const std::string& path) {
    std::string folder = folder_of(path);
    if (is_in(folder, command_.folder) || is_in_any(folder, command_.more)) {
      look_.written.insert(folder);
    } else if (is_in_any(folder, kPrivate)) {
      look_.elsewhere.insert(folder);
    }
    return folder;
  }

  const FirstCommand& command_;
  FirstLook look_;
};

std::string common_folder(const std::string& one, const std::string& other) {
  std::string common = one;
  while (!is_in(other, common)) common = fs::path(common).parent_path().string();
  return common;
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Words of letters and digits, and what is between them.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for (const char c : text) {
    if (parts.empty() || is_of_word(parts.back().back()) != is_of_word(c)) parts.emplace_back();
    parts.back() += c;
  }
  return parts;
}

std::string class_of(const std::string& one, const std::string& other) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const bool digits = std::ranges::all_of(one + other, digit);
  return digits ? "[0-9]+" : "[0-9A-Za-z]+";
}

std::string escaped(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}/").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// What differs of two names of the same form; nothing, if they have not the same.
std::optional<Rename> rename_of(const std::string& one, const std::string& other) {
  const std::vector<std::string> left = parts_of(one), right = parts_of(other);
  if (left.size() != right.size()) return std::nullopt;
  Rename rename;
  bool fixed = false;
  for (size_t i = 0; i < left.size(); ++i) {
    const bool same = left[i] == right[i];
    const bool both_words = is_of_word(left[i].front()) && is_of_word(right[i].front());
    if (!same && !both_words) return std::nullopt;
    fixed |= same;
    rename.pattern += same ? escaped(left[i]) : class_of(left[i], right[i]);
    rename.becomes += same ? left[i] : "*";
  }
  // A `$` has a meaning there; and one pattern for all words would make all names equal.
  const bool usable = fixed && rename.becomes.find('$') == std::string::npos;
  return usable ? std::optional(rename) : std::nullopt;
}

std::vector<std::string> components(const std::string& name) {
  std::vector<std::string> all;
  for (const fs::path& part : fs::path(name)) all.push_back(part.string());
  return all;
}

// What differs in exactly one folder or file of two paths.
std::optional<Rename> rename_of_path(const std::string& one, const std::string& other) {
  const std::vector<std::string> left = components(one), right = components(other);
  if (left.size() != right.size()) return std::nullopt;
  std::optional<Rename> found;
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (found) return std::nullopt;
    found = rename_of(left[i], right[i]);
    if (!found) return std::nullopt;
  }
  return found;
}

std::set<std::string> names_in(const Observed& seen) {
  std::set<std::string> names;
  for (const Point& point : seen.points) {
    for (const Object& object : {point.object, point.object2}) {
      const bool socket =
          object.kind == Object::Kind::kSocket || object.kind == Object::Kind::kDatagrams;
      if (!socket) names.insert(object.name);
    }
  }
  return names;
}

}  // namespace

bool is_in(const std::string& path, const std::string& folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

FirstLook look_at(const FirstCommand& command, const Observed& seen) {
  Looking looking(command);
  for (const Happening& one : seen.happenings) {
    if (const Call* call = std::get_if<Call>(&one)) looking.add(*call);
    if (const Line* line = std::get_if<Line>(&one)) looking.add(*line);
    if (const Change* change = std::get_if<Change>(&one)) looking.add(*change);
  }
  for (const Listening& one : seen.listening) looking.add(one);
  return looking.take();
}

std::vector<std::string> state_of(const FirstCommand& command, const FirstLook& look) {
  std::vector<std::string> state;
  for (const std::string& folder : look.written) {
    if (!is_in(folder, command.folder)) {
      state.push_back(folder);
      continue;
    }
    if (folder == command.folder || look.moves_across) {
      state.push_back(command.folder);
      continue;
    }
    const auto near = std::ranges::find_if(state, [&](const std::string& one) {
      const std::string common = common_folder(one, folder);
      return common != command.folder && is_in(common, command.folder);
    });
    if (near == state.end()) {
      state.push_back(folder);
    } else {
      *near = common_folder(*near, folder);
    }
  }
  // None lies in another one.
  std::ranges::sort(state);
  std::vector<std::string> apart;
  for (const std::string& folder : state) {
    if (!is_in_any(folder, apart)) apart.push_back(folder);
  }
  return apart;
}

std::vector<Rename> renames_between(const Observed& one, const Observed& two) {
  const std::set<std::string> left = names_in(one), right = names_in(two);
  std::vector<std::string> gone, come;
  std::ranges::set_difference(left, right, std::back_inserter(gone));
  std::ranges::set_difference(right, left, std::back_inserter(come));
  std::vector<Rename> renames;
  for (const std::string& name : gone) {
    for (const std::string& other : come) {
      const std::optional<Rename> rename = rename_of_path(name, other);
      if (!rename) continue;
      const bool known = std::ranges::any_of(
          renames, [&](const Rename& had) { return had.pattern == rename->pattern; });
      if (!known && renames.size() < kMostRenames) renames.push_back(*rename);
      break;
    }
  }
  return renames;
}

}  // namespace clew::inject
