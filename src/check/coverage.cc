#include "check/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/stop.h"
#include "ground/reach.h"
#include "search/lattice.h"
#include "simulate/simulator.h"

namespace clew::check {

namespace {

using dedalus::Clause;
using dedalus::Program;
using dedalus::RelationInfo;

// More runs than these are not enumerated where nothing can be ground.
constexpr double kMostRuns = 20'000;

// The program with a relation of its own for each rule of the promise.
class ByRule {
 public:
  explicit ByRule(const Program& program) : program_(program) {
    const std::string& pre = program.promises.front().pre;
    const size_t rules = program.rules.size();
    for (size_t i = 0; i < rules; ++i) {
      if (program.rules[i].head.relation == pre) add(i);
    }
    // A fact of `pre` is no rule that might not fire, and a single rule is the promise itself.
    if (relations_.size() == 1) relations_.front() = pre;
  }

  const Program& program() const { return program_; }
  const std::vector<std::string>& relations() const { return relations_; }  // by rule
  Span place(size_t rule) const { return places_[rule]; }

 private:
  void add(size_t rule) {
    Clause clause = program_.rules[rule];
    RelationInfo info = *program_.find(clause.head.relation);
    places_.push_back(clause.head.span);
    info.name = fmt::format("{}.rule{}", info.name, relations_.size() + 1);
    while (program_.find(info.name) != nullptr) info.name += "'";
    info.view = true;
    clause.head.relation = info.name;
    relations_.push_back(info.name);
    program_.relation_index.emplace(info.name,
                                    static_cast<dedalus::RelationIndex>(program_.relations.size()));
    program_.relations.push_back(std::move(info));
    program_.rules.push_back(std::move(clause));
  }

  Program program_;
  std::vector<std::string> relations_;
  std::vector<Span> places_;
};

// How many tuples a relation has, at the last tick or at any of them, over several runs.
class Seen {
 public:
  Seen(const Program& program, bool every_tick) : program_(program), every_tick_(every_tick) {}

  void add(const simulate::Simulator& simulator, const std::string& relation) {
    const auto index = program_.relation_index.find(relation);
    if (index == program_.relation_index.end()) return;
    const datalog::Relation& rows = simulator.engine().relation(index->second);
    for (Tick tick = every_tick_ ? 1 : simulator.eot(); tick <= simulator.eot(); ++tick) {
      const microspec::Frames::Rows at = simulator.frames().rows_at(index->second, tick);
      for (datalog::Row row = at.begin; row < at.end; ++row) {
        std::vector<uint32_t> tuple;
        for (uint32_t i = 0; i < rows.arity(); ++i) tuple.push_back(rows.tuple(row)[i].bits);
        tuples_.insert(std::move(tuple));
      }
    }
  }
  size_t count() const { return tuples_.size(); }

 private:
  const Program& program_;
  bool every_tick_;
  std::set<std::vector<uint32_t>> tuples_;
};

class Cover {
 public:
  Cover(const ProgramInput& input, const FaultModel& model, const Stop& stop)
      : input_(input),
        by_rule_(input.program),
        promise_(input.program.promises.front()),
        model_(model),
        stop_(stop),
        lowered_(std::make_shared<const dedalus::LoweredProgram>(
            by_rule_.program(), model.nodes, model.crash_model == CrashModel::kStop)),
        simulator_(lowered_, {.lineage = false, .stop = stop}),
        all_(by_rule_.program(), promise_.every_tick) {
    for (size_t i = 0; i < by_rule_.relations().size(); ++i) {
      rules_.emplace_back(by_rule_.program(), promise_.every_tick);
    }
  }

  report::Coverage run() {
    if (!add_run({})) return result_;
    result_.without_faults = all_.count();
    if (!reach()) enumerate();
    const bool empty = result_.in_any_run == 0 && result_.counted_all;
    if (empty && result_.never.empty()) result_.never.push_back(input_.sources.path(0));
    return result_;
  }

 private:
  bool add_run(const FaultSet& faults) {
    if (simulator_.run(model_.eot, faults)) return false;
    all_.add(simulator_, promise_.pre);
    for (size_t i = 0; i < rules_.size(); ++i) rules_[i].add(simulator_, by_rule_.relations()[i]);
    return true;
  }

  void never(size_t rule) {
    const Span span = by_rule_.place(rule);
    result_.never.push_back(fmt::format("{}:{}", input_.sources.path(span.file),
                                        input_.sources.place(span.file, span.begin).line));
  }

  // False if nothing can be ground.
  bool reach() {
    std::vector<std::string> relations = by_rule_.relations();
    relations.push_back(promise_.pre);
    ground::Reach reach(
        lowered_, model_,
        {.relations = std::move(relations), .every_tick = promise_.every_tick, .stop = stop_});
    if (!reach.ground().ok()) return false;
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i].count() > 0) continue;
      const auto count = reach.count(by_rule_.relations()[i], 1);
      if (count.tuples == 0 && count.exact) never(i);
      if (count.tuples == 0 && !count.exact) result_.known = false;
    }
    const ground::Reach::Count any = reach.count(promise_.pre);
    result_.in_any_run = any.tuples;
    result_.counted_all = any.exact;
    return true;
  }

  // What cannot be ground is run under every admissible FaultSet, if these are few.
  void enumerate() {
    search::AdmissibleSets sets(model_);
    const bool few = search::count_admissible(model_) <= kMostRuns;
    bool complete = few;
    while (complete) {
      const std::optional<FaultSet> faults = sets.next();
      if (!faults) break;
      complete = !stop_() && unless_stopped([&] { return add_run(*faults); }).value_or(false);
    }
    result_.in_any_run = all_.count();
    result_.counted_all = complete;
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i].count() > 0) continue;
      if (complete) never(i);
      if (!complete) result_.known = false;
    }
  }

  const ProgramInput& input_;
  ByRule by_rule_;
  const dedalus::PromiseInfo& promise_;
  const FaultModel& model_;
  const Stop& stop_;
  std::shared_ptr<const dedalus::LoweredProgram> lowered_;
  simulate::Simulator simulator_;
  Seen all_;
  std::vector<Seen> rules_;
  report::Coverage result_;
};

}  // namespace

report::Coverage cover(const ProgramInput& input, const FaultModel& model, const Stop& stop) {
  CHECK(input.program.promises.size() == 1, "{} promises", input.program.promises.size());
  const auto found = unless_stopped([&] { return Cover(input, model, stop).run(); });
  return found.value_or(report::Coverage{.counted_all = false, .known = false});
}

}  // namespace clew::check
