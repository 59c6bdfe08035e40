#include "report/marks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/watched.h"

namespace clew::report {

namespace {

using lineage::Difference;
using lineage::Graph;

std::string cut_by(const Difference::Reason& reason, clew::Rule::Kind kind) {
  const auto lost = std::ranges::find(reason.losses, true, &Difference::Loss::sent);
  if (lost != reason.losses.end()) return to_string(lost->fate);
  const bool deeper = !reason.losses.empty() || !reason.used.empty() || !reason.absences.empty();
  if (deeper || reason.faults.empty()) return "";
  // What a node tells itself is lost with the node.
  const bool is_told = kind == clew::Rule::Kind::kAsync;
  return is_told ? to_string(Message::Fate::kReceiverStopped) : "stopped";
}

void add_lack(const Fact& fact, Tick tick, Mark& mark) {
  look(1 + mark.lacks.size());
  Firing::Absence lack{to_pattern(fact), tick};
  if (std::ranges::find(mark.lacks, lack) == mark.lacks.end()) {
    mark.lacks.push_back(std::move(lack));
  }
}

// What a step would have used that only the other run has is there as a node of the other side.
void add_lacks(const Difference& difference, const Difference::Reason& reason, bool failed,
               Mark& mark) {
  for (const uint32_t node : reason.used) {
    if (difference.node(node).missing == failed) continue;
    add_lack(difference.fact(node), difference.tick(node), mark);
  }
}

}  // namespace

Mark mark_failed(Difference& difference, const Graph::Step& step) {
  const Difference::Reason reason = difference.why_failed(step);
  Mark mark{cut_by(reason, step.rule->kind)};
  add_lacks(difference, reason, true, mark);
  return mark;
}

Mark mark_fired(Difference& difference, const Graph::Step& step) {
  const Difference::Reason reason = difference.why_fired(step);
  Mark mark;
  add_lacks(difference, reason, false, mark);
  for (const Difference::Loss& loss : reason.losses) {
    const Fact& fact = loss.message.fact;
    const Tick tick = loss.message.sent_at + 1;
    if (difference.good().holds(fact, tick) && !difference.bad().holds(fact, tick)) {
      add_lack(fact, tick, mark);
    }
  }
  return mark;
}

std::vector<lineage::PointId> find_breakers(const Difference& difference,
                                            const Firing::Absence& absence, bool in_bad,
                                            size_t most) {
  const Graph& there = in_bad ? difference.bad() : difference.good();
  std::set<std::pair<Datum, Datum>> crashes;
  std::vector<lineage::PointId> found;
  for (const lineage::PointId point : difference.new_matches(absence, in_bad, SIZE_MAX)) {
    look();
    const Fact& fact = there.fact(point);
    const bool is_crash = fact.relation == "crash" && fact.values.size() == 3;
    if (is_crash && !crashes.insert({fact.values[1], fact.values[2]}).second) continue;
    found.push_back(point);
    if (found.size() == most) break;
  }
  return found;
}

}  // namespace clew::report
