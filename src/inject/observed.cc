#include "inject/observed.h"

namespace clew::inject {

const char* to_string(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::kStarted:
      return "started";
    case Change::Kind::kReady:
      return "ready";
    case Change::Kind::kExited:
      return "exited";
    case Change::Kind::kKilled:
      return "killed";
    case Change::Kind::kCrashed:
      return "crashed";
    case Change::Kind::kPowerCut:
      return "power cut";
    case Change::Kind::kRestarted:
      return "restarted";
    case Change::Kind::kStopped:
      return "stopped";
    case Change::Kind::kHung:
      return "hung";
  }
  return "?";
}

}  // namespace clew::inject
