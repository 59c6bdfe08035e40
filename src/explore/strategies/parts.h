// What strategies are made of, by name: each part can be switched on alone.
//
//   const Parts parts = *parts_of("flymc");
//   parts.independence == Sets::kObserved
//
// modist, bounded, random-dpor and br-dpor are dynamic partial order reduction as MODIST has it
// (Yang and others, NSDI 2009), as a whole, up to some depth, with random paths in between, and
// both; samc adds the rules of SAMC (Leesatapornwongsa and others, OSDI 2014); flymc those of FlyMC
// (Lukman and others, EuroSys 2019), with the states of nodes as its state; flymc-net with what is
// under way in it, too. novelty is ours: novelty.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clew::explore {

// Where it is known from what a handler reads and writes.
enum class Sets : uint8_t { kNone, kObserved, kAnalysed };
// Of states in which a move was seen already, up to names.
enum class Mirror : uint8_t { kNone, kNodes, kWorlds };

struct Parts {
  bool bounded = false;             // only the first half of a path is changed
  size_t random_every = 0;          // so many paths, one is random
  bool local = false;               // SAMC: local-message independence
  bool crash_message = false;       // SAMC: crash-message independence
  bool recovery = false;            // SAMC: crash-recovery and reboot-synchronization symmetry
  Mirror mirror = Mirror::kNone;    // FlyMC: communication and state symmetry
  bool postpone = false;            // what symmetry would leave out comes last; not published
  Sets independence = Sets::kNone;  // FlyMC: event independence
  bool increments = false;          // FlyMC: counters that both only add to
  bool crash_independence = false;  // FlyMC: a crash has to do with its own node only
  bool parallel = false;            // FlyMC: parallel flips
  // FlyMC: what a handler does is remembered. Changes how long it takes, and nothing else.
  bool caching = false;

  friend bool operator==(const Parts&, const Parts&) = default;
};

// The published strategies that change orders; nothing if it is none of them.
std::optional<Parts> parts_of(std::string_view strategy);
// All that have a name, in the order in which tables show them.
const std::vector<std::string>& strategy_names();
// Whether it is complete once it has nothing else to try: dfs and novelty.
bool is_exhaustive(std::string_view strategy);

// `local,crash-message`: switches them on. What is no part's name comes back.
std::optional<std::string> switch_on(Parts& parts, std::string_view list);

}  // namespace clew::explore
