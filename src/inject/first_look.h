// What a run of one command shows that its first target file needs (first_target.h).
//
//   const FirstLook look = look_at(command, one);
//   look.ends;                                      // by itself, in time
//   state_of(command, look);                        // the folder `data`, where it has written
//   renames_between(one, two).front().pattern;      // "job-[0-9]+"
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "inject/first_target.h"
#include "inject/observed.h"
#include "inject/target.h"

namespace clew::inject {

struct FirstLook {
  bool ends = false;                   // by itself
  std::set<std::string> written{};     // folders that are there, in which it changed something
  std::set<std::string> elsewhere{};   // likewise, but private to a run, such as /tmp
  std::set<std::string> refused{};     // folders in which it could not
  bool moves_across = false;           // renames and links lead from one folder to another
  std::vector<Listening> listening{};  // on ports that are no passing ones, and at paths
  bool listens_anywhere = false;       // on a port that nobody has chosen
  std::vector<std::string> lines{};
};

FirstLook look_at(const FirstCommand& command, const Observed& seen);

// The folders of a state: for each folder below `folder` the smallest that holds what is written in
// it, or `folder` itself; and those of `elsewhere` and `written` that are not below.
std::vector<std::string> state_of(const FirstCommand& command, const FirstLook& look);

// For names of files that only one of the runs has, and that differ in letters and digits alone.
std::vector<Rename> renames_between(const Observed& one, const Observed& two);

// `path` is `folder`, or lies in it.
bool is_in(const std::string& path, const std::string& folder);

}  // namespace clew::inject
