// What needs no knowledge: all paths one after the other, and any path.
#include <algorithm>

#include "explore/strategies/flips.h"
#include "explore/strategies/novelty.h"
#include "explore/strategies/strategy.h"

namespace clew::explore {

namespace {

class Dfs : public Strategy {
 public:
  explicit Dfs(Runner& runner) : runner_(runner) {}

  std::optional<Plan> next() override {
    if (std::exchange(first_, false)) return Plan{};
    while (!left_.empty() && left_.back().empty()) left_.pop_back();
    if (left_.empty()) return std::nullopt;
    path_.resize(left_.size() - 1);
    path_.push_back(left_.back().back());
    left_.back().pop_back();
    return Plan{.prefix = path_};
  }

  void observe(const Path& path) override {
    World next;
    path_.clear();
    for (const Happening& event : path.events) path_.push_back(event.move);
    for (size_t at = left_.size(); at < path.worlds.size() && !path.broken; ++at) {
      std::vector<Move>& moves = left_.emplace_back();
      runner_.moves(path.worlds[at], moves);
      std::erase_if(moves, [&](Move move) {
        if (at < path_.size() && move == path_[at]) return true;
        const Step* step = runner_.apply(path.worlds[at], move, next);
        const bool fails = step != nullptr && !step->failure.empty();
        return next == path.worlds[at] && !fails;
      });
      std::ranges::reverse(moves);
    }
  }

 private:
  Runner& runner_;
  std::vector<Move> path_;
  std::vector<std::vector<Move>> left_;  // by place on the path: what else there is to try
  bool first_ = true;
};

class AtRandom : public Strategy {
 public:
  std::optional<Plan> next() override { return Plan{.random = true}; }
  void observe(const Path&) override {}
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(Runner& runner, const StrategyOptions& options) {
  if (options.name == "dfs") return std::make_unique<Dfs>(runner);
  if (options.name == "random") return std::make_unique<AtRandom>();
  if (options.name == "novelty") {
    return std::make_unique<Novelty>(runner, options);
  }
  std::optional<Parts> parts = parts_of(options.name);
  if (!parts) throw Mistake("there is no strategy " + options.name);
  if (const auto unknown = switch_on(*parts, options.parts)) {
    throw Mistake("there is no part " + *unknown + " of strategies");
  }
  if (parts->independence == Sets::kAnalysed && !options.analysed) {
    throw Mistake("what handlers read and write was not analysed");
  }
  return std::make_unique<Flips>(runner, *parts, options.faults, options.analysed);
}

}  // namespace clew::explore
