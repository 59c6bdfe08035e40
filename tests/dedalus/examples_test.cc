// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <iostream>

#include "dedalus/column_values.h"
#include "dedalus/lex.h"
#include "dedalus/lowered_program.h"
#include "dedalus/parse.h"
#include "dedalus/program.h"
#include "dedalus/symmetry.h"
#include "ground/grounder.h"
#include "simulate/simulator.h"

namespace clew::dedalus {
namespace {

// example: src/dedalus/column_values.h
TEST(DedalusExamples, ValuesOfColumns) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("p.ded",
                                  "told(\"a\", \"yes\")@1; told(\"b\", \"no\")@1;\n"
                                  "heard(W, N) :- told(N, W);\n"
                                  "pre(W) :- heard(W, _); post(N) :- told(N, \"yse\");");
  const auto checked = check_program({parse(file, sources, diagnostics)}, diagnostics);
  ASSERT_TRUE(checked);
  const Program& program = *checked;
  const std::vector<std::string> nodes = {"a", "b"};
  const RelationIndex relation = program.relation_index.at("told");
  ColumnValues values(program, nodes);
  EXPECT_TRUE(values.of(relation, 1).may_be("\"yes\""));
  EXPECT_FALSE(values.of(relation, 1).may_be("\"yse\""));
  std::vector<std::pair<size_t, Hindrance::Kind>> found;
  for (const Hindrance& hindrance : values.hindrances()) {
    found.emplace_back(hindrance.rule, hindrance.kind);
  }
  EXPECT_EQ(found, (std::vector<std::pair<size_t, Hindrance::Kind>>{
                       {1, Hindrance::Kind::kLocation}, {2, Hindrance::Kind::kConstant}}));
}

// example: src/dedalus/lex.h
TEST(DedalusExamples, Tokens) {
  constexpr size_t most_comments = 10;
  SourceSet sources;
  const FileId file = sources.add("p.ded", "p(X) :- q(X);  // a comment");
  std::string texts;
  Lexer lexer(file, sources.text(file), most_comments);
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    texts += fmt::format(" {}", token.text);
  }
  EXPECT_EQ(texts, " p ( X ) :- q ( X ) ;");
}

// example: src/dedalus/lowered_program.h
TEST(DedalusExamples, AProgramThatIsShared) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto loaded = load_program({"protocols/broadcast/simple_deliv.ded"}, sources, diagnostics);
  ASSERT_TRUE(loaded);
  const Program& program = *loaded;
  const std::vector<std::string> nodes = {"a", "b", "c"};
  const FaultModel model{.nodes = nodes, .eot = 4, .eff = 2, .crashes = 0};
  auto lowered = std::make_shared<const LoweredProgram>(program, nodes, false);
  simulate::Simulator simulator(lowered, {});
  ground::Grounder grounder(lowered, model, {});
  EXPECT_FALSE(simulator.run(4, {}));
  EXPECT_TRUE(grounder.run().ok());
}

// example: src/dedalus/program.h
TEST(DedalusExamples, AProgram) {
  SourceSet sources;
  Diagnostics diagnostics;
  const std::string path = "protocols/broadcast/simple_deliv.ded";
  std::optional<Program> program = load_program({path}, sources, diagnostics);
  std::cerr << diagnostics.render(sources);
  if (program) {
    EXPECT_EQ(mentioned_nodes(*program), (std::vector<std::string>{"a", "b", "c"}));
  }
  EXPECT_TRUE(program);
}

// example: src/dedalus/symmetry.h
TEST(DedalusExamples, Permutations) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto loaded = load_program({"protocols/broadcast/simple_deliv.ded"}, sources, diagnostics);
  ASSERT_TRUE(loaded);
  const Program& program = *loaded;
  std::vector<std::vector<size_t>> images;
  NodeSymmetry symmetry(program, {"a", "b", "c"});
  for (const auto& image : symmetry.permutations()) images.push_back(image);
  // a broadcasts; b and c are alike.
  EXPECT_EQ(images, (std::vector<std::vector<size_t>>{{0, 1, 2}, {0, 2, 1}}));
}

}  // namespace
}  // namespace clew::dedalus
