// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/files.h"
#include "host/counters.h"
#include "host/frame.h"
#include "host/handshake.h"
#include "host/lines.h"
#include "host/poller.h"
#include "host/sha256.h"
#include "host/socket.h"
#include "host/stepper.h"
#include "host/stream.h"
#include "host/timers.h"
#include "include/clew/call.h"
#include "include/clew/host.h"
#include "tests/host/memory_store.h"
#include "tests/host/register.h"
#include "tests/host/running.h"

namespace clew::host {
namespace {

using namespace std::chrono_literals;

TEST(HostExamples, Sha256) {
  const std::string secret = "secret", text = "text";
  EXPECT_TRUE(to_hex(sha256("abc")).starts_with("ba7816bf8f01cfea"));
  const Digest proof = hmac_sha256(secret, text);
  const Digest theirs = proof;
  EXPECT_TRUE(same_digest(proof, theirs));
}

// example: src/host/frame.h
TEST(HostExamples, Frames) {
  std::string bytes;
  put_client_frame(bytes, {ClientKind::kValue, 0, "x"});
  bytes += bytes;
  size_t taken = 0;
  const auto take = [&](std::string_view) { ++taken; };
  FrameReader reader(1 << 20);
  reader.feed(bytes);
  while (const auto body = reader.next()) take(*body);
  if (reader.failed()) FAIL();
  reader.keep();
  EXPECT_EQ(taken, 2U);
}

TEST(HostExamples, Handshake) {
  const Credentials credentials{"secret", {"a", "b"}, Id{0}, 1},
      of_b{"secret", {"a", "b"}, Id{1}, 1};
  const Id peer{1};
  const std::string nonce = make_nonce();
  Dialer dialer(credentials, peer, nonce);
  const std::string hello = dialer.hello();
  Doorman doorman(of_b, nonce);
  const std::string challenge = *doorman.challenge(hello);
  const std::string proof = *dialer.prove(challenge);
  EXPECT_TRUE(doorman.admit(proof).ok());
}

// example: src/host/timers.h
TEST(HostExamples, Timers) {
  const Clock::time_point now{};
  const auto fire = [](const std::string&) { FAIL(); };
  Timers timers;
  timers.set("election", now + 150ms);
  timers.cancel("election");
  while (auto name = timers.due(now)) fire(*name);
  EXPECT_FALSE(timers.next().has_value());
}

// example: src/host/socket.h
TEST(HostExamples, Sockets) {
  Result<Address> address = parse_address("127.0.0.1:7101");
  address->port = 0;
  Result<Descriptor> listener = listen_on(*address);
  address->port = port_of(*listener);
  {
    Descriptor one = accept_from(*listener);
    EXPECT_FALSE(one.valid());
  }
  Descriptor other = dial(*address);
  EXPECT_EQ(socket_error(other.number()), 0);
}

// A pair of connected sockets that do not block.
std::pair<Descriptor, Descriptor> socket_pair() {
  int both[2] = {};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, both), 0);
  return {Descriptor(both[0]), Descriptor(both[1])};
}

struct CountsReady : Watcher {
  void ready(uint32_t what) override { seen |= what; }
  uint32_t seen = 0;
};

// example: src/host/poller.h
TEST(HostExamples, Poller) {
  const auto [one, other] = socket_pair();
  const int socket = one.number();
  CountsReady watcher;
  Poller poller;
  poller.watch(socket, watcher, Poller::kRead);
  poller.wait(0ms);
  EXPECT_EQ(watcher.seen, 0U);
  poller.watch(socket, watcher, Poller::kRead | Poller::kWrite);
  poller.wait(10ms);
  EXPECT_EQ(watcher.seen, Poller::kWrite);
}

std::string read_all_of(const Descriptor& socket) {
  std::string bytes(1000, '\0');
  bytes.resize(static_cast<size_t>(
      std::max<ssize_t>(0, ::recv(socket.number(), bytes.data(), bytes.size(), 0))));
  return bytes;
}

// example: src/host/stream.h
TEST(HostExamples, Stream) {
  auto [socket, other] = socket_pair();
  const size_t most_frame = 1000;
  std::vector<char> scratch(1000);
  const node::RequestId request{1, 2};
  const std::string reply = "reply";
  std::string bodies;
  put_answer(bodies, {}, "x");
  ASSERT_TRUE(write_all(other.number(), bodies));
  Stream stream(std::move(socket), most_frame, scratch);
  if (!stream.receive()) FAIL();
  while (auto body = stream.frames().next()) EXPECT_EQ(body->back(), 'x');
  stream.frames().keep();
  put_answer(stream.out(), request, reply);
  if (!stream.send()) FAIL();
  EXPECT_EQ(stream.waiting(), 0U);
  EXPECT_EQ(read_all_of(other).size(), kFrameHead + 3 + reply.size());
  other.close();
  EXPECT_FALSE(stream.receive());
  EXPECT_EQ(stream.why(), "it has ended");
}

// example: src/host/counters.h
TEST(HostExamples, Counters) {
  Counters counters;
  ++counters.steps;
  EXPECT_NE(counters.to_prometheus("a").find(
                "# HELP clew_host_steps_total steps that the node has taken\n"
                "# TYPE clew_host_steps_total counter\n"
                "clew_host_steps_total{node=\"a\"} 1\n"),
            std::string::npos);
}

// What was written into a pipe.
std::string read_pipe(int descriptor) {
  std::string text(10'000, '\0');
  const ssize_t count = ::read(descriptor, text.data(), text.size());
  text.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return text;
}

// example: src/host/lines.h
TEST(HostExamples, Lines) {
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const Descriptor reads(ends[0]), writes(ends[1]), before(::dup(2));
  EXPECT_EQ(::dup2(writes.number(), 2), 2);
  Lines lines(2, "a");
  lines.say("peer_open", {{"peer", "b"}, {"incarnation", "3"}});
  const std::string line = read_pipe(reads.number());
  EXPECT_EQ(line.substr(line.find("Z ")), "Z node=a event=peer_open peer=b incarnation=3\n");
  lines.say("x", {{"why", "a \"b\" \\ \n c"}, {"nothing", ""}});
  const std::string quoted = read_pipe(reads.number());
  EXPECT_EQ(quoted.substr(quoted.find("event")),
            "event=x why=\"a \\\"b\\\" \\\\   c\" nothing=\"\"\n");
  for (int i = 0; i < 100; ++i) lines.say("again");
  const std::string many = read_pipe(reads.number());
  EXPECT_EQ(::dup2(before.number(), 2), 2);
  EXPECT_EQ(std::ranges::count(many, '\n'), 10);
}

// example: src/host/store.h
TEST(HostExamples, Store) {
  Stepper stepper(std::make_unique<Register>(), {"a"}, Id{0}, 1);
  Outcome outcome;
  stepper.take({}, outcome);
  const std::string bytes = "1";
  const auto disk = std::make_shared<MemoryDisk>();
  {
    MemoryStore store(disk);
    for (const Kept& kept : store.recovered()) FAIL() << kept.field;
    store.append(stepper.changed());
    store.append({{"clew.host", bytes}});
    const Status on_disk = store.flush();
    EXPECT_TRUE(on_disk.ok());
  }
  EXPECT_EQ(MemoryStore(disk).recovered(),
            (std::vector<Kept>{{"clew.host", "1"}, {"starts", node::encode(int64_t{1})}}));
}

// example: src/host/stepper.h
TEST(HostExamples, Stepper) {
  const node::Names names{"a", "b"};
  const Id self{0};
  const uint64_t seed = 1;
  auto node = std::make_unique<Register>();
  MemoryStore store(std::make_shared<MemoryDisk>());
  Outcome outcome;
  Stepper stepper(std::move(node), names, self, seed);
  stepper.take({.kind = Input::Kind::kStart, .recovered = store.recovered()}, outcome);
  stepper.take({.kind = Input::Kind::kTimer, .timer = "election"}, outcome);
  store.append(stepper.changed());
  EXPECT_EQ(stepper.taken(), 2U);
}

// example: src/host/step.h
TEST(HostExamples, Steps) {
  Stepper stepper(std::make_unique<Register>(), {"a", "b"}, Id{0}, 1);
  Input input{.kind = Input::Kind::kTimer, .timer = "election"};
  Outcome outcome;
  stepper.take(input, outcome);
  EXPECT_EQ(outcome.answered.size(), 1U);
}

// example: src/host/host.h
TEST(HostExamples, Hosts) {
  const node::Names names{"a"};
  Host::Setup setup = setup_of(names, "a", free_places(names), std::make_shared<MemoryDisk>());
  Result<std::unique_ptr<Host>> host = Host::open(std::move(setup));
  (*host)->stop();
  const Host::End end = (*host)->run();
  EXPECT_EQ(end.why, Host::End::Why::kStopped);
}

// The example of include/clew/call.h.
TEST(HostExamples, TypedClients) {
  const node::Names names{"a"};
  Running a(setup_of(names, "a", free_places(names), std::make_shared<MemoryDisk>()));
  const auto use = [](const std::optional<int64_t>& value) { EXPECT_EQ(value, 1); };
  auto client = clew::Client<RegisterRequest, Value>::connect(a.clients().text());
  ASSERT_TRUE(client.ok());
  clew::Result<Value> reply = client->call(Put{"k", 1});
  ASSERT_TRUE(reply.ok());
  if (reply.ok()) use(reply->value);
  EXPECT_FALSE((clew::Client<RegisterRequest, Value>::connect("nowhere").ok()));
}

// example: src/host/client.h
TEST(HostExamples, Callers) {
  const node::Names names{"a"};
  Running a(setup_of(names, "a", free_places(names), std::make_shared<MemoryDisk>()));
  const Address address = a.clients();
  const RegisterRequest request = Put{"k", 1};
  Result<Caller> caller = Caller::connect(address, 1s);
  Result<std::string> reply = caller->ask(node::encode(request), 1s);
  Result<std::string> text = caller->ask_text("Put{\"k\", 1}", 1s);
  EXPECT_EQ(*reply, node::encode(Value{1}));
  EXPECT_EQ(*text, "Value{value: 1}");
}

}  // namespace
}  // namespace clew::host
