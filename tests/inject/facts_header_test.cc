// include/clew/facts.h, from C and from C++: what it writes is what told.h reads.
#include <clew/facts.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "inject/told.h"
#include "tests/inject/scratch.h"

extern "C" int tell_from_c(const char* text);
extern "C" int complain_from_c(void);

namespace clew::inject {
namespace {

// A pipe that facts go to, by its number.
class FactsHeader : public testing::Test {
 protected:
  FactsHeader() {
    CHECK(pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0);
    setenv("CLEW_FACTS", std::to_string(ends_[1]).c_str(), 1);
  }
  ~FactsHeader() override {
    unsetenv("CLEW_FACTS");
    close(ends_[0]);
    close(ends_[1]);
  }

  // What has been written since, as facts that are read; or why they are not.
  std::vector<std::string> told() const {
    std::string text;
    char part[4096];
    for (ssize_t some = 0; (some = read(ends_[0], part, sizeof part)) > 0;) {
      text.append(part, static_cast<size_t>(some));
    }
    std::vector<std::string> lines;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      const Result<Fact> fact = read_told(std::string_view(text).substr(begin, end - begin));
      lines.push_back(fact.ok() ? to_told(*fact) : fact.error().message);
      begin = end + 1;
    }
    return lines;
  }

  int ends_[2] = {-1, -1};
};

using Lines = std::vector<std::string>;

TEST_F(FactsHeader, TellsFromCAndFromCpp) {
  errno = EAGAIN;
  EXPECT_EQ(tell_from_c("w1"), 1);
  EXPECT_EQ(clew_fact("log", "si", "a \"b\" \\ \n\t\x7f é", 7), 1);
  EXPECT_EQ(clew_fact("name", "s", nullptr), 1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(told(), (Lines{"none()", "acked(\"w1\", -7, 9000000000)",
                           R"(log("a \"b\" \\ \x0a\x09\x7f é", 7))", "name(\"\")"}));
}

TEST_F(FactsHeader, WritesOneLineAtOnce) {
  constexpr int kMany = 30;
  std::vector<std::thread> threads;
  const std::string text(1000, 'x');
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&text] {
      for (int n = 0; n < kMany; ++n) clew_fact("p", "s", text.c_str());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(told(), Lines(2 * kMany, "p(\"" + text + "\")"));
}

TEST_F(FactsHeader, ComplainsWhereTheRunCanSeeIt) {
  EXPECT_EQ(complain_from_c(), 1);
  EXPECT_EQ(clew_fact("p", "s", std::string(5000, 'x').c_str()), 1);
  EXPECT_EQ(clew_fact(std::string(5000, 'r').c_str(), ""), 1);
  const Lines lines = told();
  ASSERT_EQ(lines.size(), 3U);
  for (const std::string& line : lines) EXPECT_TRUE(line.starts_with("`(` is expected")) << line;
}

TEST_F(FactsHeader, TellsNobodyWithoutClew) {
  unsetenv("CLEW_FACTS");
  EXPECT_EQ(tell_from_c("w1"), 0);
  setenv("CLEW_FACTS", "", 1);
  EXPECT_EQ(tell_from_c("w1"), 0);
  setenv("CLEW_FACTS", "999", 1);
  EXPECT_EQ(tell_from_c("w1"), -1);
  setenv("CLEW_FACTS", "/no/such/pipe", 1);
  EXPECT_EQ(tell_from_c("w1"), -1);
  EXPECT_EQ(told(), Lines{});
}

// A descriptor that was closed, and is another file's by now, is left alone.
TEST_F(FactsHeader, WritesToPipesAlone) {
  const ScratchFolder scratch;
  const int file = open("data", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  setenv("CLEW_FACTS", std::to_string(file).c_str(), 1);
  EXPECT_EQ(tell_from_c("w1"), -1);
  close(file);
  EXPECT_EQ(std::filesystem::file_size("data"), 0U);
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  const int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  setenv("CLEW_FACTS", "pipe", 1);
  EXPECT_EQ(clew_fact("p", ""), 1);
  char text[10];
  EXPECT_EQ(read(reader, text, sizeof text), 4);
  close(reader);
}

}  // namespace
}  // namespace clew::inject
