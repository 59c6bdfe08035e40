// The examples at the top of the headers about runs, as code (tools/check_examples.py compares
// them).
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/descriptor.h"
#include "inject/buffers.h"
#include "inject/commands.h"
#include "inject/local_runner.h"
#include "inject/network.h"
#include "inject/outputs.h"
#include "inject/recorder.h"
#include "inject/sockets.h"
#include "inject/strike.h"
#include "inject/stuck.h"
#include "inject/trees.h"
#include "inject/wire.h"
#include "inject/world.h"
#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

// As if this process had stopped at a call.
StoppedCall own_call(long number, std::array<uint64_t, 6> arguments) {
  return {.process = ::getpid(),
          .thread = ::getpid(),
          .row = find_call(number),
          .arguments = arguments};
}

// A listener, and a connection to it.
struct Connected {
  Descriptor listener{::socket(AF_INET, SOCK_STREAM, 0)};
  Descriptor client{::socket(AF_INET, SOCK_STREAM, 0)};
  Descriptor server{};
  int port = 0;

  Connected() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    const bool works = ::bind(listener.number(), plain, size) == 0 &&
                       ::listen(listener.number(), 1) == 0 &&
                       ::getsockname(listener.number(), plain, &size) == 0 &&
                       ::connect(client.number(), plain, size) == 0;
    port = works ? ntohs(address.sin_port) : 0;
    server = Descriptor(::accept(listener.number(), nullptr, nullptr));
  }
};

// example: src/inject/buffers.h
TEST(RunExamples, Buffers) {
  std::string text(100, 'a');
  const StoppedCall call = own_call(SYS_write, {1, reinterpret_cast<uint64_t>(text.data()), 100});
  Action action;
  std::optional<Buffer> buffer = Buffer::of(call);
  EXPECT_EQ(buffer->total(), 100U);
  Undo undo;
  EXPECT_TRUE(buffer->shorten(buffer->total() / 2, action, undo));
  EXPECT_TRUE(buffer->flip(17, undo));
  EXPECT_EQ(text[17], 'q');
  undo.undo(call.thread);
  EXPECT_EQ(text, std::string(100, 'a'));
  EXPECT_EQ(action.count, 50U);
}

// example: src/inject/commands.h
TEST(RunExamples, Commands) {
  const Target target = plain_target("/");
  Result<TracedCommand> command = traced_command(target, {.words = {"/bin/true"}}, {});
  const std::vector<std::string> all = command->environment;
  EXPECT_NE(std::ranges::find(all, "LANG=C"), all.end());
  EXPECT_FALSE(traced_command(target, {.words = {"x"}, .user = "nobody-of-this-name"}, {}).ok());
}

// example: src/inject/network.h
TEST(RunExamples, Network) {
  const Network::Processes processes = {{::getpid(), 0}};
  const Connected connected;
  const auto number = static_cast<uint64_t>(connected.client.number());
  const StoppedCall call = own_call(SYS_sendto, {number});
  Network network([&] { return processes; });
  EXPECT_TRUE(network.reset(call));
  EXPECT_FALSE(network.has_failed());
  char byte = 0;
  EXPECT_EQ(::recv(connected.server.number(), &byte, 1, 0), -1);
  EXPECT_EQ(errno, ECONNRESET);
}

// example: src/inject/outputs.h
TEST(RunExamples, Outputs) {
  std::vector<std::string> lines;
  Outputs outputs;
  const Outputs::Ends ends = outputs.open("master");
  EXPECT_EQ(::write(ends.output, "a\nb", 3), 3);
  EXPECT_EQ(::write(ends.facts, "up(1)\n", 6), 6);
  outputs.close_ends();
  for (const Outputs::Piece& piece : outputs.take()) {
    const Line* const line = std::get_if<Line>(&piece);
    lines.push_back(line != nullptr ? line->text : std::get<Told>(piece).fact);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "b", "up(1)"}));
}

// example: src/inject/recorder.h
TEST(RunExamples, Recorder) {
  const pid_t thread = 1;
  const Point point{.node = "master", .call = "write"};
  const Call call{.row = find_call(SYS_write)};
  Recorder recorder({"master", "workload"});
  const Recorder::Place place = recorder.place(thread, point);
  EXPECT_EQ(place.occurrence, 1U);
  const size_t number = recorder.add(call);
  recorder.call(number).result = 12;
  recorder.drop(thread, number);
  EXPECT_EQ(recorder.place(thread, point).occurrence, 1U);
  Observed seen = recorder.take();
  EXPECT_TRUE(seen.happenings.empty());
  EXPECT_EQ(seen.points, std::vector<Point>{point});
}

// example: src/inject/sockets.h
TEST(RunExamples, Sockets) {
  const Connected connected;
  const int connection = connected.client.number();
  EXPECT_FALSE(listens(0));
  EXPECT_TRUE(listens(connected.port));
  const bool on_7000 = listens(7000);
  EXPECT_EQ(on_7000, connected.port == 7000 || on_7000);
  const std::vector<SocketRow> rows = list_sockets();
  const SocketRow* one = find_socket(rows, socket_inode(::getpid(), connection));
  ASSERT_NE(one, nullptr);
  const SocketRow* const other = other_end(rows, *one);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->inode, socket_inode(::getpid(), connected.server.number()));
  EXPECT_FALSE(one->listening);
  EXPECT_FALSE(listens(one->local_port)) << "it is connected, but waits for nobody";
}

TEST(RunExamples, ListensToVersionSix) {
  const Descriptor socket(::socket(AF_INET6, SOCK_STREAM, 0));
  struct sockaddr_in6 address {};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  auto* const plain = reinterpret_cast<struct sockaddr*>(&address);
  socklen_t size = sizeof(address);
  if (::bind(socket.number(), plain, size) != 0) GTEST_SKIP() << "this machine has no IPv6";
  ASSERT_EQ(::getsockname(socket.number(), plain, &size), 0);
  EXPECT_FALSE(listens(ntohs(address.sin6_port)));
  ASSERT_EQ(::listen(socket.number(), 1), 0);
  EXPECT_TRUE(listens(ntohs(address.sin6_port)));
}

// example: src/inject/strike.h
TEST(RunExamples, Strikes) {
  const Plan plan = {*parse_failure("EIO@4c1be0d2")};
  const std::string point = "4c1be0d2";
  const Object object{Object::Kind::kFile, "log", "/srv/log"};
  const Object none;
  const StoppedCall call = own_call(SYS_fsync, {1});
  Network network([] { return Network::Processes(); });
  Strikes strikes(plan, network);
  const Strikes::Before now = strikes.before(call, {point, 1, 1, object, none});
  const Action action = now.action;
  EXPECT_EQ(action.kind, Action::Kind::kFail);
  EXPECT_EQ(action.number, EIO);
  EXPECT_EQ(now.struck, 0U);
  const Strikes::After then = strikes.after(call, 12);
  EXPECT_EQ(then.result, 12);
  EXPECT_FALSE(strikes.before(call, {point, 1, 1, object, none}).struck.has_value());
}

// example: src/inject/stuck.h
TEST(RunExamples, Stuck) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    ::_exit(::read(ends[0], &byte, 1) == 1 ? 0 : 1);
  }
  const auto reads = [&] {
    const std::string does = what_they_do({child});
    return does.ends_with(" stands in read of a pipe");
  };
  for (int i = 0; i < 1000 && !reads(); ++i) ::usleep(10'000);
  EXPECT_TRUE(reads()) << what_they_do({child});
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(what_they_do({child}), "");
  ::close(ends[0]);
  ::close(ends[1]);
}

// example: src/inject/trees.h
TEST(RunExamples, Trees) {
  const Toys toys;
  const std::string state = toys.state();
  const std::string copy = toys.folder() + "/copy";
  EXPECT_EQ(write_text(state + "/log", "first"), "ok");
  Status copied = Error{"it is large", ""};
  if (is_small(state, 8U << 20U)) copied = copy_tree(state, copy);
  EXPECT_TRUE(copied.ok());
  EXPECT_EQ(text_of(copy + "/log"), "first");
  EXPECT_FALSE(is_small(state, 4));
  const Status emptied = empty_folder(copy);
  EXPECT_TRUE(emptied.ok());
  EXPECT_TRUE(std::filesystem::is_empty(copy));
}

// example: src/inject/wire.h
TEST(RunExamples, Wire) {
  Observed seen;
  seen.trouble = "none";
  StackCache stacks;
  std::string bytes = encode(seen, stacks.take_news());
  std::optional<Arrived> arrived = decode(bytes);
  EXPECT_EQ(arrived->observed.trouble, "none");
}

// example: src/inject/world.h
TEST(RunExamples, Worlds) {
  if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  const Toys toys;
  const Target target = plain_target(toys.folder(), {"state"});
  const pid_t outside = ::fork();
  if (outside == 0) {
    const Status apart = leave(target);
    if (::fork() == 0) {
      const Result<World> world = World::build(target);
      const bool works = world.ok() && std::filesystem::exists(world->first(0));
      ::_exit(works ? 7 : 1);
    }
    int status = 0;
    ::wait(&status);
    ::_exit(WEXITSTATUS(status));
  }
  int status = 0;
  ::waitpid(outside, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

// example: src/inject/local_runner.h
TEST(RunExamples, LocalRunner) {
  if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  const Toys toys;
  const Target target = toys.shell("echo ready; sleep 100", "echo done");
  Result<std::unique_ptr<LocalRunner>> runner = LocalRunner::make(target, {.jobs = 2});
  ASSERT_TRUE(runner.ok());
  (*runner)->start(1, {});
  Finished done = (*runner)->next();
  EXPECT_EQ(done.ticket, 1U);
  EXPECT_EQ(lines_of(done.observed, "workload"), std::vector<std::string>{"done"});
}

// example: src/inject/observed.h
TEST(RunExamples, Observed) {
  if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  const Toys toys;
  const auto made =
      LocalRunner::make(toys.shell("echo ready; sleep 100", "echo done"), {.jobs = 1});
  ASSERT_TRUE(made.ok());
  Runner& runner = **made;
  runner.start(1, {});
  size_t lines = 0;
  Observed seen = runner.next().observed;
  for (const Happening& one : seen.happenings) {
    lines += std::holds_alternative<Line>(one) ? 1 : 0;
  }
  EXPECT_EQ(lines, 2U);
  EXPECT_TRUE(seen.reached.empty());
  const Observed::Ending ending = seen.ending;
  EXPECT_EQ(ending, Observed::Ending::kDone);
}

// example: src/inject/runner.h
TEST(RunExamples, Runners) {
  if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  const Toys toys;
  const auto made =
      LocalRunner::make(toys.shell("echo ready; sleep 100", "echo done"), {.jobs = 2});
  ASSERT_TRUE(made.ok());
  Runner& runner = **made;
  runner.start(1, {});
  runner.start(2, {*parse_failure("EIO@4c1be0d2")});
  Finished done = runner.next();
  EXPECT_EQ(done.ticket + runner.next().ticket, 3U);
}

}  // namespace
}  // namespace clew::inject
