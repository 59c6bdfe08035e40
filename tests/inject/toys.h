// Small targets, and what their runs show.
//
//   Toys toys;                                        // a folder of its own, with `state` in it
//   Target target = toys.shell("echo hello");         // one node, a shell script
//   Observed seen = toys.run(target);
//   toys.run(target, "EIO@" + point_of(seen, "write", "log"));
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/temporary.h"
#include "inject/observed.h"
#include "inject/target.h"

namespace clew::inject {

class Toys {
 public:
  Toys();

  const std::string& folder() const { return folder_.path(); }
  std::string state() const { return folder() + "/state"; }

  static bool make_folder(const std::string& path);
  static CommandSpec shell_command(const std::string& script);
  static CommandSpec toy_command(const std::vector<std::string>& words);
  // A node `n` with this script, ready when it prints `ready`, and a workload.
  Target shell(const std::string& node, const std::string& workload) const;
  // A server `n` that keeps words in state/kept, a client that asks it to, and a check that prints
  // what is kept.
  Target server(const std::vector<std::string>& words) const;

  // Failures as a Plan prints them.
  static Observed run(const Target& target, const std::vector<std::string>& failures = {});

 private:
  TemporaryFolder folder_;
};

// The point of the first such call on an object with this name (empty: on any); "none".
std::string point_of(const Observed& seen, std::string_view call, std::string_view object,
                     std::string_view node = "n");
// All that happened but calls, as in "started n", "n: ready", "struck 0", "exited workload 0".
std::vector<std::string> story(const Observed& seen);
// Lines that somebody printed.
std::vector<std::string> lines_of(const Observed& seen, std::string_view who);
// "write log = -5 injected", of calls of this kind.
std::vector<std::string> calls_of(const Observed& seen, std::string_view call,
                                  std::string_view object, std::string_view node = "n");
std::vector<std::string> warnings_of(const Observed& seen);

}  // namespace clew::inject
