// What the text of a firing's rule says about it.
//
//   RuleForms forms;
//   forms.of(firing.rule).time      // @next, @async or neither
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dedalus/program.h"

namespace clew::lineage {

struct RuleForm {
  using Time = dedalus::TimeSuffix::Kind;

  Time time = Time::kNone;
  dedalus::Location location;
  std::string location_relation;  // of the element that decides the location
  bool location_absent = false;   // which is a `notin`
  std::vector<bool> aggregate;    // by column of the head
  bool aggregates = false;
};

// Reads every text once.
class RuleForms {
 public:
  // Stays where it is.
  const RuleForm& of(const std::string& rule);

 private:
  std::map<std::string, RuleForm> forms_;
};

}  // namespace clew::lineage
