#include "tests/explore/naive_loops.h"

#include <algorithm>

namespace clew::explore {

std::string NaiveLoops::label(const Naive::World& world, const Naive::Action& action) {
  if (action.kind == "fire") return "timer " + std::to_string(action.what) + " " + action.timer;
  if (action.kind != "deliver") return action.kind + " " + std::to_string(action.what);
  const Naive::Envelope& envelope = world.under_way[action.what];
  std::string result = "deliver " + std::to_string(envelope.from.number) + " to " +
                       std::to_string(envelope.to.number);
  for (const std::string& message : envelope.messages) result += " " + message;
  return result;
}

bool NaiveLoops::is_due(const Naive::Action& action) {
  const bool must = action.kind == "deliver" || action.kind == "ask" || action.kind == "fire";
  return must && !action.early;
}

NaiveLoops::Seen NaiveLoops::look(const Naive::Path& path) const {
  Naive::World world = naive_.run(path);
  Seen seen;
  seen.holds = !naive_.violates(property_, world, world);
  const std::string here = naive_.text(world);
  for (size_t i = 0; i < world.places.size(); ++i) {
    for (const std::string& timer : world.places[i].timers) {
      seen.waits.insert("timer " + std::to_string(i) + " " + timer);
    }
  }
  for (const Naive::Action& action : naive_.actions(path)) {
    Naive::Path longer = path;
    longer.push_back(action);
    Naive::World next = naive_.run(longer);
    const bool changes = naive_.text(next) != here;
    if (changes && (is_due(action) || action.early)) seen.ends = false;
    if (!is_due(action)) continue;
    seen.waits.insert(label(world, action));
    seen.possible.insert(label(world, action));
    seen.next[label(world, action)] = naive_.text(next);
  }
  return seen;
}

NaiveLoops::NaiveLoops(const Naive& naive, std::string property, size_t most_worlds)
    : naive_(naive), property_(std::move(property)) {
  std::vector<Naive::Path> open{{}};
  while (!open.empty()) {
    const Naive::Path path = open.back();
    open.pop_back();
    Naive::World world = naive.run(path);
    if (!worlds_.emplace(naive.text(world), Seen()).second) continue;
    worlds_[naive.text(world)] = look(path);
    if (worlds_.size() > most_worlds) return;
    for (const Naive::Action& action : naive.actions(path)) {
      open.push_back(path);
      open.back().push_back(action);
    }
  }
  complete_ = true;
}

bool NaiveLoops::ends_badly() const {
  return std::ranges::any_of(worlds_,
                             [](const auto& one) { return one.second.ends && !one.second.holds; });
}

bool NaiveLoops::loops_badly() const {
  Texts bad;
  for (const auto& [text, seen] : worlds_) {
    if (!seen.holds) bad.insert(text);
  }
  return loops_within(bad);
}

NaiveLoops::Labels NaiveLoops::starved(const std::vector<Seen>& worlds, const Labels& taken) {
  Labels result;
  for (const std::string& label : worlds.front().waits) {
    const auto waits = [&](const Seen& seen) { return seen.waits.contains(label); };
    const auto possible = [&](const Seen& seen) { return seen.possible.contains(label); };
    if (taken.contains(label) || !std::ranges::all_of(worlds, waits)) continue;
    if (std::ranges::any_of(worlds, possible)) result.insert(label);
  }
  return result;
}

bool NaiveLoops::loops_within(const Texts& worlds) const {
  std::map<std::string, Texts> reach;
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::string& from : worlds) {
      Texts& reached = reach[from];
      const size_t before = reached.size();
      for (const auto& [label, to] : worlds_.at(from).next) {
        if (to == from || !worlds.contains(to)) continue;
        reached.insert(to);
        reached.insert(reach[to].begin(), reach[to].end());
      }
      grows = grows || reached.size() > before;
    }
  }
  for (const std::string& one : worlds) {
    if (!reach[one].contains(one)) continue;
    Texts component;
    for (const std::string& other : worlds) {
      if (reach[one].contains(other) && reach[other].contains(one)) component.insert(other);
    }
    std::vector<Seen> all;
    Labels taken;
    for (const std::string& text : component) {
      all.push_back(worlds_.at(text));
      for (const auto& [label, to] : all.back().next) {
        if (component.contains(to)) taken.insert(label);
      }
    }
    const Labels missing = starved(all, taken);
    if (missing.empty()) return true;
    // Whoever stays must stay where none of that is possible.
    Texts rest;
    for (const std::string& text : component) {
      const Labels& possible = worlds_.at(text).possible;
      const auto is_possible = [&](const std::string& label) { return possible.contains(label); };
      if (std::ranges::none_of(missing, is_possible)) rest.insert(text);
    }
    if (loops_within(rest)) return true;
  }
  return false;
}

bool NaiveLoops::is_bad_loop(const Naive::Path& path, const Naive::Path& loop) const {
  std::vector<Seen> seen;
  Labels taken;
  Texts texts;
  Naive::Path longer = path;
  Naive::World world = naive_.run(path);
  const std::string begin = naive_.text(world);
  for (const Naive::Action& action : loop) {
    world = naive_.run(longer);
    texts.insert(naive_.text(world));
    seen.push_back(look(longer));
    taken.insert(label(world, action));
    if (seen.back().holds || !is_due(action)) return false;
    longer.push_back(action);
  }
  world = naive_.run(longer);
  return texts.size() > 1 && naive_.text(world) == begin && starved(seen, taken).empty();
}

}  // namespace clew::explore
