// Runs a command under a Tracer and writes down what is seen, as text that a test can compare.
//
//   TracedRun run({victim(), "files"});
//   run.act = [](const StoppedCall& call) { return Action{.tell_result = true}; };
//   run.play();
//   run.story(0);     // of process 0: "open=3 write=5 ... ends 0", one line a thread
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/temporary.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

std::string victim();         // the program of victim.cc
std::string static_victim();  // the same, linked statically

// The path that a call is about, as the process names it.
std::string path_of(const StoppedCall& call);
std::string read_whole(const std::string& path);

class TracedRun : public Watcher {
 public:
  struct Seen {
    std::string name;
    std::string result{};  // "", "=3", "=-EIO"
    std::string path{};    // of a call that has one
  };
  struct OneThread {
    std::vector<Seen> calls{};
    int marks = 0;  // the last one that it has passed
    bool ended = false;
  };
  struct OneProcess {
    pid_t id = 0, parent = 0;
    std::string end{};           // "exits 3", "killed 9", or "" while it runs
    std::vector<pid_t> order{};  // of threads
    std::map<pid_t, OneThread> threads{};
    int executed = 0;
  };

  explicit TracedRun(std::vector<std::string> words);

  std::function<Action(const StoppedCall&)> act = [](const StoppedCall&) {
    return Action{.tell_result = true};
  };
  std::function<int64_t(const StoppedCall&, int64_t)> give = [](const StoppedCall&,
                                                                int64_t result) { return result; };
  bool all = false;  // also what lies outside of marks
  TracedCommand command;

  // To the end of all processes, at most 60 seconds.
  void play();
  // All that the threads of a process did, one line each, and how it ended.
  std::string story(size_t process) const;
  std::string errors() const;                     // what it wrote to stderr
  size_t size_of(const std::string& file) const;  // in its folder
  std::vector<OneProcess> processes;              // in the order in which they began
  std::vector<std::string> refusals, disarmed_programs;
  Tracer& tracer() { return tracer_; }
  const std::string& folder() const { return folder_.path(); }

  Action before(const StoppedCall& call) override;
  int64_t after(const StoppedCall& call, int64_t result) override;
  void process_began(uint32_t root, pid_t process, pid_t parent) override;
  void thread_began(uint32_t root, pid_t process, pid_t thread) override;
  void executes(pid_t process) override;
  void thread_ended(pid_t process, pid_t thread) override;
  void process_ended(uint32_t root, pid_t process, int status) override;
  void refused(uint32_t root, pid_t process, const char* call) override;
  void disarmed(uint32_t root, pid_t process, const std::string& program) override;

 private:
  OneProcess& of(pid_t process);
  OneThread& thread_of(const StoppedCall& call);

  TemporaryFolder folder_;
  Tracer tracer_;
};

}  // namespace clew::inject
