#include "tests/inject/counted_run.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <set>

namespace clew::inject {
namespace {

// What the kernel counts as one, or as both. Not if it sees at once that nothing can come of it.
bool counts(const StoppedCall& call, int64_t result, Io io) {
  static const std::set<std::string> copies = {"sendfile", "copy_file_range"};
  if (result == -EBADF || result == -ESPIPE || result == -EFAULT || result == -EINVAL) return false;
  return call.row->io == io || copies.contains(call.row->name);
}

}  // namespace

CountedRun::CountedRun(std::vector<std::string> words) : TracedRun(std::move(words)) { all = true; }

CountedRun::Count CountedRun::kernel_count(pid_t process, pid_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/io", process, thread));
  Count count;
  std::string name;
  for (uint64_t number = 0; file >> name >> number;) {
    if (name == "syscr:") count.reads = number;
    if (name == "syscw:") count.writes = number;
  }
  EXPECT_EQ(name, "cancelled_write_bytes:")
      << "the kernel does not count: CONFIG_TASK_IO_ACCOUNTING";
  return count;
}

Action CountedRun::before(const StoppedCall& call) {
  const Count kernel = kernel_count(call.process, call.thread);
  Count& seen = seen_[call.thread];
  EXPECT_TRUE(seen == kernel) << fmt::format(
      "before {} of {}: {} reads and {} writes were seen, the kernel counts {} and {}",
      call.row->name, call.thread, seen.reads, seen.writes, kernel.reads, kernel.writes);
  seen = kernel;  // one message for one that is missing
  return TracedRun::before(call);
}

int64_t CountedRun::after(const StoppedCall& call, int64_t result) {
  Count& seen = seen_[call.thread];
  if (counts(call, result, Io::kRead)) ++seen.reads, ++reads_;
  if (counts(call, result, Io::kWrite)) ++seen.writes, ++writes_;
  return TracedRun::after(call, result);
}

void CountedRun::process_began(uint32_t root, pid_t process, pid_t parent) {
  seen_[process] = {};
  TracedRun::process_began(root, process, parent);
}

void CountedRun::thread_began(uint32_t root, pid_t process, pid_t thread) {
  seen_[thread] = {};
  TracedRun::thread_began(root, process, thread);
}

// The kernel has read the program, and counted that.
void CountedRun::executes(pid_t process) {
  seen_[process] = kernel_count(process, process);
  TracedRun::executes(process);
}

}  // namespace clew::inject
