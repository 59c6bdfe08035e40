// Each happening gives the facts of its own kind and those of the target's rules. Then they are put
// on ticks: all on one, or, where time matters, a new tick for each happening that tells the spec
// something new. Since nothing that holds ever ends, the ticks between would only repeat.
#include "inject/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/columns.h"
#include "base/text.h"
#include "inject/read_facts.h"
#include "inject/regex.h"
#include "inject/told.h"

namespace clew::inject {

namespace {

constexpr size_t kMostFactsOfRun = 1'000'000;  // over all ticks

// A rule of the target, ready to be applied.
struct FactMaker {
  const FactRule* rule = nullptr;
  Regex line;
  FactTemplate is;
  bool read = false;  // by the spec
};

Result<std::vector<FactMaker>> makers_of(const Target& target, const ReadFacts& reads) {
  std::vector<FactMaker> makers;
  for (const FactRule& rule : target.facts) {
    Result<Regex> line = Regex::make(rule.line);
    if (!line.ok()) return line.error();
    Result<FactTemplate> is = FactTemplate::make(rule.is, line->groups());
    if (!is.ok()) return is.error();
    const bool read = reads.relation(is->relation());
    makers.push_back({&rule, *std::move(line), *std::move(is), read});
  }
  return makers;
}

// The first mistake sticks.
class FactsOfRun {
 public:
  FactsOfRun(const Target& target, const Observed& seen, const Plan& plan, const ReadFacts& reads,
             std::vector<FactMaker> makers)
      : target_(target), seen_(seen), plan_(plan), reads_(reads), makers_(std::move(makers)) {}

  Result<Run> make() &&;

 private:
  void add(Fact fact);
  void note(const Call& call);
  void note(const Line& line);
  void note(const Change& change);
  void note(const Struck& struck);
  void note(const Told& told);
  void apply(const FactMaker& maker, std::string_view line);
  void extracted();
  const Call* call_of(const Struck& struck) const;
  std::string what(const Struck& struck, const Call* call) const;
  void end_tick();

  const std::string& node(const Call& call) const { return seen_.nodes.at(call.node); }
  int64_t at() const { return static_cast<int64_t>(index_) + 1; }
  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  const Target& target_;
  const Observed& seen_;
  const Plan& plan_;
  const ReadFacts& reads_;
  std::vector<FactMaker> makers_;
  size_t index_ = 0;  // of the happening
  std::set<Fact> holds_;
  size_t before_ = 0;  // how many held at the last tick
  size_t made_ = 0;    // over all ticks
  std::vector<std::vector<Fact>> ticks_;
  std::optional<Error> error_;
};

void FactsOfRun::add(Fact fact) {
  if (!reads_.relation(fact.relation)) return;
  for (Datum& value : fact.values) {
    if (auto* text = std::get_if<std::string>(&value); text && find_invalid_utf8(*text)) {
      *text = with_valid_utf8(*text);
    }
  }
  if (reads_.fact(fact)) holds_.insert(std::move(fact));
}

std::string result_of(const Call& call) {
  if (!call.finished) return "died";
  return call.result < 0 ? error_name(static_cast<int>(-call.result)) : "ok";
}

void FactsOfRun::note(const Call& call) {
  if (!reads_.relation("call")) return;
  add({"call", {node(call), call.row->name, call.object.name, result_of(call), at()}});
}

void FactsOfRun::note(const Line& line) {
  if (reads_.relation("said")) add({"said", {line.who, line.text, at()}});
  for (const FactMaker& maker : makers_) {
    if (maker.read && maker.rule->from == line.who) apply(maker, line.text);
  }
}

void FactsOfRun::apply(const FactMaker& maker, std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > Regex::kMostLine) {
    return fail({fmt::format("a line of {} bytes came from {}: fact rules look at lines of at most "
                             "{}",
                             with_thousands(line.size()),
                             maker.rule->from.empty() ? "a command or file" : maker.rule->from,
                             with_thousands(Regex::kMostLine)),
                 "print shorter lines, or filter them: command = [\"sh\", \"-c\", \"cut ...\"]"});
  }
  std::vector<std::string> groups;
  if (!maker.line.matches(line, &groups)) return;
  const Result<Fact> fact = maker.is.fill(groups);
  if (fact.ok()) return add(*fact);
  fail({fmt::format("the fact rule `{}` cannot be filled from the line `{}`: {}", maker.rule->is,
                    printable(line, 100), fact.error().message),
        fact.error().remedy});
}

void FactsOfRun::note(const Change& change) {
  switch (change.kind) {
    case Change::Kind::kStarted:
      return add({"started", {change.who, at()}});
    case Change::Kind::kReady:
      return add({"ready", {change.who, at()}});
    case Change::Kind::kRestarted:
      return add({"restarted", {change.who, at()}});
    case Change::Kind::kCrashed:
    case Change::Kind::kPowerCut:
      return add({"crashed", {change.who, at()}});
    case Change::Kind::kExited:
      return add({"exited", {change.who, int64_t{change.number}, at()}});
    case Change::Kind::kKilled:
      return add({"killed", {change.who, int64_t{change.number}, at()}});
    case Change::Kind::kHung:
      return add({"hung", {change.who, at()}});
    case Change::Kind::kStopped:
      return;  // that the run is over is no news
  }
}

// Of what strikes before a call the call comes next, else it was the last one: of those at the
// failure's point, or, without a plan, if something was made to go wrong there.
const Call* FactsOfRun::call_of(const Struck& struck) const {
  const bool has_plan = struck.failure < plan_.size();
  const auto is_meant = [&](const Call& call) {
    return has_plan ? seen_.points.at(call.point).id() == plan_[struck.failure].point
                    : call.injected;
  };
  const auto call_at = [&](size_t i) { return std::get_if<Call>(&seen_.happenings[i]); };
  size_t next = index_ + 1;
  while (next < seen_.happenings.size() && call_at(next) == nullptr) ++next;
  if (next < seen_.happenings.size() && is_meant(*call_at(next))) return call_at(next);
  for (size_t i = index_; i > 0; --i) {
    const Call* call = call_at(i - 1);
    if (call == nullptr) continue;
    if (is_meant(*call)) return call;
    if (!has_plan) return nullptr;
  }
  return nullptr;
}

std::string FactsOfRun::what(const Struck& struck, const Call* call) const {
  if (struck.failure < plan_.size()) {
    const std::string text = to_string(plan_[struck.failure]);
    return text.substr(0, text.find('@'));
  }
  return call != nullptr && call->result < 0 ? result_of(*call) : "failure";
}

void FactsOfRun::note(const Struck& struck) {
  if (!reads_.relation("failed")) return;
  const Call* call = call_of(struck);
  if (call == nullptr) return;
  add({"failed", {node(*call), call->row->name, call->object.name, what(struck, call), at()}});
}

void FactsOfRun::note(const Told& told) {
  const Result<Fact> fact = read_told(told.fact);
  if (!fact.ok()) {
    return fail({fmt::format("{} tells what is no fact: `{}`: {}", told.who,
                             printable(told.fact, 100), fact.error().message),
                 fact.error().remedy});
  }
  const auto known = target_.tells.find(fact->relation);
  if (known == target_.tells.end()) {
    return fail({fmt::format("{} tells `{}`, which the target does not know", told.who,
                             printable(told.fact, 100)),
                 fmt::format("name it in {}: [tells] {} = {}", target_.path, fact->relation,
                             fact->values.size())});
  }
  if (known->second != fact->values.size()) {
    return fail({fmt::format("{} tells `{}`, but `{}` has {}", told.who, printable(told.fact, 100),
                             fact->relation, count_noun(known->second, "column")),
                 fmt::format("mend [tells] in {}, or what the process tells", target_.path)});
  }
  add(*fact);
}

void FactsOfRun::extracted() {
  for (const auto& [rule, text] : seen_.extracted) {
    const FactMaker& maker = makers_.at(rule);
    if (!maker.read) continue;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      apply(maker, std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
  }
}

void FactsOfRun::end_tick() {
  if (!reads_.time() || holds_.size() == before_) return;
  before_ = holds_.size();
  made_ += before_;
  if (made_ > kMostFactsOfRun) {
    return fail({fmt::format("what the spec reads of this run are more than {} facts over {}",
                             with_thousands(kMostFactsOfRun), count_noun(ticks_.size(), "tick")),
                 "use `promise`, which looks at the end alone, or name what the rules read: "
                 "call(N, \"rename\", O, R, At)"});
  }
  ticks_.emplace_back(holds_.begin(), holds_.end());
}

Result<Run> FactsOfRun::make() && {
  for (; index_ < seen_.happenings.size() && !error_; ++index_) {
    std::visit([this](const auto& happening) { note(happening); }, seen_.happenings[index_]);
    end_tick();
  }
  extracted();
  end_tick();
  if (error_) return *error_;
  Run run;
  if (ticks_.empty()) ticks_.emplace_back(holds_.begin(), holds_.end());
  run.facts = std::move(ticks_);
  run.scenario.program.eot = static_cast<Tick>(run.facts.size());
  return run;
}

}  // namespace

Result<Run> to_run(const Target& target, const microspec::MicroSpec& spec, const Observed& seen,
                   const Plan& plan) {
  const ReadFacts reads(spec.program());
  Result<std::vector<FactMaker>> makers = makers_of(target, reads);
  if (!makers.ok()) return makers.error();
  return FactsOfRun(target, seen, plan, reads, *std::move(makers)).make();
}

}  // namespace clew::inject
