#include "bench/workloads.h"

#include <fmt/format.h>

#include "base/check.h"
#include "dedalus/parse.h"

namespace clew::bench {

namespace {

constexpr const char* kBroadcast = R"(
node(Node, Peer)@next :- node(Node, Peer);
copy(Node, Node, Payload) :- bcast(Node, Payload);
log(Node, Payload) :- copy(Node, _, Payload);
log(Node, Payload)@next :- log(Node, Payload);
copy(Peer, Node, Payload)@async :-
  log(Node, Payload), node(Node, Peer), notin ack(Node, Peer, Payload);
ack(Sender, Node, Payload)@async :- copy(Node, Sender, Payload);
ack(Node, Peer, Payload)@next :- ack(Node, Peer, Payload);
missing(Peer, Payload) :- log(Node, Payload), node(Node, Peer), notin log(Peer, Payload);
pre(Node, Payload) :- log(Node, Payload), notin crash(_, Node, _);
post(Node, Payload) :- log(Node, Payload), notin missing(_, Payload);
)";

void finish(Workload& workload, std::optional<dedalus::Program> program,
            const Diagnostics& diagnostics) {
  CHECK(program, "{}", diagnostics.render(workload.sources));
  workload.program = std::move(*program);
  workload.nodes = dedalus::mentioned_nodes(workload.program);
}

}  // namespace

Workload protocol(const std::string& path, Tick eot) {
  Workload workload;
  workload.eot = eot;
  Diagnostics diagnostics;
  auto program = dedalus::load_program({path}, workload.sources, diagnostics);
  finish(workload, std::move(program), diagnostics);
  return workload;
}

Workload broadcast(int nodes, Tick eot, int messages) {
  std::string text = kBroadcast;
  for (int from = 0; from < nodes; ++from) {
    for (int to = 0; to < nodes; ++to) {
      if (from != to) text += fmt::format("node(\"n{}\", \"n{}\")@1;\n", from, to);
    }
  }
  for (int i = 0; i < messages; ++i) text += fmt::format("bcast(\"n0\", {})@1;\n", i);
  Workload workload;
  workload.eot = eot;
  Diagnostics diagnostics;
  const FileId id = workload.sources.add("broadcast.ded", std::move(text));
  dedalus::File file = dedalus::parse(id, workload.sources, diagnostics);
  finish(workload, dedalus::check_program({std::move(file)}, diagnostics), diagnostics);
  return workload;
}

}  // namespace clew::bench
