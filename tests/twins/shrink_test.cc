#include "tests/twins/shrink.h"

#include <gtest/gtest.h>

namespace clew::twins {
namespace {

Subject large_subject() {
  Subject subject;
  subject.text = R"(p("a", 1)@1;
p("b", 2)@1;
q(X, N + 1)@next :- p(X, N), notin r(X), N < 3, p("b", _);
r(X) :- p(X, _);
)";
  subject.scenario.nodes = {"a", "b", "c"};
  subject.scenario.program.eot = 6;
  subject.scenario.faults = {Omission{"a", "b", 1}, Omission{"a", "c", 2}, Omission{"b", "c", 4},
                             Crash{"b", 2}, Crash{"c", 3}};
  return subject;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(Shrink, LeavesExactlyWhatTheComplaintNeeds) {
  const Subject small = shrink(large_subject(), [](const Subject& subject) {
    return contains(subject.text, "q(") && contains(subject.text, "N < 3") &&
           subject.scenario.faults.contains(Omission{"a", "c", 2});
  });
  EXPECT_EQ(describe(small),
            "q(X, N + 1)@next :- N < 3;\n"
            "// nodes a c; eot 3; silent; drop a>c@2\n");
}

TEST(Shrink, LeavesAloneWhatIsNeededWhole) {
  const Subject large = large_subject();
  const std::string before = describe(large);
  const Subject small =
      shrink(large, [&](const Subject& subject) { return describe(subject) == before; });
  EXPECT_EQ(describe(small), before);
}

}  // namespace
}  // namespace clew::twins
