// What one run lives in: namespaces of its own, where it is alone with its processes, its network
// (lo, and nothing else), and its files.
//
//   const Status apart = leave(target);       // in a process that was forked for one run,
//   if (::fork() == 0) {                      // whose next child is the first of the world
//     const Result<World> world = World::build(target);
//     world->first(0);                        // the state folder 0 as it was, and stays
//   }
//
// In there, every state folder is at its own path: a copy in memory if it is small, else an
// overlay. /tmp, /var/tmp, /dev/shm and /run are private, and empty unless the target is below. All
// else can be read, and nothing of it be written: that fails with EROFS. /proc is its own, and what
// changes the machine in it cannot be written. No process gains rights (no_new_privs), and root has
// none over the machine. Addresses are the same in each run.
//
// All of it vanishes with the first process, and LocalRunner sees to it that it dies with Clew.
//
// With `isolate = false` there is none of that: the target works in its real state folders, which
// are put in order before each run, and sees the machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "inject/observed.h"
#include "inject/target.h"

namespace clew::inject {

// The next child of this process begins a new world. The Error says what is not permitted here, and
// what still works.
Status leave(const Target& target);

// What is missing on this machine for worlds; empty: nothing. Tries it in a process of its own.
std::vector<Warning> missing_for_worlds(const Target& target);

class World {
 public:
  // In the first process of the world. `kept`: without isolation a folder with copies of the state
  // folders, FOLDER/first0 and so on, where the run may make other files, too.
  static Result<World> build(const Target& target, const std::string& kept = "");

  // A folder of this run alone that the target does not see.
  const std::string& scratch() const { return scratch_; }
  // Read only: the state folder `index` of the target as every run finds it.
  std::string first(size_t index) const;
  // What the folder `path` held at first appears at `to`, read only; nothing, if it was not there.
  Status keep(const std::string& path, const std::string& to) const;

 private:
  Status isolate(const Target& target);
  Status use_real(const std::string& kept);

  bool isolated_ = false;
  std::vector<std::string> state_;
  std::string scratch_;
  std::string kept_;  // where first() is
  Descriptor scratch_folder_;
};

}  // namespace clew::inject
