// Wherever it is stopped, it ends; and being watched changes nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explain/explain.h"
#include "explain/why_not.h"
#include "tests/base/interrupted.h"
#include "tests/lineage/runs.h"

namespace clew::explain {
namespace {

using lineage::Graph;
using lineage::Sample;

std::vector<std::string> lines_of(const Explanation& told) {
  std::vector<std::string> lines = told.summary;
  for (const auto& one : told.consequences) {
    lines.push_back(fmt::format("{} {}", one.tick, one.text));
  }
  for (const auto& one : told.supports) {
    lines.insert(lines.end(), one.messages.begin(), one.messages.end());
    lines.insert(lines.end(), one.cut_by.begin(), one.cut_by.end());
  }
  for (const auto& one : told.hints) lines.push_back(one.text);
  return lines;
}

TEST(ExplainStopped, Explanation) {
  const Sample sample = Sample::protocol("broadcast/simple_deliv.ded");
  const clew::Run bad = *sample.run("a b c, eot 3, drop a>c@1");
  const clew::Run good = *sample.run_without_faults(bad.scenario);
  const auto work = [&] {
    return lines_of(explain(good, bad, {&*sample.program, {}, &sample.sources}));
  };
  EXPECT_GT(work().size(), 3U);
  EXPECT_EQ(interrupt_everywhere(work, 100), work());
}

std::vector<std::string> lines_of(const WhyNot& told) {
  std::vector<std::string> lines = {to_string(told.pattern)};
  for (const WhyNot::Attempt& one : told.attempts) {
    lines.push_back(one.text);
    for (const WhyNot& missing : one.missing) {
      for (const std::string& line : lines_of(missing)) lines.push_back("  " + line);
    }
  }
  return lines;
}

TEST(ExplainStopped, WhyNot) {
  const Sample sample = Sample::protocol("broadcast/classic_deliv.ded");
  const clew::Run run = *sample.run("a b c, eot 3, drop a>c@1");
  const Graph graph(run, &*sample.program);
  const auto work = [&] {
    return lines_of(
        why_not(*sample.program, sample.sources, graph, {"log", {"c", std::nullopt}}, 2));
  };
  EXPECT_GT(work().size(), 1U);
  EXPECT_EQ(interrupt_everywhere(work, 10), work());
}

}  // namespace
}  // namespace clew::explain
