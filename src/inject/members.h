// The nodes of a run: started, ready, restarted, gone.
//
//   DOWN --start--> STARTING --ready check--> READY
//    ^                 | too late: has hung, and goes on
//    +-- all its processes are gone, by a failure or by themselves; restarted as it says, or GONE
//
// attend() is called after whatever has happened; it never waits.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "inject/outputs.h"
#include "inject/recorder.h"
#include "inject/regex.h"
#include "inject/surface/tracer.h"
#include "inject/target.h"

namespace clew::inject {

class Members {
 public:
  using Clock = std::chrono::steady_clock;

  struct Setting {
    const Target& target;
    Tracer& tracer;
    Outputs& outputs;
    Recorder& recorder;
  };
  // Every pattern of a ready check is a regular expression: read_target has seen to it.
  explicit Members(const Setting& setting);

  void start(size_t node);
  void attend();
  void take_lines(const std::vector<Outputs::Piece>& pieces);
  void process_ended(uint32_t root, pid_t process, int status);
  // A failure has ended it, and all its processes are gone.
  void ended_by_failure(size_t node, bool power);
  // What waits for the end of the workload may be started now.
  void after_workload() { after_workload_ = true; }

  bool is_settled(size_t node) const;  // whatever comes next, nothing is to be waited for
  bool is_there(size_t node) const;    // some of its processes are
  bool all_settled() const;
  bool has_ended(size_t node) const;                               // for good
  std::optional<std::string> trouble() const { return trouble_; }  // it cannot be started at all
  bool has_hung() const { return has_hung_; }
  // The first that was not ready in time after it had been started again.
  std::optional<std::string> late() const { return late_; }
  void end_hung(size_t node);  // it should have come to its end by now
  // What is not there, but should be, once nothing fails any more.
  void start_missing();
  void stop_all();

 private:
  enum class State { kDown, kStarting, kReady, kGone };
  struct Member {
    State state = State::kGone;
    pid_t first = 0;
    int first_status = 0, last_status = 0;
    bool first_ended = false;
    uint32_t restarts = 0;
    bool started = false;      // ever
    bool may_restart = false;  // after what has ended it
    bool late = false;         // did not get ready in time
    bool line_seen = false;
    Clock::time_point ready_by{}, next_look{};
    std::string last_line{};
    std::optional<Regex> line{};
  };

  const NodeSpec& spec(size_t node) const { return setting_.target.nodes[node]; }
  void hang(size_t node);
  void change(size_t node, Change::Kind kind, int number = 0);
  bool is_ready(size_t node);
  bool looks_ready(const Ready& ready) const;
  void note_ready(size_t node);
  void ended(size_t node);
  bool wants_restart(size_t node) const;
  void cannot_start(size_t node, const std::string& why, const std::string& remedy);

  Setting setting_;
  std::vector<Member> members_;
  std::optional<std::string> trouble_, late_;
  bool after_workload_ = false;
  bool has_hung_ = false;
};

}  // namespace clew::inject
