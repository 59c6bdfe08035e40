// The ways to the peers: a connection to each, which is made again when it breaks, and a queue.
//
//   DOWN --dial--> CONNECTING --hello--> GREETING --proof--> OPEN
//    ^ waits for a while, twice as long each time           |
//    +------------------------------------------------------+ whatever goes wrong
//
// put_envelope() keeps it in memory, and write() gives the kernels what they take.
//
// (1) What is put for a peer leaves in that order, each frame at most once, ever: a frame of which
// a part had left when a connection broke is sent again as a whole, since nobody has seen it; one
// that had left as a whole is not. (2) A queue has at most limits.queue bytes. While the peer can
// be reached, what finds it full is lost; while it cannot, the oldest is lost for it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/loop.h"
#include "host/step.h"

namespace clew::host {

class Link;

class Links {
 public:
  // `loop` outlives this. An address for each node; nobody is dialed at one's own.
  Links(Loop& loop, const std::vector<Address>& addresses);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  // Require that it is another node.
  void put_envelope(Id to, uint64_t number, const std::vector<std::string>& messages);
  void put_answer(Id to, node::RequestId request, std::string_view reply);

  void write();
  // Dials whom it is time to dial, and gives up what takes too long.
  void look_after();
  Clock::time_point next() const;  // when that is to do something
  size_t waiting() const;          // bytes

 private:
  std::vector<std::unique_ptr<Link>> links_;  // by node; null: oneself
};

}  // namespace clew::host
