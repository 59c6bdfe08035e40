#include "host/delta.h"

#include <algorithm>

namespace clew::host {

namespace {

constexpr size_t kSure = 16;   // so many equal bytes are no accident
constexpr size_t kNear = 96;   // bytes that go and come together, tried in all ways
constexpr size_t kFar = 1024;  // an entry that is longer is written with all that follows

// Compared at once, which is much faster than byte by byte.
constexpr size_t kStep = 256;

size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  size_t at = 0;
  while (at + kStep <= most && a.compare(at, kStep, b, at, kStep) == 0) at += kStep;
  while (at < most && a[at] == b[at]) ++at;
  return at;
}

size_t common_suffix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  size_t at = 0;
  while (at + kStep <= most &&
         a.compare(a.size() - at - kStep, kStep, b, b.size() - at - kStep, kStep) == 0) {
    at += kStep;
  }
  while (at < most && a[a.size() - 1 - at] == b[b.size() - 1 - at]) ++at;
  return at;
}

struct Gap {
  size_t skip, insert;
};

// Both begin differently; a little that must go for them to go on alike.
std::optional<Gap> resync(std::string_view before, std::string_view after) {
  for (size_t both = 1; both <= kNear; ++both) {
    for (size_t skip = 0; skip <= both; ++skip) {
      const size_t insert = both - skip;
      if (skip + kSure > before.size() || insert + kSure > after.size()) continue;
      if (before.compare(skip, kSure, after, insert, kSure) == 0) return Gap{skip, insert};
    }
  }
  if (before.size() >= kSure) {
    const size_t found = after.substr(0, kFar).find(before.substr(0, kSure));
    if (found != std::string_view::npos) return Gap{0, found};
  }
  if (after.size() >= kSure) {
    const size_t found = before.substr(0, kFar).find(after.substr(0, kSure));
    if (found != std::string_view::npos) return Gap{found, 0};
  }
  return std::nullopt;
}

}  // namespace

Delta delta_of(std::string_view before, std::string_view after) {
  const size_t end = common_suffix(before, after);
  // The suffix may not reach into what is looked at from the front.
  std::string_view old_rest = before.substr(0, before.size() - end);
  std::string_view new_rest = after.substr(0, after.size() - end);
  Delta delta;
  while (!old_rest.empty() || !new_rest.empty()) {
    Edit edit;
    const size_t same = common_prefix(old_rest, new_rest);
    old_rest.remove_prefix(same);
    new_rest.remove_prefix(same);
    const Gap gap = resync(old_rest, new_rest).value_or(Gap{old_rest.size(), new_rest.size()});
    edit = {.keep = same, .skip = gap.skip, .insert = std::string(new_rest.substr(0, gap.insert))};
    old_rest.remove_prefix(gap.skip);
    new_rest.remove_prefix(gap.insert);
    delta.push_back(std::move(edit));
  }
  return delta;
}

std::optional<std::string> applied(const Delta& delta, std::string_view before) {
  std::string after;
  for (const Edit& edit : delta) {
    if (edit.keep > before.size() || edit.skip > before.size() - edit.keep) return std::nullopt;
    after += before.substr(0, edit.keep);
    after += edit.insert;
    before.remove_prefix(edit.keep + edit.skip);
  }
  after += before;
  return after;
}

}  // namespace clew::host
