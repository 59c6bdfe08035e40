// A TracedRun that the kernel counts along with: it tells of each thread how often it read and
// wrote
// (/proc/PID/task/TID/io), and before each call that is what was seen. So whatever differs from run
// to run, such as what timers and polls do, was seen exactly once.
//
//   CountedRun run({"etcd"});
//   run.play();
//   run.reads();     // that both have counted
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/inject/traced_run.h"

namespace clew::inject {

class CountedRun : public TracedRun {
 public:
  explicit CountedRun(std::vector<std::string> words);

  size_t reads() const { return reads_; }
  size_t writes() const { return writes_; }

  Action before(const StoppedCall& call) override;
  int64_t after(const StoppedCall& call, int64_t result) override;
  void process_began(uint32_t root, pid_t process, pid_t parent) override;
  void thread_began(uint32_t root, pid_t process, pid_t thread) override;
  void executes(pid_t process) override;

 private:
  struct Count {
    uint64_t reads = 0, writes = 0;
    friend bool operator==(const Count&, const Count&) = default;
  };
  static Count kernel_count(pid_t process, pid_t thread);

  std::map<pid_t, Count> seen_;
  size_t reads_ = 0, writes_ = 0;
};

}  // namespace clew::inject
