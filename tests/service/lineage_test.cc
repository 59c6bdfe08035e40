// What a good outcome rests on, and how soon the lineage adversary finds what breaks it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "inject/facts.h"
#include "service/guide.h"
#include "service/past.h"
#include "service/session.h"
#include "service/supports.h"
#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

using inject::Io;
using inject::Object;
using inject::Observed;

// A run, call by call, each at a site of its own: 0, 1, 2, ...
struct Told {
  Observed seen;
  std::vector<uint32_t> site_of;

  Told& call(const std::string& node, Io io, Object object, uint32_t process = 0) {
    auto at = std::ranges::find(seen.nodes, node);
    if (at == seen.nodes.end()) at = seen.nodes.insert(at, node);
    inject::Call call;
    call.node = static_cast<uint32_t>(at - seen.nodes.begin());
    call.process = process;
    call.point = static_cast<uint32_t>(seen.points.size());
    seen.points.push_back({.node = node, .call = "call", .io = io, .object = std::move(object)});
    seen.happenings.emplace_back(call);
    site_of.push_back(sites++);
    return *this;
  }
  Told& add(inject::Happening one) {
    seen.happenings.push_back(std::move(one));
    site_of.push_back(Past::kNoSite);
    return *this;
  }
  std::vector<uint32_t> last(const std::vector<Past::Strike>& strikes = {}) const {
    const Past past(seen, site_of, strikes);
    return past.before(static_cast<uint32_t>(seen.happenings.size() - 1)).numbers();
  }
  uint32_t sites = 0;
};

using Numbers = std::vector<uint32_t>;
const Object kLog{Object::Kind::kFile, "log"};
const Object kOther{Object::Kind::kFile, "other"};
Object peer(const std::string& name) { return {Object::Kind::kSocket, name}; }

TEST(Past, AProcessHasItsOwnCallsInOrder) {
  EXPECT_EQ(Told()
                .call("a", Io::kWrite, kLog)
                .call("b", Io::kWrite, kOther)
                .call("a", Io::kWrite, kLog)
                .last(),
            (Numbers{0, 2}));
}

TEST(Past, WhoReadsAFileComesAfterWhoWroteIt) {
  EXPECT_EQ(Told().call("a", Io::kWrite, kLog).call("b", Io::kRead, kLog).last(), (Numbers{0, 1}));
  EXPECT_EQ(Told().call("a", Io::kWrite, kLog).call("b", Io::kRead, kOther).last(), (Numbers{1}));
  EXPECT_EQ(Told().call("a", Io::kRead, kLog).call("b", Io::kRead, kLog).last(), (Numbers{1}));
}

TEST(Past, WhoReceivesComesAfterWhoSent) {
  EXPECT_EQ(Told().call("a", Io::kSend, peer("b:1")).call("b", Io::kReceive, peer("a:2")).last(),
            (Numbers{0, 1}));
  EXPECT_EQ(Told()
                .call("c", Io::kRead, kOther)
                .call("a", Io::kSend, peer("c:1"))
                .call("b", Io::kReceive, peer("a:2"))
                .last(),
            (Numbers{2}));
  // One of the two, or nobody, knows who the other is.
  EXPECT_EQ(
      Told().call("a", Io::kSend, peer("127.0.0.1:*")).call("b", Io::kReceive, peer("a:2")).last(),
      (Numbers{0, 1}));
  EXPECT_EQ(Told()
                .call("b", Io::kRead, kLog)
                .call("a", Io::kSend, peer("b:1"))
                .call("b", Io::kReceive, peer("127.0.0.1:*"))
                .last(),
            (Numbers{0, 1, 2}));
  EXPECT_EQ(Told().call("a", Io::kSend, peer("x:1")).call("b", Io::kReceive, peer("y:1")).last(),
            (Numbers{0, 1}));
}

TEST(Past, ALineComesAfterAllThatItsNodeDid) {
  EXPECT_EQ(Told()
                .call("a", Io::kWrite, kLog)
                .call("a", Io::kWrite, kOther, 1)
                .call("b", Io::kWrite, kOther)
                .add(inject::Line{"a", "done"})
                .last(),
            (Numbers{0, 1}));
}

// What the check prints is about the files that it names.
TEST(Past, TheEndIsWhatFilesHold) {
  const Told told = Told()
                        .call("a", Io::kWrite, {Object::Kind::kFile, "nodes/a/f1"})
                        .call("b", Io::kWrite, {Object::Kind::kFile, "nodes/b/f1"})
                        .call("b", Io::kRead, {Object::Kind::kFile, "nodes/b/f2"});
  const Past past(told.seen, told.site_of, {});
  EXPECT_EQ(past.end({}).numbers(), (Numbers{0, 1}));
  EXPECT_EQ(past.end({"f1"}).numbers(), (Numbers{0, 1}));
  EXPECT_EQ(past.end({"a", "f1"}).numbers(), (Numbers{0}));
  EXPECT_EQ(past.end({"b", "f1", "x"}).numbers(), (Numbers{1}));
  EXPECT_EQ(past.end({"odes", "f"}).numbers(), (Numbers{0, 1}));
}

TEST(Past, AFailureComesBeforeWhatItsNodeDoesLater) {
  const std::vector<Past::Strike> strikes = {{"a", 100}};
  Told told;
  told.call("a", Io::kWrite, kLog).call("b", Io::kWrite, kOther).add(inject::Struck{0});
  EXPECT_EQ(Told(told).call("b", Io::kWrite, kOther).last(strikes), (Numbers{1, 2}));
  EXPECT_EQ(Told(told).call("a", Io::kWrite, kLog).last(strikes), (Numbers{0, 2, 100}));
  EXPECT_EQ(Told(told).call("a", Io::kWrite, kLog, 1).last(strikes), (Numbers{0, 2, 100}));
}

// Rules over what a fake target tells.
class WithRules : public testing::Test {
 protected:
  WithRules() : folder_(testing::TempDir() + "clew-lineage-XXXXXX") {
    CHECK(::mkdtemp(folder_.data()) != nullptr);
  }
  ~WithRules() override { std::filesystem::remove_all(folder_); }

  void use(const std::string& rules, const std::map<std::string, uint32_t>& tells) {
    const std::string path = folder_ + "/spec.ded";
    std::ofstream(path) << rules;
    target_.tells = tells;
    const Result<dedalus::GivenRelations> given = inject::relations_of(target_);
    Diagnostics diagnostics;
    spec_ = microspec::load_microspec({path}, *given, sources_, diagnostics);
    ASSERT_TRUE(spec_.has_value()) << diagnostics.render(sources_);
    std::vector<std::string> names;
    for (const auto& one : spec_->specs()) names.push_back(one->name());
    judging_.emplace(target_, *spec_, sources_, names);
  }

  // By the names of points.
  std::set<std::string> supports_of_run(const FakeTarget& fake) {
    const Observed seen = fake.run({}, 1);
    Known known(target_.kinds);
    Looker looker(target_, known, *judging_);
    looker.want_supports(true);
    const Result<Look> look = looker.look({}, seen);
    CHECK(look.ok(), "{}", look.error().message);
    std::set<std::string> supports;
    for (const std::vector<uint32_t>& support : look->supports) {
      std::vector<std::string> names;
      for (const uint32_t site : support) {
        names.push_back(known.points()[known.sites()[site].point].object.name);
      }
      std::ranges::sort(names);
      supports.insert(fmt::format("{}", fmt::join(names, " ")));
    }
    return supports;
  }

  std::string folder_;
  inject::Target target_;
  SourceSet sources_;
  std::optional<microspec::MicroSpec> spec_;
  std::optional<RuleJudging> judging_;
};

FakeStep step(const std::string& node, const std::string& point, const std::string& tells = "") {
  return {.point = point, .node = node, .tells = tells};
}

// Two replicas on nodes of their own, and much that has nothing to do with them.
FakeTarget replicas() {
  FakeTarget fake;
  for (const char* point : {"o1", "o2", "o3", "o4"}) fake.steps.push_back(step("o", point));
  fake.steps.push_back(step("n", "config"));
  fake.steps.push_back(step("n", "a", "log(\"a\", \"w\")"));
  fake.steps.push_back(step("m", "b", "log(\"b\", \"w\")"));
  for (const char* point : {"n1", "n2"}) fake.steps.push_back(step("n", point));
  for (const char* point : {"m1", "m2"}) fake.steps.push_back(step("m", point));
  fake.steps.push_back(step("o", "ack", "acked(\"w\")"));
  return fake;
}

const std::map<std::string, uint32_t> kTells = {{"acked", 1}, {"log", 2}};

TEST_F(WithRules, EachReplicaWouldHaveBeenEnough) {
  use("promise durable: acked(W) implies log(_, W);", kTells);
  EXPECT_EQ(supports_of_run(replicas()), (std::set<std::string>{"a config", "b"}));
  use("promise everywhere: acked(W) implies log(\"a\", W), log(\"b\", W);", kTells);
  EXPECT_EQ(supports_of_run(replicas()), (std::set<std::string>{"a b config"}));
}

// What keeps something from being lost.
TEST_F(WithRules, AnAbsenceRestsOnWhatKeepsItAbsent) {
  const char* const rules =
      "stored(W) :- log(_, W);\n"
      "lost(W) :- acked(W), notin stored(W);\n"
      "promise kept: acked(W) implies notin lost(W);\n";
  use(rules, kTells);
  EXPECT_EQ(supports_of_run(replicas()), (std::set<std::string>{"a config", "b"}));
  EXPECT_EQ(keepers_of(*judging_->program(), "lost"), std::set<std::string>{"stored"});
}

TEST_F(WithRules, AnOutcomeThatRestsOnNothingSeenHasNoSupports) {
  use("promise quiet: acked(W) implies notin log(_, \"v\"), W == W;", kTells);
  EXPECT_TRUE(supports_of_run(replicas()).empty());
}

struct Found {
  size_t runs = 0;
  std::vector<std::string> causes;
  Report report;
};

Found hunt(const FakeTarget& fake, inject::Target target, Judging& judging, bool lineage,
           bool first, size_t jobs = 1) {
  target.path = "fake.toml";
  target.most_failures = 2;
  target.kinds.crash = false;
  target.kinds.errors = {EIO};
  FakeRunner runner(fake, jobs, 1);
  const check::Budget budget(std::chrono::seconds(60));
  Session session({.target = target, .lineage = lineage, .first = first}, runner, judging, {},
                  budget);
  Result<Report> report = session.run();
  CHECK(report.ok(), "{}", report.error().message);
  Found found;
  for (const Group& group : report->groups) found.causes.push_back(in_names(group.plan, fake));
  std::ranges::sort(found.causes);
  found.runs = report->runs;
  found.report = *std::move(report);
  return found;
}

TEST_F(WithRules, LineageFindsSoonerWhatBruteForceFinds) {
  use("promise durable: acked(W) implies log(_, W);", kTells);
  const FakeTarget fake = replicas();
  const Found soon = hunt(fake, target_, *judging_, true, true);
  const Found late = hunt(fake, target_, *judging_, false, true);
  EXPECT_EQ(soon.causes, std::vector<std::string>{"EIO@a, EIO@b"});
  EXPECT_EQ(late.causes, soon.causes);
  EXPECT_EQ(soon.runs, 15U);
  EXPECT_EQ(late.runs, 40U);
  // In the end both have tried the same.
  const Found all = hunt(fake, target_, *judging_, true, false);
  const Found plain = hunt(fake, target_, *judging_, false, false);
  EXPECT_EQ(all.causes, plain.causes);
  EXPECT_EQ(all.report.tried(), plain.report.tried());
  EXPECT_TRUE(all.report.nothing_left);
  EXPECT_GT(all.report.lineage_tried, 0U);
  EXPECT_LT(all.report.lineage_tried, 10U);
  EXPECT_FALSE(plain.report.nothing_left);
}

// An error path loses what no lineage connects with it: lineage has nothing left, and does not say
// that nothing violates.
TEST_F(WithRules, NothingLeftToCutIsNoAnswer) {
  use("promise durable: acked(W) implies log(_, W), notin harmed(W);",
      {{"acked", 1}, {"log", 2}, {"harmed", 1}});
  FakeTarget fake = replicas();
  for (FakeStep& one : fake.steps) {
    if (one.point == "o2") one.error_path = {step("o", "undo", "harmed(\"w\")")};
  }
  const Found found = hunt(fake, target_, *judging_, true, false);
  EXPECT_TRUE(found.report.nothing_left);
  EXPECT_EQ(found.causes, (std::vector<std::string>{"EIO@a, EIO@b", "EIO@o2"}));
  const Found first = hunt(fake, target_, *judging_, true, true);
  EXPECT_EQ(first.causes, (std::vector<std::string>{"EIO@a, EIO@b"}));
}

TEST_F(WithRules, TheNumberOfJobsMakesNoDifferenceToLineage) {
  use("promise durable: acked(W) implies log(_, W);", kTells);
  const FakeTarget fake = replicas();
  const Found alone = hunt(fake, target_, *judging_, true, true);
  for (const size_t jobs : {2U, 5U}) {
    const Found found = hunt(fake, target_, *judging_, true, true, jobs);
    EXPECT_EQ(found.causes, alone.causes);
    EXPECT_EQ(found.runs, alone.runs);
    EXPECT_EQ(found.report.lineage_tried, alone.report.lineage_tried);
  }
}

// Targets of any shape, which tell what they stored: in the end lineage makes no difference to what
// is tried and what is found, and to the first violation it takes fewer runs.
TEST_F(WithRules, LineageChangesTheOrderAlone) {
  use("promise durable: acked(W) implies log(_, W);", kTells);
  Random random(21);
  size_t runs = 0, runs_without = 0, broken = 0;
  for (int round = 0; round < 40; ++round) {
    FakeTarget fake = random_target(random, 6, false);
    for (FakeStep& one : fake.steps) {
      if (random.chance(0.4)) one.tells = fmt::format("log(\"{}\", \"w\")", one.point);
    }
    fake.steps.push_back({.point = "z", .tells = "log(\"z\", \"w\")"});
    fake.steps.insert(fake.steps.begin(), {.point = "y", .node = "o", .tells = "acked(\"w\")"});
    const Found with = hunt(fake, target_, *judging_, true, false);
    const Found without = hunt(fake, target_, *judging_, false, false);
    // One cause may be told by another of its plans; what is tried is the same.
    ASSERT_EQ(with.report.tried(), without.report.tried()) << round;
    ASSERT_EQ(with.report.counts[1].violating, without.report.counts[1].violating) << round;
    ASSERT_EQ(with.causes, without.causes) << round;
    if (with.causes.empty()) continue;
    ++broken;
    runs += hunt(fake, target_, *judging_, true, true).runs;
    runs_without += hunt(fake, target_, *judging_, false, true).runs;
  }
  EXPECT_GT(broken, 10U);
  EXPECT_LE(runs, runs_without);
}

// Of what is outside of every past, and far from the failure before, nothing is left out: it only
// comes last.
TEST_F(WithRules, WhatIsOutsideOfEveryPastIsUnlikelyToMatter) {
  use("promise durable: acked(W) implies log(_, W);", kTells);
  const FakeTarget fake = replicas();
  target_.most_failures = 2;
  target_.kinds.crash = false;
  Known known(target_.kinds);
  Looker looker(target_, known, *judging_);
  const Result<Look> look = looker.look({}, fake.run({}, 1));
  std::set<std::string> unlikely;
  for (const uint32_t site : look->unlikely) {
    unlikely.insert(known.points()[known.sites()[site].point].object.name);
  }
  EXPECT_EQ(unlikely,
            (std::set<std::string>{"ack", "m1", "m2", "n1", "n2", "o1", "o2", "o3", "o4"}));
}

// Whichever point of a node fails, the same is lost: one mistake, told once in full. The others are
// replayed once everything was tried.
TEST_F(WithRules, CausesThatBreakTheSameAtTheSameNodesAreAlike) {
  use("promise durable: acked(W) implies log(\"b\", W);\n", kTells);
  FakeTarget fake = replicas();
  std::swap(fake.steps.front(), fake.steps.back());  // acked first
  for (FakeStep& one : fake.steps) one.gives_up = true;
  const Found all = hunt(fake, target_, *judging_, false, false);
  std::map<std::string, std::vector<std::optional<size_t>>> by_node;
  for (const Group& group : all.report.groups) {
    EXPECT_EQ(group.replays, 5U);
    EXPECT_EQ(group.violated, 5U);
    by_node[group.points.front().node].push_back(group.like);
  }
  EXPECT_EQ(by_node["o"].size(), 3U);  // o2, o3, o4: o1 has changed its place with ack
  EXPECT_FALSE(by_node["o"][0].has_value());
  EXPECT_EQ(by_node["o"][1], by_node["o"][2]);
  EXPECT_TRUE(by_node["o"][1].has_value());
  EXPECT_EQ(by_node["n"].size(), 2U);
  EXPECT_EQ(by_node["m"].size(), 1U);
  EXPECT_FALSE(by_node["m"][0].has_value());
}

// The mapping to the adversary of clew check: it proposes what cuts all supports, and only that.
TEST(Guide, ProposesMinimalCuts) {
  Known known({.crash = false, .errors = {EIO}});
  std::vector<uint32_t> sites;
  for (const char* name : {"a", "b", "c", "d"}) {
    sites.push_back(known.site({known.point(fake_point(name))}));
  }
  std::vector<uint32_t> failures;
  for (const uint32_t site : sites) failures.push_back(known.failures_at(site).front());
  Guide guide(known, 2);
  Look look;
  look.supports = {{sites[0], sites[1]}, {sites[2], sites[1]}};
  guide.observe({}, {look});
  std::set<Combination> proposed;
  std::vector<Combination> order;
  while (const std::optional<Combination> next = guide.propose({})) {
    proposed.insert(*next);
    order.push_back(*next);
    guide.leave_out(*next);
  }
  EXPECT_TRUE(std::ranges::is_sorted(order, {}, &Combination::size));
  const auto cuts = [&](const Combination& one) {
    const auto has = [&](size_t i) { return std::ranges::find(one, failures[i]) != one.end(); };
    return has(1) || (has(0) && has(2));
  };
  EXPECT_TRUE(std::ranges::all_of(proposed, cuts));
  EXPECT_TRUE(proposed.contains({failures[1]}));
  EXPECT_TRUE(proposed.contains({failures[0], failures[2]}));
  EXPECT_FALSE(proposed.contains({failures[3]}));
}

TEST(Guide, LearnsOfNewFailuresAndLeavesOutWhatViolates) {
  Known known({.crash = false, .errors = {EIO}});
  const uint32_t a = known.site({known.point(fake_point("a"))});
  const Combination fail_a = {known.failures_at(a).front()};
  Guide guide(known, 2);
  EXPECT_FALSE(guide.knows_supports());
  Look look;
  look.supports = {{a}};
  guide.observe({}, {look});
  EXPECT_TRUE(guide.knows_supports());
  EXPECT_EQ(guide.propose({}), fail_a);
  // Its run is good, and rests on what came after the failure.
  const uint32_t b = known.site({known.point(fake_point("b"))});
  Look retried;
  retried.supports = {{b}};
  guide.observe(fail_a, {retried});
  const Combination both = with(fail_a, known.failures_at(b).front());
  EXPECT_EQ(guide.propose({}), both);
  Look bad;
  bad.outcomes = {Outcome::Kind::kViolated};
  guide.observe(both, {bad});
  EXPECT_FALSE(guide.propose({}).has_value());
  EXPECT_TRUE(guide.is_settled(both));
  EXPECT_FALSE(guide.is_settled(fail_a));
}

}  // namespace
}  // namespace clew::service
