#include "explore/symmetry.h"

#include <algorithm>

namespace clew::explore {

namespace {

// All that permute the groups, the identity first.
std::vector<node::Renaming> renamings_of(const Cluster& cluster) {
  node::Renaming identity;
  for (size_t i = 0; i < cluster.size(); ++i) identity.push_back(Id{static_cast<uint8_t>(i)});
  std::vector<node::Renaming> all{identity};
  for (const std::vector<Id>& group : cluster.symmetries()) {
    std::vector<node::Renaming> longer;
    std::vector<Id> order = group;
    std::ranges::sort(order);
    const std::vector<Id> sorted = order;
    do {
      for (node::Renaming renaming : all) {
        for (size_t i = 0; i < sorted.size(); ++i) renaming[sorted[i].number] = order[i];
        longer.push_back(std::move(renaming));
      }
      CHECK(longer.size() <= Symmetry::kMostRenamings, "more than {} renamings of nodes",
            Symmetry::kMostRenamings);
    } while (std::ranges::next_permutation(order).found);
    all = std::move(longer);
  }
  return all;
}

}  // namespace

Symmetry::Symmetry(Runner& runner, bool use) : runner_(&runner) {
  if (!use) return;
  renamings_ = renamings_of(runner.cluster());
  renamings_.erase(renamings_.begin());
}

// Most renamings give nodes that are larger already; then envelopes do not matter.
void Symmetry::canonical(WorldView world, World& out) {
  out.assign(world.begin(), world.end());
  other_.resize(world.size());
  const auto nodes = static_cast<std::ptrdiff_t>(runner_->cluster().size());
  for (size_t i = 0; i < renamings_.size(); ++i) {
    runner_->rename_nodes(world, renamings_[i], i, other_);
    const auto order = std::lexicographical_compare_three_way(
        other_.begin(), other_.begin() + nodes, out.begin(), out.begin() + nodes);
    if (order > 0) continue;
    runner_->rename_envelopes(world, renamings_[i], i, other_);
    if (other_ < out) std::swap(out, other_);
  }
}

bool Symmetry::known_canonical(WorldView world, World& other, World& out) const {
  out.assign(world.begin(), world.end());
  other.resize(world.size());
  const auto nodes = static_cast<std::ptrdiff_t>(runner_->cluster().size());
  for (size_t i = 0; i < renamings_.size(); ++i) {
    if (!runner_->known_rename_nodes(world, renamings_[i], i, other)) return false;
    const auto order = std::lexicographical_compare_three_way(other.begin(), other.begin() + nodes,
                                                              out.begin(), out.begin() + nodes);
    if (order > 0) continue;
    if (!runner_->known_rename_envelopes(world, i, other)) return false;
    if (other < out) std::swap(out, other);
  }
  return true;
}

std::optional<std::string> Symmetry::breaks(WorldView world) {
  std::vector<Move> moves, other_moves;
  runner_->moves(world, moves);
  World renamed, after, expected, found;
  const std::vector<bool> judged = runner_->judge(world, world);
  for (size_t i = 0; i < renamings_.size(); ++i) {
    runner_->rename(world, renamings_[i], i, renamed);
    if (runner_->judge(renamed, renamed) != judged) return "a property makes a difference of names";
    runner_->moves(renamed, other_moves);
    for (const Move& move : moves) {
      Move other = move;
      other.input = runner_->steps().renamed_input(move.input, renamings_[i]);
      if (std::ranges::find(other_moves, other) == other_moves.end()) {
        return runner_->print(move) + " is not possible after renaming";
      }
      runner_->apply(world, move, after);
      runner_->rename(after, renamings_[i], i, expected);
      runner_->apply(renamed, other, found);
      if (found != expected) return runner_->print(move) + " has another effect after renaming";
    }
  }
  return std::nullopt;
}

}  // namespace clew::explore
