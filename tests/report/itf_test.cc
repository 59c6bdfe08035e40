#include "report/itf.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

TEST(ItfTest, OneStateATick) {
  EXPECT_EQ(itf(example_run(true), "lost"),
            R"ITF({
"#meta": {"format":"ITF","format-description":"https://apalache-mc.org/docs/adr/015adr-trace.html","description":"lost","status":"violation","source":"p.ded"},
"vars": ["clew::tick","clew::faults","clew::messages","bcast","missing","node","pre","want"],
"states": [
{"#meta":{"index":0},"clew::tick":{"#bigint":"1"},"clew::faults":{"#set":["drop a>b@1"]},"clew::messages":{"#set":[{"from":"a","to":"b","fact":"log(\"b\", \"data\")","fate":"omitted"}]},"bcast":{"#set":[{"#tup":["a","data"]}]},"missing":{"#set":[]},"node":{"#set":[{"#tup":["a","b"]}]},"pre":{"#set":[]},"want":{"#set":[]}},
{"#meta":{"index":1},"clew::tick":{"#bigint":"2"},"clew::faults":{"#set":[]},"clew::messages":{"#set":[]},"bcast":{"#set":[]},"missing":{"#set":[]},"node":{"#set":[]},"pre":{"#set":[]},"want":{"#set":[]}},
{"#meta":{"index":2},"clew::tick":{"#bigint":"3"},"clew::faults":{"#set":[]},"clew::messages":{"#set":[]},"bcast":{"#set":[]},"missing":{"#set":[{"#tup":["data"]}]},"node":{"#set":[]},"pre":{"#set":[{"#tup":["data"]}]},"want":{"#set":[{"#tup":["data"]}]}}
]
}
)ITF");
}

TEST(ItfTest, NumbersCrashesAndStrangeText) {
  const int64_t large = INT64_MIN;
  const clew::Run run = RunBuilder("a b", 2)
                            .crash("b", 2)
                            .fact({"p", {large, "\"\n\x01"}}, 1, 1)
                            .fact({"clew", {}}, 2, 2);
  const nlohmann::json trace = nlohmann::json::parse(itf(run, "bad byte \xff"));
  const auto& states = trace["states"];
  EXPECT_EQ(states[0]["p"]["#set"][0]["#tup"][0]["#bigint"], "-9223372036854775808");
  EXPECT_EQ(states[0]["p"]["#set"][0]["#tup"][1], "\"\n\x01");
  EXPECT_EQ(states[1]["clew"]["#set"][0]["#tup"].size(), 0U);
  EXPECT_EQ(states[1]["clew::faults"]["#set"][0], "crash b@2");
  EXPECT_EQ(trace["#meta"]["status"], "ok");
}

}  // namespace
}  // namespace clew::report
