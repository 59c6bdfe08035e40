#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/check.h"
#include "explain/hints.h"
#include "explain/story.h"
#include "explain/why_not.h"
#include "explain/words.h"
#include "lineage/difference.h"
#include "lineage/good_supports.h"

namespace clew::explain {

namespace {

using lineage::good_supports;
using lineage::GoodSupports;
using lineage::kNone;
using lineage::PointId;

constexpr size_t kMostSentences = 6;
constexpr size_t kMostConsequences = 9;
constexpr size_t kMostSupports = 8;
constexpr size_t kMostReplays = 8;
constexpr size_t kMostRules = 2;

const std::vector<Fact>& facts_at(const Run& run, Tick tick) {
  return run.facts[static_cast<size_t>(tick - 1)];
}

class Explainer {
 public:
  Explainer(const Run& good, const Run& bad, const BrokenGoal& goal, const ExplainContext& context)
      : good_(good, context.program),
        bad_(bad, context.program),
        difference_(good_, bad_),
        context_(context),
        post_(goal.post),
        when_(goal.tick) {
    explanation_.goal = goal.pre;
  }

  Explanation run() {
    CHECK(bad_.holds(explanation_.goal, when_), "{} does not hold", to_string(explanation_.goal));
    CHECK(!bad_.holds(post_, when_), "{} holds", to_string(post_));
    const std::vector<uint32_t> roots = roots_of(difference_);
    if (roots.empty()) {
      tell_no_difference();
      return explanation_;
    }
    tell_kind(good_.holds(post_, when_), !good_.holds(explanation_.goal, when_));
    const Story story(difference_, roots, context_.program);
    tell(story);
    if (!good_.holds(post_, when_)) tell_why_not();
    add_supports(roots[0], story);
    const std::vector<uint32_t> others = other_faults(roots);
    // Where something else had to be prevented, too, there was something else that could help.
    if (!others.empty()) {
      std::erase_if(explanation_.hints, [](const Explanation::Hint& hint) {
        return hint.kind == Explanation::Hint::Kind::kSpace;
      });
    }
    add_other_faults(others);
    return explanation_;
  }

 private:
  // What the better run has of `post`, and what only the bad one has of `pre`.
  std::vector<uint32_t> roots_of(Difference& difference) const {
    std::vector<uint32_t> roots;
    const PointId post = difference.good().find(post_, when_);
    if (post != kNone) roots.push_back(difference.missing(post));
    if (!difference.good().holds(explanation_.goal, when_)) {
      roots.push_back(difference.extra(bad_.find(explanation_.goal, when_)));
    }
    return roots;
  }

  // Faults that only matter because of the other faults.
  std::vector<uint32_t> other_faults(const std::vector<uint32_t>& roots) const {
    std::set<uint32_t> told;
    for (const uint32_t root : roots) {
      for (const uint32_t fault : difference_.faults_behind(root)) told.insert(fault);
    }
    std::vector<uint32_t> others;
    for (uint32_t fault = 0; fault < difference_.faults().size(); ++fault) {
      if (!told.contains(fault)) others.push_back(fault);
    }
    return others;
  }

  void add_other_faults(const std::vector<uint32_t>& others) {
    if (!context_.replay) return;
    std::map<std::string, std::vector<std::string>> by_effect;
    std::vector<std::string> order;
    for (size_t i = 0; i < std::min(others.size(), kMostReplays); ++i) {
      const std::optional<Run> better = context_.replay(difference_.faults().without(others[i]));
      if (!better) continue;
      const std::string effect = effect_of(others[i], *better);
      if (effect.empty()) continue;
      if (by_effect[effect].empty()) order.push_back(effect);
      by_effect[effect].push_back(difference_.faults().text(others[i]));
    }
    for (const std::string& effect : order) {
      const std::vector<std::string>& faults = by_effect[effect];
      const bool one = faults.size() == 1;
      explanation_.summary.push_back(fmt::format(
          "{} {} needed as well: without {}, {} and the promise is kept.", list_words(faults),
          one ? "is" : "are", one ? "it" : "any one of them", effect));
    }
  }

  // What arrives without this fault, and matters. Nothing if the goal is violated all the same.
  std::string effect_of(uint32_t fault, const Run& better) {
    // Graphs take long; what they are good for, the facts of that tick tell.
    const std::vector<Fact>& facts = facts_at(better, when_);
    const bool kept = std::ranges::binary_search(facts, post_) ||
                      !std::ranges::binary_search(facts, explanation_.goal);
    if (!kept) return {};
    const Graph graph(better, context_.program);
    Difference difference(graph, bad_);
    const std::vector<uint32_t> roots = roots_of(difference);
    if (roots.empty()) return {};
    const Story story(difference, roots, context_.program);
    add_knowledge(hints_of_knowledge(difference, story));
    for (const Difference::Loss& loss : story.losses()) {
      if (std::ranges::find(loss.faults, fault) == loss.faults.end()) continue;
      const Message& m = loss.message;
      return fmt::format("{} from {} reaches {}", to_string(m.fact), m.from, m.to);
    }
    return {};
  }

  void add_knowledge(const std::vector<Explanation::Hint>& more) {
    std::vector<Explanation::Hint>& all = explanation_.hints;
    for (const Explanation::Hint& hint : more) {
      const auto known = std::ranges::count_if(
          all, [&](const Explanation::Hint& other) { return other.kind == hint.kind; });
      const bool same = std::ranges::any_of(all, [&](const Explanation::Hint& other) {
        return other.kind == hint.kind && other.rule.where() == hint.rule.where();
      });
      if (known < 2 && !same) all.push_back(hint);
    }
  }

  void tell_no_difference() {
    std::string text =
        fmt::format("{} holds and {} does not,", to_string(explanation_.goal), to_string(post_));
    text += bad_.run().scenario.faults.empty() ? " without any fault."
                                               : " with these faults and without any.";
    explanation_.summary.push_back(std::move(text));
    tell_why_not();
  }

  // What the rules for `post` lack in the bad run, those first that got furthest.
  void tell_why_not() {
    if (context_.program == nullptr || context_.sources == nullptr) return;
    const WhyNot answer = why_not(*context_.program, *context_.sources, bad_, to_pattern(post_),
                                  bad_.run().scenario.program.eot);
    if (answer.attempts.empty()) {
      explanation_.summary.push_back(
          fmt::format("No fact or rule could give {}.", to_string(post_)));
    }
    const size_t most = explanation_.summary.size() + kMostSentences / 2;
    std::vector<const WhyNot::Attempt*> attempts;
    attempts.reserve(answer.attempts.size());
    for (const WhyNot::Attempt& attempt : answer.attempts) attempts.push_back(&attempt);
    std::ranges::stable_sort(attempts, std::ranges::greater(),
                             [](const WhyNot::Attempt* attempt) { return attempt->met.size(); });
    for (size_t i = 0; i < std::min(attempts.size(), kMostRules); ++i) {
      for (const WhyNot::Attempt* attempt = attempts[i]; attempt != nullptr;) {
        const bool full = explanation_.summary.size() == most;
        if (full || attempt->rule == nullptr) break;
        explanation_.summary.push_back(
            fmt::format("The rule at {} fails: {}.", attempt->where, attempt->text));
        attempt = attempt->missing.empty() ? nullptr : furthest(attempt->missing[0]);
      }
    }
  }

  // The attempt that met most of a body. Null if there are none.
  static const WhyNot::Attempt* furthest(const WhyNot& answer) {
    const WhyNot::Attempt* found = nullptr;
    for (const WhyNot::Attempt& attempt : answer.attempts) {
      if (found == nullptr || attempt.met.size() > found->met.size()) found = &attempt;
    }
    return found;
  }

  void tell_kind(bool had_post, bool new_pre) {
    const std::string goal = to_string(explanation_.goal);
    if (new_pre && !had_post) {
      explanation_.summary.push_back(
          fmt::format("{} holds only because of the faults; {} does not, with or without them.",
                      goal, to_string(post_)));
    } else if (new_pre) {
      explanation_.summary.push_back(fmt::format("{} holds only because of the faults.", goal));
    }
  }

  void tell(const Story& story) {
    const size_t room = kMostSentences - explanation_.summary.size();
    for (std::string& sentence : story.because(room)) {
      explanation_.summary.push_back(std::move(sentence));
    }
    explanation_.consequences = story.consequences(kMostConsequences);
    explanation_.parting = story.parting();
  }

  void add_supports(uint32_t root, const Story& story) {
    const bool missing = difference_.node(root).missing;
    explanation_.supported =
        missing ? to_string(post_) : "the absence of " + to_string(explanation_.goal);
    const GoodSupports all = good_supports(difference_, root);
    for (const std::vector<uint32_t>& set : all.supports.sets) {
      if (explanation_.supports.size() == kMostSupports) break;
      explanation_.supports.push_back(support(set, all));
    }
    explanation_.more_supports = all.supports.sets.size() - explanation_.supports.size();
    explanation_.all_counted = all.supports.complete;
    explanation_.hints = hints(difference_, story, all);
  }

  Explanation::Support support(const std::vector<uint32_t>& set, const GoodSupports& all) {
    Explanation::Support result;
    std::set<uint32_t> faults;
    for (const uint32_t element : set) {
      if (element >= all.first_fault) {
        const uint32_t fault = element - all.first_fault;
        const Crash* crash = difference_.faults().crash(fault);
        CHECK(crash != nullptr, "a support that needs that {} does not strike",
              difference_.faults().text(fault));
        result.messages.push_back(fmt::format("{} does not crash", crash->node));
        faults.insert(fault);
        continue;
      }
      const Message& m = good_.run().messages[element];
      result.messages.push_back(
          fmt::format("{} sends {} to {} at tick {}", m.from, to_string(m.fact), m.to, m.sent_at));
      for (const uint32_t fault : difference_.faults().on(m.from, m.to, m.sent_at)) {
        faults.insert(fault);
      }
    }
    if (faults.empty()) faults = faults_before(set, all);
    result.cut_by.reserve(faults.size());
    for (const uint32_t fault : faults) result.cut_by.push_back(difference_.faults().text(fault));
    return result;
  }

  // No fault loses these messages themselves: they are not sent, or what they bring is not enough.
  std::set<uint32_t> faults_before(const std::vector<uint32_t>& set, const GoodSupports& all) {
    std::set<uint32_t> faults;
    for (const uint32_t element : set) {
      if (element >= all.first_fault) continue;
      const Message& m = good_.run().messages[element];
      if (bad_.holds(m.fact, m.sent_at + 1)) continue;
      const PointId point = good_.find(m.fact, m.sent_at + 1);
      if (point == kNone) continue;
      for (const uint32_t fault : difference_.faults_behind(difference_.missing(point))) {
        faults.insert(fault);
      }
    }
    return faults;
  }

  Graph good_;
  Graph bad_;
  Difference difference_;
  const ExplainContext& context_;
  Fact post_;
  Tick when_;  // the goal is broken
  Explanation explanation_;
};

}  // namespace

Explanation explain(const Run& good, const Run& bad, const ExplainContext& context) {
  std::optional<BrokenGoal> chosen;
  const Outcome& outcome = bad.outcome();
  for (const Outcome::Goal& goal : outcome.goals) {
    if (goal.post) continue;
    const Fact post = outcome.kept(goal);
    const bool better = std::ranges::binary_search(facts_at(good, goal.tick), post);
    if (!chosen || better) chosen = {goal.pre, post, goal.tick};
    if (better) break;
  }
  CHECK(chosen.has_value(), "the run is not violated");
  return explain(good, bad, *chosen, context);
}

Explanation explain(const Run& good, const Run& bad, const BrokenGoal& goal,
                    const ExplainContext& context) {
  return Explainer(good, bad, goal, context).run();
}

}  // namespace clew::explain
