// What the failures of a plan do to stopped calls.
//
//   Strikes strikes(plan, network);
//   const Strikes::Before now = strikes.before(call, {point, 1, 1, object, none});
//   now.action;                                      // for the Tracer: it fails with EIO
//   const Strikes::After then = strikes.after(call, 12);     // if the Action asked for the result
//
// A failure strikes once, at the first call that is its point's, its life's and its occurrence. It
// has struck when it does something: at a call that it stops or changes, before the call; else
// after it. What cannot be done to a call (half of one byte) does not strike. A call that would
// come back with EAGAIN is no occurrence of its point.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "inject/buffers.h"
#include "inject/failure.h"
#include "inject/network.h"

namespace clew::inject {

class Strikes {
 public:
  Strikes(const Plan& plan, Network& network)
      : plan_(&plan), network_(&network), has_struck_(plan.size()) {}

  // What is known of a call.
  struct About {
    const std::string& point;  // its id
    uint32_t life = 1;
    uint32_t occurrence = 1;
    const Object& object;
    const Object& object2;
  };

  struct Before {
    Action action{};
    bool injected = false;
    std::optional<uint32_t> struck{};  // which failure of the plan
    bool ends_node = false;            // by this failure, instead of the call
  };
  Before before(const StoppedCall& call, const About& about);

  struct After {
    int64_t result = 0;  // what the process sees
    bool injected = false;
    std::optional<uint32_t> struck{};
    bool ends_node = false;
  };
  After after(const StoppedCall& call, int64_t result);

  // Whether a failure of the plan is to strike there.
  bool is_planned(const std::string& point) const;
  // And at this call, if it can be done.
  bool is_due(const std::string& point, uint32_t occurrence) const;
  // Whether earlier failures concern no calls but those that they struck.
  bool is_calm() const { return lasting_.empty() && !network_->has_failed(); }

  void forget(pid_t thread) { waiting_.erase(thread); }
  // From now on nothing fails any more.
  void heal();

 private:
  struct Lasting {
    uint32_t root = 0;
    Object object{};
    int error = 0;
  };
  // A call that is under way, and what happens when it is done.
  struct Waiting {
    std::optional<uint32_t> failure{};
    bool injected = false;
    Undo undo{};
  };

  std::optional<uint32_t> find(const About& about, const StoppedCall& call) const;
  std::optional<Before> earlier(const StoppedCall& call, const About& about);
  // False: it cannot be done to this call.
  bool strike(uint32_t number, const StoppedCall& call, const About& about, Before& now);
  bool fail(const Failure& failure, const StoppedCall& call, const About& about, Before& now);
  bool shorten(const StoppedCall& call, Before& now, bool reads);
  bool corrupt(const StoppedCall& call, Before& now);
  bool drop(const StoppedCall& call, Before& now);
  bool network(const Failure& failure, const StoppedCall& call, Before& now);
  // The call is made, and the failure strikes, or does something more, after it.
  void wait(const StoppedCall& call, std::optional<uint32_t> number, Before& now);

  const Plan* plan_;
  Network* network_;
  std::vector<bool> has_struck_;
  std::vector<Lasting> lasting_;
  std::map<pid_t, Waiting> waiting_;
  bool healed_ = false;
};

}  // namespace clew::inject
