#include "host/frame.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/fuzz/host_frame_property.h"

namespace clew::host {
namespace {

std::string framed(const std::string& body) {
  std::string out;
  const size_t begin = begin_frame(out);
  out += body;
  end_frame(out, begin);
  return out;
}

// The slow twin: what a stream of bytes has of frames, looked at from the beginning each time.
std::vector<std::string> bodies_of(const std::string& stream) {
  std::vector<std::string> bodies;
  size_t at = 0;
  while (stream.size() - at >= 4) {
    size_t size = 0;
    for (size_t i = 0; i < 4; ++i) {
      size += size_t{static_cast<uint8_t>(stream[at + i])} << 8 * i;
    }
    if (stream.size() - at - 4 < size) break;
    bodies.push_back(stream.substr(at + 4, size));
    at += 4 + size;
  }
  return bodies;
}

// However it is cut, and however often whoever reads takes a rest.
TEST(Frame, ComesAsItWasPut) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::string stream;
    for (uint64_t i = random.uniform_below(20); i > 0; --i) {
      stream += framed(std::string(random.uniform_below(40), static_cast<char>('a' + i)));
    }
    const size_t missing = random.uniform_below(10);
    if (missing < stream.size()) {
      stream.erase(stream.end() - static_cast<ptrdiff_t>(missing), stream.end());
    }
    FrameReader reader(100);
    std::vector<std::string> bodies;
    for (size_t at = 0; at < stream.size() || reader.has_whole();) {
      const size_t size = std::min<size_t>(stream.size() - at, random.uniform_below(60));
      const std::string part = stream.substr(at, size);
      at += size;
      reader.feed(part);
      for (uint64_t most = random.uniform_below(5); most > 0; --most) {
        const auto body = reader.next();
        if (!body) break;
        bodies.emplace_back(*body);
      }
      reader.keep();
    }
    EXPECT_FALSE(reader.failed());
    EXPECT_EQ(bodies, bodies_of(stream));
    size_t told = 0;
    for (const std::string& body : bodies) told += body.size() + 4;
    EXPECT_EQ(reader.held(), stream.size() - told);
    EXPECT_EQ(reader.has_half(), reader.held() > 0);
  }
}

TEST(Frame, IsNoLongerThanAllowed) {
  FrameReader reader(3);
  const std::string fine = framed("abc"), longer = framed("abcd");
  reader.feed(fine);
  EXPECT_TRUE(reader.next().has_value());
  reader.keep();
  reader.feed(std::string_view(longer).substr(0, 4));
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_TRUE(reader.failed());
}

TEST(Frame, EnvelopesAndAnswers) {
  std::string out;
  put_envelope(out, 300, {"one", "", std::string(200, 'x')});
  put_answer(out, {0x05000007, 9}, "reply");
  FrameReader reader(1000);
  reader.feed(out);
  PeerFrame frame;
  ASSERT_TRUE(parse_peer_frame(*reader.next(), frame));
  EXPECT_EQ(frame.kind, PeerKind::kEnvelope);
  EXPECT_EQ(frame.number, 300U);
  EXPECT_EQ(frame.messages, (std::vector<std::string_view>{"one", "", std::string(200, 'x')}));
  ASSERT_TRUE(parse_peer_frame(*reader.next(), frame));
  EXPECT_EQ(frame.kind, PeerKind::kAnswer);
  EXPECT_EQ(frame.request, (node::RequestId{0x05000007, 9}));
  EXPECT_EQ(frame.reply, "reply");
}

// Every beginning of an envelope, and every change of one byte, is refused or is an envelope.
TEST(Frame, DamagedEnvelopesAreRefused) {
  std::string out;
  put_envelope(out, 3, {"one", "two"});
  const std::string body = out.substr(kFrameHead);
  PeerFrame frame;
  for (size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(parse_peer_frame(std::string_view(body).substr(0, size), frame)) << size;
  }
  EXPECT_FALSE(parse_peer_frame(body + "x", frame));
  for (const char* none :
       {"\x01\x03", "\x03\x03", "\x01\x01\x00", "\x01\x01\xff\xff\xff\xff\x0f"}) {
    EXPECT_FALSE(parse_peer_frame(none, frame));
  }
}

// What the fuzzer holds, on bytes that are nearly frames.
TEST(Frame, AnyBytes) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    put_envelope(bytes, random.uniform_below(300),
                 {"one", std::string(random.uniform_below(9), 'x')});
    put_answer(bytes, {1, 2}, "reply");
    put_client_frame(bytes, {ClientKind::kText, 7, "Get"});
    for (uint64_t changes = random.uniform_below(4); changes > 0; --changes) {
      bytes[random.uniform_below(bytes.size())] = static_cast<char>(random.next());
    }
    check_frame_property(bytes);
  }
}

TEST(Frame, OfClients) {
  std::string out;
  put_client_frame(out, {ClientKind::kText, 0x01020304, "Get"});
  EXPECT_EQ(out, std::string("\x08\0\0\0\x02\x04\x03\x02\x01Get", 12));
  const auto frame = parse_client_frame(std::string_view(out).substr(kFrameHead));
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->kind, ClientKind::kText);
  EXPECT_EQ(frame->number, 0x01020304U);
  EXPECT_EQ(frame->bytes, "Get");
  EXPECT_FALSE(parse_client_frame(std::string_view("\x02\0\0\0", 4)).has_value());
  EXPECT_FALSE(parse_client_frame(std::string_view("\0\0\0\0\0", 5)).has_value());
  EXPECT_FALSE(parse_client_frame(std::string_view("\x04\0\0\0\0", 5)).has_value());
}

}  // namespace
}  // namespace clew::host
