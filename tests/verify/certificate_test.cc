// certificate.json as it is read: what is accepted, and what is said about everything else.
#include "verify/certificate.h"

#include <gtest/gtest.h>

namespace clew::verify {
namespace {

const std::string kGood = R"({
  "format": "clew-certificate/1",
  "program": [{"path": "p.ded", "fingerprint": "6a1d5d0b7d2c41f9"},
              {"path": "q.ded", "fingerprint": "cbf29ce484222325"}],
  "inputs": 1,
  "nodes": ["b", "a"],
  "crash_model": "stop",
  "bounds": {"eot": 6, "eff": 4, "crashes": 1},
  "variables": 12,
  "clauses": 34
})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const size_t at = text.find(from);
  CHECK(at != std::string::npos, "{}", from);
  return text.replace(at, from.size(), to);
}

TEST(Certificate, IsRead) {
  const Result<Certificate> read = certificate_from_json(kGood);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->program.size(), 2U);
  EXPECT_EQ(read->program[1].path, "q.ded");
  EXPECT_EQ(read->inputs, 1U);
  EXPECT_EQ(read->model.nodes, (std::vector<NodeName>{"a", "b"}));
  EXPECT_EQ(read->model.crash_model, CrashModel::kStop);
  EXPECT_EQ(describe_bounds(read->model), "EOT 6, EFF 4, 1 crash, crash model stop");
  EXPECT_EQ(read->announced.variables, 12U);
  EXPECT_EQ(read->announced.clauses, 34U);
}

TEST(Certificate, SaysHowManyTicksFollowTheLastFault) {
  const Result<Certificate> read =
      certificate_from_json(with("\"crashes\": 1", "\"crashes\": 1, \"eventually\": 3"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(describe_bounds(read->model), "EOT 6, EFF 4, 1 crash, eventually 3, crash model stop");
}

std::string with_limits(const std::string& limits) {
  return with("\"bounds\"", "\"limits\": " + limits + ", \"bounds\"");
}

TEST(Certificate, MayHaveLimits) {
  const Result<Certificate> read = certificate_from_json(with_limits(
      R"({"reliable_nodes": ["b"], "reliable_links": [{"from": "a", "to": "b"}], "no_crash": ["a"]})"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(describe(read->model.limits), "b and a>b are reliable, and a does not crash");
}

TEST(Certificate, HasAsManyInputsAsFilesAtMost) {
  const Result<Certificate> read = certificate_from_json(with("\"inputs\": 1", "\"inputs\": 2"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->inputs, 2U);
}

struct Bad {
  std::string text;
  std::string says;
};

TEST(Certificate, SaysWhatIsWrong) {
  const Bad all[] = {
      {"", "this is not JSON"},
      {"[]", "the certificate must be an object"},
      {"{}", "the key \"format\" is missing in the certificate"},
      {kGood.substr(0, 100), "this is not JSON"},
      {kGood + "x", "this is not JSON"},
      {with("certificate/1", "certificate/2"), "\"format\" is not \"clew-certificate/1\""},
      {with("\"crashes\": 1", "\"crashes\": 1, \"eventually\": 0"),
       "\"eventually\" in bounds must be an integer from 1 to 100000"},
      {with("\"crashes\": 1", "\"crashes\": 1, \"eventually\": 4"),
       "EFF 4 leaves less than 4 ticks after the last loss"},
      {with("\"inputs\": 1", "\"inputs\": 3"),
       "\"inputs\" in the certificate must be an integer from 1 to 2"},
      {with("\"inputs\": 1", "\"inputs\": 1.5"),
       "\"inputs\" in the certificate must be an integer"},
      {with("\"inputs\": 1", "\"inputs\": 1, \"inputs\": 1"), "the key \"inputs\" occurs twice"},
      {with("\"inputs\": 1", "\"weather\": 1"), "there is an unknown key \"weather\""},
      {with("inputs", std::string(70, 'w')),
       "there is an unknown key \"" + std::string(60, 'w') + "...\""},
      {with("\"path\": \"q.ded\"", "\"path\": 4"), "\"path\" in program[1] must be a string"},
      {with("\"path\": \"q.ded\"", "\"path\": \"\""), "the path in program[1] is none"},
      {with("\"path\": \"q.ded\"", "\"path\": \"a\\u0000\""), "the path in program[1] is none"},
      {with("[\"b\", \"a\"]", "[]"), "this run has no nodes"},
      {with("[\"b\", \"a\"]", "[\"b\", \"b\"]"), "node \"b\" is named twice"},
      {with("[\"b\", \"a\"]", "[7]"), "\"nodes\" must hold strings"},
      {with("[\"b\", \"a\"]", "7"), "\"nodes\" in the certificate must be an array"},
      {with("\"stop\"", "\"halt\""), "`halt` is not a crash model"},
      {with("\"eot\": 6", "\"eot\": 0"), "\"eot\" in bounds must be an integer from 1 to 100000"},
      {with("\"eot\": 6", "\"eot\": 18446744073709551615"), "\"eot\" in bounds must be"},
      {with("\"eff\": 4", "\"eff\": 7"), "EFF must be from 0 to EOT"},
      {with("\"crashes\": 1", "\"crashes\": -1"),
       "\"crashes\" in bounds must be an integer from 0"},
      {with_limits("[]"), "limits must be an object"},
      {with_limits("{}"), "the key \"reliable_nodes\" is missing in limits"},
      {with_limits(R"({"reliable_nodes": ["c"], "reliable_links": [], "no_crash": []})"),
       "\"limits\" must name nodes of the certificate"},
      {with_limits(R"({"reliable_nodes": [], "reliable_links": [{"from": "a"}], "no_crash": []})"),
       "the key \"to\" is missing in reliable_links"},
      {with_limits(R"({"reliable_nodes": [], "reliable_links": [], "no_crash": [], "more": 1})"),
       "there is an unknown key \"more\" in limits"},
      {with("12", "-12"), "\"variables\" in the certificate must be an integer from 0"},
      {with("34", "9e99"), "\"clauses\" in the certificate must be an integer from 0"},
      {with("34", "\"\xff\""), "this is not JSON"},
      {with("34", std::string(100, '[') + std::string(100, ']')), "this is nested too deeply"},
  };
  for (const Bad& bad : all) {
    SCOPED_TRACE(bad.text);
    const Result<Certificate> read = certificate_from_json(bad.text);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message.substr(0, bad.says.size()), bad.says);
  }
}

}  // namespace
}  // namespace clew::verify
