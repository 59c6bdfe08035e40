// Which facts a spec reads: one that no atom of a rule can match changes nothing, and need not be
// made.
//
//   ReadFacts reads(program);            // of: never bad: call(N, "rename", _, "EIO", _);
//   reads.relation("said");              // false
//   reads.fact({"call", {"n", "rename", "log", "EIO", 7}});   // true
//   reads.fact({"call", {"n", "rename", "log", "ok", 7}});    // false
//   reads.time();                        // true: `never` looks at every moment
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dedalus/program.h"
#include "domain/fact.h"

namespace clew::inject {

class ReadFacts {
 public:
  explicit ReadFacts(const dedalus::Program& program);

  bool relation(const std::string& name) const { return patterns_.contains(name); }
  bool fact(const Fact& fact) const;
  // Whether it matters when something happened: by @next, by @N, or by `always` and `never`.
  bool time() const { return time_; }

 private:
  using Constants = std::vector<std::optional<Datum>>;  // by column; nothing: any value

  void add(const dedalus::Atom& atom);

  std::map<std::string, std::vector<Constants>> patterns_;
  bool time_ = false;
};

}  // namespace clew::inject
