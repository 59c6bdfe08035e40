#include "lineage/why.h"

#include "base/check.h"
#include "base/watched.h"

namespace clew::lineage {

namespace {

constexpr int kDeepestWhy = 200;

// Nothing but the same fact, a tick earlier.
bool only_persists(const Graph::Step& step) {
  return step.persists && step.used.size() == 1 && step.firing->absences.empty();
}

}  // namespace

const char* to_string(Why::How how) {
  switch (how) {
    case Why::How::kGiven:
      return "given";
    case Why::How::kCrash:
      return "crash";
    case Why::How::kDerived:
      return "derived";
    case Why::How::kSeen:
      return "see-above";
    case Why::How::kCut:
      return "cut";
  }
  CHECK(false, "how {}", static_cast<int>(how));
  return "";
}

Why WhyTeller::tell(PointId point, int depth) {
  Why why{graph_.fact(point), graph_.tick(point), graph_.tick(point)};
  uint32_t first = graph_.first_step(point);
  while (first != kNone && only_persists(graph_.steps()[first])) {
    look();
    point = graph_.steps()[first].used[0];
    first = graph_.first_step(point);
  }
  why.since = graph_.tick(point);
  if (first == kNone) {
    if (why.fact.relation == dedalus::kCrash) why.how = Why::How::kCrash;
    return why;
  }
  if (told_.contains(point)) {
    why.how = Why::How::kSeen;
    return why;
  }
  if (left_ == 0 || depth == kDeepestWhy) {
    why.how = Why::How::kCut;
    return why;
  }
  --left_;
  told_.insert(point);
  look(1 + graph_.steps()[first].used.size());
  const Graph::Step& step = graph_.steps()[first];
  why.how = Why::How::kDerived;
  why.rule = step.rule;
  for (const uint32_t m : step.messages) {
    why.senders.push_back({graph_.run().messages[m].from, graph_.run().messages[m].sent_at});
  }
  for (const PointId used : step.used) why.from.push_back(tell(used, depth + 1));
  why.without = step.firing->absences;
  return why;
}

}  // namespace clew::lineage
