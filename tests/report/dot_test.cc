#include "report/dot.h"

#include <gtest/gtest.h>

#include <cctype>
#include <optional>

#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using lineage::Graph;

// The part of DOT's grammar that we use: a digraph of statements, each an assignment, a node, a
// chain of nodes, or a group of such in braces, with attributes. Says where it ends, or nothing.
class DotReader {
 public:
  explicit DotReader(const std::string& text) : text_(text) {}

  bool accepts() { return word("digraph") && id() && group() && (skip(), at_ == text_.size()); }
  size_t at() const { return at_; }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool word(const std::string& wanted) {
    skip();
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }
  bool id() {
    skip();
    const size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') return false;
      }
      return at_++ < text_.size();
    }
    const auto plain = [&] {
      const auto c = static_cast<unsigned char>(text_[at_]);
      return std::isalnum(c) != 0 || c == '_' || c == '.';
    };
    while (at_ < text_.size() && plain()) ++at_;
    return at_ > begin;
  }
  bool group() {
    if (!word("{")) return false;
    while (!word("}")) {
      if (!statement()) return false;
    }
    return true;
  }
  bool statement() {
    skip();
    if (at_ < text_.size() && text_[at_] == '{') return group();
    if (!id()) return false;
    if (word("=")) return id() && word(";");
    while (word("->")) {
      if (!id()) return false;
    }
    if (word("[")) {
      do {
        if (!id() || !word("=") || !id()) return false;
      } while (word(","));
      if (!word("]")) return false;
    }
    return word(";");
  }

  const std::string& text_;
  size_t at_ = 0;
};

void expect_dot(const std::string& text) {
  DotReader reader(text);
  EXPECT_TRUE(reader.accepts()) << "at " << reader.at() << " of\n" << text;
}

TEST(DotReaderTest, CanRefuse) {
  for (const std::string text :
       {"digraph a {", "digraph a { b }", "digraph a { b [c]; }", "digraph a { \"b; }",
        "digraph a { b -> ; }", "digraph a { a b; }", "graph a { }", "digraph a { } }"}) {
    EXPECT_FALSE(DotReader(text).accepts()) << text;
  }
}

TEST(DotTest, SpaceTime) {
  const clew::Run run =
      RunBuilder("a b", 2).crash("b", 2).drop("a", "b", 1).send("a", "b", 1, "log");
  EXPECT_EQ(space_time_dot(run),
            R"DOT(digraph spacetime {
  rankdir=TB;
  node [shape=plaintext, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  proc_a [label="a", group="a", shape=box, style=bold];
  node_a_1 [label="1", group="a"];
  node_a_2 [label="2", group="a"];
  proc_a -> node_a_1 -> node_a_2 [weight=8, arrowhead=none, color=gray60];
  proc_b [label="b", group="b", shape=box, style=bold];
  node_b_1 [label="1", group="b"];
  node_b_2 [label="2 crashed", group="b", color=red, fontcolor=red, style=dashed];
  proc_b -> node_b_1 -> node_b_2 [weight=8, arrowhead=none, color=gray60];
  { rank=same; proc_a -> proc_b [style=invis]; }
  { rank=same; node_a_1; node_b_1; }
  { rank=same; node_a_2; node_b_2; }
  node_a_1 -> node_b_2 [label="log (lost: omitted)", constraint=false, style=dashed, color=red, fontcolor=red, arrowhead=tee];
}
)DOT");
}

TEST(DotTest, Lineage) {
  const clew::Run bad = example_run(true);
  const std::string text = provenance_dot(lineage_of(example_run(false), &bad, 100));
  expect_dot(text);
  for (
      const std::string line : {
          R"(  goal0 [label="post(\"data\")@3", style="solid,bold", color=red, fontcolor=red];)",
          R"(  goal3 [label="no missing(\"data\")@3", style="dashed", color=red, fontcolor=red];)",
          R"(  goal3 -> rule1 [style=dotted, color=red];)",
          R"(  goal4 [label="missing(\"data\")@3", style="solid", color=blue, fontcolor=blue];)",
          R"(  rule4 [label="log@async a to b\np.ded:2\ncut: omitted", shape=box, fontsize=10, style=bold, color=red, fontcolor=red];)",
          R"(  goal6 -> rule4 [style=dashed, color=red];)",
          R"(  rule4 -> goal7;)",
      }) {
    EXPECT_NE(text.find(line + "\n"), std::string::npos) << line << "\n" << text;
  }
}

TEST(DotTest, AnythingIsValid) {
  expect_dot(space_time_dot(RunBuilder("a", 1)));
  expect_dot(provenance_dot({}));
  const std::string nasty = "\"];\n}\\";
  clew::Run run = RunBuilder("a", 2).fact({"p", {nasty}}, 1, 2);
  run.scenario.nodes = {"-> x", "a\"b\\", "\xc3\xa4"};
  run.messages = {{"-> x", "a\"b\\", 1, {nasty, {"a\"b\\"}}, Message::Fate::kDelivered}};
  fire(run, nasty, nasty, {"p", {nasty}}, 1, {}, {{{nasty, {}}, 1}});
  expect_dot(space_time_dot(run));
  expect_dot(provenance_dot(provenance_of(Graph(run), {{{"p", {nasty}}, 1}})));
  EXPECT_NE(space_time_dot(run).find(R"("node_a\"b\\_1")"), std::string::npos);
}

}  // namespace
}  // namespace clew::report
