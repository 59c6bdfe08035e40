#include "explore/stateless.h"

#include <algorithm>
#include <tuple>

namespace clew::explore {

namespace {

using Kind = Move::Kind;

uint64_t place_bit(size_t place) { return uint64_t{1} << (place % 64); }

}  // namespace

Stateless::Stateless(const Cluster& cluster, Options options)
    : cluster_(cluster),
      options_(std::move(options)),
      runner_(cluster),
      looks_(runner_),
      events_(runner_, looks_),
      random_(options_.seed) {
  if (!cluster.has_eventually()) return;
  throw Mistake(
      "cluster.eventually() is about runs that go on for ever, which only --engine stateful sees");
}

bool Stateless::over() const {
  return finished_ || anew_ || result_.violation || stopped_ || begun_paths_ >= options_.most_paths;
}

// Asked where all is in order: what is saved here goes on as if nothing had been in between.
bool Stateless::may_go_on() {
  if (asked_++ % kSeldom == 0) {
    if (options_.now_and_then) options_.now_and_then();
    if (options_.progress) {
      options_.progress({.paths = result_.paths, .depth = result_.depth, .moves = result_.moves});
    }
  }
  stopped_ = options_.stop && options_.stop();
  return !over();
}

Exploration Stateless::run() {
  judges_all_ = judges_all_ || options_.reduction != Reduction::kOptimal;
  do {
    anew_ = false;
    if (!std::exchange(loaded_, false)) {
      result_ = {};
      begin();
      if (!judge_first()) break;
    }
    options_.reduction == Reduction::kRandom ? explore_at_random() : explore_in_order();
  } while (anew_ && !result_.violation);
  result_.complete = finished_ && !result_.violation && result_.cut == 0 && !anew_;
  result_.terminals = terminals_.size();
  return result_;
}

void Stateless::begin() {
  path_.clear();
  path_.push_back({.world = runner_.initial()});
  senders_.clear();
  taken_.clear();
  for (const InputId envelope : runner_.under_way(path_.front().world)) {
    const uint32_t queue = events_.queue_of(envelope);
    if (queue >= senders_.size()) senders_.resize(queue + 1), taken_.resize(queue + 1, 0);
    senders_[queue].push_back(-1);
  }
}

void Stateless::explore_in_order() {
  while (may_go_on()) {
    go_on();
    finished_ = path_.empty();
  }
}

void Stateless::explore_at_random() {
  std::vector<Choice> choices;
  while (may_go_on()) {
    begin();
    while (!over()) {
      if (path_.size() > options_.longest) {
        cut();
        break;
      }
      events_.enabled(path_.back().world, choices);
      const Choice choice = random_.pick(choices);
      enter({.event = {.label = choice.label}});
      if (choice.label != kEnd) continue;
      finish();
      break;
    }
  }
}

void Stateless::go_on() {
  Frame& frame = path_.back();
  const bool fresh = !std::exchange(frame.begun, true);
  if (fresh && !fill(frame)) return leave();
  if (over()) return;
  if (frame.tree.empty()) return leave();
  const auto at = frame.tree.begin() + static_cast<std::ptrdiff_t>(next_branch(frame));
  Branch next = std::move(*at);
  frame.tree.erase(at);
  enter(std::move(next));
}

// The first that begins with something never done before, if it may overtake those before it.
size_t Stateless::next_branch(const Frame& frame) const {
  if (options_.reduction != Reduction::kOptimal) return 0;
  for (size_t i = 0; i < frame.tree.size(); ++i) {
    const Event& event = frame.tree[i].event;
    if (was_tried(frame, event.label, event.move.input)) continue;
    const auto begins = [&](const Branch& other) { return may_begin(event, other); };
    const auto end = frame.tree.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::none_of(frame.tree.begin(), end, begins)) return i;
  }
  return 0;
}

bool Stateless::was_tried(const Frame& frame, LabelId id, InputId input) const {
  const Label& label = events_.label(id);
  if (label.node == Label::kNobody) return true;
  return tried_.find((uint64_t{frame.world[label.node]} << 32U) | input) != nullptr;
}

// What is to be tried next; false: nothing, for the path is over.
bool Stateless::fill(Frame& frame) {
  const size_t length = path_.size() - 1;
  const bool ended = length > 0 && path_[length - 1].event.label == kEnd;
  if (ended || length >= options_.longest) {
    if (!ended) cut();
    if (ended) finish();
    // Whether or not this is the last path for now.
    const bool matters = !anew_ && !result_.violation;
    if (options_.reduction == Reduction::kOptimal && matters) find_races();
    return false;
  }
  if (!frame.tree.empty()) return true;
  std::vector<Choice> choices;
  events_.enabled(frame.world, choices);
  if (options_.reduction == Reduction::kDfs) {
    for (const Choice& choice : choices) frame.tree.push_back({.event = {.label = choice.label}});
    return true;
  }
  std::erase_if(choices, [&](const Choice& choice) {
    return std::ranges::find(frame.asleep, choice.label, &Event::label) != frame.asleep.end();
  });
  if (choices.empty()) {
    ++result_.blocked, ++begun_paths_;
    return false;
  }
  frame.tree.push_back({.event = {.label = choices[choose(frame, choices)].label}});
  return true;
}

// What must happen before what need not, what was never done before what was.
size_t Stateless::choose(const Frame& frame, const std::vector<Choice>& choices) {
  using Rank = std::tuple<bool, bool, uint64_t>;
  std::optional<Rank> best;
  size_t result = 0;
  for (size_t i = 0; i < choices.size(); ++i) {
    const Label& label = events_.label(choices[i].label);
    const bool tried = was_tried(frame, choices[i].label, choices[i].move.input);
    const uint64_t lot = options_.seed == 0 ? i : mixed(options_.seed ^ mixed(choices[i].label));
    const Rank rank{!label.must(), tried, lot};
    if (best && *best <= rank) continue;
    best = rank;
    result = i;
  }
  return result;
}

void Stateless::enter(Branch branch) {
  const size_t at = path_.size() - 1;
  path_.push_back({.tree = std::move(branch.next)});
  Frame& frame = path_[at];
  Frame& next = path_[at + 1];
  const bool taken = events_.take(frame.world, branch.event.label, frame.event, next.world);
  CHECK(taken, "a path cannot be continued as planned");
  const Label& label = events_.label(frame.event.label);
  if (!was_tried(frame, frame.event.label, frame.event.move.input)) {
    tried_.insert((uint64_t{frame.world[label.node]} << 32U) | frame.event.move.input, 0);
  }
  ++result_.moves;
  result_.depth = std::max(result_.depth, at + (frame.event.label == kEnd ? 0 : 1));
  if (options_.reduction == Reduction::kOptimal) {
    for (const Event& event : frame.asleep) {
      if (!conflict(event.access, frame.event.access)) next.asleep.push_back(event);
    }
    order(at);
    note(at);
  }
  judge(at);
}

void Stateless::leave() {
  path_.pop_back();
  if (path_.empty() || options_.reduction != Reduction::kOptimal) return;
  unnote(path_.size() - 1);
  path_.back().asleep.push_back(std::move(path_.back().event));
}

void Stateless::cut() { ++result_.paths, ++result_.cut, ++begun_paths_; }

void Stateless::finish() {
  ++result_.paths, ++begun_paths_;
  terminals_.insert(path_.back().world);
  const size_t every = options_.repeat_every;
  const bool sampled = every > 0 && (result_.paths - 1) % every == 0;
  if (judge_end() && sampled) repeat();
}

// All that comes before an event on equivalent paths: those that conflict with it, and who has sent
// what it takes; and what comes before them.
void Stateless::order(size_t at) {
  std::vector<uint64_t>& past = path_[at].past;
  past.assign(at / 64 + 1, 0);
  const std::optional<size_t> from = sender(path_[at].event);
  for (size_t i = at; i-- > 0;) {
    if (before(i, at)) continue;
    if (from != i && !conflict(path_[i].event.access, path_[at].event.access)) continue;
    past[i / 64] |= place_bit(i);
    for (size_t word = 0; word < path_[i].past.size(); ++word) past[word] |= path_[i].past[word];
  }
}

bool Stateless::before(size_t one, size_t other) const {
  return one < other && (path_[other].past[one / 64] & place_bit(one)) != 0;
}

std::optional<size_t> Stateless::sender(const Event& event) const {
  if (event.access.queue == kNoQueue) return std::nullopt;
  const std::vector<int64_t>& all = senders_[event.access.queue];
  const bool stays = cluster_.channels == Channels::kSet;
  const int64_t from = stays ? all.back() : all[taken_[event.access.queue]];
  if (from < 0) return std::nullopt;
  return static_cast<size_t>(from);
}

void Stateless::note(size_t at) {
  const Event& event = path_[at].event;
  const bool takes = event.access.queue != kNoQueue && event.move.kind != Kind::kDuplicate;
  if (takes) ++taken_[event.access.queue];
  for (const uint32_t queue : event.sent) {
    if (queue >= senders_.size()) senders_.resize(queue + 1), taken_.resize(queue + 1, 0);
    senders_[queue].push_back(static_cast<int64_t>(at));
  }
}

void Stateless::unnote(size_t at) {
  const Event& event = path_[at].event;
  const bool takes = event.access.queue != kNoQueue && event.move.kind != Kind::kDuplicate;
  if (takes) --taken_[event.access.queue];
  for (const uint32_t queue : event.sent) senders_[queue].pop_back();
}

}  // namespace clew::explore
