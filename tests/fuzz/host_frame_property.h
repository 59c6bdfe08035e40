// What must be true of any bytes that come to a host.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "host/frame.h"
#include "host/handshake.h"
#include "node/parse.h"

namespace clew::host {

// What a reader gives that is fed so many bytes at a time.
inline std::vector<std::string> bodies_in_parts(std::string_view bytes, size_t part, bool& failed) {
  FrameReader reader(1000);
  std::vector<std::string> bodies;
  for (size_t at = 0; at < bytes.size(); at += part) {
    reader.feed(bytes.substr(at, part));
    while (const auto body = reader.next()) bodies.emplace_back(*body);
    reader.keep();
    CHECK(reader.held() <= 1000 + kFrameHead + part);
    if (reader.failed()) break;
  }
  failed = reader.failed();
  return bodies;
}

// A request of a type that names nodes and has itself within.
#ifdef __clang__  // which has no order of what has itself within
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdefaulted-function-deleted"
#endif
struct FuzzedTree {
  Id node;
  std::vector<FuzzedTree> within;
  CLEW_FIELDS(FuzzedTree, node, within)
};
#ifdef __clang__
#pragma clang diagnostic pop
#endif

inline size_t depth_of(const FuzzedTree& tree, const node::Names& names) {
  CHECK(tree.node.number < names.size());
  size_t depth = 0;
  for (const FuzzedTree& one : tree.within) depth = std::max(depth, depth_of(one, names));
  return depth + 1;
}

// What a client says is a request within bounds, which is read again as it is printed, or none.
inline bool check_request(std::string_view bytes) {
  const node::Names names{"a", "b", "c"};
  FuzzedTree tree;
  try {
    tree = node::parse<FuzzedTree>(bytes, names);
    CHECK(depth_of(tree, names) <= node::kDeepest);
  } catch (const node::NotText&) {
  }
  node::Reader in(bytes, names.size());
  decode(in, tree);
  if (!in.done()) return false;
  CHECK(depth_of(tree, names) <= node::kDeepest);
  CHECK(node::encode(tree) == bytes);
  CHECK(node::parse<FuzzedTree>(node::print(tree, names), names) == tree);
  return true;
}

// What is a frame is one when it is written again.
inline void check_body(std::string_view body) {
  PeerFrame frame;
  if (parse_peer_frame(body, frame)) {
    std::string again;
    if (frame.kind == PeerKind::kEnvelope) {
      put_envelope(again, frame.number, {frame.messages.begin(), frame.messages.end()});
    } else {
      put_answer(again, frame.request, frame.reply);
    }
    CHECK(again.substr(kFrameHead) == body);
  }
  if (const auto asked = parse_client_frame(body)) {
    std::string again;
    put_client_frame(again, *asked);
    CHECK(again.substr(kFrameHead) == body);
  }
  check_request(body);
  const Credentials credentials{"a secret that nobody guesses", {"a", "b"}, Id{1}, 1};
  Doorman doorman(credentials, make_nonce());
  static_cast<void>(doorman.challenge(body));
  CHECK(!doorman.admit(body).ok());
  const Dialer dialer(credentials, Id{0}, make_nonce());
  CHECK(!dialer.prove(body).ok());
}

// However bytes are cut on their way, they are the same frames.
inline void check_frame_property(std::string_view bytes) {
  bool failed = false, also_failed = false;
  const std::vector<std::string> whole = bodies_in_parts(bytes, bytes.size() + 1, failed);
  for (const size_t part : {size_t{1}, size_t{3}, size_t{64}}) {
    CHECK(bodies_in_parts(bytes, part, also_failed) == whole);
    CHECK(failed == also_failed);
  }
  for (const std::string& body : whole) check_body(body);
  check_body(bytes);
}

}  // namespace clew::host
