#include "explore/hidden.h"

#include "base/random.h"
#include "explore/runner.h"

namespace clew::explore {

namespace {

constexpr size_t kRuns = 24;
constexpr size_t kLongest = 40;  // moves of a run

// A World in which one node is not made anew.
class WornStates : public WorldStates {
 public:
  WornStates(Runner& runner, WorldView world, Id worn)
      : WorldStates(runner, world), steps_(runner.steps()), worn_(worn) {}
  const node::AnyNode& any(Id id) const override {
    return id == worn_ ? *steps_.worn(id) : WorldStates::any(id);
  }

 private:
  const Steps& steps_;
  Id worn_;
};

// Nothing if it throws: this is no place for it to be asked, perhaps.
std::optional<bool> ask(const Property& property, const States& before, const States& after) {
  try {
    return property.holds(before, after);
  } catch (const Mistake&) {
    return std::nullopt;
  }
}

std::optional<std::string> compare(Runner& runner, WorldView before, WorldView after, Id id) {
  const node::AnyNode* worn = runner.steps().worn(id);
  if (worn == nullptr || !worn->declares_state()) return std::nullopt;
  const WorldStates was(runner, before), is(runner, after);
  const WornStates is_worn(runner, after, id);
  for (const Property& property : runner.cluster().properties()) {
    const bool of_step = property.kind == Property::Kind::kStep;
    const std::optional<bool> anew = ask(property, of_step ? was : is, is);
    if (!anew) continue;
    const std::optional<bool> live = ask(property, of_step ? was : is_worn, is_worn);
    if (!live || *live == *anew) continue;
    return fmt::format(
        "\"{0}\" looks at what {1} remembers outside of its fields: it {2} of the {1} that took "
        "the steps, and {3} of one made of its fields alone; make every member that changes a "
        "Field or Durable",
        property.name, runner.cluster().names().name(id), *live ? "holds" : "does not hold",
        *anew ? "does" : "does not");
  }
  return std::nullopt;
}

// Also ends where a handler fails.
std::optional<std::string> find_in_run(Runner& runner, Random& random) {
  World world = runner.initial(), next;
  std::vector<Move> moves;
  for (size_t i = 0; i < kLongest; ++i) {
    runner.moves(world, moves);
    if (moves.empty()) break;
    const Move move = random.pick(moves);
    const size_t taken = runner.steps().taken();
    const Step* step = runner.apply(world, move, next);
    if (step != nullptr && !step->failure.empty()) break;
    const bool ran = step != nullptr && move.kind != Move::Kind::kCrash;
    if (ran && runner.steps().taken() > taken && step->number + 1 == runner.steps().taken()) {
      if (auto found = compare(runner, world, next, runner.node_of(move))) return found;
    }
    std::swap(world, next);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_hidden(const Cluster& cluster, const Stop& stop) {
  Runner runner(cluster);
  const World first = runner.initial();
  if (!runner.start_failure().empty()) return std::nullopt;
  for (size_t i = 0; i < cluster.size(); ++i) {
    if (auto found = compare(runner, first, first, Id{static_cast<uint8_t>(i)})) return found;
  }
  Random random(cluster.seed);
  for (size_t run = 0; run < kRuns && !(stop && stop()); ++run) {
    if (auto found = find_in_run(runner, random)) return found;
  }
  return std::nullopt;
}

}  // namespace clew::explore
