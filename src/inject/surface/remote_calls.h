// System calls that a stopped thread makes for us, instead of the one that it was about to make.
//
// It has been stopped by the filter. After end() it makes its own call anew, and stops again.
// Meanwhile it sees no signal: those that come are kept for it. If it ends, `ended` says how.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clew::inject {

class RemoteCalls {
 public:
  RemoteCalls(pid_t process, pid_t thread, const user_regs_struct& registers);

  using Arguments = std::array<uint64_t, 6>;
  std::optional<int64_t> call(long number, const Arguments& arguments);
  void end();
  std::optional<int> ended() const { return ended_; }  // as waitpid gives it

 private:
  enum class Stop { kEntered, kLeft, kGone };
  bool set(const user_regs_struct& registers) const;
  Stop next();

  pid_t process_, thread_;
  user_regs_struct first_;
  uint64_t signals_ = 0;  // that it has blocked itself
  bool inside_ = true;    // stopped before a call, not after one
  bool has_ended_ = false;
  std::vector<int> kept_;
  std::optional<int> ended_;
};

}  // namespace clew::inject
