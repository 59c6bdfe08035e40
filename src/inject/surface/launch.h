// Starts a command that is traced from its first instruction on.
//
//   Launch launch(command, options, false);   // a child that waits, seized with these options
//   launch.go();                              // it installs the filter and executes the command
//   launch.trouble();                         // once it has ended without that: why
//
// The process is traced like any other: who waits for it must let it go on.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

class Launch {
 public:
  // `gate`: as make_filter says.
  Launch(const TracedCommand& command, unsigned long ptrace_options, bool gate);

  pid_t process() const { return process_; }  // -1: there is none, see trouble()
  void go();
  // Why it did not get as far as the command. Waits until it is there or has ended.
  Error trouble() const;

 private:
  enum class Step : int { kDescriptors, kFolder, kGroup, kUser, kFilter, kProgram };
  struct Failed {
    Step step;
    int error;
  };
  struct Prepared;

  [[noreturn]] static void be_child(const Prepared& prepared);
  Error error_of(const Failed& failed) const;

  TracedCommand command_;
  pid_t process_ = -1;
  Descriptor go_, failed_;
  std::string cannot_trace_;
};

}  // namespace clew::inject
