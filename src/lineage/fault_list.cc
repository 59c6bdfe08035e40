#include "lineage/fault_list.h"

#include <algorithm>

namespace clew::lineage {

namespace {

Message::Fate fate_by(const FaultList::Fault& fault, const Scenario& scenario, const NodeName& from,
                      const NodeName& to, Tick sent_at) {
  if (const auto* omission = std::get_if<Omission>(&fault)) {
    const bool lost = *omission == Omission{from, to, sent_at};
    return lost ? Message::Fate::kOmitted : Message::Fate::kDelivered;
  }
  const auto& crash = std::get<Crash>(fault);
  if (crash.node == from && from != to && crash.tick <= sent_at) {
    return Message::Fate::kSenderCrashed;
  }
  const bool stops =
      scenario.crash_model == CrashModel::kStop && crash.node == to && crash.tick <= sent_at + 1;
  return stops ? Message::Fate::kReceiverStopped : Message::Fate::kDelivered;
}

}  // namespace

FaultList::FaultList(const Scenario& scenario) : scenario_(scenario) {
  for (const Omission& omission : scenario.faults.omissions) faults_.emplace_back(omission);
  for (const Crash& crash : scenario.faults.crashes) faults_.emplace_back(crash);
}

const Crash* FaultList::crash(uint32_t fault) const { return std::get_if<Crash>(&faults_[fault]); }

std::string FaultList::text(uint32_t fault) const {
  const Crash* crash = this->crash(fault);
  if (crash != nullptr) return "crash " + to_string(*crash);
  return "drop " + to_string(std::get<Omission>(faults_[fault]));
}

FaultSet FaultList::without(uint32_t fault) const {
  FaultSet rest;
  for (uint32_t i = 0; i < faults_.size(); ++i) {
    if (i == fault) continue;
    if (const Crash* crash = this->crash(i)) {
      rest.crashes.push_back(*crash);
    } else {
      rest.omissions.push_back(std::get<Omission>(faults_[i]));
    }
  }
  return rest;
}

std::vector<uint32_t> FaultList::on(const NodeName& from, const NodeName& to, Tick sent_at) const {
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < faults_.size(); ++i) {
    if (fate_by(faults_[i], scenario_, from, to, sent_at) != Message::Fate::kDelivered) {
      all.push_back(i);
    }
  }
  return all;
}

Message::Fate FaultList::fate(const NodeName& from, const NodeName& to, Tick sent_at) const {
  using Fate = Message::Fate;
  Fate fate = Fate::kDelivered;
  for (const Fault& fault : faults_) {
    const Fate own = fate_by(fault, scenario_, from, to, sent_at);
    // Fates are listed in the order in which they count.
    if (own != Fate::kDelivered && (fate == Fate::kDelivered || own < fate)) fate = own;
  }
  return fate;
}

std::vector<uint32_t> FaultList::stops(Tick tick) const {
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < faults_.size(); ++i) {
    const Crash* crash = this->crash(i);
    const bool stop = scenario_.crash_model == CrashModel::kStop && crash != nullptr;
    if (stop && crash->tick <= tick) all.push_back(i);
  }
  return all;
}

}  // namespace clew::lineage
