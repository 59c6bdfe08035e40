// A campaign as text: what it is about, what was found that can fail, and what every Trial showed,
// in order. JSON, one trial a line.
//
//   Result<Kept> kept = kept_from_text(text);      // whoever wrote it
//   kept->trials.size();
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/known.h"
#include "service/trial.h"

namespace clew::service {

inline constexpr int kHistoryVersion = 2;
inline constexpr uint64_t kMostHistoryBytes = uint64_t{1} << 30;

// What the result of a campaign depends on, by name: files and their fingerprints, settings.
using Bound = std::map<std::string, std::string>;

struct Kept {
  Bound bound;
  size_t promises = 0;
  double seconds = 0;
  std::vector<inject::Point> points;
  std::vector<Site> sites;
  std::vector<inject::Failure> failures;
  std::vector<Trial> trials;

  friend bool operator==(const Kept&, const Kept&);
};

// Everything but the trials, up to where they begin; one trial; and what comes after the last.
std::string text_before_trials(const Bound& bound, size_t promises, double seconds,
                               const Known& known);
std::string to_text(const Trial& trial, Known& known);
inline constexpr std::string_view kTextAfterTrials = "\n]}\n";

// Accepts what is written in these words, in any layout, if all numbers are of something.
Result<Kept> kept_from_text(std::string_view text);

}  // namespace clew::service
