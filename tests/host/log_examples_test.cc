// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "host/delta.h"
#include "host/entries.h"
#include "host/folder.h"
#include "host/log.h"

namespace clew::host {
namespace {

class LogExamples : public testing::Test {
 protected:
  LogExamples() {
    before_ = std::filesystem::current_path();
    std::string path = (std::filesystem::temp_directory_path() / "clew-log-XXXXXX").string();
    path_ = ::mkdtemp(path.data());
    std::filesystem::current_path(path_);
    std::filesystem::create_directory("data");
  }
  ~LogExamples() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

  std::filesystem::path before_, path_;
};

// example: src/host/delta.h
TEST_F(LogExamples, Delta) {
  const std::string before = "one, two, three, four", after = "one, three, four";
  Delta delta = delta_of(before, after);
  std::optional<std::string> again = applied(delta, before);
  EXPECT_EQ(again, after);
}

// example: src/host/entries.h
TEST_F(LogExamples, Entry) {
  const std::string payload = "what a flush has written";
  std::string bytes = to_bytes({.kind = Entry::Kind::kChanges, .life = 7, .number = 3}, payload);
  std::optional<Entry> entry = entry_at(bytes, 0);
  EXPECT_TRUE(entry->payload == payload);
  EXPECT_EQ(entry->life, 7U);
  EXPECT_EQ(entry->number, 3U);
  EXPECT_EQ(entry->end, bytes.size());
}

// example: src/host/folder.h
TEST_F(LogExamples, Folder) {
  const std::string bytes = "what is kept";
  Result<std::unique_ptr<Folder>> folder = Folder::open("data/a");
  Result<std::unique_ptr<File>> file = (*folder)->create("log.0.new");
  EXPECT_TRUE((*file)->write(0, bytes).ok());
  EXPECT_TRUE((*file)->sync().ok());
  const auto kept = [&] { return (*folder)->rename("log.0.new", "log.0"); };
  EXPECT_TRUE(kept().ok());
  EXPECT_TRUE((*folder)->sync().ok());
  EXPECT_EQ(*(*folder)->list(), std::vector<std::string>{"log.0"});
  EXPECT_EQ(*(*folder)->read("log.0"), bytes);
}

// example: src/host/log.h
TEST_F(LogExamples, Log) {
  const std::string bytes = "\x06";
  Result<std::unique_ptr<Log>> log = Log::open("data/a", {.node = "a", .fields = {"ballot"}});
  EXPECT_TRUE((*log)->recovered().empty());
  (*log)->append({{"ballot", bytes}});
  EXPECT_TRUE((*log)->flush().ok());
  EXPECT_TRUE((*log)->tend().ok());
  EXPECT_EQ((*log)->flushes(), 1U);
}

}  // namespace
}  // namespace clew::host
