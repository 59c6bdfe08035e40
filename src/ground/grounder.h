// Grounds a Program under a FaultModel: every fact that some admissible FaultSet could make true,
// as an atom, and every firing that could happen, as a body.
//
//   Grounder grounder(program, model, {});
//   if (Status status = grounder.run(); !status.ok()) ...   // too large, or a rule could fail
//   grounder.rules().goal()     // a violation; rules() has the atoms that it is made of
//   grounder.print(atom)        // `missing("b", "data")@4`
//
// Tick by tick, as a run goes, with the rules of possible.h. When a tick is evaluated, its facts
// become literals, stratum by stratum: a certain one is true, one with a single one-literal
// body is that literal, any other is an atom. What a tick says about the next one, inductive
// rules and messages, waits as bodies until the next tick is evaluated.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "datalog/engine.h"
#include "datalog/stratify.h"
#include "dedalus/lowered_program.h"
#include "dedalus/program.h"
#include "domain/fault_model.h"
#include "domain/run.h"
#include "formula/rules.h"
#include "ground/fault_atoms.h"
#include "ground/possible.h"

namespace clew::ground {

struct GrounderOptions {
  datalog::Row most_rows = 2'000'000;  // of one relation, in all ticks
  size_t most_firings = 4'000'000;
  size_t most_atoms = 20'000'000;
  Stop stop{};  // asked often; true gives up
};

class Grounder {
 public:
  // Requires a valid model, of the nodes and the crash model that the program was lowered for.
  Grounder(std::shared_ptr<const dedalus::LoweredProgram> program, FaultModel model,
           GrounderOptions options);
  // Lowers the program for itself. `program` outlives this.
  Grounder(const dedalus::Program& program, const FaultModel& model, GrounderOptions options);
  Grounder(const Grounder&) = delete;
  Grounder& operator=(const Grounder&) = delete;

  // Gives up with the Error "stopped" if it is told to.
  Status run();

  const formula::Rules& rules() const { return rules_; }
  const FaultModel& model() const { return model_; }
  size_t firings() const { return engine_.firings().count(); }

  // What a named atom stands for: a fact, or a contribution to the aggregate of a rule.
  struct Name {
    Tick tick = 1;
    datalog::RelationId relation = 0;
    datalog::Row row = 0;
  };
  const Name& name(formula::Atom atom) const { return names_[rules_.name_of(atom)]; }
  std::optional<size_t> contributes_to(const Name& name) const;  // the rule, if it does
  // The kinds of bodies of which the Run of the program shows one: a fact, a message, or what
  // only the Spec looks at, which every run has.
  std::vector<uint32_t> kinds_shown(const Run& run) const;
  std::string relation_name(const Name& name) const;
  std::vector<uint32_t> tuple(const Name& name) const;  // equal if the values are
  std::string tuple_text(const Name& name) const;       // `("b", "data")`, strings quoted()
  std::string print(formula::Atom atom) const;          // `log("b", "data")@3`

  // Told of every fact of the Program that is possible at a tick, and when it is true. Set before
  // run(). Views are there at the last tick only.
  std::function<void(const Name&, formula::Literal)> listener{};

 private:
  friend class GrowingGrounder;
  using Cursor = datalog::FiringLog::Cursor;
  // A firing, or a given fact (kGiven), for a row of the current frame.
  struct Reason {
    datalog::Row row;
    Cursor firing;
    formula::Literal given;
  };
  static constexpr Cursor kGiven = SIZE_MAX;
  // Sums of parts of a group may leave 64 bits on the way.
  __extension__ using Wide = __int128;

  // The failure, if it has to be given up.
  Status guarded(const std::function<Status()>& work) const;
  Status ground_all();
  void make_order();
  void start();
  // enter.cc: what holds without a rule
  void give(datalog::RelationId relation, const datalog::Value* tuple, formula::Literal literal);
  void enter(Tick tick);
  void enter_crashes(Tick tick);
  void enter_life(Tick tick);
  void enter_links(Tick tick);
  void enter_facts(Tick tick);

  Status evaluate(datalog::Engine::Part part);
  Status failure(const datalog::EvaluationError& error) const;
  void move_on();
  void sort_firings();
  void tell_facts() const;
  datalog::Row first_unbuilt(datalog::RelationId relation) const;
  void build(const datalog::Stratum& stratum);
  void build_row(datalog::RelationId relation, datalog::Row row);
  void build_loop(const datalog::Stratum& stratum);
  void collect(datalog::RelationId relation, datalog::Row row);
  void add_body(const datalog::Firing& firing);
  void bind_slots(const datalog::Rule& rule, const datalog::Firing& firing);
  formula::Literal absence(const datalog::BodyItem& item);
  formula::Literal somewhere(datalog::RelationId relation);
  void add_next_bodies();
  void deliver();
  // What breaks a promise: at the current tick, of those that are for every tick; and in all, if
  // the current tick is the last.
  void note_violations();
  formula::Literal violation();
  void add_violations(const dedalus::PromiseInfo& promise, std::vector<formula::Literal>& all);
  std::string print_tuple(datalog::RelationId relation, datalog::Row row) const;
  // fold_literals.cc
  void add_fold(const datalog::Firing& firing);
  formula::Literal some_row(const datalog::Firing& firing);
  formula::Literal fold_literal(datalog::Fold fold, uint32_t column, datalog::Value outcome,
                                const datalog::Firing& firing);
  const std::map<uint32_t, formula::Literal>& extremes(datalog::Fold fold, uint32_t column,
                                                       const datalog::Firing& firing);
  formula::Literal count_literal(const datalog::Firing& firing, int64_t count);
  formula::Literal count_within(uint32_t counter, size_t low, size_t high);
  void join_counts();
  formula::Literal sum_literal(uint32_t column, const datalog::Firing& firing, int64_t sum);
  const std::map<Wide, formula::Literal>& sums(uint32_t column, const datalog::Firing& firing);
  std::vector<datalog::Row> uncertain(const datalog::Firing& firing);

  std::shared_ptr<const dedalus::LoweredProgram> shared_;
  const dedalus::Program& program_;
  FaultModel model_;
  GrounderOptions options_;
  Watch watch_{options_.stop};
  datalog::ValueTable values_;
  const std::vector<datalog::Value>& nodes_;
  const dedalus::Lowered& lowered_;
  Possible possible_;
  datalog::Engine engine_;
  formula::Rules rules_;
  FaultAtoms faults_;
  struct Step {
    datalog::Stratum stratum;
    datalog::Engine::Part part;  // when it is complete
  };
  std::vector<Step> order_;
  std::vector<std::optional<size_t>> contributions_;  // by relation: the aggregating rule

  formula::Literal broken_before_ = formula::kFalse;  // up to the current tick, for every tick
  Tick tick_ = 1;
  Cursor frame_firings_ = 0;   // the first one of the current frame
  Cursor sorted_firings_ = 0;  // the first one that is not among the reasons yet
  std::vector<Name> names_;
  std::vector<std::vector<formula::Literal>> literals_;  // by relation and row
  std::vector<std::vector<Reason>> reasons_;             // by relation; of the current frame
  // Of the next frame: bodies one after the other, and which row each is for.
  struct NextBody {
    datalog::RelationId relation;
    datalog::Row row;
    uint32_t begin;
    uint32_t end;
  };
  std::vector<NextBody> next_, waiting_;
  std::vector<formula::Literal> next_literals_, waiting_literals_;
  formula::Bodies bodies_;
  std::vector<datalog::Value> slots_;
  std::vector<bool> bound_;
  // Of an absent atom: for each column its value, or the slot that it leaves open.
  struct Column {
    bool open = false;
    uint32_t bits = 0;
  };
  std::vector<Column> pattern_;
  std::unordered_map<std::string, formula::Literal> patterns_;  // of the current frame
  std::unordered_map<uint64_t, uint32_t> counters_;      // of the current frame: the group's number
  std::vector<std::vector<formula::Literal>> at_least_;  // by counter: how many of its rows
  struct Interval {
    uint32_t counter;
    size_t low;
    size_t high;
  };
  std::unordered_map<uint32_t, Interval> intervals_;  // by literal
  // Of the current frame, by group and column: what its rows may add up to, and when.
  std::map<std::pair<uint64_t, uint32_t>, std::map<Wide, formula::Literal>> sums_;
  // The same of what may be the largest or the smallest value.
  std::map<std::pair<uint64_t, uint32_t>, std::map<uint32_t, formula::Literal>> extremes_;
  std::map<uint64_t, formula::Literal> some_row_;  // by group; of the current frame
};

}  // namespace clew::ground
