// Where the pictures put things: nothing is cut off, and nothing lies over something else.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

#include "base/check.h"
#include "base/text.h"
#include "report/svg.h"
#include "report/svg_page.h"
#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

struct Element {
  std::string attributes;
  std::string text;

  double number(const std::string& name) const {
    const std::string start = " " + name + "=\"";
    const size_t at = attributes.find(start);
    CHECK(at != std::string::npos, "{} has no {}", attributes, name);
    return std::stod(attributes.substr(at + start.size()));
  }
};

// The elements of this tag whose class begins like this.
std::vector<Element> all_of(const std::string& svg, const std::string& tag,
                            const std::string& kind) {
  std::vector<Element> found;
  const std::string start = "<" + tag + " class=\"" + kind;
  for (size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const size_t end = svg.find('>', at);
    found.push_back({svg.substr(at, end - at), svg.substr(end + 1, svg.find('<', end) - end - 1)});
  }
  return found;
}

// By tick, top to bottom.
std::vector<double> rows_of(const std::string& svg) {
  std::vector<double> rows;
  for (const Element& row : all_of(svg, "line", "row")) rows.push_back(row.number("y1"));
  return rows;
}

double width_of(const std::string& svg) {
  std::smatch found;
  CHECK(std::regex_search(svg, found, std::regex("viewBox=\"0 0 ([0-9.]+) ")), "no size: {}", svg);
  return std::stod(found[1]);
}

TEST(SvgLayout, HeadingsEndAMarginBeforeTheEdge) {
  const std::string svg = space_time_svg(RunBuilder("n", 9).crash("n", 1).outcome(
      Outcome::Kind::kViolated, {{{"pre", {"n"}}, false}}));
  const double margin = 24;
  for (const auto& [kind, letter] : {std::pair("heading", 9.0), std::pair("bad\"", 7.2)}) {
    const std::vector<Element> texts = all_of(svg, "text", kind);
    ASSERT_FALSE(texts.empty()) << kind;
    for (const Element& text : texts) {
      const std::string letters = std::regex_replace(text.text, std::regex("&quot;"), "\"");
      const double end =
          text.number("x") + letter * static_cast<double>(count_code_points(letters));
      EXPECT_LE(end + margin, width_of(svg) + 0.1) << text.text;
    }
  }
}

TEST(SvgLayout, ATickWithoutMessagesTakesLessRoom) {
  const std::vector<double> rows =
      rows_of(space_time_svg(RunBuilder("a b", 4).send("a", "b", 1, "log")));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_LT(rows[2] - rows[1], (rows[1] - rows[0]) * 0.6);
  EXPECT_NEAR(rows[3] - rows[2], rows[2] - rows[1], 0.15);
}

// What is sent at its last tick would arrive one tick later.
TEST(SvgLayout, APartitionEndsWhereItsLastMessagesWouldArrive) {
  const std::string svg = space_time_svg(RunBuilder("a b c", 5)
                                             .drop("a", "b", 2)
                                             .drop("c", "b", 2)
                                             .drop("b", "a", 2)
                                             .drop("b", "c", 2)
                                             .tell("b", 2, "log")
                                             .tell("a", 2, "log"));
  const std::vector<double> rows = rows_of(svg);
  const std::vector<Element> islands = all_of(svg, "rect", "cut");
  ASSERT_EQ(rows.size(), 5U);
  ASSERT_EQ(islands.size(), 1U);
  const double top = islands[0].number("y");
  const double bottom = top + islands[0].number("height");
  EXPECT_TRUE(rows[0] < top && top < rows[1]) << top;
  EXPECT_TRUE(rows[2] < bottom && bottom < rows[3]) << bottom;
}

// Two messages of one tick that are lost: a label keeps a little away from both crosses.
TEST(SvgLayout, LabelsLieOverNoCross) {
  const double away = 6;
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"a", "b"}, {"a", "c"}, {"b", "a"}, {"b", "c"}, {"c", "a"}, {"c", "b"}};
  for (const auto& [from, to] : pairs) {
    for (const auto& [other, there] : pairs) {
      if (from == other && to == there) continue;
      for (size_t letters = 1; letters <= 26; ++letters) {
        const std::string svg =
            space_time_svg(RunBuilder("a b c", 2)
                               .drop(from, to, 1)
                               .drop(other, there, 1)
                               .send(from, to, 1, std::string(letters, 'x'))
                               .send(other, there, 1, std::string(letters, 'y')));
        for (const Element& label : all_of(svg, "text", "label bad")) {
          const double half = label_width(label.text) / 2 + 3;
          for (const Element& line : all_of(svg, "line", "cross")) {
            const double x = (line.number("x1") + line.number("x2")) / 2 - label.number("x");
            const double y = (line.number("y1") + line.number("y2")) / 2 - (label.number("y") - 4);
            EXPECT_TRUE(std::abs(x) > half + away - 0.2 || std::abs(y) > 8 + away - 0.2)
                << from << ">" << to << " " << other << ">" << there << ": " << label.text << " "
                << x << " " << y;
          }
        }
      }
    }
  }
}

// "M1 2C3 4 5 6 7 8" as {1, 2, 3, 4, 5, 6, 7, 8}.
std::vector<double> numbers_of(const Element& path) {
  const size_t begin = path.attributes.find(" d=\"M") + 5;
  std::string text = path.attributes.substr(begin, path.attributes.find('"', begin) - begin);
  std::ranges::replace(text, 'C', ' ');
  std::istringstream numbers(text);
  return {std::istream_iterator<double>(numbers), {}};
}

// p rests on t, and so does what p rests on as well: one of the edges goes past the others.
TEST(SvgLayout, EdgesOfALineageHaveNoCorners) {
  const Fact p{"p", {"a"}};
  const Fact q{"q", {"a"}};
  const Fact r{"r", {"a"}};
  const Fact t{"t", {"a"}};
  clew::Run run = RunBuilder("a", 1).fact(p, 1, 1).fact(q, 1, 1).fact(r, 1, 1).fact(t, 1, 1);
  fire(run, "p :- q, t;", "x:1", p, 1, {{q, 1}, {t, 1}});
  fire(run, "q :- r, t;", "x:2", q, 1, {{r, 1}, {t, 1}});
  fire(run, "r :- t;", "x:3", r, 1, {{t, 1}});
  const std::string svg = lineage_svg(provenance_of(lineage::Graph(run), {{p, 1}}), "long edges");
  size_t bent = 0;
  for (const Element& path : all_of(svg, "path", "edge")) {
    const std::vector<double> numbers = numbers_of(path);
    // From a point straight down, and straight down to the next one.
    for (size_t at = 0; at + 8 <= numbers.size(); at += 6) {
      EXPECT_EQ(numbers[at], numbers[at + 2]) << path.attributes;
      EXPECT_EQ(numbers[at + 4], numbers[at + 6]) << path.attributes;
      bent += at > 0 && numbers[at] != numbers[0] ? 1 : 0;
    }
  }
  EXPECT_GT(bent, 0U);
}

}  // namespace
}  // namespace clew::report
