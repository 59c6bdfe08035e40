// What a hosted node can do, beside a bare loop over the same kind of connection in the same run.
//
//   build/release/bench/host_bench            all of it, about a minute
//   build/release/bench/host_bench FOLDER     with its logs there, rather than in the working
//   folder
//
// Messages: 256 envelopes of one small message each go to and fro between two hosts, whose
// processor time is taken by thread: messages that one host handles (receives, takes the step, and
// sends the next) in a second of one core. The bare loop does the same without a host: 256 frames
// of the same size go to and fro, read and written as many at a time as there are.
//
// Requests: one and 32 clients, each of which asks again once it was answered; in memory, and with
// a field that is durable. The bare loop answers each frame with itself.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include "base/check.h"
#include "base/files.h"
#include "host/client.h"
#include "host/host.h"
#include "host/log.h"
#include "host/poller.h"
#include "host/stream.h"
#include "host/timers.h"
#include "node/node.h"

namespace clew::host {

struct Ball {
  int64_t number = 0;
  CLEW_FIELDS(Ball, number)
};
struct Kick {
  CLEW_FIELDS(Kick)
};
struct Keep {
  int64_t value = 0;
  CLEW_FIELDS(Keep, value)
};
using BenchRequest = std::variant<Kick, Keep>;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct BenchNode : node::Node<BenchNode, Ball, BenchRequest, Ball> {
  explicit BenchNode(bool keeps_on_disk) : on_disk(keeps_on_disk) {}

  void request(Env& env, node::RequestId id, const Kick&) {
    env.send(Id{static_cast<uint8_t>(1 - env.self().number)}, Ball{1});
    env.reply(id, Ball{0});
  }
  void request(Env& env, node::RequestId id, const Keep& keep) {
    if (on_disk) {
      durable = keep.value + durable;
      env.sync();
    } else {
      memory = keep.value + memory;
    }
    env.reply(id, Ball{keep.value});
  }
  void receive(Env& env, Id from, const Ball& ball) {
    seen = seen + 1;
    env.send(from, Ball{ball.number + 1});
  }

  const bool on_disk;
  node::Field<int64_t> seen{this, "seen"}, memory{this, "memory"};
  node::Durable<int64_t> durable{this, "durable"};
};

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class BenchHost {
 public:
  BenchHost(const Config& config, const std::string& name, const std::string& folder,
            bool on_disk) {
    const node::Names names{"a", "b"};
    std::filesystem::create_directories(folder);
    auto log = Log::open(folder, {.node = name, .fields = {"durable"}});
    CHECK(log.ok(), "{}", log.error().message);
    address_ = config.nodes.at(name).clients;
    auto host = Host::open({.node = std::make_unique<BenchNode>(on_disk),
                            .names = names,
                            .self = *names.find(name),
                            .config = config,
                            .secret = "sixteen bytes at least",
                            .store = *std::move(log),
                            .lines = ::open("/dev/null", O_WRONLY | O_CLOEXEC)});
    CHECK(host.ok(), "{}", host.error().message);
    host_ = *std::move(host);
    thread_ = std::thread([this] {
      static_cast<void>(host_->run());
      seconds_ = thread_seconds();
    });
  }
  ~BenchHost() { stop(); }
  void stop() {
    host_->stop();
    if (thread_.joinable()) thread_.join();
  }
  Caller caller() const { return std::move(*Caller::connect(address_, seconds(10))); }
  uint64_t counter(const std::string& name) const {  // once it is stopped
    const std::string text = host_->metrics();
    return std::stoull(text.substr(text.find("} ", text.find("\nclew_host_" + name + "{")) + 2));
  }
  double processor_seconds() const { return seconds_; }

 private:
  Address address_;
  std::unique_ptr<Host> host_;
  std::thread thread_;
  double seconds_ = 0;
};

Config free_config() {
  Config config;
  std::vector<Descriptor> taken;
  for (const char* name : {"a", "b"}) {
    Config::Node node;
    for (Address* address : {&node.peers, &node.clients}) {
      taken.push_back(std::move(*listen_on({})));
      address->port = port_of(taken.back());
    }
    config.nodes[name] = node;
  }
  return config;
}

// Resident, in MiB.
double resident() {
  const Result<std::string> text = read_file("/proc/self/statm", 4096);
  CHECK(text.ok());
  return static_cast<double>(std::stoull(text->substr(text->find(' ')))) *
         static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void measure_messages(const std::string& folder) {
  const Config config = free_config();
  BenchHost a(config, "a", folder + "/a", false), b(config, "b", folder + "/b", false);
  Caller caller = a.caller();
  for (int i = 0; i < 256; ++i) {
    CHECK(caller.ask(node::encode(BenchRequest(Kick{})), seconds(10)).ok());
  }
  const Clock::time_point begin = Clock::now();
  std::this_thread::sleep_for(seconds(2));
  const double early = resident();
  std::this_thread::sleep_for(seconds(10));
  const double late = resident();
  const double clock = seconds_since(begin);
  a.stop();
  b.stop();
  const auto handled =
      a.counter("envelopes_received_total") + b.counter("envelopes_received_total");
  const double processor = a.processor_seconds() + b.processor_seconds();
  const auto turns = a.counter("turns_total") + b.counter("turns_total");
  fmt::print(
      "messages, 256 under way: {:.0f} a second of one core ({:.1f} a turn); {:.0f} a second by "
      "the clock, both hosts\n",
      static_cast<double>(handled) / processor,
      static_cast<double>(handled) / static_cast<double>(turns),
      static_cast<double>(handled) / clock);
  fmt::print("memory: {:.1f} MiB after 2 s, {:.1f} MiB after 12 s and {:.1f} million messages\n",
             early, late, static_cast<double>(handled) * 1e-6);
}

// Frames of `size` bytes, each sent back once it is whole.
class BareEcho : public Watcher {
 public:
  BareEcho(Poller& poller, Descriptor socket, std::vector<char>& scratch)
      : stream_(std::move(socket), 1 << 20, scratch) {
    poller.watch(stream_.descriptor(), *this, Poller::kRead);
  }
  void ready(uint32_t) override {
    if (!stream_.receive()) {
      stream_.close();
      return;
    }
    while (const auto body = stream_.frames().next()) {
      const size_t begin = begin_frame(stream_.out());
      stream_.out() += *body;
      end_frame(stream_.out(), begin);
      ++echoed;
    }
    stream_.frames().keep();
    static_cast<void>(stream_.send());
  }
  Stream& stream() { return stream_; }
  uint64_t echoed = 0;

 private:
  Stream stream_;
};

// A thread that answers each frame with itself, on any number of connections.
class BareServer : private Watcher {
 public:
  BareServer() : listener_(std::move(*listen_on({}))), address_{.port = port_of(listener_)} {
    poller_.watch(listener_.number(), *this, Poller::kRead);
    thread_ = std::thread([this] {
      while (!stopped_) poller_.wait(milliseconds(50));
      seconds_ = thread_seconds();
    });
  }
  ~BareServer() override { stop(); }
  void stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }
  // Dials another one, and has so many frames go to and fro.
  void play(const Address& other, int frames, size_t size) {
    Descriptor socket = dial(other);
    pollfd_wait(socket);
    std::string out;
    for (int i = 0; i < frames; ++i) {
      const size_t begin = begin_frame(out);
      out.append(size, 'x');
      end_frame(out, begin);
    }
    CHECK(write_all(socket.number(), out));
    connections_.push_back(std::make_unique<BareEcho>(poller_, std::move(socket), scratch_));
  }
  const Address& address() const { return address_; }
  double processor_seconds() const { return seconds_; }
  uint64_t echoed() const {
    uint64_t sum = 0;
    for (const auto& one : connections_) sum += one->echoed;
    return sum;
  }

 private:
  static void pollfd_wait(const Descriptor& socket) {
    while (socket_error(socket.number()) == 0 && ::send(socket.number(), "", 0, MSG_NOSIGNAL) < 0) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  void ready(uint32_t) override {
    for (Descriptor socket = accept_from(listener_); socket.valid();
         socket = accept_from(listener_)) {
      connections_.push_back(std::make_unique<BareEcho>(poller_, std::move(socket), scratch_));
    }
  }

  Poller poller_;
  std::vector<char> scratch_ = std::vector<char>(256 << 10);
  Descriptor listener_;
  Address address_;
  std::vector<std::unique_ptr<BareEcho>> connections_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
  double seconds_ = 0;
};

void measure_bare_messages() {
  BareServer a, b;
  a.play(b.address(), 256, 6);
  std::this_thread::sleep_for(seconds(5));
  a.stop();
  b.stop();
  fmt::print("  bare loop: {:.0f} a second of one core\n",
             static_cast<double>(a.echoed() + b.echoed()) /
                 (a.processor_seconds() + b.processor_seconds()));
}

// Microseconds of each request.
std::vector<double> ask_for_a_while(Caller caller, milliseconds length) {
  const std::string request = node::encode(BenchRequest(Keep{1}));
  std::vector<double> took;
  const Clock::time_point begin = Clock::now();
  while (Clock::now() - begin < length) {
    const Clock::time_point asked = Clock::now();
    CHECK(caller.ask(request, seconds(10)).ok());
    took.push_back(seconds_since(asked) * 1e6);
  }
  return took;
}

void measure_requests(const std::string& what, const Address& address, size_t clients) {
  constexpr milliseconds kLength{3000};
  std::vector<std::vector<double>> took(clients);
  std::vector<std::thread> threads;
  const Clock::time_point begin = Clock::now();
  for (size_t i = 0; i < clients; ++i) {
    threads.emplace_back([&, i] {
      took[i] = ask_for_a_while(std::move(*Caller::connect(address, seconds(10))), kLength);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<double> all;
  for (const auto& one : took) all.insert(all.end(), one.begin(), one.end());
  std::ranges::sort(all);
  fmt::print(
      "requests, {:>2} client{}, {:<9}: median {:>6.0f} us, 99% {:>6.0f} us, {:>7.0f} a second\n",
      clients, clients == 1 ? " " : "s", what, all[all.size() / 2], all[all.size() * 99 / 100],
      static_cast<double>(all.size()) / seconds_since(begin));
}

void measure_requests(const std::string& folder) {
  for (const size_t clients : {size_t{1}, size_t{32}}) {
    {
      const BareServer bare;
      measure_requests("bare loop", bare.address(), clients);
    }
    for (const bool on_disk : {false, true}) {
      const Config config = free_config();
      const BenchHost host(config, "a", fmt::format("{}/{}{}", folder, clients, on_disk), on_disk);
      measure_requests(on_disk ? "on disk" : "in memory", config.nodes.at("a").clients, clients);
    }
  }
}

void measure_recovery(const std::string& folder) {
  for (const uint64_t flushes : {uint64_t{500}, uint64_t{2000}, uint64_t{8000}}) {
    const std::string path = fmt::format("{}/recovery{}", folder, flushes);
    std::filesystem::create_directories(path);
    const LogOptions options{.node = "a", .fields = {"durable"}};
    {
      auto log = Log::open(path, options);
      CHECK(log.ok());
      for (uint64_t i = 0; i < flushes; ++i) {
        (*log)->append({{"durable", fmt::format("{:0>100}", i)}});
        CHECK((*log)->flush().ok());
      }
    }
    const Clock::time_point begin = Clock::now();
    auto log = Log::open(path, options);
    CHECK(log.ok());
    fmt::print("recovery after {:>6} flushes, {:>5.1f} MiB of log: {:.1f} ms\n", flushes,
               static_cast<double>((*log)->bytes()) / (1 << 20), seconds_since(begin) * 1e3);
  }
}

}  // namespace
}  // namespace clew::host

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // each figure as soon as it is there
  const std::string folder = fmt::format("{}/host-bench-{}", argc > 1 ? argv[1] : ".", ::getpid());
  clew::host::measure_messages(folder);
  clew::host::measure_bare_messages();
  clew::host::measure_requests(folder);
  clew::host::measure_recovery(folder);
  std::filesystem::remove_all(folder);
  return 0;
}
