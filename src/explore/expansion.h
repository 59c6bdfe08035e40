// What comes of some worlds of the store, one after the other, by what is known already.
//
//   Expansion part(runner, symmetry, verdicts);
//   part.run(store, begin, end);                  // any number of threads, a part each
//   for (const Expansion::OfWorld& world : part.worlds()) {
//     if (world.redo) ...                         // something has to be found out first
//     for (const Finding& found : part.findings(world)) ...
//   }
//
// Findings are what has to be done in order: worlds to be inserted that the store does not have yet
// (another part, or this one, may have found them, too), and moves that a property has to be asked
// about. Of most moves nothing is left: they lead to a world that is there.
#pragma once

#include <span>
#include <vector>

#include "explore/runner.h"
#include "explore/store.h"
#include "explore/symmetry.h"
#include "explore/verdicts.h"

namespace clew::explore {

struct Finding {
  Move move;
  bool is_new = false;                        // the store does not have the world it leads to
  Verdicts::Which unknown = Verdicts::kNone;  // properties to be asked
  uint32_t size = 0;                          // of the packed world
  size_t at = 0;
  uint64_t hash = 0;
};

class Expansion {
 public:
  static constexpr size_t kWorlds = 64;  // of one part

  struct OfWorld {
    uint32_t moves = 0;
    // It is not known what all moves do, one of them fails, or nothing is left to happen.
    bool redo = false;
    size_t begin = 0, end = 0;  // of its findings
  };

  Expansion(const Runner& runner, const Symmetry& symmetry, const Verdicts& verdicts)
      : runner_(&runner), symmetry_(&symmetry), verdicts_(&verdicts) {}

  // While nobody changes any of these. Forgets what was found before.
  void run(const WorldStore& store, uint32_t begin, uint32_t end);

  const std::vector<OfWorld>& worlds() const { return worlds_; }
  std::span<const Finding> findings(const OfWorld& world) const {
    return {findings_.data() + world.begin, world.end - world.begin};
  }
  const std::vector<Finding>& all_findings() const { return findings_; }
  PackedView packed(const Finding& found) const {
    return {bytes_.data() + found.at, found.size, found.hash};
  }
  size_t bytes() const;

  // What was found of all worlds but the first `done` ones.
  void save(Saver& out, size_t done) const;
  // Adds what was found of so many worlds of the store, from `id` on.
  bool load(Loader& in, const WorldStore& store, uint32_t id, uint32_t count);

 private:
  // All moves are findings at first; false if something is not known.
  bool expand(const WorldStore& store);
  bool follow(const WorldStore& store, Move move);
  void add(const WorldStore& store, Move move, Verdicts::Which unknown);
  bool load_finding(Loader& in, const WorldStore& store);
  bool may_differ(Move move) const;
  // Keeps those findings that need something to be done.
  void sift(const WorldStore& store, OfWorld& world, Place place, size_t& kept);

  const Runner* runner_;
  const Symmetry* symmetry_;
  const Verdicts* verdicts_;
  std::vector<OfWorld> worlds_;
  std::vector<Place> places_;  // of the worlds
  std::vector<Finding> findings_;
  std::vector<uint8_t> bytes_;
  size_t used_ = 0;  // bytes
  World world_, next_, canonical_, room_;
  std::vector<Move> moves_;
};

}  // namespace clew::explore
