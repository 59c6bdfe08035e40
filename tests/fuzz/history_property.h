// What must be true of every text that is read as the history of a campaign.
#pragma once

#include <string_view>

#include "base/check.h"
#include "service/history_text.h"

namespace clew::service {

// Whatever is read can be taken up, and survives being written and read again. True if it was read.
inline bool check_history_property(std::string_view text) {
  const Result<Kept> kept = kept_from_text(text);
  if (!kept.ok()) {
    CHECK(!kept.error().message.empty());
    CHECK(!kept.error().remedy.empty());
    return false;
  }
  Known known({});
  for (const inject::Point& point : kept->points) known.point(point);
  for (const Site& site : kept->sites) known.site(site);
  for (const inject::Failure& failure : kept->failures) known.failure(failure);
  CHECK(known.sites() == kept->sites);
  CHECK(known.failures() == kept->failures);
  std::string again = text_before_trials(kept->bound, kept->promises, kept->seconds, known);
  for (const Trial& trial : kept->trials) {
    if (&trial != &kept->trials.front()) again += ",";
    again += to_text(trial, known);
  }
  again += kTextAfterTrials;
  const Result<Kept> second = kept_from_text(again);
  CHECK(second.ok(), "{}", second.error().message);
  CHECK(*second == *kept);
  return true;
}

}  // namespace clew::service
