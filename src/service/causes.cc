#include "service/causes.h"

#include <algorithm>

#include "base/check.h"

namespace clew::service {

namespace {

Combination smallest_known(const Combination& combination, const Asking& asking) {
  for (Combination& part : parts_of(combination)) {
    if (asking.known(part).value_or(false)) return std::move(part);
  }
  return combination;
}

// One failure less, if that violates, too.
Result<bool> lessen(Cause& cause, const Asking& asking) {
  const Combination all = cause.combination;
  for (const uint32_t failure : all) {
    const Combination part = without(all, failure);
    if (part.empty()) continue;
    std::optional<bool> violates = asking.known(part);
    if (!violates) {
      Result<std::optional<bool>> answer = asking.run(part);
      if (!answer.ok()) return answer.error();
      violates = *answer;
    }
    if (!violates) cause.minimal = false;
    if (violates.value_or(false)) {
      cause = {part, true};
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Combination> parts_of(const Combination& combination) {
  CHECK(combination.size() < 20, "{} failures at once", combination.size());
  std::vector<Combination> parts;
  const uint32_t all = (uint32_t{1} << combination.size()) - 1;
  for (uint32_t chosen = 1; chosen < all; ++chosen) {
    Combination& part = parts.emplace_back();
    for (size_t i = 0; i < combination.size(); ++i) {
      if ((chosen >> i & 1U) != 0) part.push_back(combination[i]);
    }
  }
  std::ranges::stable_sort(parts, {}, &Combination::size);
  return parts;
}

Result<Cause> minimal_cause(const Combination& combination, const Asking& asking) {
  Cause cause{smallest_known(combination, asking), true};
  while (true) {
    const Result<bool> lessened = lessen(cause, asking);
    if (!lessened.ok()) return lessened.error();
    if (!*lessened) return cause;
  }
}

CauseKey cause_key(const Known& known, const Combination& combination) {
  CauseKey key;
  for (const uint32_t id : combination) {
    const inject::Failure& failure = known.failures()[id];
    key.emplace_back(failure.point, failure.effect);
  }
  std::ranges::sort(key);
  return key;
}

}  // namespace clew::service
