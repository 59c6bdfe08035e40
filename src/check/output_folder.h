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
// processes that were ended before they could tidy up.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clew::check {

class OutputFolder {
 public:
  // In a pattern, `*` stands for digits. `last` is what readers look at first: it is removed before
  // any other file changes, and is the last one to be put in its place.
  OutputFolder(std::string path, std::vector<std::string> patterns, std::string last = "");
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }

  Status begin();
  Status write(const std::string& name, std::string_view text);
  // For a file that is too large for one text.
  Status append(const std::string& name, std::string_view text);
  Status finish();

 private:
  Status put(const std::string& name, std::string_view text, bool append);
  Status move_all();
  Status remove_old();
  bool is_ours(const std::string& name) const;

  std::string path_;
  std::vector<std::string> patterns_;
  std::string last_;
  std::string scratch_;  // empty: there is none
  std::set<std::string> written_;
};

}  // namespace clew::check
