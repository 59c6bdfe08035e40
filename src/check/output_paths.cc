#include "check/output_paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "base/files.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;

// Absolute, without links, dots and a slash at the end, whether it exists or not.
fs::path real_path(const std::string& path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error);
  if (error) whole = path;
  fs::path real = fs::weakly_canonical(whole, error);
  if (error) real = whole;
  return (real.lexically_normal() / "").parent_path();
}

bool is_numbered(const fs::path& path, const fs::path& first) {
  if (path.parent_path() != first.parent_path()) return false;
  if (path.extension() != first.extension()) return false;
  const fs::path stem = path.stem();
  const std::string number = stem.extension().string();
  return stem.stem() == first.stem() && number.size() > 1 &&
         number.find_first_not_of("0123456789", 1) == std::string::npos;
}

bool writes_to(const OutputPath& output, const fs::path& path) {
  const fs::path own = real_path(output.path);
  // Several outputs may go to /dev/null.
  if (own == path) return !is_stream(path.string());
  return output.numbered && is_numbered(path, own);
}

bool may_share(const OutputPath& a, const OutputPath& b) {
  if (!a.folder || !b.folder || a.holds.empty() || b.holds.empty()) return false;
  return a.holds != b.holds;
}

bool collide(const OutputPath& a, const OutputPath& b) {
  if (may_share(a, b)) return false;
  return writes_to(a, real_path(b.path)) || writes_to(b, real_path(a.path));
}

void add_collisions(const std::vector<OutputPath>& wanted, const std::vector<ProgramFile>& program,
                    std::vector<Error>& errors) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (const ProgramFile& file : program) {
      if (!writes_to(wanted[i], real_path(file.path))) continue;
      errors.push_back({fmt::format("{} {} would overwrite {}, a part of the program",
                                    wanted[i].name, wanted[i].path, file.path),
                        "name another place"});
    }
    for (size_t j = 0; j < i; ++j) {
      if (!collide(wanted[j], wanted[i])) continue;
      errors.push_back({fmt::format("{} and {} would overwrite each other: {} and {}",
                                    wanted[j].name, wanted[i].name, wanted[j].path, wanted[i].path),
                        "give each a place of its own"});
    }
  }
}

Error cannot_output(const OutputPath& output, const std::string& why, const std::string& remedy) {
  return {fmt::format("cannot write {}: {}", output.path, why),
          fmt::format("{}: {}", output.name, remedy)};
}

std::optional<Error> refusal(const OutputPath& output, const fs::path& place, int mode) {
  if (::faccessat(AT_FDCWD, place.c_str(), mode, AT_EACCESS) == 0) return std::nullopt;
  const std::string why = why_not(errno);
  return cannot_output(output, fmt::format("{}: {}", place.string(), why),
                       "choose a place that can be written to");
}

// `place` is to hold new files.
std::optional<Error> trouble_inside(const OutputPath& output, const fs::path& place) {
  std::error_code error;
  if (!fs::exists(place, error)) {
    return cannot_output(output, fmt::format("there is no folder {}", place.string()),
                         "check the path, or make the folder first");
  }
  if (!fs::is_directory(place, error)) {
    return cannot_output(output, fmt::format("{} is a file, not a folder", place.string()),
                         "check the path");
  }
  return refusal(output, place, W_OK | X_OK);
}

std::optional<Error> trouble_with(const OutputPath& output) {
  std::error_code error;
  fs::path place = fs::absolute(output.path, error);
  if (error) place = output.path;
  if (output.folder) {
    while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
    return trouble_inside(output, place);
  }
  if (fs::is_directory(place, error)) {
    return cannot_output(output, "it is a folder", "name a file in it");
  }
  if (fs::is_block_file(place, error)) return cannot_output(output, "it is a disk", "name a file");
  if (is_stream(place.string())) return refusal(output, place, W_OK);
  if (fs::exists(place, error)) place = real_path(output.path);
  return trouble_inside(output, place.parent_path());
}

}  // namespace

std::vector<Error> validate_outputs(const std::vector<OutputPath>& outputs,
                                    const std::vector<ProgramFile>& program) {
  std::vector<OutputPath> wanted;
  for (const OutputPath& output : outputs) {
    if (!output.path.empty()) wanted.push_back(output);
  }
  std::vector<Error> errors;
  add_collisions(wanted, program, errors);
  for (const OutputPath& output : wanted) {
    if (output.by_default) continue;
    if (std::optional<Error> trouble = trouble_with(output)) errors.push_back(*trouble);
  }
  return errors;
}

}  // namespace clew::check
