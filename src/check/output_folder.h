// A folder that is filled with files of one kind, and keeps none of an earlier time.
//
//   OutputFolder folder(path, {"run_*_spacetime.dot", "counterexample_*_spacetime.dot"});
//   Status made = folder.begin();
//   if (made.ok()) made = folder.write("run_0_spacetime.dot", text);
//   if (made.ok()) made = folder.finish();
//
// Files are written into a new folder inside, and are moved to their places at the end: until then
// what was there before stays as it is. Then files that match a pattern and were not written this
// time are removed; everything else in the folder is left alone, except for the new folders of
// processes that were killed (see base/temporary.h). The folder is locked meanwhile: of two who
// fill it at the same time, the files of the one or of the other are there afterwards.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/temporary.h"

namespace clew::check {

class OutputFolder {
 public:
  // In a pattern, `*` stands for digits. `last` is what readers look at first: it is removed before
  // any other file changes, and is the last one to be put in its place.
  OutputFolder(std::string path, std::vector<std::string> patterns, std::string last = "");
  ~OutputFolder();  // removes the folder, if it is new and empty
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }

  Status begin();
  Status write(const std::string& name, std::string_view text);
  // For a file that is too large for one text.
  Status append(const std::string& name, std::string_view text);
  // For a file that somebody else writes: where to, before finish().
  std::string place_for(const std::string& name);
  // Of a file that could not be written before finish(), by anybody.
  Error cannot_write(const std::string& name, int code) const;
  Status finish();

 private:
  Status put(const std::string& name, std::string_view text, bool append);
  Status make_folders();
  Status sync() const;
  Status move(const std::string& name) const;
  Status move_all() const;
  Status remove_old() const;
  bool is_ours(const std::string& name) const;

  std::string path_;
  std::vector<std::string> patterns_;
  std::string last_;
  std::vector<std::filesystem::path> made_;  // folders, the innermost first
  std::optional<TemporaryFolder> scratch_;
  std::set<std::string> written_;
};

}  // namespace clew::check
