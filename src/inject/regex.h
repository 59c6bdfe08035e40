// Regular expressions (ECMAScript) over lines that nobody has promised to be short or sane.
//
//   const Result<Regex> added = Regex::make("added (\\w+)");
//   std::vector<std::string> groups;
//   added->matches("added f1", &groups);         // groups: "added f1", "f1"
//   added->occurs_in("12:00 added f1 to log");   // true
//
// Matching takes time in proportion to the line, and a stack that does not depend on it: nothing is
// tried again (libstdc++'s other way recurses for each character). So there are no references back
// and no look-ahead, and what repeats (`{100}`) may not unroll to more than kMostParts parts. A
// line of more than kMostLine bytes is matched by nothing.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clew::inject {

class Regex {
 public:
  static constexpr size_t kMostParts = 2'000;
  static constexpr size_t kMostLine = 64 << 10;

  // The Error does not repeat the pattern.
  static Result<Regex> make(const std::string& pattern);

  size_t groups() const;  // how many there are; the whole line is none
  // The whole line. groups[0] is the line, and one that took no part in it is empty.
  bool matches(std::string_view line, std::vector<std::string>* groups = nullptr) const;
  // A part of the line.
  bool occurs_in(std::string_view line) const;
  // Every part that matches gives way to `by`, in which $1 is its first group, and so on. A line of
  // more than kMostReplaced bytes stays as it is.
  static constexpr size_t kMostReplaced = 1024;
  std::string replaced(std::string_view line, const std::string& by) const;

 private:
  struct Compiled;

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace clew::inject
