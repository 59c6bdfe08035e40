// The store of worlds against a map; what properties are asked; threads that share work.
#include "explore/store.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "explore/crew.h"
#include "explore/expansion.h"
#include "explore/stateful.h"
#include "explore/verdicts.h"

namespace clew::explore {
namespace {

// example: src/explore/store.h
TEST(StoreTest, Example) {
  const World world{1, 300, 70'000, 0, 4'000'000'000};
  const uint32_t parent = 0;
  World again;
  WorldStore store;
  Packed packed;
  packed.assign(world);
  const auto [id, is_new] = store.insert(packed.view(), parent);
  EXPECT_TRUE(is_new);
  store.read(id, again);  // again == world
  EXPECT_EQ(again, world);
  EXPECT_EQ(store.parent(id), 0U);
}

// example: src/explore/pages.h
TEST(StoreTest, Pages) {
  Pages<uint64_t> slots(1024);  // all 0
  EXPECT_EQ(slots[1023], 0U);
  slots[7] = 1;
  const Pages<uint64_t> moved = std::move(slots);
  EXPECT_EQ(moved[7], 1U);
}

World random_world(Random& random) {
  World world(random.uniform_below(12));
  for (uint32_t& word : world) {
    word =
        static_cast<uint32_t>(random.uniform_below(1 + (uint64_t{1} << random.uniform_below(33))));
  }
  return world;
}

TEST(StoreTest, PackedAndUnpackedAgain) {
  Random random(1);
  for (size_t i = 0; i < 5'000; ++i) {
    const World world = random_world(random);
    std::vector<uint8_t> bytes(most_packed(world.size()) + kSlack);
    const uint8_t* end = pack(world, bytes.data());
    EXPECT_LE(end, bytes.data() + most_packed(world.size()));
    World again;
    EXPECT_EQ(unpack(bytes.data(), again), end);
    EXPECT_EQ(again, world);
    unpack(bytes.data(), again, 3);
    EXPECT_TRUE(
        std::ranges::equal(again, WorldView(world).first(std::min<size_t>(3, world.size()))));
  }
}

// Enough of them to grow many times and to fill more than a block.
TEST(StoreTest, EachWorldOnce) {
  Random random(2);
  WorldStore store;
  std::map<World, uint32_t> expected;
  std::vector<uint32_t> parents;
  uint32_t parent = 0;
  for (size_t i = 0; i < 120'000; ++i) {
    if (random.uniform_below(50) == 0) parent += static_cast<uint32_t>(random.uniform_below(400));
    World world = random_world(random);
    world.resize(world.size() % 4 == 0 ? world.size() : 10, 9);
    Packed packed;
    packed.assign(world);
    const bool known = expected.contains(world);
    EXPECT_EQ(store.find(packed.view()) != kNowhere, known);
    const WorldStore::Inserted inserted = store.insert(packed.view(), parent);
    ASSERT_EQ(inserted.is_new, !known);
    if (known) continue;
    ASSERT_EQ(inserted.id, expected.size());
    expected.emplace(world, inserted.id);
    parents.push_back(parent);
  }
  EXPECT_EQ(store.size(), expected.size());
  EXPECT_GT(store.bytes(), size_t{1} << 21U);
  EXPECT_EQ(store.bytes_after(0), store.bytes());
  EXPECT_GT(store.bytes_after(store.size()), store.bytes() * 3 / 2);
  WorldStore::Cursor cursor(store, 0);
  std::set<Place> places;
  World world;
  for (uint32_t id = 0; id < store.size(); ++id) {
    EXPECT_EQ(cursor.parent(), parents[id]);
    const Place place = cursor.place();
    EXPECT_TRUE(places.insert(place).second);
    cursor.next(world);
    EXPECT_EQ(expected.at(world), id);
    if (id % 97 != 0) continue;
    EXPECT_EQ(store[id], world);
    EXPECT_EQ(store.parent(id), parents[id]);
    Packed packed;
    packed.assign(world);
    EXPECT_EQ(store.find(packed.view()), place);
  }
}

// example: src/explore/crew.h
TEST(CrewTest, EveryPartOnce) {
  Crew crew(2);
  for (const size_t count : std::vector<size_t>{0, 1, 3, 4, 100, 5}) {
    std::vector<int> parts(count);
    crew.each(parts.size(), [&](size_t part, size_t who) {
      ++parts[part];
      EXPECT_LT(who, crew.size());
    });
    EXPECT_EQ(std::ranges::count(parts, 1), static_cast<std::ptrdiff_t>(count));
  }
  EXPECT_GE(Crew(0).size(), 1U);
}

struct Tick {
  CLEW_FIELDS(Tick)
};

// Counts what it hears from the node before it.
struct Counter : node::Node<Counter, Tick> {
  explicit Counter(std::vector<Id> all) : others(std::move(all)) {}
  void start(Env& env) override {
    for (const Id other : others) env.send(other, Tick{});
  }
  void receive(Env&, Id, const Tick&) { ++heard; }

  const std::vector<Id> others;
  node::Field<int> heard{this, "heard"};
};

Cluster counters() {
  Cluster cluster({"a", "b", "c"});
  const std::vector<Id> all{Id{0}, Id{1}, Id{2}};
  for (const char* name : {"a", "b", "c"}) cluster.node<Counter>(name, all);
  return cluster;
}

// example: src/explore/verdicts.h
TEST(VerdictsTest, AskedOncePerStatesThatAreLookedAt) {
  Cluster cluster = counters();
  size_t asked = 0;
  cluster.always("few", [&](const States& states) {
    ++asked;
    return states.node<Counter>("a").heard < 3;
  });
  Runner runner(cluster);
  Verdicts verdicts(runner);
  World before = runner.initial(), after, room;
  std::vector<Move> moves;
  runner.moves(before, moves);
  EXPECT_EQ(verdicts.unknown(before, before, Verdicts::kAll, room), Verdicts::kAlways);
  EXPECT_EQ(verdicts.unknown(before, before, Verdicts::kStep, room), Verdicts::kNone);
  EXPECT_EQ(verdicts.judge(before, before, Verdicts::kAll), nullptr);
  EXPECT_FALSE(verdicts.has_steps());
  for (const Move& move : moves) {
    runner.apply(before, move, after);
    const bool of_a = runner.node_of(move) == Id{0};
    EXPECT_EQ(verdicts.looks_at(runner.node_of(move)), of_a);
    if (const Property* broken = verdicts.judge(before, after, Verdicts::kAll)) {
      ADD_FAILURE() << broken->name;
    }
    EXPECT_EQ(verdicts.unknown(before, after, Verdicts::kAll, room), Verdicts::kNone);
  }
  EXPECT_EQ(asked, 2U);  // in the beginning, and when a had heard one
  World all = before;
  for (const Move& move : moves) runner.apply(all, move, after), std::swap(all, after);
  EXPECT_EQ(verdicts.judge(all, all, Verdicts::kAll), &cluster.properties().front());
  EXPECT_GT(verdicts.bytes(), 0U);
}

// Looks at b only once a has heard something.
TEST(VerdictsTest, WhatItLooksAtLaterMattersFromThenOn) {
  Cluster cluster = counters();
  cluster.always("b is not ahead", [](const States& states) {
    const int a = states.node<Counter>("a").heard;
    return a == 0 || states.node<Counter>("b").heard <= a;
  });
  cluster.step("slow", [](const States& before, const States& after) {
    return after.node<Counter>("c").heard - before.node<Counter>("c").heard < 2;
  });
  for (const size_t threads : {size_t{1}, size_t{2}}) {
    Stateful engine(cluster, {.symmetry = false, .threads = threads});
    const Exploration found = engine.run();
    ASSERT_TRUE(found.violation);
    EXPECT_EQ(found.violation->property, "b is not ahead");
    EXPECT_EQ(found.violation->path.size(), 3U);  // one at a, two at b
  }
}

// example: src/explore/expansion.h
TEST(ExpansionTest, KnownMovesAndOthers) {
  const Cluster cluster = counters();
  Runner runner(cluster);
  const Symmetry symmetry(runner, false);
  const Verdicts verdicts(runner);
  WorldStore store;
  Packed packed;
  const World first = runner.initial();
  packed.assign(first);
  store.insert(packed.view(), 0);
  const uint32_t begin = 0, end = 1;
  std::vector<Move> moves;
  runner.moves(first, moves);
  for (const bool is_known : {false, true}) {
    size_t redone = 0, found_new = 0;
    Expansion part(runner, symmetry, verdicts);
    part.run(store, begin, end);  // any number of threads, a part each
    for (const Expansion::OfWorld& world : part.worlds()) {
      if (world.redo) ++redone;
      for (const Finding& found : part.findings(world)) {
        ++found_new;
        World next, there;
        runner.apply(first, found.move, next);
        unpack(part.packed(found).bytes, there);
        EXPECT_EQ(next, there);
      }
    }
    EXPECT_EQ(redone, is_known ? 0U : 1U);
    EXPECT_EQ(found_new, is_known ? moves.size() : 0U);
    World next;
    for (const Move& move : moves) runner.apply(first, move, next);
  }
}

}  // namespace
}  // namespace clew::explore
