#include "domain/run.h"

#include "base/check.h"

namespace clew {

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

const Rule& Run::rule(const Firing& firing) const {
  CHECK(rules != nullptr, "a firing without a table of rules");
  CHECK(firing.rule < rules->size(), "rule {} of {}", firing.rule, rules->size());
  return (*rules)[firing.rule];
}

}  // namespace clew
