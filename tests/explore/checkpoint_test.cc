// What is interrupted, saved and loaded into a new engine goes on as if nothing had been in
// between; and a file that is damaged, or made by somebody else, breaks nothing.
#include "explore/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/random.h"
#include "explore/stateful.h"
#include "explore/stateless.h"
#include "systems/paxos/paxos.h"
#include "tests/explore/random_cluster.h"
#include "tests/explore/seen.h"
#include "tests/twins/effort.h"

namespace clew::explore {
namespace {

template <class Engine>
std::string saved(const Engine& engine) {
  std::string bytes;
  Saver out(&bytes);
  out.begin({.head = "head", .milliseconds = 7, .has_engine = true});
  engine.save(out);
  EXPECT_TRUE(out.finish().ok());
  return bytes;
}

// Counts how often it is asked; looks at more and more nodes.
void add_curious(Cluster& cluster, size_t& asked) {
  cluster.always("curious", [&asked, size = cluster.size()](const States& states) {
    ++asked;
    uint64_t sum = 0;
    for (uint8_t i = 0; i < size && sum % 3 != 2; ++i) {
      for (const char byte : states.any(Id{i}).encode_fields()) sum += uint64_t(byte);
    }
    return true;
  });
}

struct Interrupted {
  std::string seen;
  size_t times = 0;
};

void use_threads(Stateful::Options& options, size_t threads) { options.threads = threads; }
void use_threads(Stateless::Options&, size_t) {}

// Until it is done, so many questions whether to stop at a time.
template <class Engine>
Interrupted interrupted(const Cluster& cluster, typename Engine::Options options, size_t asks) {
  Interrupted result;
  std::string bytes;
  while (true) {
    size_t left = asks;
    bool stopped = false;
    options.stop = [&] { return stopped = left == 0 || left-- == 0; };
    use_threads(options, result.times % 2 + 1);
    Engine engine(cluster, options);
    if (!bytes.empty()) {
      Result<Loader> in = Loader::open_bytes(bytes);
      EXPECT_TRUE(in.ok() && in->opening().head == "head" && engine.load(*in));
    }
    const Exploration found = engine.run();
    result.seen = seen(engine, found);
    if (!stopped) return result;
    bytes = saved(engine);
    ++result.times;
  }
}

TEST(CheckpointTest, GoesOnAsIfNothingHadBeenInBetween) {
  size_t times = 0, violations = 0, not_alike = 0, large = 0;
  for (uint64_t seed = 1; seed <= twins::effort(120); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool symmetric = seed % 3 == 0;
    const std::unique_ptr<Cluster> cluster = random_cluster(seed, symmetric, seed % 5 == 0);
    if (seed % 2 == 0) cluster->limits.crashes = cluster->limits.losses = 1;
    // Nodes of which one is asked are not alike.
    if (seed % 7 == 1 && cluster->size() > 1) cluster->symmetric({"a", "b"});
    size_t asked = 0;
    add_curious(*cluster, asked);
    const Stateful::Options options{.symmetry = seed % 5 != 0, .most_states = 2'000};
    Stateful engine(*cluster, options);
    const Exploration found = engine.run();
    const std::string whole = seen(engine, found);
    const size_t asked_at_once = std::exchange(asked, 0);
    for (const size_t asks : {size_t{1}, size_t{7}, found.states / 50 + 2}) {
      const Interrupted parts = interrupted<Stateful>(*cluster, options, asks);
      EXPECT_EQ(parts.seen, whole);
      EXPECT_EQ(std::exchange(asked, 0), asked_at_once);
      times += parts.times;
    }
    violations += found.violation ? 1 : 0;
    not_alike += found.not_alike ? 1 : 0;
    large += found.states > 1'000 ? 1 : 0;
  }
  EXPECT_GT(times, twins::effort(120) * 3);
  EXPECT_GT(violations, 5U);
  EXPECT_GT(not_alike, 0U);
  EXPECT_GT(large, 2U);
}

TEST(CheckpointTest, PathsGoOnAsIfNothingHadBeenInBetween) {
  size_t times = 0, violations = 0, complete = 0;
  for (uint64_t seed = 1; seed <= twins::effort(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::unique_ptr<Cluster> cluster = random_cluster(seed, false, seed % 5 == 0);
    if (cluster->limits.losses == kUnlimited) cluster->limits.losses = 1;
    size_t asked = 0;
    if (seed % 2 == 0) add_curious(*cluster, asked);
    const Stateless::Options options{.reduction = seed % 4 == 3   ? Reduction::kDfs
                                                  : seed % 8 == 1 ? Reduction::kRandom
                                                                  : Reduction::kOptimal,
                                     .seed = seed % 3,
                                     .most_paths = 300,
                                     .longest = 50,
                                     .repeat_every = 10};
    Stateless engine(*cluster, options);
    const Exploration found = engine.run();
    const std::string whole = seen(engine, found);
    const size_t asked_at_once = std::exchange(asked, 0);
    for (const size_t asks : {found.moves / 40 + 13, found.moves / 5 + 2}) {
      const Interrupted parts = interrupted<Stateless>(*cluster, options, asks);
      EXPECT_EQ(parts.seen, whole);
      EXPECT_EQ(std::exchange(asked, 0), asked_at_once);
      times += parts.times;
    }
    violations += found.violation ? 1 : 0;
    complete += found.complete ? 1 : 0;
  }
  EXPECT_GT(times, twins::effort(150) * 3);
  EXPECT_GT(violations, 5U);
  EXPECT_GT(complete, 5U);
}

// The effort of one is where the other goes on.
TEST(CheckpointTest, GoesOnWhereTheEffortWasUsedUp) {
  const Cluster cluster = paxos::cluster({});
  const size_t most = twins::kSlowBuild ? 3'000 : 40'000;
  Stateful whole(cluster, {.symmetry = false, .most_states = most});
  const std::string expected = seen(whole, whole.run());
  std::string bytes;
  for (size_t states = 100; states < most; states *= 3) {
    Stateful engine(cluster, {.symmetry = false, .most_states = states});
    if (!bytes.empty()) {
      Result<Loader> in = Loader::open_bytes(bytes);
      ASSERT_TRUE(in.ok() && engine.load(*in));
    }
    const Exploration found = engine.run();
    EXPECT_EQ(found.unfinished, fmt::format("there are more than {} states", states));
    bytes = saved(engine);
    // Without more effort nothing happens.
    Stateful again(cluster, {.symmetry = false, .most_states = states});
    Result<Loader> in = Loader::open_bytes(bytes);
    ASSERT_TRUE(in.ok() && again.load(*in));
    EXPECT_EQ(seen(again, again.run()), seen(engine, found));
    EXPECT_EQ(saved(again), bytes);
  }
  Stateful last(cluster, {.symmetry = false, .most_states = most});
  Result<Loader> in = Loader::open_bytes(bytes);
  ASSERT_TRUE(in.ok() && last.load(*in));
  EXPECT_EQ(seen(last, last.run()), expected);
}

// What is saved while it runs is as good as what is saved after it was stopped.
TEST(CheckpointTest, IsSavedNowAndThen) {
  const Cluster cluster = paxos::cluster({.forgetful = true});
  std::vector<std::string> all;
  std::unique_ptr<Stateful> engine;
  size_t calls = 0;
  const auto now_and_then = [&] {
    if (calls++ % 100 == 50) all.push_back(saved(*engine));
  };
  engine = std::make_unique<Stateful>(
      cluster, Stateful::Options{.most_states = 20'000, .now_and_then = now_and_then});
  const std::string expected = seen(*engine, engine->run());
  ASSERT_GT(all.size(), 3U);
  for (const std::string& bytes : all) {
    Stateful other(cluster, {.most_states = 20'000});
    Result<Loader> in = Loader::open_bytes(bytes);
    ASSERT_TRUE(in.ok() && other.load(*in));
    EXPECT_EQ(seen(other, other.run()), expected);
  }
}

std::string some_checkpoint(const Cluster& cluster) {
  size_t left = 2;
  Stateful engine(cluster, {.stop = [&] { return left-- == 0; }, .threads = 1});
  engine.run();
  return saved(engine);
}

// A cluster with all there is to save: histories, likes, disks, timers, steps.
std::unique_ptr<Cluster> rich_cluster() {
  auto cluster = random_cluster(14, false);
  cluster->limits = {.crashes = 1, .restarts = 1, .losses = 1, .duplicates = 1, .early_timers = 1};
  return cluster;
}

TEST(CheckpointTest, RefusesWhatIsNotWhole) {
  const std::unique_ptr<Cluster> cluster = rich_cluster();
  const std::string bytes = some_checkpoint(*cluster);
  ASSERT_GT(bytes.size(), 1'000U);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Loader::open_bytes(std::string_view(bytes).substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(Loader::open_bytes(bytes + "x").ok());
  Random random(1);
  for (size_t i = 0; i < bytes.size() * 8; i += 1 + random.uniform_below(5)) {
    std::string other = bytes;
    other[i / 8] = static_cast<char>(other[i / 8] ^ (1 << (i % 8)));
    EXPECT_FALSE(Loader::open_bytes(other).ok()) << i;
  }
}

// As it would end, were it what a Saver has written.
std::string with_checksum(std::string text) {
  constexpr size_t kEnd = 8;
  const uint64_t hash =
      mixed(hash_bytes(reinterpret_cast<const uint8_t*>((text + std::string(kSlack, 0)).data()),
                       text.size() - kEnd));
  for (size_t i = 0; i < kEnd; ++i) text[text.size() - kEnd + i] = static_cast<char>(hash >> 8 * i);
  return text;
}

std::string changed(const std::string& bytes, Random& random) {
  std::string other = bytes;
  const size_t changes = 1 + random.uniform_below(3);
  for (size_t j = 0; j < changes; ++j) {
    const size_t at = 18 + random.uniform_below(other.size() - 26);
    switch (random.uniform_below(4)) {
      case 0:
        other[at] = static_cast<char>(random.next());
        break;
      case 1:
        other[at] = static_cast<char>(other[at] ^ (1 << random.uniform_below(8)));
        break;
      case 2:
        other.erase(at, 1 + random.uniform_below(4));
        break;
      default:
        other.insert(at, 1 + random.uniform_below(4), static_cast<char>(random.uniform_below(4)));
    }
  }
  return other;
}

TEST(CheckpointTest, WhatSomebodyElseHasMadeBreaksNothing) {
  const std::unique_ptr<Cluster> cluster = rich_cluster();
  const std::string bytes = some_checkpoint(*cluster);
  ASSERT_EQ(with_checksum(bytes), bytes);
  Random random(2);
  size_t refused = 0, taken = 0;
  for (size_t i = 0; i < twins::effort(4'000); ++i) {
    Result<Loader> in = Loader::open_bytes(with_checksum(changed(bytes, random)));
    if (!in.ok()) continue;
    Stateful engine(*cluster, {.most_states = 3'000, .threads = 1});
    try {
      const bool loaded = engine.load(*in);
      ++(loaded ? taken : refused);
      if (loaded) engine.run();
    } catch (const std::exception&) {
    }
  }
  EXPECT_GT(refused, twins::effort(4'000) / 4);
  EXPECT_GT(taken, 0U);
}

// Only loaded: what is to be tried next need not be possible, which ends the process.
TEST(CheckpointTest, PathsThatSomebodyElseHasMadeBreakNothing) {
  const std::unique_ptr<Cluster> cluster = rich_cluster();
  size_t left = 200;
  Stateless begun(*cluster, {.stop = [&] { return left-- == 0; }});
  begun.run();
  const std::string bytes = saved(begun);
  Random random(3);
  size_t refused = 0, taken = 0;
  for (size_t i = 0; i < twins::effort(4'000); ++i) {
    Result<Loader> in = Loader::open_bytes(with_checksum(changed(bytes, random)));
    if (!in.ok()) continue;
    Stateless engine(*cluster, {});
    try {
      ++(engine.load(*in) ? taken : refused);
    } catch (const std::exception&) {
    }
  }
  EXPECT_GT(refused, twins::effort(4'000) / 4);
  EXPECT_GT(taken, 0U);
}

TEST(CheckpointTest, IsOfOneCluster) {
  const std::string bytes = some_checkpoint(*rich_cluster());
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const std::unique_ptr<Cluster> other = random_cluster(seed, false);
    Stateful engine(*other, {});
    Result<Loader> in = Loader::open_bytes(bytes);
    ASSERT_TRUE(in.ok());
    EXPECT_FALSE(engine.load(*in)) << seed;
  }
}

TEST(CheckpointTest, Files) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("checkpoint_{}", ::getpid());
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "file").string();
  const auto says = [&](const std::string& what) {
    const Result<Loader> in = Loader::open(path);
    ASSERT_FALSE(in.ok());
    EXPECT_NE(in.error().message.find(what), std::string::npos) << in.error().message;
    EXPECT_NE(in.error().remedy, "");
  };
  says("there is no such file");
  const std::string large(1'000'000, 'x');
  for (const std::string& head : {std::string("one"), large}) {
    Saver out(path);
    out.begin({.head = head, .milliseconds = 5, .has_engine = false});
    ASSERT_TRUE(out.finish().ok());
    Result<Loader> in = Loader::open(path);
    ASSERT_TRUE(in.ok());
    EXPECT_EQ(in->opening().head, head);
    EXPECT_EQ(in->opening().milliseconds, 5U);
    EXPECT_TRUE(in->done());
  }
  std::filesystem::resize_file(path, 500'000);
  says("damaged");
  std::filesystem::resize_file(path, 3);
  says("is no checkpoint");
  std::ofstream(path) << "clew checkpoint 2\nwhatever";
  says("another version");
  EXPECT_FALSE(Saver((folder / "none" / "file").string()).finish().ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace clew::explore
