#include "report/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/check.h"
#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using lineage::Graph;

// Whether every element that is opened is closed, in order, and nothing looks like markup that is
// none.
bool is_well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    const size_t end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || tag.empty()) return false;
    const std::string name = tag.substr(0, tag.find(' '));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end;
  }
  for (size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
    if (text.find(';', at) > at + 6) return false;
  }
  return open.empty();
}

size_t count_in(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Whether every edge of a lineage is drawn from above to below.
bool edges_lead_down(const std::string& svg) {
  const std::string start = "<path class=\"edge";
  for (size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const size_t begin = svg.find("d=\"M", at) + 4;
    std::string path = svg.substr(begin, svg.find('"', begin) - begin);
    std::ranges::replace(path, 'C', ' ');
    std::istringstream numbers(path);
    const std::vector<double> all{std::istream_iterator<double>(numbers), {}};
    if (all.size() < 4 || all[1] >= all.back()) return false;
  }
  return true;
}

// The attribute of the first element from `at` on that has it.
double number_at(const std::string& svg, const std::string& attribute, size_t at) {
  const std::string start = " " + attribute + "=\"";
  const size_t found = svg.find(start, at);
  CHECK(found != std::string::npos, "the picture has no {} there", attribute);
  return std::stod(svg.substr(found + start.size()));
}

// Without what is the same in all diagrams.
std::string body(const std::string& svg) {
  const std::string end = "rx=\"8\"/>\n";
  return svg.substr(svg.find(end) + end.size());
}

TEST(SvgTest, ASmallSpaceTimeDiagram) {
  const clew::Run run = RunBuilder("a b", 2)
                            .drop("a", "b", 1)
                            .send("a", "b", 1, "log", {"x"})
                            .send("b", "a", 1, "ack")
                            .outcome(Outcome::Kind::kViolated, {{{"pre", {"a"}}, false}});
  EXPECT_EQ(body(space_time_svg(run)),
            R"SVG(  <text class="heading" x="24.0" y="24.0">tick 1: what a sends to b is lost</text>
  <line class="row" x1="60.0" y1="105.0" x2="246.0" y2="105.0"/>
  <text class="tick" x="54.0" y="109.0">1</text>
  <line class="row" x1="60.0" y1="175.0" x2="246.0" y2="175.0"/>
  <text class="tick" x="54.0" y="179.0">2</text>
  <line class="line" x1="72.0" y1="71.0" x2="72.0" y2="175.0"/>
  <rect class="head" x="52.0" y="49.0" width="40.0" height="26" rx="13"/>
  <text class="name" x="72.0" y="67.0">a</text>
  <circle class="dot" cx="72.0" cy="105.0" r="3.5"/>
  <circle class="dot" cx="72.0" cy="175.0" r="3.5"/>
  <line class="line" x1="222.0" y1="71.0" x2="222.0" y2="175.0"/>
  <rect class="head" x="202.0" y="49.0" width="40.0" height="26" rx="13"/>
  <text class="name" x="222.0" y="67.0">b</text>
  <circle class="dot" cx="222.0" cy="105.0" r="3.5"/>
  <circle class="dot" cx="222.0" cy="175.0" r="3.5"/>
  <g><title>tick 1, a to b, lost: omitted; log(&quot;b&quot;, &quot;x&quot;)</title>
  <line class="lost" x1="72.0" y1="105.0" x2="195.0" y2="162.4"/>
  <line class="cross" x1="190.0" y1="157.4" x2="200.0" y2="167.4"/>
  <line class="cross" x1="190.0" y1="167.4" x2="200.0" y2="157.4"/>
  </g>
  <g><title>tick 1, b to a; ack(&quot;a&quot;)</title>
  <line class="sent" x1="222.0" y1="105.0" x2="83.8" y2="169.5"/>
  <path class="sent-tip" d="M76.5 172.9L83.7 164.6L87.5 172.7Z"/>
  </g>
  <text class="label bad" x="139.5" y="140.5">log</text>
  <text class="label" x="169.5" y="133.5">ack</text>
  <text class="bad" x="24.0" y="209.0">pre(&quot;a&quot;) holds at tick 2, but is not in post</text>
</svg>
)SVG");
}

TEST(SvgTest, ASpaceTimeDiagramShowsWhatHappens) {
  const clew::Run run = RunBuilder("a b c d", 6)
                            .drop("b", "a", 1)
                            .drop("b", "c", 1)
                            .drop("b", "d", 1)
                            .drop("a", "b", 1)
                            .drop("c", "b", 1)
                            .drop("d", "b", 1)
                            .crash("c", 3)
                            .tell("a", 1, "log")
                            .tell("b", 1, "log")
                            .tell("c", 4, "ack");
  const std::string svg = space_time_svg(run);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(count_in(svg, "class=\"cut\""), 1U);   // b's island
  EXPECT_EQ(count_in(svg, "class=\"sent\""), 2U);  // a to c and d
  EXPECT_EQ(count_in(svg, "class=\"lost\""), 7U);
  EXPECT_EQ(count_in(svg, ">crashed<"), 1U);
  EXPECT_EQ(count_in(svg, "class=\"dead\""), 1U);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(svg.find("<title id=\"title\">Space-time diagram: tick 1: a partition: b is cut off"),
            std::string::npos);
}

TEST(SvgTest, QuietTicksBecomeOneRow) {
  const std::string svg = space_time_svg(RunBuilder("a b", 100'000).send("a", "b", 1, "log"));
  EXPECT_EQ(count_in(svg, "class=\"tick\""), 4U);  // 1, 2, a gap, the last
  EXPECT_NE(svg.find(">100000<"), std::string::npos);
}

TEST(SvgTest, ASingleQuietTickKeepsItsRow) {
  const std::string svg = space_time_svg(RunBuilder("a b", 4).send("a", "b", 1, "log"));
  EXPECT_EQ(count_in(svg, "class=\"tick\""), 4U);
  EXPECT_EQ(count_in(svg, ">3<"), 1U);
  EXPECT_EQ(count_in(svg, ">4<"), 1U);
}

TEST(SvgTest, AVeryLongRunIsCutAndSaysSo) {
  RunBuilder run("a b", 1000);
  for (Tick tick = 1; tick < 1000; ++tick) run.send("a", "b", tick, "log");
  const std::string svg = space_time_svg(run);
  EXPECT_NE(svg.find("Ticks 201 to 1000 are not shown."), std::string::npos);
  EXPECT_LT(svg.size(), 200'000U);
}

TEST(SvgTest, LabelsOfOneSenderDoNotOverlap) {
  const std::string svg = space_time_svg(RunBuilder("a b c d e", 2).tell("a", 1, "long_name_here"));
  std::vector<std::pair<double, double>> places;
  const std::string start = "<text class=\"label\" x=\"";
  for (size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const size_t y = svg.find("y=\"", at) + 3;
    places.emplace_back(std::stod(svg.substr(at + start.size())), std::stod(svg.substr(y)));
  }
  ASSERT_EQ(places.size(), 4U);
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const bool apart = std::abs(places[i].first - places[k].first) > 14 * 7 ||
                         std::abs(places[i].second - places[k].second) > 14;
      EXPECT_TRUE(apart) << i << " " << k;
    }
  }
}

TEST(SvgTest, Lineage) {
  const clew::Run bad = example_run(true);
  const std::string svg = lineage_svg(lineage_of(example_run(false), &bad, 100), "Why?");
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_NE(svg.find("<title id=\"title\">Why?</title>"), std::string::npos);
  EXPECT_NE(svg.find(">a \u2192 b omitted<"), std::string::npos);
  EXPECT_EQ(count_in(svg, "class=\"rule-cut\""), 1U);
  EXPECT_EQ(count_in(svg, "class=\"goal-good"), 3U);
  EXPECT_EQ(count_in(svg, "class=\"goal-bad"), 2U);
  EXPECT_EQ(count_in(svg, " absent\""), 2U);
  EXPECT_EQ(count_in(svg, "message\""), 1U);
  EXPECT_EQ(count_in(svg, "contrary\""), 4U);
  EXPECT_NE(svg.find("ticks 2 to 3"), std::string::npos);
  EXPECT_EQ(count_in(svg, "; in this run: omitted</title>"), 1U);
  EXPECT_EQ(count_in(svg, "; in this run: "), 1U);
  EXPECT_EQ(count_in(svg, ">Red: only in the run without faults."), 1U);
}

TEST(SvgTest, LineageHasTicksLeftOfTheBoxesAndTextsInTheMiddleOfThem) {
  const clew::Run bad = example_run(true);
  const std::string svg = lineage_svg(lineage_of(example_run(false), &bad, 100), "Why?");
  double leftmost = 1e9;
  for (size_t at = svg.find("<g><title>"); at != std::string::npos;
       at = svg.find("<g><title>", at + 1)) {
    const size_t box = svg.find("<rect", at);
    const double left = number_at(svg, "x", box);
    const double text = number_at(svg, "x", svg.find("<text", box));
    EXPECT_NEAR(text, left + number_at(svg, "width", box) / 2, 0.15);
    leftmost = std::min(leftmost, left);
  }
  ASSERT_EQ(count_in(svg, "<text class=\"tick\""), 3U);  // the text ends where it stands
  EXPECT_LT(number_at(svg, "x", svg.find("<text class=\"tick\"")), leftmost);
}

// p rests on q and q on p, within one tick.
TEST(SvgTest, LineageMayGoInCircles) {
  const Fact p{"p", {"a"}};
  const Fact q{"q", {"a"}};
  clew::Run run = RunBuilder("a", 1).fact(p, 1, 1).fact(q, 1, 1);
  fire(run, "p :- q;", "x:1", p, 1, {{q, 1}});
  fire(run, "q :- p;", "x:2", q, 1, {{p, 1}});
  const std::string svg = lineage_svg(provenance_of(Graph(run), {{p, 1}}), "round");
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count_in(svg, "<path class=\"edge"), 4U);
  EXPECT_EQ(count_in(svg, ">Red: "), 0U);  // there is no other run
  EXPECT_TRUE(edges_lead_down(svg)) << svg;
}

// p rests on q and s, and q on r: s needs no more room than q.
TEST(SvgTest, WhatRestsOnNothingStandsRightAboveWhatNeedsIt) {
  const Fact p{"p", {"a"}};
  const Fact q{"q", {"a"}};
  const Fact r{"r", {"a"}};
  const Fact s{"s", {"a"}};
  clew::Run run = RunBuilder("a", 1).fact(p, 1, 1).fact(q, 1, 1).fact(r, 1, 1).fact(s, 1, 1);
  fire(run, "p :- q, s;", "x:1", p, 1, {{q, 1}, {s, 1}});
  fire(run, "q :- r;", "x:2", q, 1, {{r, 1}});
  const std::string svg = lineage_svg(provenance_of(Graph(run), {{p, 1}}), "leaves");
  const auto height_of = [&](const std::string& relation) {
    const size_t text = svg.find(">" + relation + "(&quot;a&quot;)<");
    EXPECT_NE(text, std::string::npos) << relation;
    return text == std::string::npos ? 0 : std::stod(svg.substr(svg.rfind("y=\"", text) + 3));
  };
  EXPECT_EQ(height_of("s"), height_of("q"));
  EXPECT_LT(height_of("r"), height_of("q"));
  EXPECT_LT(height_of("q"), height_of("p"));
}

TEST(SvgTest, TipsHaveAThousandLettersAtMost) {
  const Fact p{"p", {std::string(2000, 'x')}};
  clew::Run run = RunBuilder("a", 1).fact(p, 1, 1);
  fire(run, "p :- q;", "x:1", p, 1, {});
  const std::string svg = lineage_svg(provenance_of(Graph(run), {{p, 1}}), "long");
  const std::string shown = std::string(997, 'x') + "...</title>";  // after p("
  EXPECT_NE(svg.find("<title>p(&quot;" + shown), std::string::npos);
}

TEST(SvgTest, AnythingIsValid) {
  EXPECT_TRUE(is_well_formed(lineage_svg({}, "")));
  EXPECT_TRUE(is_well_formed(space_time_svg(RunBuilder("a", 1))));
  const std::string nasty = "</text>&\"'<\n\x01\xf0\x9f\xa7\xb6";
  clew::Run run = RunBuilder("a", 2).fact({"p", {nasty}}, 1, 2);
  run.scenario.nodes = {"&", "<b>"};
  run.messages = {{"&", "<b>", 1, {nasty, {"<b>"}}, Message::Fate::kDelivered}};
  fire(run, nasty, nasty, {"p", {nasty}}, 1, {}, {{{"q", {nasty}}, 1}});
  EXPECT_TRUE(is_well_formed(space_time_svg(run))) << space_time_svg(run);
  const std::string lineage = lineage_svg(provenance_of(Graph(run), {{{"p", {nasty}}, 1}}), nasty);
  EXPECT_TRUE(is_well_formed(lineage)) << lineage;
}

}  // namespace
}  // namespace clew::report
