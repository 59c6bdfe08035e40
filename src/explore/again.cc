#include "explore/again.h"

#include "explore/walk.h"

namespace clew::explore {

namespace {

std::string not_deterministic(const std::string& what) {
  return fmt::format("{}it is not deterministic: {}", kHandlerFails, what);
}

}  // namespace

std::optional<Difference> run_again(Runner& runner, const std::vector<Move>& path) {
  Runner again(runner.cluster());
  World known = runner.initial(), world = again.initial(), next;
  if (again.encode(world) != runner.encode(known)) {
    return Difference{0, not_deterministic("a start had another effect when it was run again")};
  }
  for (size_t i = 0; i < path.size(); ++i) {
    const Move move = path[i];
    const Move same{move.kind, again.steps().number(runner.steps().input(move.input)), move.early};
    const Step* first = runner.apply(known, move, next);
    std::swap(known, next);
    const Step* step = again.apply(world, same, next);
    std::swap(world, next);
    const bool alike =
        step == nullptr || (step->failure.empty() && step->answered == first->answered);
    if (alike && again.encode(world) == runner.encode(known)) continue;
    return Difference{i + 1, not_deterministic(runner.print(move) +
                                               " had another effect when the path was run again")};
  }
  return std::nullopt;
}

}  // namespace clew::explore
