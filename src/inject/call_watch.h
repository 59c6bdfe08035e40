// What the Tracer tells of the calls of a run: they become points, are recorded, and failures of
// the plan strike at them.
//
//   before() --> which point, how often --> Strikes::before --> recorded, as it will end or begins
//   after()  --> Strikes::after --> its result; EAGAIN: it never was
//      a failure ends the node: on_end(), from inside the Tracer's callback
//
// With rest() nothing is recorded any more, and nothing fails. Commands are numbered as the nodes
// are, then comes the workload; whatever has a higher number is watched for its processes alone.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "inject/disk.h"
#include "inject/names.h"
#include "inject/network.h"
#include "inject/objects.h"
#include "inject/outputs.h"
#include "inject/passes.h"
#include "inject/recorder.h"
#include "inject/strike.h"
#include "inject/surface/stacks.h"
#include "inject/surface/tracer.h"
#include "inject/target.h"

namespace clew::inject {

class CallWatch : public Watcher {
 public:
  struct Setting {
    const Target& target;
    const Plan& plan;
    StackCache& cache;
    Recorder& recorder;
    Outputs& outputs;
    Gate* gate = nullptr;  // the tracer's
  };
  CallWatch(const Setting& setting, Names names);

  // A failure ends a node: its processes have to be gone when this comes back.
  std::function<void(uint32_t root, const Failure& failure)> on_end;
  // A process is gone.
  std::function<void(uint32_t root, pid_t process, int status)> on_gone;
  // Something may have been printed or told. With a gate, its thread may make further calls before
  // anybody is told of the next one.
  std::function<void()> on_output = [] {};
  // The files of nodes, for power cuts; none: no plan needs them.
  std::vector<Disk> disks;

  void rest();
  // Records what has passed the gate.
  void drain();
  const std::map<pid_t, uint32_t>& processes() const { return roots_; }

  Action before(const StoppedCall& call) override;
  int64_t after(const StoppedCall& stopped, int64_t result) override;
  void process_began(uint32_t root, pid_t process, pid_t parent) override;
  void thread_began(uint32_t root, pid_t process, pid_t thread) override;
  void executes(pid_t process) override;
  void thread_ended(pid_t process, pid_t thread) override;
  void process_ended(uint32_t root, pid_t process, int status) override;
  void refused(uint32_t root, pid_t process, const char* call) override;
  void disarmed(uint32_t root, pid_t process, const std::string& program) override;
  void named(pid_t process, pid_t thread) override;
  void interrupted(const StoppedCall& call) override;

 private:
  struct Thread {
    uint32_t number = 0;  // of its process
    Descriptor name{};    // where the kernel tells it
  };
  struct Process {
    uint32_t number = 0;  // of its command
    std::map<pid_t, Thread> threads{};
    uint32_t next_thread = 0;
  };
  // A call that is under way. A handler of a signal may have made others since.
  struct Pending {
    const CallRow* row = nullptr;
    uint64_t pc = 0, sp = 0;
    std::optional<size_t> number{};  // of the recorder
    std::optional<DiskCall> disk{};
    bool prints = false;
  };

  bool is_watched(const StoppedCall& call) const;
  bool is_fact(const StoppedCall& call) const;
  const std::string& who(uint32_t root) const;
  bool walks_stack(uint32_t root) const;
  Call describe(const StoppedCall& call);
  Point point_of(const StoppedCall& call, const Call& made, SameStack& same);
  std::string name_of(const StoppedCall& call);
  Action record(const StoppedCall& call, Pending pending);
  void remember(const StoppedCall& call, Pending pending);
  std::optional<Pending> recall(const StoppedCall& call);
  void finish(pid_t thread, size_t number, int64_t result, bool injected);
  void before_strike(const Recorder::Place& place);
  bool may_offer(const StoppedCall& call, const Strikes::Before& now, uint32_t point) const;
  void note(const StoppedCall& call, int64_t result, DiskCall& done);
  void note_listening(const StoppedCall& call);
  void warn_of_writes_outside(const Call& made);
  bool too_many(const StoppedCall& call);
  size_t count_threads() const;
  void forget(pid_t thread);

  Setting setting_;
  Names names_;
  Peers peers_;
  Objects objects_;
  Stacks stacks_;
  Network network_;
  Strikes strikes_;
  std::map<pid_t, uint32_t> roots_;
  std::map<pid_t, Process> processes_;
  std::map<uint32_t, uint32_t> next_process_;
  std::map<pid_t, std::vector<Pending>> pending_;  // innermost last
  Passes passes_;
  uint64_t peers_version_ = 0;
  bool resting_ = false;
};

}  // namespace clew::inject
