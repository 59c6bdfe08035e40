#include "lineage/fault_list.h"

#include <algorithm>

#include "base/watched.h"
#include "domain/delivery.h"

namespace clew::lineage {

template <class Strikes>
std::vector<uint32_t> FaultList::that(Strikes strikes) const {
  look(size());
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < size(); ++i) {
    if (strikes(scenario_.faults[i])) all.push_back(i);
  }
  return all;
}

const Crash* FaultList::crash(uint32_t fault) const {
  return std::get_if<Crash>(&scenario_.faults[fault]);
}

std::string FaultList::text(uint32_t fault) const { return to_string(scenario_.faults[fault]); }

std::vector<uint32_t> FaultList::omitted(const NodeName& from, const NodeName& to,
                                         Tick tick) const {
  const Fault loss = Omission{from, to, tick};
  return that([&](const Fault& fault) { return fault == loss; });
}

std::vector<uint32_t> FaultList::crashed(const NodeName& node, Tick tick) const {
  return that([&](const Fault& fault) {
    const auto* crash = std::get_if<Crash>(&fault);
    return crash != nullptr && crash->node == node && crash->tick <= tick;
  });
}

std::vector<uint32_t> FaultList::on(const NodeName& from, const NodeName& to, Tick sent_at) const {
  std::vector<uint32_t> all;
  each_peril(scenario_.program.crash_model, *this, from, to, sent_at,
             [&](Message::Fate, const std::vector<uint32_t>& faults) {
               all.insert(all.end(), faults.begin(), faults.end());
             });
  std::ranges::sort(all);
  return all;
}

Message::Fate FaultList::fate(const NodeName& from, const NodeName& to, Tick sent_at) const {
  Message::Fate fate = Message::Fate::kDelivered;
  each_peril(scenario_.program.crash_model, *this, from, to, sent_at,
             [&](Message::Fate peril, const std::vector<uint32_t>& faults) {
               if (!faults.empty() && fate == Message::Fate::kDelivered) fate = peril;
             });
  return fate;
}

std::vector<uint32_t> FaultList::stops(Tick tick) const {
  if (scenario_.program.crash_model != CrashModel::kStop) return {};
  return that([&](const Fault& fault) {
    const auto* crash = std::get_if<Crash>(&fault);
    return crash != nullptr && crash->tick <= tick;
  });
}

}  // namespace clew::lineage
