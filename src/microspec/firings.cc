// Firings in the words of the program. What the lowering added is folded back into the rules that
// it came from: an aggregate has used what its bindings used, a message was derived by the rule
// that sent it, and the lowering's own relations do not appear.
#include "microspec/firings.h"

#include <algorithm>
#include <unordered_map>

#include "datalog/absences.h"

namespace clew::microspec {

using datalog::FiringLog;
using datalog::RelationId;
using datalog::Row;
using Role = dedalus::Origin::Role;

namespace {

class FiringDescriber {
 public:
  FiringDescriber(const Frames& frames, datalog::Engine& engine, const Arrives& arrives,
                  const Stop& stop)
      : frames_(frames),
        engine_(engine),
        lowered_(frames.lowered),
        arrives_(arrives),
        watch_(stop) {}

  std::vector<Firing> run() {
    index_steps();
    std::vector<Firing> all;
    const FiringLog& log = engine_.firings();
    for (FiringLog::Cursor at = log.first(); at != log.end(); at = log.next(at)) {
      if (is_visible(log.at(at))) all.push_back(describe(at));
    }
    return all;
  }

 private:
  static uint64_t key(RelationId relation, Row row) { return (uint64_t{relation} << 32U) | row; }

  const dedalus::Origin& origin(const datalog::Firing& firing) const {
    return lowered_.origins[firing.rule];
  }
  RelationId head(const datalog::Firing& firing) const {
    return lowered_.rules.rules[firing.rule].head;
  }
  bool is_of_program(RelationId id) const { return id < frames_.program.relations.size(); }

  // The steps of aggregates, by what they derived.
  void index_steps() {
    const FiringLog& log = engine_.firings();
    for (FiringLog::Cursor at = log.first(); at != log.end(); at = log.next(at)) {
      const datalog::Firing firing = log.at(at);
      if (!is_of_program(head(firing))) steps_[key(head(firing), firing.head)].push_back(at);
    }
  }

  bool is_visible(const datalog::Firing& firing) const {
    switch (origin(firing).role) {
      case Role::kDerive:
      case Role::kPass:
        return true;
      case Role::kFold:
        return is_of_program(head(firing));
      case Role::kSend:
        return arrives(firing);
      default:
        return false;
    }
  }

  bool arrives(const datalog::Firing& firing) const {
    const datalog::Value* tuple = engine_.relation(head(firing)).tuple(firing.head);
    return arrives_(tuple[0], tuple[1], frames_.tick_of(head(firing), firing.head));
  }

  Firing describe(FiringLog::Cursor at) {
    const datalog::Firing firing = engine_.firings().at(at);
    const dedalus::Clause& clause = frames_.program.rules[origin(firing).clause];
    const bool sent = origin(firing).role == Role::kSend;
    Firing result;
    result.rule = static_cast<RuleId>(origin(firing).clause);
    result.head = frames_.fact(head(firing), firing.head, sent ? 1 : 0);
    result.head.relation = clause.head.relation;
    result.head_tick = frames_.tick_of(head(firing), firing.head) + (sent ? 1 : 0);
    expand(at, result);
    return result;
  }

  // What the firing used, through the steps of an aggregate.
  void expand(FiringLog::Cursor at, Firing& result) {
    const datalog::Firing firing = engine_.firings().at(at);
    const datalog::Rule& rule = lowered_.rules.rules[firing.rule];
    const Tick now = tick_when_applied(firing);
    size_t position = 0;
    for (const datalog::BodyItem& item : rule.body) {
      if (item.kind != datalog::BodyItem::Kind::kPositive) continue;
      if (rule.aggregates()) {
        for (const Row row : firing.used) add_use(item.relation, row, now, result);
      } else {
        add_use(item.relation, firing.used[position++], now, result);
      }
    }
    for (const datalog::Absence& absence : datalog::absences(firing, engine_)) {
      add_absence(absence, now, result);
    }
  }

  Tick tick_when_applied(const datalog::Firing& firing) const {
    const Tick tick = frames_.tick_of(head(firing), firing.head);
    return lowered_.rules.rules[firing.rule].to_next_frame ? tick - 1 : tick;
  }

  void add_use(RelationId relation, Row row, Tick now, Firing& result) {
    if (const auto& reading = lowered_.readings[relation]) {
      Fact fact = frames_.fact(relation, row);
      fact.relation = frames_.program.relations[reading->relation].name;
      add_use({std::move(fact), static_cast<Tick>(reading->tick)}, result);
    } else if (is_of_program(relation)) {
      // `crash` may hold at every tick: the one that counts is when the rule was applied.
      const bool permanent = engine_.relation(relation).permanent();
      const Tick tick = permanent ? now : frames_.tick_of(relation, row);
      add_use({frames_.fact(relation, row), tick}, result);
    } else if (auto steps = steps_.find(key(relation, row)); steps != steps_.end()) {
      for (const FiringLog::Cursor at : steps->second) expand(at, result);
    }
  }

  void add_use(Firing::Use use, Firing& result) {
    watch_.look(10 + result.used.size());
    const bool known = std::ranges::any_of(result.used, [&](const Firing::Use& other) {
      return other.tick == use.tick && other.fact == use.fact;
    });
    if (!known) result.used.push_back(std::move(use));
  }

  void add_absence(const datalog::Absence& absence, Tick tick, Firing& result) {
    const auto& reading = lowered_.readings[absence.relation];
    if (!reading && !is_of_program(absence.relation)) return;
    const RelationId relation = reading ? reading->relation : absence.relation;
    Pattern pattern{frames_.program.relations[relation].name, {}};
    for (const std::optional<datalog::Value>& value : absence.columns) {
      pattern.columns.push_back(value ? std::optional(frames_.datum(*value)) : std::nullopt);
    }
    result.absences.push_back(
        {std::move(pattern), reading ? static_cast<Tick>(reading->tick) : tick});
  }

  const Frames& frames_;
  datalog::Engine& engine_;
  const dedalus::Lowered& lowered_;
  const Arrives& arrives_;
  Watch watch_;
  std::unordered_map<uint64_t, std::vector<FiringLog::Cursor>> steps_;
};

}  // namespace

std::vector<Firing> describe_firings(const Frames& frames, datalog::Engine& engine,
                                     const Arrives& arrives, const Stop& stop) {
  return FiringDescriber(frames, engine, arrives, stop).run();
}

}  // namespace clew::microspec
