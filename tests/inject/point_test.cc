#include "inject/point.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace clew::inject {
namespace {

// example: src/inject/point.h
TEST(Point, Example) {
  Point point{.node = "master", .thread = "master", .call = "rename", .io = Io::kNames};
  point.object = {Object::Kind::kFile, "log2"};
  point.stack = {"libc.so.6+0x1a2b", "merge (master.cc:81)"};
  EXPECT_TRUE(point.id() == "a8406c30");
  EXPECT_TRUE(point.place() == "merge (master.cc:81)");
}

Point some_point() {
  Point point{.node = "a", .thread = "worker", .call = "link", .io = Io::kNames};
  point.object = {Object::Kind::kFile, "x", "/tmp/1/x"};
  point.object2 = {Object::Kind::kFile, "y", "/tmp/1/y"};
  point.stack = {"save (db.cc:10)", "main (db.cc:20)"};
  return point;
}

TEST(Point, EveryPartIsPartOfTheId) {
  const std::function<void(Point&)> changes[] = {
      [](Point& point) { point.node = "b"; },
      [](Point& point) { point.thread = "other"; },
      [](Point& point) { point.call = "linkat"; },
      [](Point& point) { point.io = Io::kOther; },
      [](Point& point) { point.object.kind = Object::Kind::kFolder; },
      [](Point& point) { point.object.name = "xy"; },
      [](Point& point) { point.object2.kind = Object::Kind::kNone; },
      [](Point& point) { point.object2.name = ""; },
      [](Point& point) { point.stack.pop_back(); },
      [](Point& point) { point.stack[1] = "main (db.cc:21)"; },
      [](Point& point) { std::swap(point.stack[0], point.stack[1]); },
      // Only the border between two parts has moved.
      [](Point& point) { point.node = "aw", point.thread = "orker"; },
      [](Point& point) { point.stack = {"save (db.cc:10)main (db.cc:20)"}; },
  };
  std::set<std::string> ids{some_point().id()};
  for (const auto& change : changes) {
    Point point = some_point();
    change(point);
    EXPECT_EQ(point.id().size(), 8U);
    EXPECT_TRUE(ids.insert(point.id()).second) << point.id();
  }
}

TEST(Point, WhatDiffersFromRunToRunIsNot) {
  Point point = some_point();
  point.object.exact = "/tmp/2/x";
  point.object2.exact = "/tmp/2/y";
  point.truncated = true;
  EXPECT_EQ(point.id(), some_point().id());
}

TEST(Point, ThePlaceIsTheFirstFrameThatIsNoLibrarys) {
  const struct {
    std::vector<std::string> stack;
    std::string place;
  } table[] = {
      {{}, "an unknown place"},
      {{"save (db.cc:10)", "main (db.cc:20)"}, "save (db.cc:10)"},
      {{"libc.so.6+0x10", "libpq.so+0x2", "redis-server+0x3"}, "redis-server+0x3"},
      {{"/usr/lib/x86_64-linux-gnu/libc.so.6+0x10", "./a.out+0x1"}, "./a.out+0x1"},
      {{"[vdso]+0x10", "ld-linux-x86-64.so.2+0x3", "my.sofa+0x1"}, "my.sofa+0x1"},
      {{"libc.so.6+0x10", "libpq.so+0x2"}, "libc.so.6+0x10"},
      {{"libc.so.6:fsync+0x10", "libpq.so:PQexec+0x2", "[anonymous]", "psql:main+0x3"},
       "psql:main+0x3"},
      {{"call_(.so.+0x1) (plug.so.cc:3)"}, "call_(.so.+0x1) (plug.so.cc:3)"},
  };
  for (const auto& [stack, place] : table) EXPECT_EQ(Point{.stack = stack}.place(), place);
}

TEST(Point, TheLoaderIsLoadingWhereNothingElseIsOnTheStack) {
  const struct {
    std::vector<std::string> stack;
    bool loading;
  } table[] = {
      {{}, false},
      {{"ld-linux-x86-64.so.2+0x20b1c"}, true},
      {{"/lib64/ld-linux-x86-64.so.2+0x1", "ld-linux-x86-64.so.2+0x2"}, true},
      {{"ld-musl-x86_64.so.1+0x1"}, true},
      {{"ld-linux-x86-64.so.2+0x3", "libc.so.6+0x10", "plugins+0x1"}, false},
      {{"main (ld-linux.cc:3)"}, false},
  };
  for (const auto& [stack, loading] : table) {
    EXPECT_EQ(Point{.stack = stack}.is_loading(), loading);
  }
}

}  // namespace
}  // namespace clew::inject
