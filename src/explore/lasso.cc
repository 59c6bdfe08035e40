#include "explore/lasso.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/loop.h"

namespace clew::explore {

namespace {

constexpr uint32_t kUnseen = 0;
constexpr uint32_t kInside = UINT32_MAX - 1;
constexpr uint32_t kDone = UINT32_MAX;

}  // namespace

void Graph::read(uint32_t id) {
  id_ = id;
  worlds_.read(id, world_);
  runner_.due(world_, due_);
}

uint32_t Graph::follow(Move move) {
  runner_.apply(world_, move, next_);
  if (next_ == world_) return id_;
  packed_.assign(next_);
  const Place place = worlds_.find(packed_.view());
  CHECK(place != kNowhere, "a move leads to a world that is not known");
  return worlds_.id_at(place);
}

Lassos::Lassos(Runner& runner, const WorldStore& worlds, Stop stop, size_t most_bytes)
    : graph_(runner, worlds),
      stop_(std::move(stop)),
      most_bytes_(most_bytes),
      order_(worlds.size(), kUnseen) {
  CHECK(worlds.size() < kInside, "more than 2^32 - 2 worlds");
}

std::optional<Lasso> Lassos::find(const Property& property) {
  property_ = &property;
  std::ranges::fill(order_, kUnseen);
  frames_.clear(), successors_.clear(), stack_.clear();
  again_.clear(), best_.clear(), unfinished_.clear();
  kept_ = held_ = awaited_ = entered_ = 0;
  count_ = 0;
  for (uint32_t root = 0; root < order_.size() && unfinished_.empty(); ++root) {
    // Whatever has not been entered yet comes later.
    if (!best_.empty() && best_.front() <= root) break;
    if (order_[root] == kUnseen) search(root);
  }
  const size_t held = held_, awaited = awaited_;
  for (const Ids& component : again_) {
    if (unfinished_.empty()) search_busy(component);
  }
  held_ = held, awaited_ = awaited;
  if (best_.empty() || !unfinished_.empty()) return std::nullopt;
  return Lasso{best_.front(), shortest_loop(graph_, best_)};
}

// Without the worlds in which the timer could fire; all others are done.
void Lassos::search_busy(const Ids& component) {
  if (!best_.empty() && best_.front() <= component.front()) return;
  count_ = 0;
  for (const uint32_t id : component) {
    graph_.read(id);
    if (!graph_.rests()) order_[id] = kUnseen;
  }
  for (const uint32_t id : component) {
    if (order_[id] == kUnseen && unfinished_.empty()) search(id);
  }
}

void Lassos::search(uint32_t root) {
  enter(root);
  while (!frames_.empty()) {
    if (!may_go_on()) return;
    Frame& frame = frames_.back();
    if (successors_.size() == frame.begin) {
      leave();
      continue;
    }
    const uint32_t to = successors_.back();
    successors_.pop_back();
    if (order_[to] == kUnseen) {
      enter(to);
    } else if (order_[to] != kDone) {
      frame.low = std::min(frame.low, order_[to]);
    }
  }
}

bool Lassos::holds() {
  const WorldStates is(graph_.runner(), graph_.world());
  return property_->holds(is, is);
}

void Lassos::enter(uint32_t id) {
  ++entered_;
  graph_.read(id);
  if (holds()) {
    ++held_;
    order_[id] = kDone;
    return;
  }
  ++awaited_;
  order_[id] = ++count_;
  stack_.push_back(id);
  frames_.push_back({id, count_, successors_.size()});
  for (const Move& move : graph_.due()) {
    const uint32_t to = graph_.follow(move);
    if (to != id && order_[to] != kDone) successors_.push_back(to);
  }
}

void Lassos::leave() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.low != order_[frame.id]) {
    frames_.back().low = std::min(frames_.back().low, frame.low);
    return;
  }
  const auto first = std::find(stack_.rbegin(), stack_.rend(), frame.id).base() - 1;
  Ids component(first, stack_.end());
  stack_.erase(first, stack_.end());
  judge(std::move(component));
}

void Lassos::judge(Ids component) {
  std::ranges::sort(component);
  const bool later = !best_.empty() && best_.front() <= component.front();
  if (component.size() > 1 && !later) {
    for (const uint32_t id : component) order_[id] = kInside;
    const std::vector<Move> starved = fairness_of(component).starved();
    const bool only_timers =
        std::ranges::all_of(starved, [](Move move) { return move.kind == Move::Kind::kTimer; });
    for (const uint32_t id : component) order_[id] = kDone;
    if (starved.empty()) {
      kept_ += component.size();
      best_ = std::move(component);
    } else if (only_timers) {
      kept_ += component.size();
      again_.push_back(std::move(component));
    }
    return;
  }
  for (const uint32_t id : component) order_[id] = kDone;
}

Fairness Lassos::fairness_of(const Ids& component) {
  Fairness fairness(graph_.runner());
  for (const uint32_t id : component) {
    graph_.read(id);
    fairness.visit(graph_.world(), graph_.due());
    if (fairness.is_sure()) break;
    for (const Move& move : graph_.due()) {
      if (!fairness.wants(move.input)) continue;
      const uint32_t to = graph_.follow(move);
      if (to == id || order_[to] == kInside) fairness.take(move.input);
    }
  }
  return fairness;
}

bool Lassos::may_go_on() {
  constexpr size_t kSeldom = 16;  // asking may take longer than a world does
  if (entered_ % kSeldom != 1) return true;
  if (stop_ && stop_()) unfinished_ = "it was stopped";
  constexpr size_t kWords = 5;  // for each world of a component: its number, and what loop.h needs
  const size_t words =
      order_.capacity() + successors_.capacity() + stack_.capacity() + kWords * kept_;
  const size_t bytes = words * sizeof(uint32_t) + frames_.capacity() * sizeof(Frame);
  if (bytes > most_bytes_) {
    unfinished_ = fmt::format("more than {} bytes are needed", most_bytes_);
  }
  return unfinished_.empty();
}

}  // namespace clew::explore
