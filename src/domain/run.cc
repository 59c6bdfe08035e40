#include "domain/run.h"

#include <algorithm>

#include "base/check.h"

namespace clew {

namespace {

int badness(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kVacuous:
      return 0;
    case Outcome::Kind::kHolds:
      return 1;
    case Outcome::Kind::kViolated:
      return 2;
  }
  CHECK(false, "outcome {}", static_cast<int>(outcome.kind));
  return 0;
}

}  // namespace

const Outcome& worst_of(const std::vector<Outcome>& outcomes) {
  CHECK(!outcomes.empty(), "a run that nobody has judged");
  return *std::ranges::max_element(outcomes, {}, badness);
}

const char* to_string(Message::Fate fate) {
  switch (fate) {
    case Message::Fate::kDelivered:
      return "delivered";
    case Message::Fate::kOmitted:
      return "omitted";
    case Message::Fate::kSenderCrashed:
      return "sender-crashed";
    case Message::Fate::kReceiverStopped:
      return "receiver-stopped";
    case Message::Fate::kAfterEnd:
      return "after-end";
  }
  CHECK(false, "fate {}", static_cast<int>(fate));
  return "";
}

const char* to_string(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kHolds:
      return "holds";
    case Outcome::Kind::kViolated:
      return "violated";
    case Outcome::Kind::kVacuous:
      return "vacuous";
  }
  CHECK(false, "outcome {}", static_cast<int>(kind));
  return "";
}

const Outcome& Run::outcome() const { return worst_of(outcomes); }

const Rule& Run::rule(const Firing& firing) const {
  CHECK(rules != nullptr, "a firing without a table of rules");
  CHECK(firing.rule < rules->size(), "rule {} of {}", firing.rule, rules->size());
  return (*rules)[firing.rule];
}

}  // namespace clew
