#include "lineage/graph.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/watched.h"
#include "domain/pattern.h"

namespace clew::lineage {

namespace {

Fact given_fact(const dedalus::Clause& clause) {
  Fact fact{clause.head.relation, {}};
  for (const dedalus::Term& arg : clause.head.args) {
    const bool text = arg.kind == dedalus::Term::Kind::kString;
    fact.values.push_back(text ? Datum(arg.text) : Datum(arg.integer));
  }
  return fact;
}

// Derives what can be derived, each point once, in an order that needs no later point.
class Derivation {
 public:
  explicit Derivation(const Graph& graph)
      : graph_(graph),
        waiting_(graph.steps().size()),
        users_(graph.point_count()),
        done_(graph.point_count()) {
    for (uint32_t i = 0; i < graph.steps().size(); ++i) {
      const Graph::Step& step = graph.steps()[i];
      look(1 + step.used.size());
      waiting_[i] = step.used.size();
      for (const PointId used : step.used) users_[used].push_back(i);
      if (waiting_[i] == 0) ready_.push_back(i);
    }
  }

  // Calls found(point, step) for each point in turn; step is kNone for what is given.
  template <class Found>
  void run(const Found& found) {
    for (PointId point = 0; point < graph_.point_count(); ++point) {
      if (graph_.is_given(point)) finish(point, kNone, found);
    }
    go_on(found);
  }

  template <class Found>
  void finish(PointId point, uint32_t step, const Found& found) {
    if (done_[point]) return;
    look(1 + users_[point].size());
    done_[point] = true;
    found(point, step);
    for (const uint32_t user : users_[point]) {
      if (--waiting_[user] == 0) ready_.push_back(user);
    }
  }

  template <class Found>
  void go_on(const Found& found) {
    for (; next_ < ready_.size(); ++next_) {
      finish(graph_.steps()[ready_[next_]].head, ready_[next_], found);
    }
  }

  bool is_done(PointId point) const { return done_[point]; }

 private:
  const Graph& graph_;
  std::vector<size_t> waiting_;  // by step: how many of its points are not there yet
  std::vector<std::vector<uint32_t>> users_;
  std::vector<bool> done_;
  std::vector<uint32_t> ready_;
  size_t next_ = 0;
};

}  // namespace

Graph::Graph(const Run& run, const dedalus::Program* program) : run_(run) {
  PointId count = 0;
  for (const std::vector<Fact>& facts : run.facts) {
    look(1 + facts.size());
    const auto wrong = std::ranges::adjacent_find(facts, std::ranges::greater_equal());
    CHECK(wrong == facts.end(), "{} is not in order, or is there twice", to_string(*wrong));
    first_of_tick_.push_back(count);
    count += static_cast<PointId>(facts.size());
  }
  first_of_tick_.push_back(count);
  steps_of_.resize(count);
  look(run.messages.size());
  for (uint32_t i = 0; i < run.messages.size(); ++i) {
    if (run.messages[i].fate == Message::Fate::kDelivered) arrivals_.push_back(i);
  }
  std::ranges::stable_sort(arrivals_, [&](uint32_t a, uint32_t b) {
    return std::tie(run.messages[a].sent_at, run.messages[a].fact) <
           std::tie(run.messages[b].sent_at, run.messages[b].fact);
  });
  steps_.reserve(run.firings.size());
  for (const Firing& firing : run.firings) add_step(firing);
  mark_given(program);
  derive_in_order();
}

PointId Graph::find(const Fact& fact, Tick tick) const {
  if (tick < 1 || static_cast<size_t>(tick) > run_.facts.size()) return kNone;
  const std::vector<Fact>& facts = run_.facts[static_cast<size_t>(tick - 1)];
  const auto at = std::ranges::lower_bound(facts, fact);
  if (at == facts.end() || *at != fact) return kNone;
  return first_of_tick_[static_cast<size_t>(tick - 1)] + static_cast<PointId>(at - facts.begin());
}

Tick Graph::tick(PointId point) const {
  const auto after = std::ranges::upper_bound(first_of_tick_, point);
  return static_cast<Tick>(after - first_of_tick_.begin());
}

const Fact& Graph::fact(PointId point) const {
  const auto t = static_cast<size_t>(tick(point) - 1);
  return run_.facts[t][point - first_of_tick_[t]];
}

void Graph::add_step(const Firing& firing) {
  look(1 + firing.used.size());
  Step step;
  step.head = find(firing.head, firing.head_tick);
  CHECK(step.head != kNone, "a firing for {}@{}, which does not hold", to_string(firing.head),
        firing.head_tick);
  step.firing = &firing;
  step.rule = &run_.rule(firing);
  for (const Firing::Use& use : firing.used) {
    step.used.push_back(find(use.fact, use.tick));
    CHECK(step.used.back() != kNone, "a firing used {}@{}, which does not hold",
          to_string(use.fact), use.tick);
    step.persists |= step.rule->kind == Rule::Kind::kNext && use.fact == firing.head &&
                     use.tick == firing.head_tick - 1;
  }
  if (step.rule->kind == Rule::Kind::kAsync) find_messages(step);
  steps_of_[step.head].push_back(static_cast<uint32_t>(steps_.size()));
  steps_.push_back(std::move(step));
}

// Messages that bring the same fact at the same tick are told apart by who sent them.
void Graph::find_messages(Step& step) const {
  const Fact& head = step.firing->head;
  const Tick sent_at = step.firing->head_tick - 1;
  const auto key = [&](uint32_t i) {
    return std::tie(run_.messages[i].sent_at, run_.messages[i].fact);
  };
  auto at = std::ranges::lower_bound(arrivals_, std::tie(sent_at, head), {}, key);
  std::vector<uint32_t> candidates;
  for (; at != arrivals_.end(); ++at) {
    const Message& message = run_.messages[*at];
    if (message.sent_at != sent_at || message.fact != head) break;
    candidates.push_back(*at);
  }
  for (const uint32_t i : candidates) {
    look(step.used.size());
    const Message& message = run_.messages[i];
    const bool counts = candidates.size() == 1 || is_sender(step, message.from);
    if (counts && message.from != message.to) step.messages.push_back(i);
  }
}

bool Graph::is_sender(const Step& step, const NodeName& from) const {
  const Rule& rule = *step.rule;
  auto is_at = [&](const std::vector<Datum>& values) {
    return !values.empty() && values[0] == Datum(from);
  };
  switch (rule.location.kind) {
    case Rule::Location::Kind::kAny:
      return false;  // it talks to itself
    case Rule::Location::Kind::kNode:
      return rule.location.name == from;
    case Rule::Location::Kind::kFact:
      if (!rule.aggregates()) return is_at(step.firing->used[0].fact.values);
      return std::ranges::any_of(step.firing->used, [&](const Firing::Use& use) {
        return use.fact.relation == rule.location.name && is_at(use.fact.values);
      });
    case Rule::Location::Kind::kAbsence:
      return std::ranges::any_of(step.firing->absences, [&](const Firing::Absence& absence) {
        const Pattern& pattern = absence.pattern;
        return pattern.relation == rule.location.name && !pattern.columns.empty() &&
               pattern.columns[0] == Datum(from);
      });
  }
  CHECK(false, "location {}", static_cast<int>(rule.location.kind));
  return false;
}

void Graph::mark_given(const dedalus::Program* program) {
  look(point_count());
  given_.resize(point_count());
  for (PointId point = 0; point < point_count(); ++point) given_[point] = steps_of_[point].empty();
  if (program == nullptr) return;
  for (const dedalus::Clause& clause : program->facts) {
    look();
    const int64_t tick = clause.head.time.tick;
    if (tick < 1 || tick > run_.scenario.program.eot) continue;
    const PointId point = find(given_fact(clause), static_cast<Tick>(tick));
    if (point != kNone) given_[point] = true;
  }
}

void Graph::derive_in_order() {
  first_step_.assign(point_count(), kNone);
  rank_.assign(point_count(), kNone);
  uint32_t rank = 0;
  Derivation derivation(*this);
  auto found = [&](PointId point, uint32_t step) {
    first_step_[point] = step;
    rank_[point] = rank++;
  };
  derivation.run(found);
  // Without the program, a given point that is also derived from itself does not show.
  for (PointId point = 0; point < point_count(); ++point) {
    if (derivation.is_done(point)) continue;
    given_[point] = true;
    derivation.finish(point, kNone, found);
    derivation.go_on(found);
  }
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    uint32_t& first = first_step_[steps_[i].head];
    if (steps_[i].persists && first != kNone && !steps_[first].persists) first = i;
  }
}

}  // namespace clew::lineage
