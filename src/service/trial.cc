#include "service/trial.h"

#include <algorithm>

namespace clew::service {

bool Trial::struck() const { return std::ranges::any_of(looks, &Look::struck); }

bool Trial::failed() const {
  return std::ranges::all_of(looks, [](const Look& look) {
    return look.ending == Look::Ending::kFailed || look.ending == Look::Ending::kCannotStart;
  });
}

bool Trial::violates(size_t promise) const {
  return std::ranges::any_of(looks, [&](const Look& look) { return look.violates(promise); });
}

bool Trial::violates_any() const { return std::ranges::any_of(looks, &Look::violates_any); }

size_t Trial::runs() const {
  size_t runs = 0;
  for (const Look& look : looks) runs += look.runs;
  return runs;
}

}  // namespace clew::service
