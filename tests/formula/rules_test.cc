#include "formula/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/formula/random_rules.h"

namespace clew::formula {
namespace {

// Rules over the faults a, b, c and d; T and F are the constants.
class Letters {
 public:
  Literal operator()(const std::string& word) {
    if (word[0] == '!') return !(*this)(word.substr(1));
    if (word == "T") return kTrue;
    if (word == "F") return kFalse;
    return rules.fault(Crash{word, 1});
  }

  // "a !b | c"
  Bodies parse(const std::string& text) {
    Bodies bodies;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word == "|") {
        bodies.end();
      } else {
        bodies.add((*this)(word));
      }
    }
    if (!text.empty()) bodies.end();
    return bodies;
  }

  // A literal that stands for itself, or the bodies of an atom.
  std::string print(Literal literal) const {
    if (literal == kTrue) return "T";
    if (literal == kFalse) return "F";
    Atom atom = literal.atom();
    std::string sign = literal.negative() ? "!" : "";
    if (rules.is_fault(atom)) return sign + std::get<Crash>(rules.fault_of(atom)).node;
    std::vector<std::string> bodies;
    for (auto at = rules.first_body(atom); at < rules.end_body(atom); ++at) {
      std::vector<std::string> words;
      for (Literal one : rules.body(at)) words.push_back(print(one));
      bodies.push_back(fmt::format("{}", fmt::join(words, " ")));
    }
    return fmt::format("{}{}", sign, fmt::join(bodies, " | "));
  }

  Rules rules;
};

TEST(Rules, Simplification) {
  struct Case {
    std::string bodies;
    std::string result;
  };
  const Case table[] = {
      {"", "F"},
      {"T", "T"},
      {"F", "F"},
      {"a", "a"},
      {"!a", "!a"},
      {"a T", "a"},
      {"a F", "F"},
      {"a a", "a"},
      {"a !a", "F"},
      {"b !b a", "F"},
      {"b a", "a b"},
      {"a !b T a", "a !b"},
      {"b | a", "a | b"},
      {"a | a", "a"},
      {"a | F", "a"},
      {"a | T", "T"},
      {"a b | T", "T"},
      {"a | !a", "T"},
      {"b | !a | c | a", "T"},
      {"b a | a b", "a b"},
      {"a !a | b c", "b c"},
      {"a | a b", "a"},
      {"c | a b | a", "a | c"},
      {"a b c | b c | a !b", "a !b | b c"},
      {"a | a b | !a", "T"},
      {"T T T", "T"},
  };
  for (const Case& one : table) {
    Letters letters;
    for (const char* word : {"a", "b", "c"}) letters(word);
    Bodies bodies = letters.parse(one.bodies);
    EXPECT_EQ(letters.print(letters.rules.either(bodies)), one.result) << one.bodies;
    bodies = letters.parse(one.bodies);
    EXPECT_EQ(letters.print(letters.rules.named(1, bodies)), one.result) << one.bodies;
  }
}

TEST(Rules, BodiesThatDifferInOneLiteralAreJoined) {
  struct Case {
    std::string bodies;
    std::string result;
  };
  // `a` or `b` is the same as `c`, and `c` or `d` is true.
  const Case table[] = {
      {"a", "a"},
      {"a | b", "c"},
      {"b | !d | a", "c | !d"},
      {"a e | b e", "c e"},
      {"a e | b !e", "a e | b !e"},
      {"a e | b", "a e | b"},
      {"a e f | e b f | g", "c e f | g"},
      {"a e | b e | d e", "e"},
      {"a | b | d", "T"},
  };
  for (const Case& one : table) {
    Letters letters;
    for (const char* word : {"a", "b", "c", "d", "e", "f", "g"}) letters(word);
    Bodies bodies = letters.parse(one.bodies);
    bodies.simplify();
    bodies.join([&](Literal x, Literal y) -> std::optional<Literal> {
      if (x == letters("a") && y == letters("b")) return letters("c");
      if (x == letters("c") && y == letters("d")) return kTrue;
      return std::nullopt;
    });
    EXPECT_EQ(letters.print(letters.rules.either(bodies)), one.result) << one.bodies;
  }
}

TEST(Rules, EqualDefinitionsAreOneAtom) {
  Letters letters;
  for (const char* word : {"a", "b", "c"}) letters(word);
  Bodies one = letters.parse("a b | !c");
  Bodies same = letters.parse("!c | b a a | F");
  Bodies other = letters.parse("a b | c");
  Literal first = letters.rules.either(one);
  size_t atoms = letters.rules.atoms();
  EXPECT_EQ(letters.rules.either(same), first);
  EXPECT_EQ(letters.rules.atoms(), atoms);
  EXPECT_NE(letters.rules.either(other), first);
  EXPECT_EQ(letters.rules.fault(Crash{"a", 1}), letters("a"));
  EXPECT_NE(letters.rules.fault(Crash{"a", 2}), letters("a"));
}

TEST(Rules, NamedAtomsAreNeverShared) {
  Letters letters;
  Bodies bodies = letters.parse("a b");
  Literal either = letters.rules.either(bodies);
  Literal first = letters.rules.named(5, bodies);
  Literal second = letters.rules.named(6, bodies);
  EXPECT_NE(first, either);
  EXPECT_NE(first, second);
  EXPECT_TRUE(letters.rules.is_named(first.atom()));
  EXPECT_FALSE(letters.rules.is_named(either.atom()));
  EXPECT_EQ(letters.rules.name_of(first.atom()), 5U);
  EXPECT_EQ(letters.rules.name_of(second.atom()), 6U);
}

TEST(Rules, KindsStayWithTheirBodies) {
  Letters letters;
  Literal a = letters("a");
  Literal b = letters("b");
  Bodies bodies;
  bodies.add(b), bodies.end(9);
  bodies.add(kFalse), bodies.end(8);
  bodies.add(a), bodies.end(7);
  Literal both = letters.rules.named(1, bodies);
  auto first = letters.rules.first_body(both.atom());
  EXPECT_EQ(letters.print(both), "a | b");
  EXPECT_EQ(letters.rules.kind_of(first), 7U);
  EXPECT_EQ(letters.rules.kind_of(first + 1), 9U);
}

// The example of the header.
TEST(Rules, TellWhatIsTrueUnderFaults) {
  Rules rules;
  Literal sent = kTrue;
  Literal asked = kTrue;
  Literal relayed = !rules.fault(Crash{"c", 1});
  Literal lost = rules.fault(Omission{"a", "b", 1});
  Bodies ways{{sent, !lost}, {relayed}};
  Literal heard = rules.either(ways);
  rules.set_goal(rules.all({asked, !heard}));
  EXPECT_FALSE(evaluate(rules, {}).holds(rules.goal()));
  EXPECT_FALSE(evaluate(rules, {Omission{"a", "b", 1}}).holds(rules.goal()));
  EXPECT_FALSE(evaluate(rules, {Crash{"c", 1}}).holds(rules.goal()));
  EXPECT_TRUE(evaluate(rules, {Omission{"a", "b", 1}, Crash{"c", 1}}).holds(rules.goal()));
  // Faults that nothing depends on make no difference.
  EXPECT_TRUE(evaluate(rules, {Omission{"a", "b", 1}, Omission{"b", "a", 1}, Crash{"c", 1}})
                  .holds(rules.goal()));
}

// With repeated literals, negations and constants among those that are counted.
TEST(Rules, CountersCount) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    Letters letters;
    const std::vector<std::string> words = {"a", "b", "c", "d", "!a", "!d", "T", "F"};
    for (size_t i = 0; i < 4; ++i) letters(words[i]);
    std::vector<Literal> counted;
    for (uint64_t n = random.uniform_below(6); n > 0; --n) {
      counted.push_back(letters(random.pick(words)));
    }
    size_t most = random.uniform_below(counted.size() + 2);
    std::vector<Literal> at_least = letters.rules.at_least(counted, most);
    ASSERT_EQ(at_least.size(), most + 2);
    for (uint32_t bits = 0; bits < 16; ++bits) {
      FaultSet faults;
      for (size_t i = 0; i < 4; ++i) {
        if ((bits >> i & 1U) != 0) faults.insert(Crash{words[i], 1});
      }
      Valuation valuation = evaluate(letters.rules, faults);
      size_t count = 0;
      for (Literal literal : counted) count += valuation.holds(literal) ? 1 : 0;
      for (size_t k = 0; k < at_least.size(); ++k) {
        ASSERT_EQ(valuation.holds(at_least[k]), count >= k) << "round " << round << " k " << k;
      }
    }
  }
}

TEST(Rules, LoopsHaveTheirLeastSolution) {
  Letters letters;
  Rules& rules = letters.rules;
  Literal a = letters("a");
  rules.begin_loop();
  Atom p = rules.add_to_loop(1);
  Atom q = rules.add_to_loop(2);
  Atom alone = rules.add_to_loop(3);
  rules.end_loop();
  Bodies of_p{{literal(q)}, {a}};
  Bodies of_q{{literal(p)}};
  Bodies of_alone{{literal(alone)}};
  rules.set_bodies(p, of_p);
  rules.set_bodies(q, of_q);
  rules.set_bodies(alone, of_alone);
  EXPECT_EQ(rules.loops(), 1U);
  EXPECT_EQ(rules.loop_of(p), 1U);
  EXPECT_EQ(rules.loop_of(a.atom()), 0U);
  Valuation calm = evaluate(rules, {});
  EXPECT_FALSE(calm.holds(literal(p)));
  EXPECT_FALSE(calm.holds(literal(q)));
  Valuation crashed = evaluate(rules, {Crash{"a", 1}});
  EXPECT_TRUE(crashed.holds(literal(p)));
  EXPECT_TRUE(crashed.holds(literal(q)));
  EXPECT_FALSE(crashed.holds(literal(alone)));
}

TEST(Rules, AMemberOfALoopMayBeTrueAnyhowOrNever) {
  Letters letters;
  letters.rules.begin_loop();
  Atom always = letters.rules.add_to_loop(1);
  Atom never = letters.rules.add_to_loop(2);
  letters.rules.end_loop();
  Bodies anyhow = letters.parse("a | !a");
  Bodies impossible = letters.parse("a !a");
  letters.rules.set_bodies(always, anyhow);
  letters.rules.set_bodies(never, impossible);
  Valuation calm = evaluate(letters.rules, {});
  EXPECT_TRUE(calm.holds(literal(always)));
  EXPECT_FALSE(calm.holds(literal(never)));
}

TEST(Rules, RandomOnesMeanWhatTheirTwinSays) {
  size_t truths = 0;
  size_t loops = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    RandomRules made(random, 1 + random.uniform_below(4));
    loops += made.rules.loops();
    for (uint32_t bits = 0; bits < (1U << made.faults()); ++bits) {
      Valuation valuation = evaluate(made.rules, RandomRules::fault_set(bits));
      std::vector<bool> truth = made.truth(bits);
      for (size_t i = 0; i < truth.size(); ++i) {
        ASSERT_EQ(valuation.holds(made.nodes()[i].literal), truth[i])
            << "seed " << seed << ", node " << i << ", faults " << bits;
        truths += truth[i] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(truths, 10'000U);
  EXPECT_GT(loops, 1'000U);
}

TEST(Rules, FaultSetsAndSingleFaults) {
  FaultSet faults{Omission{"a", "b", 1}, Crash{"c", 2}};
  EXPECT_TRUE(faults.contains(Omission{"a", "b", 1}));
  EXPECT_FALSE(faults.contains(Omission{"a", "b", 2}));
  EXPECT_TRUE(faults.contains(Crash{"c", 2}));
  EXPECT_FALSE(faults.contains(Crash{"c", 1}));
  EXPECT_EQ(to_string(Fault{Omission{"a", "b", 1}}), "drop a>b@1");
  EXPECT_EQ(to_string(Fault{Crash{"c", 2}}), "crash c@2");
}

}  // namespace
}  // namespace clew::formula
