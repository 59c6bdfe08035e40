// Names that are the same in every run: what differs in paths, addresses and names of threads
// becomes `*` (docs/failure-points.md has the rules).
//
//   Result<Names> names = Names::make({{"job-[a-z]+", "job-*"}}, {"/srv/app/state"});
//   names->path("/srv/app/state/log.x7Qf2Z");   // "log.*"
//   names->path("/proc/4711/stat");             // "/proc/*/stat"
//   names->address("127.0.0.1", 41234);         // "127.0.0.1:*"
//   names->thread("worker-17", false);          // "worker-*"
//
// Two files of a program keep two names unless the difference is plainly random: counters, zero
// padded numbers and hexadecimal numbers of segments stay.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "inject/target.h"

namespace clew::inject {

class Names {
 public:
  // `state`: the folders of Target::state; `seen`: where the processes of this run find them, if
  // that is elsewhere. An Error names a pattern that is no regular expression.
  static Result<Names> make(const std::vector<Rename>& renames,
                            const std::vector<std::string>& state,
                            const std::vector<std::string>& seen = {});

  // A process of the run, by the number that it knows of itself: part of temporary names.
  void add_process(pid_t number) { processes_.insert(number); }

  // An absolute path. Below the state it becomes relative to it: with one folder of state "log",
  // with several "a/log", as they lie below the folder that they have in common.
  std::string path(std::string_view path) const;
  std::string address(std::string_view host, uint16_t port) const;
  // The first thread of a process has the name of its program, which keeps its numbers.
  std::string thread(std::string_view name, bool is_first) const;

 private:
  struct Rules;

  Names() = default;
  std::string renamed(const std::string& text) const;

  std::shared_ptr<const Rules> rules_;
  std::vector<std::pair<std::string, std::string>> folders_;  // as seen, and as names begin
  std::set<pid_t> processes_;
  mutable std::unordered_map<std::string, std::string> renamed_;  // what the rules have made
};

// Whether nobody has chosen it: the kernel gives such ports to whoever asks for any.
bool is_passing_port(uint16_t port);

}  // namespace clew::inject
