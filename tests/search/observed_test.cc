// The loop over Systems that have no rules: a few lines of C++ that declare which deliveries were
// enough. Lineage finds what trying everything finds, with fewer runs, and claims no more than it
// knows.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "domain/delivery.h"
#include "search/campaign.h"
#include "search/lattice.h"

namespace clew::search {
namespace {

struct Send {
  NodeName from;
  NodeName to;
  Tick tick;
};

// Sends are there from the beginning; one of a node that has not got the word is not sent. Node a
// has it. The promise: one node has got it at the end. A support is a chain of deliveries from a to
// that node.
class Gossip : public System {
 public:
  Gossip(std::vector<Send> sends, NodeName promised)
      : sends_(std::move(sends)), promised_(std::move(promised)) {
    std::ranges::stable_sort(sends_, {}, &Send::tick);
  }

  const Specs& specs() const override { return specs_; }

  Result<Run> run(const Scenario& scenario, Detail detail) override {
    ++runs;
    Run run;
    run.scenario = scenario;
    std::map<NodeName, Tick> has = {{"a", 1}};
    for (const Send& send : sends_) {
      const auto sender = has.find(send.from);
      if (sender == has.end() || sender->second > send.tick) continue;
      Message message{send.from, send.to, send.tick, {"word", {send.to}}, {}};
      message.fate = fate_of(scenario.program.crash_model, World{scenario}, send.from, send.to,
                             send.tick, scenario.program.eot);
      if (message.fate == Message::Fate::kDelivered) {
        has.try_emplace(send.to, arrival_of(send.tick));
      }
      run.messages.push_back(std::move(message));
    }
    run.trace = trace_of(run);
    std::vector<Fact>& last = run.facts.emplace_back();
    last.push_back({"pre", {promised_}});
    if (has.contains(promised_)) last.push_back({"post", {promised_}});
    std::ranges::sort(last);
    Support chain;
    if (detail == Detail::kLineage && declares) extend(run, promised_, INT32_MAX, chain);
    return run;
  }

  size_t runs = 0;
  bool declares = true;  // what was enough

 private:
  struct World {
    const Scenario& scenario;
    bool omitted(const NodeName& from, const NodeName& to, Tick tick) const {
      return scenario.faults.contains(Omission{from, to, tick});
    }
    bool crashed(const NodeName& node, Tick tick) const {
      const std::optional<Tick> crash = crash_of(scenario, node);
      return crash && *crash <= tick;
    }
  };

  void extend(Run& run, const NodeName& node, Tick before, Support& chain) const {
    if (node == "a") {
      run.supports.push_back(chain);
      return;
    }
    for (EventId id = 0; id < run.trace.size(); ++id) {
      const Event& event = run.trace[id];
      const bool brings =
          event.kind == Event::Kind::kDeliver && event.node == node && event.tick <= before;
      if (!brings) continue;
      chain.push_back(id);
      const Message& message = run.messages[event.message];
      extend(run, message.from, message.sent_at, chain);
      chain.pop_back();
    }
  }

  std::vector<Send> sends_;
  NodeName promised_;
  Specs specs_ = {std::make_shared<Promise>("spec", Promise::Relations{"pre", "post", true})};
};

const std::vector<Send> kRedundant = {{"a", "b", 1}, {"a", "c", 1}, {"c", "b", 2}, {"a", "b", 3}};

std::vector<std::string> found(const Verdict& verdict) {
  std::vector<std::string> texts;
  for (const Choice& choice : verdict.counterexamples) texts.push_back(to_string(choice.faults));
  std::ranges::sort(texts);
  return texts;
}

TEST(ObservedLineage, FindsWhatExhaustiveSearchFindsWithFewerRuns) {
  for (CrashModel crash_model : {CrashModel::kSilent, CrashModel::kStop}) {
    const FaultModel model{{"a", "b", "c"}, 5, 3, 1, crash_model};
    Gossip tried(kRedundant, "b");
    const auto everything = make_exhaustive(model, {});
    const Verdict all = Campaign(tried, *everything, model, {.all = true}).run();
    ASSERT_EQ(all.kind, Verdict::Kind::kBroken);
    Gossip observed(kRedundant, "b");
    const auto lineage = make_observed_lineage(model, {});
    const Verdict seen = Campaign(observed, *lineage, model, {.all = true}).run();
    EXPECT_EQ(found(seen), found(all));
    EXPECT_TRUE(seen.minimal);
    EXPECT_FALSE(seen.all_found);
    EXPECT_LT(observed.runs * 10, tried.runs);
  }
}

// Nothing breaks it, and nobody can know that who has only seen runs.
TEST(ObservedLineage, NothingLeftIsUnknownWithTheReason) {
  const FaultModel model{{"a", "b", "c"}, 5, 2, 0, CrashModel::kSilent};
  Gossip tried(kRedundant, "b");
  EXPECT_EQ(Campaign(tried, *make_exhaustive(model, {}), model, {}).run().kind,
            Verdict::Kind::kRobust);
  Gossip observed(kRedundant, "b");
  const Verdict verdict = Campaign(observed, *make_observed_lineage(model, {}), model, {}).run();
  EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown);
  EXPECT_EQ(verdict.why_unknown, "only the supports that runs have shown are known");
  EXPECT_LT(observed.runs, tried.runs);
}

TEST(ObservedLineage, WhatNeedsNothingCannotBeCut) {
  const FaultModel model{{"a", "b"}, 3, 3, 1, CrashModel::kSilent};
  Gossip at_home({{"a", "b", 1}}, "a");
  const Verdict verdict = Campaign(at_home, *make_observed_lineage(model, {}), model, {}).run();
  EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown);
  EXPECT_EQ(at_home.runs, 1U);
}

// A System that tells no supports is tried set by set, and that ends.
TEST(ObservedLineage, WithoutSupportsEveryFaultSetIsTriedOnce) {
  const FaultModel model{{"a", "b"}, 3, 3, 1, CrashModel::kSilent};
  const std::vector<Send> sends = {{"a", "b", 1}, {"b", "a", 1}};
  Gossip silent(sends, "a");
  silent.declares = false;
  const Verdict verdict = Campaign(silent, *make_observed_lineage(model, {}), model, {}).run();
  EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown);
  Gossip tried(sends, "a");
  Campaign(tried, *make_exhaustive(model, {}), model, {}).run();
  EXPECT_EQ(silent.runs, tried.runs);
}

TEST(ObservedLineage, StopsWhenTheBudgetIsUsedUp) {
  const FaultModel model{{"a", "b", "c"}, 5, 3, 1, CrashModel::kSilent};
  Gossip observed(kRedundant, "b");
  const auto lineage = make_observed_lineage(model, [] { return true; });
  const Verdict verdict = Campaign(observed, *lineage, model, {}).run();
  EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown);
  EXPECT_EQ(verdict.why_unknown, "the budget was used up");
}

}  // namespace
}  // namespace clew::search
