#include "explore/hosting.h"

#include "host/lines.h"
#include "host/serve.h"

namespace clew::explore {

int host_node(const std::function<Cluster()>& describe, const std::vector<std::string>& arguments) {
  constexpr int kLinesGoTo = 2;
  constexpr size_t kArguments = 4;
  if (arguments.size() != kArguments) {
    host::Lines(kLinesGoTo, "")
        .say("cannot_start",
             {{"why", "a program for clew host"}, {"remedy", "start it with clew host"}});
    return host::kCannotServe;
  }
  const host::Serve wanted{.config = arguments[0],
                           .node = arguments[1],
                           .metrics = arguments[2],
                           .record = arguments[3]};
  try {
    const Cluster cluster = describe();
    if (cluster.most.losses == 0) {
      host::Lines(kLinesGoTo, wanted.node)
          .say("promises_more",
               {{"why",
                 "the cluster is explored without losses, but envelopes are lost here when a "
                 "connection breaks"},
                {"remedy", "explore it with losses: most.losses is 0 in describe()"}});
    }
    return host::serve(wanted, cluster.names(), [&](node::Id id) { return cluster.make(id); });
  } catch (const std::exception& error) {
    host::Lines(kLinesGoTo, wanted.node)
        .say("cannot_start", {{"why", error.what()}, {"remedy", "look at describe()"}});
    return host::kCannotServe;
  }
}

}  // namespace clew::explore
