// Failure points and their ids, after table 1 of "Towards Automatically Checking Thousands of
// Failures with Micro-Specifications" (Gunawi and others): a point is a call as it looks from
// outside, and says nothing that differs from run to run.
//
//   Point point{.node = "master", .thread = "master", .call = "rename", .io = Io::kNames};
//   point.object = {Object::Kind::kFile, "log2"};
//   point.stack = {"libc.so.6+0x1a2b", "merge (master.cc:81)"};
//   point.id() == "a8406c30";                  // a hash of all of it
//   point.place() == "merge (master.cc:81)";   // the first frame that is not a library's
#pragma once

#include <string>
#include <vector>

#include "inject/call.h"

namespace clew::inject {

struct Point {
  std::string node{};
  std::string thread{};  // its name, as the kernel knows it
  std::string call{};    // static: what is called, what for, and where
  Io io = Io::kOther;
  Object object{};  // domain specific: what it is about
  Object object2{};
  std::vector<std::string>
      stack{};             // dynamic: innermost first, `function (file:line)` or `module+0x1a2b`
  bool truncated = false;  // the walk over the stack ended early

  // 8 hexadecimal digits. `exact` names are not part of it, nor is `truncated`.
  std::string id() const;
  // The innermost frame, if all are of libraries; "an unknown place", if there is none.
  std::string place() const;
  // Made by the dynamic loader before the program begins: it opens the program's libraries.
  bool is_loading() const;
  friend bool operator==(const Point&, const Point&) = default;
};

}  // namespace clew::inject
