// The derivation graph of a Run: which facts rest on which.
//
//   Graph graph(run, &program);                         // run with firings
//   PointId point = graph.find({"log", {"b", "data"}}, 4);
//   for (uint32_t step : graph.steps_of(point)) ...      // every way in which it was derived
//
// A point is one Fact at one Tick; a step is one Firing. Steps lead from earlier ticks to later
// ones, or stay within a tick; there they may form cycles (path :- path, edge), but every point has
// at least one derivation without: first_step() is the last step of one.
//
// A point without steps is given: a fact of the program, or `crash`. With the program at hand,
// is_given() is also true of points that are given and derived. A step's messages are those between
// different nodes that it needs: none, or the one that brought its head, or, for an aggregate of
// messages, one from each sender.
//
// (1) Facts of a tick are sorted and distinct, so that points are numbered by tick, then by fact.
// (2) What a Firing derives holds. (3) What it used does, too.
#pragma once

#include <cstdint>
#include <vector>

#include "dedalus/program.h"
#include "domain/run.h"

namespace clew::lineage {

using PointId = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;

class Graph {
 public:
  struct Step {
    PointId head = kNone;
    const Firing* firing = nullptr;
    const Rule* rule = nullptr;
    std::vector<PointId> used;
    std::vector<uint32_t> messages;  // indexes into Run::messages
    bool persists = false;           // the same fact, one tick later
  };

  // `run` outlives the graph; `program` need not.
  explicit Graph(const Run& run, const dedalus::Program* program = nullptr);

  const Run& run() const { return run_; }
  size_t point_count() const { return steps_of_.size(); }
  PointId find(const Fact& fact, Tick tick) const;  // kNone if it does not hold then
  bool holds(const Fact& fact, Tick tick) const { return find(fact, tick) != kNone; }
  const Fact& fact(PointId point) const;
  Tick tick(PointId point) const;
  bool is_given(PointId point) const { return given_[point]; }

  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<uint32_t>& steps_of(PointId point) const { return steps_of_[point]; }
  // The step to tell about: that the fact persisted, if it did, else one that does not depend on
  // the point itself. kNone for points that are given.
  uint32_t first_step(PointId point) const { return first_step_[point]; }
  // Points in an order in which each can be derived from earlier ones.
  uint32_t rank(PointId point) const { return rank_[point]; }

 private:
  void mark_given(const dedalus::Program* program);
  void add_step(const Firing& firing);
  void find_messages(Step& step) const;
  bool is_sender(const Step& step, const NodeName& from) const;
  void derive_in_order();

  const Run& run_;
  std::vector<PointId> first_of_tick_;  // by tick - 1, and one more
  std::vector<Step> steps_;
  std::vector<std::vector<uint32_t>> steps_of_;
  std::vector<bool> given_;
  std::vector<uint32_t> first_step_;
  std::vector<uint32_t> rank_;
  std::vector<uint32_t> arrivals_;  // messages delivered, by tick and fact
};

}  // namespace clew::lineage
