// What travels on a connection: frames, each four bytes of length (little endian) and so many of
// body. docs/formats/host.md has the bodies, byte by byte.
//
//   FrameReader reader(1 << 20);              // no body is longer
//   reader.feed(bytes);                       // what has arrived; it is referred to until keep()
//   while (const auto body = reader.next()) take(*body);
//   if (reader.failed()) ...                  // a frame that is too long: nothing can follow
//   reader.keep();                            // the half of a frame that is left, or frames that
//                                             // next() was not asked for
//
// (1) What next() gives is what was put into frames, whole and in order, however it was cut on its
// way. (2) It keeps no more than what was fed and not given yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/step.h"

namespace clew::host {

inline constexpr size_t kFrameHead = 4;

class FrameReader {
 public:
  explicit FrameReader(size_t most) : most_(most) {}

  void set_most(size_t most) { most_ = most; }
  void feed(std::string_view bytes);
  std::optional<std::string_view> next();
  void keep();
  bool failed() const { return failed_; }
  // Whether there is a beginning without an end; requires keep().
  bool has_half() const { return held() > 0 && !has_whole(); }
  bool has_whole() const;
  size_t held() const { return kept_.size() - given_; }

 private:
  size_t most_;
  std::string kept_;
  size_t given_ = 0;        // so many bytes of what is kept were
  std::string_view bytes_;  // what was not given yet: of kept_, or of what was fed
  bool in_kept_ = false;
  bool failed_ = false;
};

// A frame at the end of `out`: begin_frame(), then the body, then end_frame() with what that gave.
size_t begin_frame(std::string& out);
void end_frame(std::string& out, size_t begin);
// The length of the first frame, with its head. Requires that it has its head.
size_t frame_size(std::string_view frames);

// Bodies between peers, once they know each other.
enum class PeerKind : uint8_t { kEnvelope = 1, kAnswer = 2 };

void put_envelope(std::string& out, uint64_t number, const std::vector<std::string>& messages);
void put_answer(std::string& out, node::RequestId request, std::string_view reply);

struct PeerFrame {
  PeerKind kind = PeerKind::kEnvelope;
  uint64_t number = 0;
  std::vector<std::string_view> messages{};
  node::RequestId request{};
  std::string_view reply{};
};

// False if it is none. `frame` is used again, so that its vector need not grow each time.
bool parse_peer_frame(std::string_view body, PeerFrame& frame);

// Bodies between a client and a node: a kind, a number as four bytes, and what is asked or
// answered.
enum class ClientKind : uint8_t {
  kValue = 1,    // a request or reply as node::encode writes it
  kText = 2,     // as people write it: Put{"k", 1}
  kRefused = 3,  // instead of a reply: why the request was not taken
};

struct ClientFrame {
  ClientKind kind = ClientKind::kValue;
  uint32_t number = 0;
  std::string_view bytes{};
};

void put_client_frame(std::string& out, const ClientFrame& frame);
std::optional<ClientFrame> parse_client_frame(std::string_view body);

}  // namespace clew::host
