#include "report/junit.h"

#include <gtest/gtest.h>

#include "report/escape.h"
#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

std::string frame(const std::string& counts, const std::string& verdict, const std::string& body) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="clew check" tests="1" )" +
         counts + R"( time="0.250">
  <testsuite name="p" tests="1" )" +
         counts + R"( time="0.250" skipped="0">
    <properties>
      <property name="verdict" value=")" +
         verdict + R"("/>
      <property name="eot" value="3"/>
      <property name="eff" value="2"/>
      <property name="crashes" value="0"/>
      <property name="crash_model" value="silent"/>
      <property name="nodes" value="a,b"/>
      <property name="adversary" value="symbolic"/>
      <property name="executions" value="2"/>
    </properties>
    <testcase classname="p" name="spec within EOT 3, EFF 2, 0 crashes" time="0.250">
)" + body +
         R"(    </testcase>
  </testsuite>
</testsuites>
)";
}

TEST(JunitTest, Broken) {
  const Record record = example_record(Verdict::Kind::kBroken);
  EXPECT_EQ(junit(record),
            frame(R"(failures="1" errors="0")", "broken",
                  "      <failure type=\"broken\" message=\"tick 1: what a sends to b is lost\">" +
                      xml(to_text(record.check)) + "</failure>\n"));
}

TEST(JunitTest, Robust) {
  const Record record = example_record(Verdict::Kind::kRobust);
  EXPECT_EQ(junit(record), frame(R"(failures="0" errors="0")", "robust",
                                 "      <system-out>robust within EOT 3, EFF 2, 0 crashes: no "
                                 "admissible faults violate the spec\n</system-out>\n"));
}

TEST(JunitTest, Unknown) {
  const Record record = example_record(Verdict::Kind::kUnknown);
  EXPECT_EQ(junit(record),
            frame(R"(failures="0" errors="1")", "unknown",
                  "      <error type=\"unknown\" message=\"the budget was used up\">" +
                      xml(to_text(record.check)) + "</error>\n"));
}

TEST(JunitTest, WithoutAVerdictItDoesNotPass) {
  Record failed = example_record(Verdict::Kind::kFailed);
  failed.check.verdict.why_unknown = "p.ded:1:2: error: division by zero";
  failed.replay = nullptr;
  EXPECT_EQ(junit(failed),
            frame(R"(failures="0" errors="1")", "failed",
                  "      <error type=\"failed\" message=\"p.ded:1:2: error: division by zero\">"
                  "p.ded:1:2: error: division by zero\n</error>\n"));
  Record interrupted = example_record(Verdict::Kind::kRobust);
  interrupted.check.interrupted = true;
  EXPECT_EQ(junit(interrupted),
            frame(R"(failures="0" errors="1")", "robust",
                  "      <error type=\"interrupted\" message=\"interrupted: larger bounds were not "
                  "checked\">" +
                      xml(to_text(interrupted.check)) + "</error>\n"));
}

TEST(JunitTest, ASweptTestKeepsItsName) {
  Record record = example_record(Verdict::Kind::kRobust);
  record.check.swept = true;
  EXPECT_NE(junit(record).find("name=\"spec within swept bounds\""), std::string::npos);
}

TEST(JunitTest, StrangeNames) {
  Record record = example_record(Verdict::Kind::kRobust);
  record.program.front().path = "x/<a> & \"b\"\x01.ded";
  record.check.verdict.model.nodes = {"<", "\""};
  const std::string text = junit(record);
  EXPECT_NE(text.find("classname=\"&lt;a&gt; &amp; &quot;b&quot;?\""), std::string::npos) << text;
  EXPECT_NE(text.find("value=\"&lt;,&quot;\""), std::string::npos) << text;
}

}  // namespace
}  // namespace clew::report
