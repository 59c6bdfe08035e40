#include "explore/fairness.h"

#include <algorithm>

namespace clew::explore {

namespace {

bool is_due(std::span<const Move> due, InputId input) {
  return std::ranges::find(due, input, &Move::input) != due.end();
}

}  // namespace

bool Fairness::waits(const Runner& runner, WorldView world, std::span<const Move> due,
                     InputId input) {
  if (is_due(due, input)) return true;
  if (runner.steps().input(input).kind != Input::Kind::kTimer) return false;
  const Id node = runner.steps().receiver(input);
  const std::vector<InputId>& set = runner.steps().timers(runner.local(world, node));
  return std::ranges::find(set, input) != set.end();
}

void Fairness::visit(WorldView world, std::span<const Move> due) {
  if (!begun_) {
    begun_ = true;
    for (const Move move : due) claims_.push_back({move});
    for (size_t i = 0; i < runner_.cluster().size(); ++i) {
      for (const InputId timer : runner_.steps().timers(world[i])) {
        if (!is_due(due, timer)) claims_.push_back({{Move::Kind::kTimer, timer}});
      }
    }
  }
  std::erase_if(claims_,
                [&](const Claim& claim) { return !waits(runner_, world, due, claim.move.input); });
  for (Claim& claim : claims_) claim.possible |= is_due(due, claim.move.input);
}

void Fairness::take(InputId input) {
  for (Claim& claim : claims_) claim.taken |= claim.move.input == input;
}

bool Fairness::wants(InputId input) const {
  return std::ranges::any_of(
      claims_, [&](const Claim& claim) { return claim.move.input == input && !claim.taken; });
}

std::vector<Move> Fairness::those(bool possible) const {
  std::vector<Move> moves;
  for (const Claim& claim : claims_) {
    if (!claim.taken && claim.possible == possible) moves.push_back(claim.move);
  }
  return moves;
}

}  // namespace clew::explore
