#include "service/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace clew::service {

namespace {

constexpr uint32_t kRepeats = 2;    // of what others may come of
constexpr size_t kMostUnmade = 10;  // combinations that cannot be run, and it ends
constexpr size_t kProposals = 8;    // of the lineage adversary, before it learns what they show
constexpr size_t kAhead = 2;        // times the jobs: so many wishes wait

using Ending = inject::Observed::Ending;

Error cannot_begin(const inject::Target& target, const Look& look) {
  if (look.ending == Ending::kHung) {
    return {fmt::format("without failures, {} does not end within {:g} s{}{}", target.path,
                        target.run_seconds, look.trouble.empty() ? "" : ": ", look.trouble),
            "make that end by itself, or give it more time: `run_seconds`, and `ready_seconds` for "
            "what has to get ready"};
  }
  return {fmt::format("{} does not run without failures: {}", target.path,
                      look.trouble.empty() ? "nothing says why" : look.trouble),
          "run its commands by hand, and mend the target file"};
}

}  // namespace

Session::Session(Wanted wanted, inject::Runner& runner, Judging& judging, check::Notes notes,
                 const check::Budget& budget)
    : wanted_(std::move(wanted)),
      runner_(runner),
      judging_(judging),
      notes_(std::move(notes)),
      budget_(budget),
      known_(wanted_.target.kinds),
      looker_(wanted_.target, known_, judging_),
      search_(known_, wanted_.target.most_failures),
      coverage_(known_),
      progress_(budget, notes_) {}

Result<Report> Session::run() {
  begin_report();
  if (const Status opened = open_history(); !opened.ok()) return opened.error();
  Result<Trial> first = try_without_failures();
  if (!first.ok()) return first.error();
  Status gone = Nothing{};
  try {
    gone = first->violates_any() ? keep_violation({}, *first) : go_through_all();
    if (gone.ok()) gone = replay_rest();
  } catch (const Stopped&) {
    report_.why_ended = budget_.why();
  }
  if (history_) {
    const Status kept = history_->flush();
    if (gone.ok() && !kept.ok()) gone = kept;
  }
  if (!gone.ok()) return gone.error();
  return finish();
}

Result<Report> Session::look_around() {
  begin_report();
  const Result<Trial> first = try_without_failures();
  if (!first.ok()) return first.error();
  return finish();
}

Status Session::open_history() {
  const Stop stop = [this] { return budget_.used_up(); };
  if (!wanted_.resume.empty()) {
    Result<History> history =
        History::open(wanted_.resume, bound_to(wanted_), judging_.promises().size(), known_);
    if (!history.ok()) return history.error();
    history_.emplace(*std::move(history));
    if (history_->goes_on()) report_.resumed = wanted_.resume;
  }
  crew_ = std::make_unique<Crew>(runner_, looker_, history_ ? &*history_ : nullptr, stop);
  return Nothing{};
}

Result<Trial> Session::try_without_failures() {
  if (!crew_) {
    if (const Status opened = open_history(); !opened.ok()) return opened.error();
  }
  looker_.want_supports(wanted_.lineage);
  Result<Trial> trial = crew_->now({.plan = {}, .times = wanted_.failure_free});
  if (!trial.ok()) return trial;
  for (const Look& look : trial->looks) {
    if (look.ending != Ending::kDone) return cannot_begin(wanted_.target, look);
  }
  note_looks(*trial);
  failure_free_ = trial->looks;
  search_.begin(trial->looks);
  if (wanted_.lineage) begin_guiding(*trial);
  return trial;
}

uint32_t Session::times_for(const Combination& combination) const {
  return combination.size() < wanted_.target.most_failures ? kRepeats : 1;
}

bool Session::must_end() {
  if (wanted_.first && !report_.groups.empty()) {
    report_.why_ended = "the first violation was found";
  } else if (tried_ >= wanted_.effort) {
    report_.why_ended = "the effort was used up";
  } else if (budget_.used_up()) {
    report_.why_ended = budget_.why();
  } else if (failed_.size() >= kMostUnmade) {
    report_.why_ended = fmt::format("{} combinations could not be run", failed_.size());
  }
  return !report_.why_ended.empty();
}

Status Session::go_through_all() {
  while (!must_end()) {
    if (is_guiding() && under_way_.empty()) ask_guide();
    while (crew_->wished() < kAhead * runner_.jobs()) {
      const std::optional<uint32_t> next = search_.next();
      if (!next) break;
      const Combination& combination = search_.item(*next).combination;
      crew_->wish({.plan = known_.plan(combination), .times = times_for(combination)});
      under_way_.push_back(*next);
    }
    if (under_way_.empty()) break;
    if (Status taken = take_one(); !taken.ok()) return taken;
  }
  return Nothing{};
}

void Session::begin_guiding(const Trial& first) {
  guide_ = std::make_unique<Guide>(known_, wanted_.target.most_failures);
  guide_->observe({}, first.looks);
  if (!guide_->knows_supports()) return guide_.reset();
  search_.only_forward(true);
}

// What it proposes at once does not depend on the number of jobs, nor does what it learns before it
// proposes more.
void Session::ask_guide() {
  const Stop stop = [this] { return budget_.used_up(); };
  size_t forward = 0;
  for (const Combination& wanted : std::exchange(proposed_, {})) {
    if (!guide_->is_settled(wanted)) forward += go_towards(wanted);
  }
  while (forward < kProposals) {
    const std::optional<Combination> next = guide_->propose(stop);
    if (!next) break;
    guide_->leave_out(*next);
    forward += go_towards(*next);
  }
  if (forward > 0) return;
  report_.nothing_left = true;
  guide_.reset();
  looker_.want_supports(false);
  search_.only_forward(false);
}

// What strikes first is run first: whether the rest can strike at all, only that shows.
bool Session::go_towards(const Combination& wanted) {
  const std::optional<uint32_t> item = search_.towards(wanted);
  if (!item || search_.item(*item).state != Search::State::kWaiting) return false;
  search_.bring_forward(*item);
  if (search_.item(*item).combination.size() < wanted.size()) proposed_.push_back(wanted);
  return true;
}

Status Session::take_one() {
  Result<Trial> trial = crew_->take();
  if (!trial.ok()) return trial.error();
  const uint32_t item = under_way_.front();
  under_way_.pop_front();
  if (Status settled = settle(item, *trial); !settled.ok()) return settled;
  progress_.show({.ids = known_.failures().size(),
                  .failures = search_.item(item).combination.size(),
                  .tried = tried_,
                  .left = search_.waiting(),
                  .covered = coverage_.all().size(),
                  .causes = report_.groups.size(),
                  .runs = crew_->started()});
  return history_ ? history_->flush_if_due() : Status(Nothing{});
}

Status Session::settle(uint32_t item, const Trial& trial) {
  const Combination combination = search_.item(item).combination;
  note_looks(trial);
  search_.observe(item, trial.looks);
  coverage_.add(search_, item);
  if (trial.failed()) failed_.insert(item);
  if (!trial.struck()) return Nothing{};
  ++tried_;
  if (is_guiding()) guide_->observe(combination, trial.looks), ++report_.lineage_tried;
  const auto hung = [](const Look& look) { return look.struck && look.ending == Ending::kHung; };
  if (std::ranges::any_of(trial.looks, hung)) ++report_.hung;
  std::vector<bool>& verdict = verdicts_[combination];
  for (size_t i = 0; i < judging_.promises().size(); ++i) verdict.push_back(trial.violates(i));
  return trial.violates_any() ? keep_violation(combination, trial) : Status(Nothing{});
}

}  // namespace clew::service
