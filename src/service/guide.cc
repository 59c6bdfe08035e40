#include "service/guide.h"

#include <fmt/format.h>

#include <algorithm>

namespace clew::service {

namespace {

constexpr const char* kGood = "good";  // who gets the messages that the outcome rests on

// Sorted as the numbers are.
NodeName name_of(uint32_t failure) { return fmt::format("f{:09}", failure); }
uint32_t failure_of(const NodeName& name) {
  return static_cast<uint32_t>(std::stoul(name.substr(1)));
}

}  // namespace

FaultSet Guide::faults_of(const Combination& combination) const {
  FaultSet faults;
  for (const uint32_t failure : combination) faults.insert(Crash{name_of(failure), 1});
  return faults;
}

void Guide::observe(const Combination& combination, const std::vector<Look>& looks) {
  Lesson lesson{combination, std::ranges::any_of(looks, &Look::violates_any), {}};
  for (const Look& look : looks) {
    for (const std::vector<uint32_t>& support : look.supports) {
      std::vector<uint32_t>& failures = lesson.supports.emplace_back();
      for (const uint32_t site : support) {
        std::ranges::copy(known_.failures_at(site), std::back_inserter(failures));
      }
      std::ranges::sort(failures);
    }
  }
  std::ranges::sort(lesson.supports);
  const auto last = std::unique(lesson.supports.begin(), lesson.supports.end());
  lesson.supports.erase(last, lesson.supports.end());
  knows_supports_ |= !lesson.supports.empty();
  lessons_.push_back(std::move(lesson));
}

void Guide::leave_out(const Combination& combination) {
  lessons_.push_back({combination, false, {}});
}

bool Guide::is_settled(const Combination& combination) const {
  return std::ranges::any_of(lessons_, [&](const Lesson& lesson) {
    return lesson.violates && includes(combination, lesson.combination);
  });
}

void Guide::begin_anew() {
  failures_ = known_.failures().size();
  taught_ = 0;
  model_ = {};
  for (uint32_t i = 0; i < failures_; ++i) model_.nodes.push_back(name_of(i));
  model_.nodes.emplace_back(kGood);
  model_.eot = 2;
  model_.crashes = static_cast<int>(most_failures_);
  model_.limits.no_crash.insert(kGood);
  adversary_ = search::make_observed_lineage(model_, [this] { return stop_ && stop_(); });
}

void Guide::teach(const Lesson& lesson) {
  if (lesson.violates) return adversary_->exclude({faults_of(lesson.combination), {}});
  Run run;
  run.scenario = scenario_of(model_);
  run.scenario.faults = faults_of(lesson.combination);
  run.outcomes = {{.spec = kGood, .kind = Outcome::Kind::kHolds}};
  for (const std::vector<uint32_t>& failures : lesson.supports) {
    Support& support = run.supports.emplace_back();
    for (const uint32_t failure : failures) {
      const auto message = static_cast<uint32_t>(run.messages.size());
      run.messages.push_back({name_of(failure), kGood, 1, {kGood, {}}, {}});
      support.push_back(static_cast<EventId>(run.trace.size()));
      run.trace.push_back({Event::Kind::kDeliver, kGood, 2, message});
    }
  }
  adversary_->observe(run);
}

std::optional<Combination> Guide::propose(const Stop& stop) {
  stop_ = stop;
  if (!adversary_ || failures_ != known_.failures().size()) begin_anew();
  for (; taught_ < lessons_.size(); ++taught_) teach(lessons_[taught_]);
  adversary_->limit(size_);
  search::Proposal proposal = adversary_->propose();
  while (proposal.kind == search::Proposal::Kind::kNothing && size_ < most_failures_) {
    adversary_->limit(++size_);
    proposal = adversary_->propose();
  }
  if (proposal.kind == search::Proposal::Kind::kStopped) throw Stopped();
  if (!proposal.tries()) return std::nullopt;
  Combination combination;
  for (const Crash& crash : proposal.choice.faults.of<Crash>()) {
    combination.push_back(failure_of(crash.node));
  }
  std::ranges::sort(combination);
  return combination;
}

}  // namespace clew::service
