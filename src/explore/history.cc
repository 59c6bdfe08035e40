#include "explore/history.h"

#include <utility>

namespace clew::explore {

using node::RequestId;

Histories::Histories(Sequential object) : object_(std::move(object)) {
  number({.waiting = {}, .possible = {{.object = object_.initial, .decided = {}}}});
}

HistoryId Histories::number(State state) {
  const auto [at, is_new] =
      number_of_.emplace(node::encode(state), static_cast<HistoryId>(states_.size()));
  if (!is_new) return at->second;
  // Sets and maps of strings take several times the bytes that they are written in.
  bytes_ += 8 * at->first.size() + sizeof(State) + 64;
  states_.push_back(std::move(state));
  return at->second;
}

HistoryId Histories::asked(HistoryId history, RequestId id, const std::string& request) {
  State next = states_[history];
  next.waiting[id] = request;
  return number(std::move(next));
}

HistoryId Histories::answered(HistoryId history, RequestId id, const std::string& reply) {
  const State& before = states_[history];
  if (!before.waiting.contains(id)) return history;
  State next{.waiting = before.waiting, .possible = {}};
  next.waiting.erase(id);
  std::set<Possible> seen;
  for (const Possible& from : before.possible) {
    explain(before, from, id, reply, seen, next.possible);
  }
  return number(std::move(next));
}

// The object takes requests that wait, in every order, until it has taken this one.
void Histories::explain(const State& state, const Possible& from, RequestId id,
                        const std::string& reply, std::set<Possible>& seen,
                        std::set<Possible>& out) const {
  if (!seen.insert(from).second) return;
  if (const auto decided = from.decided.find(id); decided != from.decided.end()) {
    if (decided->second != reply) return;
    Possible after = from;
    after.decided.erase(id);
    out.insert(std::move(after));
    return;
  }
  for (const auto& [other, request] : state.waiting) {
    if (from.decided.contains(other)) continue;
    Possible after = from;
    after.decided[other] = object_.take(after.object, request);
    explain(state, after, id, reply, seen, out);
  }
}

}  // namespace clew::explore
