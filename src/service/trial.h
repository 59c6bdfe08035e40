// A Trial: a plan, run so many times.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inject/failure.h"
#include "inject/observed.h"
#include "service/look.h"

namespace clew::service {

struct Wish {
  inject::Plan plan;
  uint32_t times = 1;
  std::optional<uint32_t> keep{};  // the first run that violates this promise

  friend bool operator==(const Wish&, const Wish&) = default;
};

struct Trial {
  Wish wish;
  std::vector<Look> looks;  // one for each time
  // If that was wished for, and no history knew the trial already.
  std::optional<inject::Observed> kept{};

  bool struck() const;  // in some run all failures did
  bool failed() const;  // no run could be made
  bool violates(size_t promise) const;
  bool violates_any() const;
  size_t runs() const;
};

}  // namespace clew::service
