// A whole exploration: from sources to what was found.
//
// Bounds that nobody has fixed are swept: few requests at a time and few faults first, then more,
// each explored as a whole, until something is violated or the effort is used up.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/budget.h"
#include "check/notes.h"
#include "domain/scenario.h"
#include "drive/ahead.h"
#include "drive/checkpoint.h"
#include "drive/observed.h"
#include "drive/program.h"
#include "explore/tale.h"

namespace clew::drive {

struct Wanted {
  std::vector<std::string> sources;  // C++, and Dedalus files with promises, in any order
  // Each if fixed.
  std::optional<uint32_t> requests, crashes, restarts, losses, duplicates, early_timers, faults;
  // stateful, stateless, dfs, random, or a strategy (explore/strategies/parts.h).
  std::string engine = "stateful";
  uint64_t first = 0;        // of paths: which comes first
  std::string parts{};       // of strategies: switched on besides
  std::string order{};       // of strategies: chain, fifo, round-robin; empty: in turn
  bool with_faults = false;  // of strategies: paths crash and restart nodes as often as they may
  size_t most_states = 500'000;  // of all bounds together; of other engines paths
  bool symmetry = true;
  size_t threads = 0;  // as many as there are processors
  std::optional<uint64_t> seed;
  std::string resume{};    // the file to go on from, and to keep in what was done; empty: none
  std::string analysis{};  // what clew analyze has printed as JSON, to be held against what happens
  Program::Options program{};
};

// What the program says of itself.
struct Described {
  std::vector<NodeName> nodes;
  struct Property {
    std::string name;
    std::string kind;  // always, finally, eventually, step, linearizable
  };
  std::vector<Property> properties;
  uint32_t clients = 0;
  bool declares_state = true;
  bool symmetric = false;
  uint64_t seed = 0;
  SourcePart::Within most;  // that makes sense
};

// One exploration within fixed bounds.
struct Explored {
  SourcePart::Within within;
  size_t states = 0, paths = 0, moves = 0, ends = 0, depth = 0, handlers = 0;
  std::map<std::string, size_t> applied{};  // promises in rules: in so many states
  bool complete = false;                    // there is nothing else within these bounds
  // Of properties that must hold again and again: in so many states they do, and do not.
  struct Awaited {
    size_t held = 0, awaited = 0;
  };
  std::map<std::string, Awaited> awaited{};
};

// A flip, or a fault that is left out, after which the run ends well.
struct Cured {
  size_t move = 0;  // of the tale
  size_t instead = 0;
};

struct Counterexample {
  Scenario scenario;
  std::string saved;      // the file; empty if it was not
  size_t found_with = 0;  // so many moves, before it was made shorter
  explore::Tale tale;
  std::vector<Cured> cures;
  std::optional<explore::Tale> passing;  // the run of the first of them
};

struct Report {
  std::vector<std::string> sources;
  Described program;
  std::string engine;
  std::vector<Explored> explored;  // in order
  std::optional<Counterexample> counterexample;
  std::string not_alike;    // why nodes that were said to be alike are not
  bool everything = false;  // there are no larger bounds
  std::string why_ended;    // if neither: what was used up
  bool by_effort = false;   // that was the stated effort
  Observed observed;        // if there is an analysis

  const Explored* largest() const;  // the last that is complete
  size_t looked_at() const;         // states or paths, of all
};

// The sources as a Scenario names them.
std::vector<ProgramFile> fingerprints(const std::vector<std::string>& sources);
bool have_changed(const Scenario& scenario, const std::vector<std::string>& sources);

class Session {
 public:
  Session(Wanted wanted, check::Notes notes, const check::Budget& budget);

  // An Error is the user's, or the environment's. Throws Stopped if there is nothing to show.
  Result<Report> explore();
  // Runs a saved Scenario again: its counterexample has what happened, and `broken` if it still is.
  Result<Report> replay(const Scenario& scenario);
  // Holds recordings of hosted nodes against their code (drive/recordings.h).
  Result<nlohmann::json> judge(const std::vector<std::string>& recordings);

 private:
  Result<std::string> make_program(const Stop& stop);
  Status start(bool must_promise = true);
  std::vector<std::string> files(bool promises) const;
  std::vector<SourcePart::Within> bounds(uint32_t level) const;
  SourcePart::Within within(uint32_t requests, uint32_t faults) const;
  const char* unit() const { return wanted_.engine == "stateful" ? "state" : "path"; }
  bool is_fixed() const { return wanted_.faults.has_value(); }
  bool is_last(const SourcePart::Within& within) const;
  Result<bool> explore_within(const SourcePart::Within& within);
  Result<nlohmann::json> ask_within(const SourcePart::Within& within);
  nlohmann::json to_explore(const SourcePart::Within& within, uint32_t round,
                            size_t looked_at) const;
  Result<nlohmann::json> ask(const nlohmann::json& asked, const SourcePart::Within& within,
                             const Program::Told& progress);
  Result<Report> sweep();
  Result<Report> hunt();
  bool is_strategy() const;
  bool hunts() const;
  // Of a hunt: what is asked next, unless what these bounds bring changes that.
  struct Turn {
    uint32_t round = 0;
    SourcePart::Within within;
  };
  Turn turn_after(const SourcePart::Within& within) const;
  uint32_t levels() const;
  bool is_done(const SourcePart::Within& within) const;
  void ask_as_a_strategy(nlohmann::json& asked, uint32_t round) const;
  Result<Report> confirmed();
  Status open_checkpoint(const std::string& program);
  Status keep();
  Status tell(Counterexample& counterexample, bool cures);
  nlohmann::json question(const char* what, const SourcePart::Within& within) const;
  Status validate() const;

  Wanted wanted_;
  check::Notes notes_;
  const check::Budget& budget_;
  std::optional<Program> program_;
  std::optional<Checkpoint> checkpoint_;
  std::unique_ptr<Ahead> ahead_;            // of a hunt: what will probably be asked next
  uint32_t round_ = 0;                      // of a hunt
  std::vector<SourcePart::Within> done_{};  // of a hunt: nothing else is to be tried there
  std::map<uint32_t, uint32_t> enough_{};   // by requests: more faults than so many never happen
  Report report_;
};

}  // namespace clew::drive
