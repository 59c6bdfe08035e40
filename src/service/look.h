// One run of a Plan, as the search remembers it: what struck, what was judged, what else could
// fail.
//
//   Looker looker(target, known, judging);
//   Result<Look> look = looker.look(plan, observed);
//   look->struck;                  // every failure of the plan was reached
//   look->sites[look->after];      // the first that came by once the last of them had struck
//
// Of a run in which something was never reached the rest says nothing, and is left out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "inject/observed.h"
#include "inject/target.h"
#include "service/judging.h"
#include "service/known.h"
#include "service/past.h"
#include "service/supports.h"

namespace clew::service {

struct Look {
  using Ending = inject::Observed::Ending;

  uint32_t runs = 1;  // it took so many until all had struck
  Ending ending = Ending::kDone;
  bool struck = true;                   // it was run, and all failures of the plan struck
  uint32_t last = 0;                    // the index in the plan of the one that struck last
  std::vector<Outcome::Kind> outcomes;  // by promise
  std::vector<uint32_t> sites;          // where something may fail, by first appearance, less the
  size_t after = 0;                     // plan's; from here on after the last failure had struck
  std::vector<uint32_t> unlikely;       // of these, where a failure hardly matters; sorted
  std::vector<std::string> states;      // other crash states of the power cut that struck last
  std::vector<std::vector<uint32_t>> supports;       // sites that the good outcome rests on
  std::vector<std::pair<uint32_t, uint32_t>> calls;  // without failures: point, how many
  std::vector<inject::Warning> warnings;
  std::string broken;   // equal where the same promises about the same things are violated
  std::string trouble;  // why it could not be run

  bool violates(size_t promise) const;
  bool violates_any() const;
  friend bool operator==(const Look&, const Look&) = default;
};

// Whether the target file lets anything fail there.
bool may_fail(const inject::Target& target, const inject::Point& point);

class Looker {
 public:
  // All outlive this.
  Looker(const inject::Target& target, Known& known, Judging& judging)
      : target_(target), known_(known), judging_(judging) {}

  // Whether it shall find out what good outcomes rest on.
  void want_supports(bool wanted) { wants_supports_ = wanted; }

  // An Error if it cannot be judged.
  Result<Look> look(const inject::Plan& plan, const inject::Observed& seen);

 private:
  // Where each happening is.
  struct Places {
    std::vector<uint32_t> site_of;   // by happening
    std::vector<uint32_t> first_at;  // by Look::sites: the first happening there
  };
  bool is_planned(const inject::Plan& plan, uint32_t number) const;
  Places find_sites(const inject::Plan& plan, const inject::Observed& seen, Look& look);
  void find_past(const inject::Plan& plan, const inject::Observed& seen, const Places& places,
                 const Run& run, Look& look);
  Supports find_supports(const inject::Plan& plan, const inject::Observed& seen, const Past& past,
                         const Run& run) const;

  const inject::Target& target_;
  Known& known_;
  Judging& judging_;
  bool wants_supports_ = false;
};

}  // namespace clew::service
