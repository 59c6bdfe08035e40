// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/random.h"
#include "base/result.h"
#include "base/streams.h"
#include "base/temporary.h"
#include "base/toml.h"
#include "base/toml_guard.h"

namespace clew {
namespace {

// example: src/base/check.h
void look_at(size_t row) {
  const auto size = [] { return size_t{3}; };
  CHECK(row < size(), "row {} of {}", row, size());
}

TEST(BaseExamples, Checks) {
  look_at(2);
  EXPECT_EXIT(look_at(3), testing::ExitedWithCode(1), "row < size\\(\\).*row 3 of 3");
}

// example: src/base/random.h
TEST(BaseExamples, RandomChoices) {
  const std::vector<std::string> nodes = {"a", "b", "c"};
  std::vector<int> order = {1, 2, 3, 4};
  size_t lucky = 0;
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    if (random.chance(0.25)) ++lucky;
    size_t die = random.uniform_below(6);
    EXPECT_LT(die, 6U);
    const std::string& node = random.pick(nodes);
    EXPECT_TRUE(std::ranges::find(nodes, node) != nodes.end());
    random.shuffle(order);
  }
  EXPECT_GT(lucky, 200U);
  EXPECT_LT(lucky, 300U);
  std::ranges::sort(order);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
}

void use(const std::string& text) { EXPECT_FALSE(text.empty()); }

// example: src/base/result.h
Result<size_t> size_of(const std::string& path) {
  constexpr uint64_t most_bytes = 1 << 20;
  Result<std::string> text = read_file(path, most_bytes);
  if (!text.ok()) return text.error();
  use(*text);
  return text->size();
}

TEST(BaseExamples, Results) {
  EXPECT_TRUE(size_of("README.md").ok());
  EXPECT_FALSE(size_of("README.none").ok());
}

// example: src/base/streams.h
TEST(Examples, Streams) {
  const std::string path = "a.ded";
  const std::string report;
  const auto tell = [](const Error& error) { FAIL() << error.message; };
  prepare_streams();
  testing::internal::CaptureStderr();
  to_stderr("note: {} has changed\n", path);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "note: a.ded has changed\n");
  to_stdout("{}", report);
  if (const auto failure = stdout_failure()) tell(*failure);
}

// example: src/base/temporary.h
TEST(Examples, Temporary) {
  const std::string folder = testing::TempDir();
  const std::string path = folder + fmt::format("/clew-example-{}", ::getpid());
  const std::string text = "text";
  TemporaryFile file = TemporaryFile::without_name(folder);
  if (write_all(file.descriptor(), text)) file.take_place_of(path);
  EXPECT_EQ(*read_file(path, 10), text);
  ::unlink(path.c_str());
}

// example: src/base/toml_guard.h
TEST(BaseExamples, GuardToml) {
  EXPECT_TRUE(guard_toml("a.b = \"...\"\n", "target.toml").ok());
  const Status guarded = guard_toml(std::string(1000, '.'), "target.toml");
  ASSERT_FALSE(guarded.ok());
  EXPECT_TRUE(guarded.error().message.starts_with("target.toml:1:101: "));
}

// example: src/base/toml.h
TEST(BaseExamples, ParseToml) {
  const std::string text = "a = 1\n";
  Result<toml::table> table = parse_toml(text, "target.toml", "a target file");
  ASSERT_TRUE(table.ok());
  EXPECT_TRUE(table->contains("a"));
}

}  // namespace
}  // namespace clew
