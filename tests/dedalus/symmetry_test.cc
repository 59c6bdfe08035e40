// Which nodes are alike, for rules that could tell them apart and for rules that could not.
#include "dedalus/symmetry.h"

#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

// The permutations for a program in which each of these nodes has the same facts.
size_t count_permutations(const std::vector<std::string>& nodes, const std::string& rule) {
  std::string source = rule;
  for (const std::string& node : nodes) source += fmt::format(" p(\"{0}\", \"{0}\", 1)@1;", node);
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.ded", source);
  const auto program = check_program({parse(file, sources, diagnostics)}, diagnostics);
  EXPECT_TRUE(program) << one_per_line(diagnostics, sources);
  return program ? NodeSymmetry(*program, nodes).permutations().size() : 0;
}

TEST(Symmetry, DependsOnWhatRulesRead) {
  struct Alike {
    const char* rule;
    size_t permutations;
  };
  const Alike table[] = {
      {"q(N, X) :- p(N, X, _);", 6},
      {"q(N, X) :- p(N, X, _), X != N;", 6},
      {"q(N, X) :- p(N, X, _), X < N;", 1},
      {"q(N, K) :- p(N, _, K), K < 3;", 6},
      {"q(N, min<X>) :- p(N, X, _);", 1},
      {"q(N, max<X>) :- p(N, X, _);", 1},
      {"q(N, min<K>) :- p(N, _, K);", 6},
      {"q(N, count<X>) :- p(N, X, _);", 6},
      {"q(N, X + N) :- p(N, X, _);", 1},
      {"q(N, K + K) :- p(N, _, K);", 6},
      {"q(N, K - K) :- p(N, _, K);", 6},
      // These name a, or b.
      {"q(N, X) :- p(N, X, _), X != \"a\";", 2},
      {"q(\"b\", X)@async :- p(_, X, _);", 2},
  };
  for (const Alike& one : table) {
    EXPECT_EQ(count_permutations({"a", "b", "c"}, one.rule), one.permutations) << one.rule;
  }
}

TEST(Symmetry, IsNotSearchedForEver) {
  const size_t found =
      count_permutations({"a", "b", "c", "d", "e", "f", "g"}, "q(N) :- p(N, _, _);");
  EXPECT_EQ(found, NodeSymmetry::kMostPermutations) << "of 5040";
}

}  // namespace
}  // namespace clew::dedalus
