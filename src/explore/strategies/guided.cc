#include "explore/strategies/guided.h"

#include <algorithm>
#include <bit>

namespace clew::explore {

namespace {

// Whether what handlers do is remembered: FlyMC's caching is a part that can be switched off.
bool remembers(const StrategyOptions& options) {
  std::optional<Parts> parts = parts_of(options.name);
  if (!parts) return true;
  switch_on(*parts, options.parts);
  return parts->caching;
}

}  // namespace

Guided::Guided(const Cluster& cluster, Options options)
    : cluster_(cluster),
      options_(std::move(options)),
      runner_(cluster),
      paths_(runner_, {.order = options_.order,
                       .faults = options_.strategy.faults,
                       .longest = options_.longest,
                       .remember = remembers(options_.strategy)}),
      symmetry_(runner_, options_.coverage) {
  options_.strategy.order = options_.order;
  options_.strategy.longest = options_.longest;
}

void Guided::count(const Path& path) {
  for (const size_t end : path.ends) {
    symmetry_.canonical(path.worlds[end], canonical_);
    ends_.insert(canonical_);
  }
  if (!options_.coverage) return;
  for (const World& world : path.worlds) {
    symmetry_.canonical(world, canonical_);
    worlds_.insert(canonical_);
  }
  if (std::has_single_bit(result_.paths)) sample();
}

void Guided::sample() { samples_.push_back({result_.paths, worlds_.size(), ends_.size()}); }

void Guided::judge(const Path& path) {
  ++result_.paths;
  result_.moves += path.events.size();
  result_.depth = std::max(result_.depth, path.events.size());
  result_.cut += path.cut ? 1 : 0;
  diverged_ += path.diverged ? 1 : 0;
  count(path);
  if (!path.broken || result_.violation) return;
  result_.violation = {*path.broken, {}};
  for (const Happening& event : path.events) result_.violation->path.push_back(event.move);
}

void Guided::explore(Strategy& strategy) {
  Random random(options_.strategy.seed);
  while (result_.paths < options_.most_paths && (options_.go_on || !result_.violation)) {
    if (options_.progress && result_.paths % kSeldom == 0) {
      options_.progress({.frontier = strategy.open(),
                         .paths = result_.paths,
                         .depth = result_.depth,
                         .moves = result_.moves});
    }
    if (options_.stop && options_.stop()) return;
    const std::optional<Plan> plan = strategy.next();
    if (!plan) {
      result_.gave_up = true;
      return;
    }
    const Path& path = paths_.run(*plan, &random, strategy.guide());
    judge(path);
    if (!path.broken || options_.go_on) strategy.observe(path);
    if (strategy.not_alike()) return;
  }
}

Exploration Guided::run() {
  result_ = {};
  std::unique_ptr<Strategy> strategy = make_strategy(runner_, options_.strategy);
  explore(*strategy);
  if (std::optional<std::string> why = strategy->not_alike(); why && !result_.violation) {
    StrategyOptions apart = options_.strategy;
    apart.symmetry = false;
    result_ = {.not_alike = std::move(why)};
    strategy = make_strategy(runner_, apart);
    explore(*strategy);
  }
  if (options_.coverage) sample();
  result_.terminals = ends_.size();
  result_.states = worlds_.size();
  // Runs that go on for ever are none that end, and only Stateful sees them.
  result_.complete = result_.gave_up && !result_.violation && result_.cut == 0 &&
                     is_exhaustive(options_.strategy.name) && !cluster_.has_eventually();
  return result_;
}

}  // namespace clew::explore
