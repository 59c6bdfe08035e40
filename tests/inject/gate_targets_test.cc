// On every target, the failure points that are the same in all runs without a gate are those of a
// run with one, too. What differs from run to run anyway is printed.
//
// Three runs without a gate, ten with CLEW_LONG_TESTS. A program that is not installed is left out,
// in the long form it is a failure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "inject/target.h"
#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

bool is_long() { return std::getenv("CLEW_LONG_TESTS") != nullptr; }

// By id, what a person reads.
using Points = std::map<std::string, std::string>;

Points points_of(const Observed& seen) {
  Points points;
  for (const Point& point : seen.points) {
    points[point.id()] =
        fmt::format("{} {} {} {}", point.node, point.thread, point.call, point.object.name);
    for (const std::string& frame : point.stack) points[point.id()] += "\n    " + frame;
  }
  return points;
}

std::string list(const Points& points, const std::function<bool(const std::string&)>& which) {
  std::string text;
  for (const auto& [id, words] : points) {
    if (which(id)) text += id + " " + words + "\n";
  }
  return text;
}

void expect_same(Target target, uint64_t least_passed) {
  const int runs = is_long() ? 10 : 3;
  Points all, stable;
  for (int i = 0; i < runs; ++i) {
    const Observed seen = Toys::run(target);
    ASSERT_EQ(seen.trouble, "");
    const Points points = points_of(seen);
    if (i == 0) stable = points;
    std::erase_if(stable, [&](const auto& one) { return !points.contains(one.first); });
    all.insert(points.begin(), points.end());
  }
  ASSERT_FALSE(stable.empty());
  target.gate = true;
  uint64_t passed = 0;
  for (int i = 0; i < 2; ++i) {
    const Observed seen = Toys::run(target);
    ASSERT_EQ(seen.trouble, "");
    const Points points = points_of(seen);
    passed += seen.passed;
    EXPECT_EQ(list(stable, [&](const auto& id) { return !points.contains(id); }), "")
        << "only without the gate";
    std::cout << list(points, [&](const auto& id) { return !all.contains(id); });
    if (all.size() == stable.size()) {
      EXPECT_EQ(list(points, [&](const auto& id) { return !all.contains(id); }), "")
          << "only with the gate";
    }
    EXPECT_EQ(seen.warnings.size(), 0U);
  }
  std::cout << fmt::format("{} points, {} of them in all of {} runs; {} calls passed\n", all.size(),
                           stable.size(), runs, passed)
            << list(all, [&](const auto& id) { return !stable.contains(id); });
  EXPECT_GE(passed, least_passed);
}

class GateTargets : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no worlds on this machine";
  }

  static bool is_there(const std::string& program) {
    const bool there = fs::exists(program);
    EXPECT_TRUE(there || !is_long()) << program << " is not installed";
    return there;
  }

  static Target read(const std::string& path) {
    Result<Target> target = read_target(path);
    CHECK(target.ok(), "{}", target.error().message);
    target->run_seconds = target->ready_seconds = 60;
    return *std::move(target);
  }

  // One node that runs to its end.
  Target alone(const std::vector<std::string>& words) const {
    Target target = toys_.shell("", "");
    target.nodes[0].command.words = words;
    target.nodes[0].ready = {};
    target.nodes[0].runs_to_end = true;
    target.nodes[0].restart = Restart::kNever;
    target.workload.reset();
    target.run_seconds = target.ready_seconds = 60;
    return target;
  }

  Toys toys_;
};

TEST_F(GateTargets, Toys) {
  for (const std::string name : {"master.toml", "steps.toml", "pipeline.toml"}) {
    SCOPED_TRACE(name);
    expect_same(read(std::string(CLEW_TOYS) + "/" + name), 0);
  }
}

TEST_F(GateTargets, SQLite) {
  if (!is_there("/usr/bin/sqlite3")) GTEST_SKIP();
  for (const std::string journal : {"delete", "wal"}) {
    SCOPED_TRACE(journal);
    const std::string script = toys_.folder() + "/" + journal + ".sql";
    std::ofstream text(script);
    text << "pragma journal_mode=" << journal << "; create table t(a, b);\n";
    for (int i = 0; i < 60; ++i) text << "insert into t values(" << i << ", 'some text');\n";
    text << "select count(*) from t;\n";
    text.close();
    expect_same(alone({"/usr/bin/sqlite3", "-batch", toys_.state() + "/" + journal + ".db",
                       ".read " + script}),
                200);
  }
}

TEST_F(GateTargets, Redis) {
  if (!is_there("/usr/bin/redis-server") || !is_there("/usr/bin/redis-benchmark")) GTEST_SKIP();
  Target target = toys_.shell("", "");
  target.nodes[0].command.words = {
      "/usr/bin/redis-server", "--port",       "7000", "--save", "", "--dir",
      toys_.state(),           "--appendonly", "yes"};
  target.nodes[0].ready = {.line = "Ready to accept connections"};
  target.workload->words = {
      "/usr/bin/redis-benchmark", "-p", "7000", "-n", "400", "-c", "1", "-t", "set", "-q"};
  target.run_seconds = target.ready_seconds = 60;
  expect_same(target, 400);
}

TEST_F(GateTargets, LevelDB) {
  const std::string program = std::string(CLEW_DATABASES) + "/leveldb_keys";
  if (!is_there(program)) GTEST_SKIP();
  expect_same(alone({program, "write", toys_.state() + "/db", "sync"}), 0);
}

}  // namespace
}  // namespace clew::inject
