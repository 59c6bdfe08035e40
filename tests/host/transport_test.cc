// What strangers, slow readers and broken connections can do to a host, and what they cannot.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/files.h"
#include "host/handshake.h"
#include "tests/host/running.h"

namespace clew::host {
namespace {

using std::chrono::milliseconds;

// A connection that blocks, for tests that say what they like.
Descriptor connect_to(const Address& address) {
  Descriptor socket = dial(address);
  EXPECT_TRUE(socket.valid());
  const int flags = ::fcntl(socket.number(), F_GETFL);
  EXPECT_EQ(::fcntl(socket.number(), F_SETFL, flags & ~O_NONBLOCK), 0);
  timeval patience{20, 0};
  ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return socket;
}

std::string framed_body(const std::string& body) {
  std::string out;
  const size_t begin = begin_frame(out);
  out += body;
  end_frame(out, begin);
  return out;
}

bool say(const Descriptor& socket, const std::string& bytes) {
  return ::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

// The next frame's body; empty once the other side has ended the connection.
std::string hear_frame(const Descriptor& socket) {
  std::string bytes;
  char byte = 0;
  while (bytes.size() < kFrameHead || bytes.size() < frame_size(bytes)) {
    if (::recv(socket.number(), &byte, 1, 0) != 1) return "";
    bytes += byte;
  }
  return bytes.substr(kFrameHead);
}

// The same, of large ones.
std::string hear_large_frame(const Descriptor& socket) {
  std::string head(kFrameHead, '\0');
  if (::recv(socket.number(), head.data(), head.size(), MSG_WAITALL) != kFrameHead) return "";
  std::string body(frame_size(head) - kFrameHead, '\0');
  const ssize_t count = ::recv(socket.number(), body.data(), body.size(), MSG_WAITALL);
  return count == static_cast<ssize_t>(body.size()) ? body : "";
}

bool is_ended(const Descriptor& socket) { return hear_frame(socket).empty(); }

std::string client_frame(uint32_t number, const RegisterRequest& request) {
  std::string out;
  put_client_frame(out, {ClientKind::kValue, number, node::encode(request)});
  return out;
}

// So many within one another.
std::string nested_frame(size_t depth) {
  std::string bytes(depth, '\x01');
  bytes += '\0';
  bytes.insert(0, 1, '\x07');
  std::string out;
  put_client_frame(out, {ClientKind::kValue, 0, bytes});
  return out;
}

class Transport : public testing::Test {
 protected:
  Transport() : config(free_places(names)) {}

  // Greets as node a, and gives what b has to say to the proof; b hosts.
  Descriptor greet(const std::string& secret, uint64_t incarnation) {
    const Credentials credentials{secret, names, Id{0}, incarnation};
    Descriptor socket = connect_to(config.nodes.at("b").peers);
    const Dialer dialer(credentials, Id{1}, make_nonce());
    EXPECT_TRUE(say(socket, framed_body(dialer.hello())));
    const Result<std::string> proof = dialer.prove(hear_frame(socket));
    if (!proof.ok()) return socket;
    EXPECT_TRUE(say(socket, framed_body(*proof)));
    return socket;
  }
  static std::string envelope(uint64_t number, int64_t value) {
    std::string out;
    put_envelope(out, number, {node::encode(RegisterMessage(Copy{"k", value}))});
    return out;
  }
  void wait_for(Caller& caller, const std::string& value) {
    const auto until = Clock::now() + kTestPatience;
    while (ask_text(caller, "Get{\"k\"}") != value && Clock::now() < until) {
    }
    EXPECT_EQ(ask_text(caller, "Get{\"k\"}"), value);
  }

  const node::Names names{"a", "b"};
  Config config;
  std::shared_ptr<MemoryDisk> disk = std::make_shared<MemoryDisk>();
};

TEST_F(Transport, BadClientsLoseTheirConnection) {
  Running b(setup_of(names, "b", config, disk));
  Caller good = b.caller();
  const std::vector<std::string> bad = {
      std::string("\xff\xff\xff\xff", 4),               // too long
      framed_body(""),                                  // no head
      framed_body(std::string("\x09\0\0\0\0", 5)),      // no kind
      framed_body(std::string("\x03\0\0\0\0", 5)),      // what only a node says
      framed_body(std::string("\x01\0\0\0\0\xff", 6)),  // no request
      client_frame(1, Never{}),                         // not the first
      client_frame(0, Elsewhere{Id{2}}),                // of two nodes: the node would throw
      client_frame(0, Elsewhere{Id{255}}),
      nested_frame(node::kDeepest),  // containers, and the one that the last has
      nested_frame(1'000'000),       // more than there is stack for
      "GET / HTTP/1.1\r\n\r\n",
  };
  for (const std::string& bytes : bad) {
    const Descriptor socket = connect_to(b.clients());
    EXPECT_TRUE(say(socket, bytes));
    EXPECT_TRUE(is_ended(socket));
    EXPECT_EQ(ask_text(good, "Get{\"k\"}"), "Value{value: none}");
  }
  EXPECT_EQ(b.stop().why, Host::End::Why::kStopped);
  EXPECT_EQ(b.counter("frames_refused_total") + b.counter("requests_refused_total"), bad.size());
  EXPECT_EQ(b.counter("clients_opened_total"), bad.size() + 1);
}

TEST_F(Transport, WhatANestedRequestMayBe) {
  Running b(setup_of(names, "b", config, disk));
  const Descriptor socket = connect_to(b.clients());
  EXPECT_TRUE(say(socket, nested_frame(node::kDeepest - 1)));
  const std::string reply = hear_frame(socket);
  const auto frame = parse_client_frame(reply);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->bytes, node::encode(Value{node::kDeepest - 1}));
  Caller caller = b.caller();
  EXPECT_EQ(ask_text(caller, "Nested{[{[]}, {[]}]}"), "Value{value: 1}");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{[";
  EXPECT_EQ(ask_text(caller, "Nested" + deep), "error: column 408: `[` where an end is expected");
  EXPECT_EQ(b.stop().why, Host::End::Why::kStopped);
}

// However long: it is in the future.
TEST_F(Transport, ATimerMayBeSetForEver) {
  Running b(setup_of(names, "b", config, disk));
  Caller caller = b.caller();
  const auto asked = "Later{" + std::to_string(INT64_MAX) + "}";
  EXPECT_FALSE(caller.ask_text(asked, milliseconds(50)).ok());
  Caller other = b.caller();
  EXPECT_EQ(ask_text(other, "Get{\"k\"}"), "Value{value: none}");
}

TEST_F(Transport, HalfAFrameCostsTheConnection) {
  Running b(setup_of(names, "b", config, disk));
  const Descriptor socket = connect_to(b.clients());
  const Descriptor slow = connect_to(b.clients());
  EXPECT_TRUE(say(socket, std::string("\x20\0\0\0\x01", 5)));
  EXPECT_TRUE(say(slow, client_frame(0, Get{"k"})));  // who says nothing more may stay
  EXPECT_FALSE(is_ended(slow));
  EXPECT_TRUE(is_ended(socket));
  EXPECT_TRUE(say(slow, client_frame(1, Get{"k"})));
  EXPECT_FALSE(is_ended(slow));
}

TEST_F(Transport, RequestsWaitForTheLastAnswer) {
  Running b(setup_of(names, "b", config, disk));
  const Descriptor socket = connect_to(b.clients());
  std::string all = client_frame(0, Later{50});
  for (uint32_t i = 1; i <= 5000; ++i) all += client_frame(i, Get{"k"});
  EXPECT_TRUE(say(socket, all));
  // The first is answered first although only it has to wait.
  for (uint32_t i = 0; i <= 5000; ++i) {
    const std::string body = hear_frame(socket);
    const auto frame = parse_client_frame(body);
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->number, i);
  }
}

TEST_F(Transport, AsManyRequestsAsThePipelineAllows) {
  config.limits.pipeline = 2;
  Running b(setup_of(names, "b", config, disk));
  const Descriptor socket = connect_to(b.clients());
  EXPECT_TRUE(say(socket, client_frame(0, Never{}) + client_frame(1, Get{"k"}) +
                              client_frame(2, Get{"k"}) + client_frame(3, Never{}) +
                              client_frame(4, Get{"k"})));
  for (const uint32_t number : {1U, 2U}) {
    EXPECT_EQ(parse_client_frame(hear_frame(socket))->number, number);
  }
  Caller other = b.caller();
  EXPECT_EQ(ask_text(other, "Get{\"k\"}"), "Value{value: none}");
  b.stop();
  EXPECT_EQ(b.counter("requests_total"), 5U);
}

TEST_F(Transport, TooManyClientsAreRefused) {
  config.limits.clients = 2;
  Running b(setup_of(names, "b", config, disk));
  Caller one = b.caller(), two = b.caller();
  EXPECT_EQ(ask_text(one, "Get{\"k\"}"), "Value{value: none}");
  EXPECT_EQ(ask_text(two, "Get{\"k\"}"), "Value{value: none}");
  EXPECT_TRUE(is_ended(connect_to(b.clients())));
  EXPECT_EQ(ask_text(one, "Get{\"k\"}"), "Value{value: none}");
}

// Whoever has memory used up loses its connection; others do not notice.
TEST_F(Transport, MemoryIsLimited) {
  config.limits.frame = 1 << 20;
  config.limits.memory = 2 << 20;
  Running b(setup_of(names, "b", config, disk));
  Caller good = b.caller();
  std::vector<Descriptor> hogs;
  std::string most = framed_body(std::string((1 << 20) - 8, 'x'));
  most.resize(most.size() - 100);
  for (int i = 0; i < 4; ++i) {
    hogs.push_back(connect_to(b.clients()));
    EXPECT_TRUE(say(hogs.back(), most));
    EXPECT_EQ(ask_text(good, "Get{\"k\"}"), "Value{value: none}");
  }
  for (const Descriptor& hog : hogs) EXPECT_TRUE(is_ended(hog));  // the last ones as half frames
  EXPECT_EQ(ask_text(good, "Get{\"k\"}"), "Value{value: none}");
}

TEST_F(Transport, PeersProveThemselves) {
  Running b(setup_of(names, "b", config, disk));
  Caller caller = b.caller();
  const Descriptor stranger = greet("not the secret of this cluster", 1);
  static_cast<void>(say(stranger, envelope(1, 5)));
  const Descriptor peer = greet(kTestSecret, 1);
  EXPECT_TRUE(say(peer, envelope(1, 6)));
  wait_for(caller, "Value{value: 6}");
  b.stop();
  EXPECT_EQ(b.counter("envelopes_received_total"), 1U);
}

// Nobody is believed before it is admitted, and nothing is kept for longer than a greeting is.
TEST_F(Transport, BadPeersLoseTheirConnection) {
  Running b(setup_of(names, "b", config, disk));
  for (const std::string& bytes :
       {framed_body("hello"), std::string("\xff\xff\0\0", 4), envelope(1, 5)}) {
    const Descriptor socket = connect_to(config.nodes.at("b").peers);
    EXPECT_TRUE(say(socket, bytes));
    EXPECT_TRUE(is_ended(socket));
  }
  const std::vector<std::string> bad = {framed_body("\x07"),
                                        framed_body(std::string("\x01\x01\x01\x01\xff", 5)),
                                        std::string("\xff\xff\xff\x7f", 4)};
  for (const std::string& bytes : bad) {
    const Descriptor socket = greet(kTestSecret, 1);
    EXPECT_TRUE(say(socket, bytes));
    EXPECT_TRUE(is_ended(socket));
  }
  b.stop();
  EXPECT_EQ(b.counter("envelopes_received_total"), 0U);
}

TEST_F(Transport, NothingArrivesTwice) {
  Running b(setup_of(names, "b", config, disk));
  Caller caller = b.caller();
  const Descriptor first = greet(kTestSecret, 1);
  EXPECT_TRUE(say(first, envelope(1, 1) + envelope(2, 2) + envelope(2, 9)));
  wait_for(caller, "Value{value: 2}");
  const Descriptor second = greet(kTestSecret, 1);
  EXPECT_TRUE(is_ended(first));  // of each peer there is one connection, the latest
  EXPECT_TRUE(say(second, envelope(1, 9) + envelope(2, 9) + envelope(4, 4)));
  wait_for(caller, "Value{value: 4}");
  const Descriptor restarted = greet(kTestSecret, 2);
  EXPECT_TRUE(say(restarted, envelope(1, 5)));
  wait_for(caller, "Value{value: 5}");
  b.stop();
  EXPECT_EQ(b.counter("envelopes_refused_total"), 3U);
  EXPECT_EQ(b.counter("envelopes_received_total"), 4U);
}

// While the peer is away the queue keeps the latest.
TEST_F(Transport, AFullQueueLosesWholeEnvelopes) {
  config.limits.frame = 1024;
  config.limits.queue = 4096;
  const auto disk_of_a = std::make_shared<MemoryDisk>();
  Running a(setup_of(names, "a", config, disk_of_a));
  Caller to_a = a.caller();
  const std::string key(200, 'k');
  for (int i = 0; i < 100; ++i) ask_text(to_a, "Put{\"" + key + "\", " + std::to_string(i) + "}");
  {
    Running b(setup_of(names, "b", config, disk));
    Caller to_b = b.caller();
    const auto until = Clock::now() + kTestPatience;
    while (ask_text(to_b, "Get{\"" + key + "\"}") != "Value{value: 99}" && Clock::now() < until) {
    }
    EXPECT_EQ(ask_text(to_b, "Get{\"" + key + "\"}"), "Value{value: 99}");
    b.stop();
    EXPECT_LE(b.counter("envelopes_received_total"), 20U);
    EXPECT_GT(b.counter("envelopes_received_total"), 10U);
  }
  EXPECT_EQ(ask_text(to_a, "Put{\"" + std::string(900, 'k') + "\", 1}").substr(0, 5), "Value");
  a.stop();
  EXPECT_GE(a.counter("envelopes_lost_total"), 80U);
}

// A peer that is there but does not read: what finds its queue full is lost as a whole.
TEST_F(Transport, ASlowPeerLosesWholeEnvelopes) {
  config.limits.queue = 1 << 20;
  const Result<Descriptor> listener = listen_on(config.nodes.at("b").peers);
  ASSERT_TRUE(listener.ok());
  Running a(setup_of(names, "a", config, disk));
  Caller to_a = a.caller();
  Descriptor socket;
  const auto until = Clock::now() + kTestPatience;
  while (!socket.valid() && Clock::now() < until) socket = accept_from(*listener);
  ASSERT_TRUE(socket.valid());
  ASSERT_EQ(::fcntl(socket.number(), F_SETFL, ::fcntl(socket.number(), F_GETFL) & ~O_NONBLOCK), 0);
  const Credentials credentials{kTestSecret, names, Id{1}, 1};
  Doorman doorman(credentials, make_nonce());
  const Result<std::string> challenge = doorman.challenge(hear_frame(socket));
  ASSERT_TRUE(challenge.ok() && say(socket, framed_body(*challenge)));
  ASSERT_TRUE(doorman.admit(hear_frame(socket)).ok());
  const std::string put = "Put{\"" + std::string(200'000, 'k') + "\", ";
  for (int i = 0; i < 100; ++i) ask_text(to_a, put + std::to_string(i) + "}");
  std::thread stops([&] { a.stop(); });
  uint64_t last = 0, heard = 0;
  PeerFrame frame;
  for (std::string body = hear_large_frame(socket); !body.empty();
       body = hear_large_frame(socket)) {
    ASSERT_TRUE(parse_peer_frame(body, frame));
    EXPECT_GT(frame.number, last);
    last = frame.number;
    ++heard;
  }
  stops.join();
  EXPECT_GT(heard, 5U);
  EXPECT_GT(a.counter("envelopes_lost_total"), 10U);
  EXPECT_GE(a.counter("envelopes_sent_total"), heard);
  EXPECT_LE(a.counter("envelopes_sent_total") + a.counter("envelopes_lost_total"), 100U);
}

// Numbers of clients are never used again, whatever becomes of the process.
TEST_F(Transport, ClientsAreCountedOverRestarts) {
  std::set<std::string> seen;
  for (int i = 0; i < 3; ++i) {
    Running b(setup_of(names, "b", config, disk));
    Caller caller = b.caller();
    EXPECT_TRUE(ask_text(caller, "Throw").ends_with("it has ended the connection"));
    const std::string why = b.join().error.message;  // names the client
    EXPECT_TRUE(seen.insert(why).second) << why;
  }
}

}  // namespace
}  // namespace clew::host
