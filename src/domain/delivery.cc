#include "domain/delivery.h"

#include <algorithm>

namespace clew {

namespace {

// All single Faults of a model that could strike, as each_peril() asks for them.
struct AdmissibleFaults {
  const FaultModel& model;

  std::vector<Fault> omitted(const NodeName& from, const NodeName& to, Tick tick) const {
    return only_admitted({Omission{from, to, tick}});
  }
  std::vector<Fault> crashed(const NodeName& node, Tick tick) const {
    std::vector<Fault> all;
    for (Tick at = 1; at <= tick; ++at) all.emplace_back(Crash{node, at});
    return only_admitted(std::move(all));
  }
  std::vector<Fault> only_admitted(std::vector<Fault> faults) const {
    std::erase_if(faults, [&](const Fault& fault) { return !model.admits({fault}); });
    return faults;
  }
};

}  // namespace

FaultSet faults_against(const Event& event, const Run& run, const FaultModel& model) {
  if (event.kind != Event::Kind::kDeliver) return {};
  const Message& message = run.messages[event.message];
  FaultSet all;
  each_peril(model.crash_model, AdmissibleFaults{model}, message.from, message.to, message.sent_at,
             [&](Message::Fate, const std::vector<Fault>& faults) {
               for (const Fault& fault : faults) all.insert(fault);
             });
  return all;
}

Trace trace_of(const Run& run) {
  Trace trace;
  for (const Crash& crash : run.scenario.faults.of<Crash>()) {
    trace.push_back({Event::Kind::kCrash, crash.node, crash.tick, 0});
  }
  for (uint32_t i = 0; i < run.messages.size(); ++i) {
    const Message& message = run.messages[i];
    trace.push_back({Event::Kind::kSend, message.from, message.sent_at, i});
    if (message.fate != Message::Fate::kDelivered) continue;
    trace.push_back({Event::Kind::kDeliver, message.to, arrival_of(message.sent_at), i});
  }
  // Within a tick: who crashes, what arrives, what is sent.
  const auto rank = [](Event::Kind kind) {
    return kind == Event::Kind::kCrash ? 0 : kind == Event::Kind::kDeliver ? 1 : 2;
  };
  std::ranges::stable_sort(trace, [&](const Event& a, const Event& b) {
    return std::pair(a.tick, rank(a.kind)) < std::pair(b.tick, rank(b.kind));
  });
  return trace;
}

}  // namespace clew
