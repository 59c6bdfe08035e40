// Recordings of hosts with sockets and threads: of good ones, and of one whose disk comes too late.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "explore/recorded.h"
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

  void start(Id id, std::unique_ptr<host::Store> store) {
    host::Host::Setup setup;
    setup.node = cluster_.make(id);
    setup.names = cluster_.names();
    setup.self = id;
    setup.config = config_;
    setup.secret = host::kTestSecret;
    setup.store = std::move(store);
    setup.recorder = *host::record_to(path(id), cluster_.names(), id, *setup.node);
    setup.lines = host::no_lines();
    running_[id.number] = std::make_unique<Running>(std::move(setup));
  }
  void start(Id id) { start(id, std::make_unique<host::MemoryStore>(disks_[id.number])); }
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

}  // namespace
}  // namespace clew::explore
