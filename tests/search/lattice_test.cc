#include "search/lattice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace clew::search {
namespace {

template <class Enumeration>
std::vector<FaultSet> list(Enumeration enumeration) {
  std::vector<FaultSet> all;
  while (std::optional<FaultSet> next = enumeration.next()) all.push_back(std::move(*next));
  return all;
}

// Every subset, by counting in binary.
std::vector<FaultSet> all_subsets(const FaultSet& faults) {
  std::vector<FaultSet> all;
  for (uint32_t bits = 0; bits < (1U << faults.size()); ++bits) {
    FaultSet subset;
    for (size_t i = 0; i < faults.size(); ++i) {
      if ((bits >> i & 1U) != 0) subset.insert(faults[i]);
    }
    all.push_back(subset);
  }
  return all;
}

std::vector<std::string> sorted_texts(const std::vector<FaultSet>& sets) {
  std::vector<std::string> texts;
  for (const FaultSet& faults : sets) texts.push_back(to_string(faults));
  std::ranges::sort(texts);
  return texts;
}

bool grows_in_size(const std::vector<FaultSet>& sets) {
  return std::ranges::is_sorted(sets, {}, [](const FaultSet& faults) { return faults.size(); });
}

TEST(Choices, InLexicographicOrder) {
  struct Case {
    size_t n;
    size_t k;
    std::string all;
  };
  const Case table[] = {
      {0, 0, "{}"},
      {0, 1, ""},
      {3, 0, "{}"},
      {3, 1, "{0} {1} {2}"},
      {4, 2, "{0,1} {0,2} {0,3} {1,2} {1,3} {2,3}"},
      {3, 3, "{0,1,2}"},
      {3, 4, ""},
  };
  for (const Case& one : table) {
    std::vector<std::string> texts;
    for (Choices choices(one.n, one.k); choices.valid(); choices.next()) {
      texts.push_back(fmt::format("{{{}}}", fmt::join(choices.chosen(), ",")));
    }
    EXPECT_EQ(fmt::format("{}", fmt::join(texts, " ")), one.all) << one.n << " " << one.k;
  }
}

TEST(Subsets, TheSmallestFirst) {
  FaultSet faults{Omission{"a", "b", 1}, Omission{"b", "a", 1}, Crash{"a", 2}};
  std::vector<std::string> texts;
  for (const FaultSet& subset : list(Subsets(faults))) texts.push_back(to_string(subset));
  const std::vector<std::string> expected = {
      "no faults",
      "drop a>b@1",
      "drop b>a@1",
      "crash a@2",
      "drop a>b@1, drop b>a@1",
      "drop a>b@1, crash a@2",
      "drop b>a@1, crash a@2",
      "drop a>b@1, drop b>a@1, crash a@2",
  };
  EXPECT_EQ(texts, expected);
  EXPECT_EQ(list(Subsets(FaultSet{})), std::vector<FaultSet>{FaultSet{}});
}

TEST(AdmissibleSets, ExactlyThoseThatTheModelAdmits) {
  size_t models = 0;
  for (const std::vector<NodeName>& nodes :
       {std::vector<NodeName>{"a"}, {"a", "b"}, {"a", "b", "c"}}) {
    for (Tick eot = 1; eot <= 5; ++eot) {
      for (Tick eff = 0; eff <= eot; ++eff) {
        for (int crashes = 0; crashes <= 4; ++crashes) {
          FaultModel model{nodes, eot, eff, crashes, CrashModel::kSilent};
          if (eot % 2 == 0) model.limits = {{"c"}, {{"a", "b"}}, {"a"}};
          FaultSet faults(all_faults(model));
          if (faults.size() > 14) continue;
          ++models;
          std::vector<FaultSet> expected = all_subsets(faults);
          std::erase_if(expected, [&](const FaultSet& set) { return !model.admits(set); });
          std::vector<FaultSet> found = list(AdmissibleSets(model));
          ASSERT_EQ(sorted_texts(found), sorted_texts(expected))
              << nodes.size() << " nodes, " << describe_bounds(model);
          EXPECT_TRUE(grows_in_size(found)) << describe_bounds(model);
          EXPECT_EQ(count_admissible(model), static_cast<double>(expected.size()));
        }
      }
    }
  }
  EXPECT_GT(models, 150U);
}

TEST(AdmissibleSets, InAFixedOrder) {
  FaultModel model{{"a", "b"}, 3, 2, 1, CrashModel::kSilent};
  std::vector<std::string> texts;
  for (const FaultSet& faults : list(AdmissibleSets(model))) texts.push_back(to_string(faults));
  const std::vector<std::string> beginning = {
      "no faults",
      "drop a>b@1",
      "drop b>a@1",
      "crash a@1",
      "crash a@2",
      "crash b@1",
      "crash b@2",
      "drop a>b@1, drop b>a@1",
      "drop a>b@1, crash a@1",
  };
  ASSERT_EQ(texts.size(), 20U);
  texts.resize(beginning.size());
  EXPECT_EQ(texts, beginning);
}

TEST(Exhaustive, SettlesOneSetAfterTheOther) {
  const FaultModel model{{"a", "b"}, 3, 2, 1, CrashModel::kSilent};
  const std::unique_ptr<LatticeAdversary> adversary = make_exhaustive(model, {});
  EXPECT_EQ(adversary->settled(), 0);
  int tried = 0;
  while (adversary->propose().tries()) {
    ++tried;
    ASSERT_DOUBLE_EQ(adversary->settled(), tried / 20.0);
  }
  EXPECT_EQ(tried, 20);
}

// Crashes of nodes a, b, c, ...
FaultSet crashes(size_t count) {
  FaultSet faults;
  for (size_t i = 0; i < count; ++i) {
    faults.insert(Crash{std::string(1, static_cast<char>('a' + i)), 1});
  }
  return faults;
}

bool has(const FaultSet& faults, char node) {
  return faults.contains(Crash{std::string(1, node), 1});
}

// As a campaign does: from a violation down until nothing smaller is proposed.
template <class IsViolation>
FaultSet descend(Descent& descent, FaultSet faults, const IsViolation& is_violation,
                 int& attempts) {
  while (std::optional<FaultSet> next = descent.next(faults)) {
    ++attempts;
    EXPECT_TRUE(faults.includes(*next) && *next != faults);
    if (is_violation(*next)) faults = *next;
  }
  return faults;
}

TEST(Descent, OfFewFaultsTriesAllSubsets) {
  Descent descent;
  int attempts = 0;
  FaultSet all = crashes(6);
  auto never = [](const FaultSet&) { return false; };
  EXPECT_EQ(descend(descent, all, never, attempts), all);
  EXPECT_EQ(attempts, 63);
  // Nothing smaller than c and e, but nothing between them and all six.
  auto pair = [](const FaultSet& faults) {
    return faults.size() == 2 && has(faults, 'c') && has(faults, 'e');
  };
  Descent another;
  EXPECT_EQ(to_string(descend(another, all, pair, attempts)), "crash c@1, crash e@1");
}

TEST(Descent, OfManyFaultsLeavesOutOneAtATime) {
  Descent descent;
  int attempts = 0;
  auto many = [](const FaultSet& faults) {
    return faults.size() >= 14 && has(faults, 'a') && has(faults, 'd');
  };
  FaultSet found = descend(descent, crashes(20), many, attempts);
  EXPECT_EQ(found.size(), 14U);
  EXPECT_TRUE(many(found));
  EXPECT_LE(attempts, 20 + 14);
}

// Without c, a is not needed either; but a is tried first.
TEST(Descent, ComesBackToWhatCouldNotBeLeftOutBefore) {
  Descent descent;
  int attempts = 0;
  auto odd = [](const FaultSet& faults) {
    bool later = true;
    for (char node = 'd'; node <= 'p'; ++node) later &= has(faults, node);
    return later && (has(faults, 'a') || !has(faults, 'c'));
  };
  FaultSet found = descend(descent, crashes(16), odd, attempts);
  EXPECT_EQ(found.size(), 13U) << to_string(found);
  EXPECT_FALSE(has(found, 'a'));
}

TEST(Descent, StartsAnewWithOtherFaults) {
  Descent descent;
  int attempts = 0;
  auto never = [](const FaultSet&) { return false; };
  descend(descent, crashes(15), never, attempts);
  EXPECT_EQ(attempts, 15);
  FaultSet other;
  const FaultSet first = crashes(14);
  for (const Crash& crash : first.of<Crash>()) other.insert(Crash{crash.node, 2});
  descend(descent, other, never, attempts);
  EXPECT_EQ(attempts, 15 + 14);
}

}  // namespace
}  // namespace clew::search
