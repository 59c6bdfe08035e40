#include "microspec/evaluation.h"

#include <algorithm>

#include "base/columns.h"
#include "base/text.h"

namespace clew::microspec {

using dedalus::RelationIndex;
using dedalus::RelationInfo;

namespace {

constexpr size_t kWorkOfAFact = 5;
constexpr RelationIndex kUnread = UINT32_MAX;

// Whether a Run may have facts of it: it is given, or nothing derives it. `crash` may be there.
bool may_enter(const RelationInfo& relation) {
  return relation.given || !relation.derived || relation.name == dedalus::kCrash;
}

Error refuse(const Fact& fact, Tick tick, const RelationInfo& relation) {
  const std::string text = to_string(fact);
  const std::string what = fmt::format("{}@{} is in the run", printable(text), tick);
  if (!may_enter(relation)) {
    return {fmt::format("{}, but the rules derive {}", what, relation.name),
            "give the relation of the spec another name"};
  }
  return {fmt::format("{}, but the rules read {} with {}", what, relation.name,
                      count_noun(relation.arity, "column")),
          "give all facts of a relation as many values as the rules read"};
}

}  // namespace

Evaluation::Evaluation(const dedalus::LoweredProgram& program, const dedalus::Lowered& lowered,
                       const datalog::EngineOptions& options)
    : program_(program),
      lowered_(lowered),
      values_(program.values()),
      engine_(lowered.rules, values_, options),
      watch_(options.stop) {}

Result<Evaluated> Evaluation::run(const std::vector<std::vector<Fact>>& facts) {
  engine_.clear();
  values_ = program_.values();
  entered_.resize(facts.size());
  const auto last = static_cast<Tick>(facts.size());
  for (Tick tick = 1; tick <= last; ++tick) {
    const auto at = static_cast<size_t>(tick - 1);
    if (tick > 1) engine_.advance();
    engine_.mark(entered_[at]);
    if (const Status entered = enter(facts[at], tick); !entered.ok()) return entered.error();
    enter_own_facts(tick);
    enter_tick_reads(tick);
    if (const auto error = engine_.evaluate(tick < last)) {
      return Evaluated{locate(*error, lowered_, tick), lowered_.origins[error->rule].clause};
    }
  }
  return Evaluated{};
}

Status Evaluation::enter(const std::vector<Fact>& facts, Tick tick) {
  const auto& index = program_.program().relation_index;
  const std::string* name = nullptr;  // of the fact before: facts are sorted
  RelationIndex relation = kUnread;
  for (const Fact& fact : facts) {
    watch_.look(kWorkOfAFact);
    if (name == nullptr || *name != fact.relation) {
      name = &fact.relation;
      const auto found = index.find(*name);
      relation = found == index.end() ? kUnread : found->second;
    }
    if (relation == kUnread) continue;
    if (Status entered = enter(fact, relation, tick); !entered.ok()) return entered;
  }
  return Nothing{};
}

Status Evaluation::enter(const Fact& fact, RelationIndex relation, Tick tick) {
  const RelationInfo& info = program_.program().relations[relation];
  if (!may_enter(info) || fact.values.size() != info.arity) return refuse(fact, tick, info);
  tuple_.clear();
  for (const Datum& datum : fact.values) {
    const auto* number = std::get_if<int64_t>(&datum);
    tuple_.push_back(number != nullptr ? values_.integer(*number)
                                       : values_.intern(std::get<std::string>(datum)));
  }
  engine_.relation(relation).insert(tuple_.data());
  return Nothing{};
}

void Evaluation::enter_own_facts(Tick tick) {
  auto at = std::ranges::lower_bound(lowered_.facts, tick, {}, &dedalus::GivenFact::tick);
  for (; at != lowered_.facts.end() && at->tick == tick; ++at) {
    engine_.relation(at->relation).insert(at->values.data());
  }
}

void Evaluation::enter_tick_reads(Tick tick) {
  for (const dedalus::TickRead& read : lowered_.tick_reads) {
    if (read.tick == tick) engine_.relation(read.at).insert(nullptr);
    if (read.tick >= 1 && read.tick <= tick) engine_.relation(read.since).insert(nullptr);
  }
}

}  // namespace clew::microspec
