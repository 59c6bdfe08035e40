// What hosted processes have recorded (host/record.h), held against the code of their nodes and
// against what must hold.
//
//   Steps steps(cluster);
//   RecordedNode node(steps, recording);         // each step again, by the node's code
//   node.difference()                            // the first that is not the same
//   Judged judged = judge(steps, nodes);         // all nodes of a cluster in one causal order
//
// (1) Each step is taken again from the state that the node's code was in, with the input and the
// random numbers that were recorded: what it sends, answers, sets and changes has to be the same.
// (2) Steps of the last turn of a process whose changes were not on the disk when it ended have not
// happened: nothing that they have sent may have arrived anywhere. (3) An envelope arrives after it
// was sent, once; a timer fires that is set; a restart finds what was on the disk before anything
// left. What is not so is impossible, and named. (4) Any order in which envelopes arrive after they
// were sent is a run of the cluster as explore knows it; the one that is judged is nearest to the
// clock of the machine.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "explore/steps.h"
#include "explore/tale.h"
#include "host/record.h"

namespace clew::explore {

// Something that happened to a node.
struct Happened {
  LocalId before = 0, after = 0;
  InputId input = 0;  // a start, an envelope, a request, a timer or a crash
  uint64_t incarnation = 0;
  uint64_t step = 0;
  int64_t time = 0;
  const host::RecordedStep* recorded = nullptr;  // null: a crash
};

class RecordedNode {
 public:
  // `steps`, of a cluster with any_client, and `recording` outlive this.
  RecordedNode(Steps& steps, const host::Recording& recording);

  Id id() const { return self_; }
  const std::vector<Happened>& happened() const { return happened_; }  // up to the difference
  const std::optional<std::string>& difference() const { return difference_; }
  const std::vector<std::string>& impossible() const { return impossible_; }
  size_t lives() const { return lives_; }
  // Of steps that were lost with their process; envelopes by receiver, incarnation and number.
  struct Key {
    Id from, to;
    uint64_t incarnation = 0, number = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  const std::map<Key, std::string>& lost() const { return lost_; }
  std::string name_of(const Happened& one) const;  // `b, incarnation 2, step 17 (a>b Vote{3})`

 private:
  struct One {
    const host::RecordedStep* step;
    uint64_t incarnation, number;
    int64_t time;
    size_t turn;
  };
  using Values = std::map<std::string, std::string>;  // of durable fields
  struct SetTimer {
    int64_t due = 0;  // nanoseconds
    std::string when;
  };

  static std::vector<One> steps_of(const host::RecordedLife& life);
  bool take_life(const std::vector<One>& life, const std::vector<One>* next);
  bool begin(const One& start);
  void add_crash(LocalId down);
  size_t count_kept(const std::vector<One>& life, const One& next);
  bool take(const One& one);
  InputId input_of(const One& one);
  std::optional<std::string> compare(const One& one, InputId input, const Step& step);
  std::optional<std::string> compare_sent(const host::RecordedStep& recorded, const Step& step);
  std::optional<std::string> compare_answers(const host::RecordedStep& recorded, const Step& step);
  std::optional<std::string> compare_timers(const host::RecordedStep& recorded, const Step& step);
  std::optional<std::string> compare_fields(const host::RecordedStep& recorded, LocalId after);
  void look_at_timers(const One& one, const Happened& happened);
  void begin_turn(const One& one);
  void look_for_late_timers(const One& one);
  Values durable_of(LocalId local);
  Values recovered_of(const host::RecordedStep& start);
  std::string print_value(size_t field, const std::string& bytes);
  void lose(const One& one);

  Steps& steps_;
  Id self_;
  LocalId local_ = 0;
  size_t lives_ = 0;
  std::vector<Happened> happened_;
  std::vector<std::pair<size_t, LocalId>> turn_ends_;  // of this life: how many had happened
  std::map<std::string, SetTimer> timers_;             // that the process has set
  std::optional<int64_t> last_time_, before_last_;     // of turns
  std::optional<std::string> difference_;
  std::vector<std::string> impossible_;
  std::map<Key, std::string> lost_;
};

struct Judged {
  size_t steps = 0, crashes = 0, under_way = 0;  // in the end
  std::vector<std::string> impossible;
  std::optional<std::string> broken;    // the property that the last move of the tale breaks
  Tale tale;                            // the last moves
  size_t left_out = 0;                  // so many before it
  std::vector<std::string> not_judged;  // properties, with the reason
};

// All nodes of the cluster, each without a difference.
Judged judge(Steps& steps, const std::vector<RecordedNode>& nodes);

// The recordings in these files, one of each node: what differs, what is impossible and, where all
// nodes are there, what is broken. Throws a Mistake if a file is none.
nlohmann::json judge_recordings(Cluster cluster, const std::vector<std::string>& paths);

}  // namespace clew::explore
