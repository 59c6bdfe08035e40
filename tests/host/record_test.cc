#include "host/record.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/random.h"
#include "node/node.h"

namespace clew::host {
namespace {

struct Counted {
  int64_t by = 0;
  CLEW_FIELDS(Counted, by)
};

struct Counter : node::Node<Counter, Counted> {
  void receive(Env&, Id, const Counted& one) { count += one.by; }
  node::Field<int64_t> count{this, "count"};
  node::Durable<int64_t> kept{this, "kept"};
};

class Recorded : public testing::Test {
 protected:
  Recorded() {
    std::string path = (std::filesystem::temp_directory_path() / "clew-record-XXXXXX").string();
    folder_ = ::mkdtemp(path.data());
    path_ = folder_ + "/a.record";
  }
  ~Recorded() override { std::filesystem::remove_all(folder_); }

  std::string bytes() const { return *read_file(path_, 1 << 20); }
  void write(const std::string& bytes) const {
    ASSERT_TRUE(write_file_atomically(path_, bytes).ok());
  }
  // A life of some turns of two steps each.
  void live(uint64_t incarnation, uint64_t turns) {
    Result<std::unique_ptr<Recorder>> recorder = record_to(path_, names_, Id{0}, node_);
    ASSERT_TRUE(recorder.ok()) << recorder.error().message;
    for (uint64_t step = 0; step < 2 * turns; ++step) {
      const std::string message = node::encode(Counted{3});
      Input input{.kind = step == 0 ? Input::Kind::kStart : Input::Kind::kEnvelope};
      if (step > 0) input.from = Id{1}, input.number = step, input.messages = {message};
      node_.clear_footprint();
      node_.count += 3;
      Outcome outcome;
      outcome.sent = {{Id{1}, step + 1, {"one", "two"}}};
      outcome.timers = {{"t", std::chrono::milliseconds(step)}, {"u", std::nullopt}};
      (*recorder)->record(incarnation, step, input, outcome, node_);
      ASSERT_TRUE(step % 2 == 0 || (*recorder)->flush().ok());
    }
  }

  std::string folder_, path_;
  node::Names names_{"a", "b"};
  Counter node_;
};

TEST_F(Recorded, IsReadAsItWas) {
  live(1, 2);
  live(2, 3);
  const Result<Recording> recording = read_recording(bytes());
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  ASSERT_EQ(recording->lives.size(), 2U);
  EXPECT_FALSE(recording->cut);
  EXPECT_EQ(recording->lives[0].fields, (std::vector<std::string>{"count", "kept"}));
  ASSERT_EQ(recording->lives[1].turns.size(), 3U);
  const RecordedTurn& turn = recording->lives[1].turns[2];
  EXPECT_EQ(turn.incarnation, 2U);
  EXPECT_EQ(turn.first, 4U);
  ASSERT_EQ(turn.steps.size(), 2U);
  const RecordedStep& step = turn.steps[1];
  EXPECT_EQ(step.envelope->number, 5U);
  EXPECT_EQ(step.envelope->node, Id{1});
  EXPECT_EQ(step.sent[0].messages, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(step.sent[0].incarnation, 2U);
  EXPECT_EQ(step.timers[0].after, 5);
  EXPECT_EQ(step.timers[1].after, std::nullopt);
  ASSERT_EQ(step.updates.size(), 1U);
  EXPECT_EQ(step.updates[0].bytes, value_of(node_.count));
}

TEST_F(Recorded, OfAKilledProcessIsWholeUpToATurn) {
  live(1, 3);
  const std::string all = bytes();
  size_t turns = 0;
  for (size_t size = 1; size < all.size(); ++size) {
    const Result<Recording> recording = read_recording(all.substr(0, size));
    if (!recording.ok()) {
      EXPECT_EQ(turns, 0U);
      continue;
    }
    const size_t now = recording->lives[0].turns.size();
    EXPECT_GE(now, turns);
    turns = now;
  }
  EXPECT_EQ(turns, 2U);
  // The next process goes on where the last whole turn ends.
  write(all.substr(0, all.size() - 5));
  live(2, 1);
  const Result<Recording> recording = read_recording(bytes());
  ASSERT_TRUE(recording.ok());
  EXPECT_FALSE(recording->cut);
  EXPECT_EQ(recording->lives[0].turns.size(), 2U);
  EXPECT_EQ(recording->lives[1].turns.size(), 1U);
}

TEST_F(Recorded, DamageIsNamed) {
  live(1, 3);
  std::string all = bytes();
  all[all.size() / 2] = static_cast<char>(all[all.size() / 2] ^ 1);
  const Result<Recording> recording = read_recording(all);
  ASSERT_FALSE(recording.ok());
  EXPECT_NE(recording.error().message.find("it is damaged here, and goes on later"),
            std::string::npos);
  write(all);
  EXPECT_FALSE(record_to(path_, names_, Id{0}, node_).ok());
  write("a file of somebody");
  EXPECT_FALSE(record_to(path_, names_, Id{0}, node_).ok());
  EXPECT_EQ(bytes(), "a file of somebody");
}

TEST_F(Recorded, BelongsToOneNode) {
  live(1, 1);
  const auto other = record_to(path_, names_, Id{1}, node_);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("another node"), std::string::npos);
}

// example: src/host/record.h
TEST_F(Recorded, Example) {
  const node::Names names = names_;
  const Id self{0};
  const auto node = std::make_unique<Counter>();
  std::filesystem::current_path(folder_);
  Result<std::unique_ptr<Recorder>> recorder = record_to("a.record", names, self, *node);
  (*recorder)->record(1, 0, {.kind = Input::Kind::kStart}, {}, *node);
  ASSERT_TRUE((*recorder)->flush().ok());
  const std::string bytes = *read_file("a.record", 1 << 20);
  const Result<Recording> recording = read_recording(bytes);
  EXPECT_TRUE(recording->lives[0].turns[0].steps[0].sent.empty());
}

}  // namespace
}  // namespace clew::host
