// Recordings of hosts with sockets and threads: of good ones, and of ones that are wrong as a
// whole, made so by what they are given: a disk that lies, a node that hears of no timer, a peer
// that sends again what has arrived.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "explore/recorded.h"
#include "host/handshake.h"
#include "host/record.h"
#include "tests/explore/register_cluster.h"
#include "tests/host/running.h"

namespace clew::explore {
namespace {

using host::Running;

// Confirms what only the next flush brings to the disk.
class LateStore : public host::Store {
 public:
  explicit LateStore(const std::shared_ptr<host::MemoryDisk>& disk) : store_(disk) {}

  const std::vector<host::Kept>& recovered() const override { return store_.recovered(); }
  void append(const std::vector<host::Kept>& changes) override {
    unflushed_.insert(unflushed_.end(), changes.begin(), changes.end());
  }
  Status flush() override {
    const Status status = store_.flush();
    store_.append(std::exchange(unflushed_, {}));
    return status;
  }

 private:
  host::MemoryStore store_;
  std::vector<host::Kept> unflushed_;
};

// Confirms everything, and keeps nothing.
class LyingStore : public host::Store {
 public:
  const std::vector<host::Kept>& recovered() const override { return recovered_; }
  void append(const std::vector<host::Kept>&) override {}
  Status flush() override { return Nothing{}; }

 private:
  std::vector<host::Kept> recovered_;
};

// Of a node that hears of no timer: that one fired is not what has happened to it.
class TimerlessRecorder : public host::Recorder {
 public:
  explicit TimerlessRecorder(std::unique_ptr<host::Recorder> recorder)
      : recorder_(std::move(recorder)) {}

  void record(uint64_t incarnation, uint64_t step, const host::Input& input,
              const host::Outcome& outcome, const node::AnyNode& after) override {
    if (input.kind == host::Input::Kind::kTimer) {
      ++left_out_;
    } else {
      recorder_->record(incarnation, step - left_out_, input, outcome, after);
    }
  }
  void record_failure(uint64_t incarnation, uint64_t step, const host::Input& input,
                      const std::string& why) override {
    recorder_->record_failure(incarnation, step - left_out_, input, why);
  }
  Status flush() override { return recorder_->flush(); }

 private:
  std::unique_ptr<host::Recorder> recorder_;
  uint64_t left_out_ = 0;
};

// A peer in the test's own hands: greets, sends, and hears what it must. The other side has taken
// what it was sent once it has ended the connection.
class OwnPeer {
 public:
  OwnPeer(const host::Address& address, const host::Credentials& credentials, Id to)
      : socket_(host::dial(address)) {
    const int flags = ::fcntl(socket_.number(), F_GETFL);
    EXPECT_EQ(::fcntl(socket_.number(), F_SETFL, flags & ~O_NONBLOCK), 0);
    const timeval patience{host::kTestPatience / std::chrono::seconds(1), 0};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const host::Dialer dialer(credentials, to, host::make_nonce());
    say(dialer.hello());
    const Result<std::string> proof = dialer.prove(hear());
    EXPECT_TRUE(proof.ok());
    if (proof.ok()) say(*proof);
  }

  void send(const host::RecordedEnvelope& envelope) {
    std::string frame;
    host::put_envelope(frame, envelope.number, envelope.messages);
    put(frame);
  }
  void end() {
    std::string nothing;
    const size_t begin = host::begin_frame(nothing);
    host::end_frame(nothing, begin);
    put(nothing);
    EXPECT_EQ(hear(), "");
  }

 private:
  void put(const std::string& bytes) {
    EXPECT_EQ(::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void say(const std::string& body) {
    std::string frame;
    const size_t begin = host::begin_frame(frame);
    frame += body;
    host::end_frame(frame, begin);
    put(frame);
  }
  std::string hear() {
    std::string head(host::kFrameHead, '\0');
    const auto read = [&](std::string& into) {
      return ::recv(socket_.number(), into.data(), into.size(), MSG_WAITALL) ==
             static_cast<ssize_t>(into.size());
    };
    if (!read(head)) return "";
    std::string body(host::frame_size(head) - head.size(), '\0');
    return read(body) ? body : "";
  }

  Descriptor socket_;
};

std::vector<host::RecordedEnvelope> arrived_from(Id from, const host::Recording& recording) {
  std::vector<host::RecordedEnvelope> arrived;
  for (const host::RecordedLife& life : recording.lives) {
    for (const host::RecordedTurn& turn : life.turns) {
      for (const host::RecordedStep& step : turn.steps) {
        if (step.envelope && step.envelope->node == from) arrived.push_back(*step.envelope);
      }
    }
  }
  return arrived;
}

class RunningHosts : public testing::Test {
 protected:
  RunningHosts() {
    std::string path = (std::filesystem::temp_directory_path() / "clew-hosts-XXXXXX").string();
    folder_ = ::mkdtemp(path.data());
    for (size_t i = 0; i < 3; ++i) disks_.push_back(std::make_shared<host::MemoryDisk>());
  }
  ~RunningHosts() override {
    running_ = {};
    std::filesystem::remove_all(folder_);
  }

  std::string path(Id id) const { return folder_ + "/" + cluster_.names().name(id) + ".record"; }

  host::Host::Setup setup(Id id) const {
    host::Host::Setup setup;
    setup.node = cluster_.make(id);
    setup.names = cluster_.names();
    setup.self = id;
    setup.config = config_;
    setup.secret = host::kTestSecret;
    setup.store = std::make_unique<host::MemoryStore>(disks_[id.number]);
    setup.recorder = *host::record_to(path(id), cluster_.names(), id, *setup.node);
    setup.lines = host::no_lines();
    return setup;
  }
  void start(host::Host::Setup setup) {
    const Id id = setup.self;
    running_[id.number] = std::make_unique<Running>(std::move(setup));
  }
  void start(Id id) { start(setup(id)); }
  void start(Id id, std::unique_ptr<host::Store> store) {
    host::Host::Setup with = setup(id);
    with.store = std::move(store);
    start(std::move(with));
  }
  void start_late(Id id) { start(id, std::make_unique<LateStore>(disks_[id.number])); }
  void put(Id id, int64_t value) {
    host::Caller caller = running_[id.number]->caller();
    const std::string reply = host::ask_text(caller, fmt::format("Put{{{}}}", value));
    ASSERT_EQ(reply, fmt::format("Reply{{value: {}}}", value));
  }
  nlohmann::json judged() {
    std::vector<std::string> paths;
    for (uint8_t i = 0; i < 3; ++i) {
      running_[i].reset();
      paths.push_back(path(Id{i}));
    }
    return judge_recordings(cluster_, paths);
  }
  host::Recording recording_of(Id id) const {
    return *host::read_recording(*read_file(path(id), 1U << 30U));
  }
  size_t turns_of(Id id) const { return recording_of(id).lives.back().turns.size(); }
  nlohmann::json with_a_timer_due(bool lost);

  const Cluster cluster_ = register_cluster();
  const host::Config config_ = host::free_places(cluster_.names());
  std::string folder_;
  std::vector<std::shared_ptr<host::MemoryDisk>> disks_;
  std::array<std::unique_ptr<Running>, 3> running_;
};

TEST_F(RunningHosts, DoWhatTheirCodeDoes) {
  for (uint8_t i = 0; i < 3; ++i) start(Id{i});
  for (int64_t value = 1; value < 30; ++value) {
    const Id id{static_cast<uint8_t>(value % 3)};
    put(id, value);
    if (value % 7 != 0) continue;
    running_[id.number].reset();
    start(id);
  }
  const nlohmann::json all = judged();
  EXPECT_TRUE(all["judged"].get<bool>()) << all.dump(1);
  EXPECT_FALSE(all.contains("broken")) << all.dump(1);
  EXPECT_EQ(all["lives"], 7);
}

TEST_F(RunningHosts, WhoSendsBeforeTheDiskHasItIsFound) {
  for (uint8_t i = 1; i < 3; ++i) start(Id{i});
  for (int64_t value = 1; value < 12; ++value) {
    running_[0].reset();
    start_late(Id{0});
    put(Id{0}, value);
  }
  const nlohmann::json all = judged();
  const std::string told = all["impossible"].dump();
  EXPECT_TRUE(told.find("it has left too early") != std::string::npos ||
              told.find("has forgotten what was synced") != std::string::npos)
      << all.dump(1);
}

TEST_F(RunningHosts, WhoseDiskKeepsNothingIsFound) {
  for (uint8_t i = 1; i < 3; ++i) start(Id{i});
  for (int64_t value = 1; value < 3; ++value) {
    start(Id{0}, std::make_unique<LyingStore>());
    put(Id{0}, value);
    running_[0].reset();
  }
  const std::string told = judged()["impossible"].dump();
  EXPECT_NE(told.find("has forgotten what was synced"), std::string::npos) << told;
  EXPECT_NE(told.find("a starts as incarnation 1 after incarnation 1"), std::string::npos) << told;
}

// Nobody hears of what `a` asks, so its timer has to fire, while others have it take steps.
nlohmann::json RunningHosts::with_a_timer_due(bool lost) {
  host::Host::Setup lonely = setup(Id{0});
  const host::Config nobody = host::free_places(cluster_.names());
  for (const char* other : {"b", "c"}) lonely.config.nodes[other] = nobody.nodes.at(other);
  if (lost) {
    lonely.node = timerless_register(cluster_.size());
    lonely.recorder = std::make_unique<TimerlessRecorder>(std::move(lonely.recorder));
  }
  start(std::move(lonely));
  for (uint8_t i = 1; i < 3; ++i) start(Id{i});
  host::Caller caller = running_[0]->caller();
  EXPECT_FALSE(caller.ask_text("Put{100}", std::chrono::milliseconds(400)).ok());
  const size_t turns = turns_of(Id{0});
  const auto until = host::Clock::now() + host::kTestPatience;
  for (int64_t value = 1; turns_of(Id{0}) < turns + 4 && host::Clock::now() < until; ++value) {
    put(Id{1}, value);
  }
  return judged();
}

TEST_F(RunningHosts, WhoLosesATimerIsFound) {
  const std::string told = with_a_timer_due(true)["impossible"].dump();
  EXPECT_NE(told.find("the timer again has not fired by step"), std::string::npos) << told;
}
TEST_F(RunningHosts, WhoLosesNoTimerIsNot) {
  const nlohmann::json all = with_a_timer_due(false);
  EXPECT_TRUE(all["judged"].get<bool>()) << all.dump(1);
  EXPECT_FALSE(all.contains("broken")) << all.dump(1);
}

// Which envelopes have arrived is known to a process only: what comes again after a restart must
// not have been sent.
TEST_F(RunningHosts, WhoDeliversTwiceIsFound) {
  for (uint8_t i = 0; i < 3; ++i) start(Id{i});
  const auto until = host::Clock::now() + host::kTestPatience;
  std::vector<host::RecordedEnvelope> arrived;  // of b at a
  for (int64_t value = 1; arrived.empty() && host::Clock::now() < until; ++value) {
    put(Id{0}, value);
    arrived = arrived_from(Id{1}, recording_of(Id{0}));
  }
  ASSERT_FALSE(arrived.empty());
  for (uint8_t i = 0; i < 3; ++i) running_[i].reset();
  start(Id{0});
  const host::Credentials as_b{host::kTestSecret, cluster_.names(), Id{1}, 1};
  OwnPeer peer(config_.nodes.at("a").peers, as_b, Id{0});
  for (const host::RecordedEnvelope& envelope : arrived) peer.send(envelope);
  peer.end();
  const nlohmann::json all = judged();
  EXPECT_EQ(all["impossible"].size(), arrived.size()) << all.dump(1);
  for (const auto& told : all["impossible"]) {
    EXPECT_NE(told.get<std::string>().find("this envelope has arrived before"), std::string::npos)
        << told;
  }
}

}  // namespace
}  // namespace clew::explore
