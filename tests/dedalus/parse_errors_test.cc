// Every mistake the parser knows: {source, where [what is marked] code: message. Help}.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/dedalus/parsed.h"

namespace clew::dedalus {
namespace {

// The errors of a text, one a line, without the source.
std::string summary(const Parsed& parsed) {
  auto at = [&](Span span) {
    Place place = parsed.sources.place(span.file, span.begin);
    return fmt::format("{}:{}", place.line, place.column);
  };
  std::string text;
  for (const Diagnostic& error : parsed.diagnostics.all()) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{} [{}] {}: {}", at(error.span), parsed.sources.text(error.span),
                        error.code, error.message);
    for (const Note& note : error.notes) {
      text += fmt::format(" ({}: {})", at(note.span), note.message);
    }
    text += ". " + error.help;
  }
  return text;
}

struct Mistake {
  const char* source;
  const char* errors;
};

constexpr Mistake kMistakes[] = {
    {"p(\xC3\xA9)@1;",
     "1:3 [\xC3\xA9] stray-character: `\xC3\xA9` cannot stand outside of a string or comment. "
     "names consist of the letters a-z and A-Z, digits, `_`, `.` and `?`"},
    {"p(\"a)@1;\nq(\"b\")@1;",
     "1:3 [\"a)@1;] unterminated-string: this string has no end on its line. close it with `\"`"},
    {"p(\"a\")@1;\n/* q(\"b\")@1;",
     "2:1 [/*] unterminated-comment: this comment never ends. close it with `*/`"},
    {"p('a')@1;", "1:3 ['a'] single-quotes: strings stand in double quotes. write \"a\""},
    {"# note\np(\"a\")@1;",
     "1:1 [#] comment-style: `#` does not begin a comment. write comments as `// text`"},
    {"p(X) :- q(X), % why\n        r(X);",
     "1:15 [%] comment-style: `%` does not begin a comment. write comments as `// text`"},
    {"p(X) :- q(X), -- why\n        r(X);",
     "1:15 [--] comment-style: `--` does not begin a comment. write comments as `// text`"},
    {"-- why\np(\"a\")@1;",
     "1:1 [--] comment-style: `--` does not begin a comment. write comments as `// text`"},
    {"p(X) :- q(X, Y), Y == X -- why\n        , r(X);",
     "1:25 [--] comment-style: `--` does not begin a comment. write comments as `// text`"},
    {"p(1.5)@1;",
     "1:3 [1.5] not-an-integer: `1.5` is not an integer. numbers are integers of 64 bits; put "
     "anything else into a \"string\""},
    {"p(X) :- q(X), X = 1;",
     "1:17 [=] single-equals: `=` is not part of the language. write `==` to compare"},
    {"p(X) :- q(X), X <> 1;",
     "1:17 [<>] unknown-operator: `<>` is not part of the language. write `!=`"},
    {"p(X) :- q(X), X =< 1;",
     "1:17 [=<] unknown-operator: `=<` is not part of the language. write `<=`"},
    {"p(X) :- q(X) && r(X);",
     "1:14 [&&] unknown-operator: `&&` is not part of the language. separate the elements of a "
     "body by `,`"},
    {"p(X) :- q(X) || r(X);",
     "1:14 [||] unknown-operator: `||` is not part of the language. write one rule for each "
     "alternative, with the same head"},
    {"p(X) :- q(X), !r(X);",
     "1:15 [!] negation-style: `!` is not part of the language. write `notin` before the atom"},
    {"p(X) :- q(X), not r(X);",
     "1:15 [not] negation-style: `not` is not part of the language. write `notin` before the atom"},
    {"p(X) :- q(X), not(r(X));",
     "1:15 [not] negation-style: `not` is not part of the language. write `notin` before the atom"},
    {"p(X) <- q(X);",
     "1:6 [<-] wrong-arrow: `<-` is not part of the language. write `head :- body;`"},
    {"p(X) := q(X);",
     "1:6 [:=] wrong-arrow: `:=` is not part of the language. write `head :- body;`"},
    {"p(X) => q(X);",
     "1:6 [=>] wrong-arrow: `=>` is not part of the language. write `head :- body;`"},
    {"p(X) :- q(X)\nr(X) :- q(X);",
     "1:13 [] missing-semicolon: expected `;` after this clause. write `;`"},
    {"p(\"a\")@1", "1:9 [] missing-semicolon: expected `;` after this clause. write `;`"},
    {"p(X) :- q(X),\nr(X) :- q(X);",
     "1:13 [,] missing-semicolon: expected `;` here, before the next rule. write `;` instead of "
     "`,`"},
    {"include \"a.ded\"\np(\"a\")@1;",
     "1:16 [] missing-semicolon: expected `;` after this clause. write `;`"},
    {"p(X) :- q(X), X == Y.\nr(X) :- q(X);",
     "1:22 [] missing-semicolon: expected `;` after this clause. write `;` (`Y.` is a name)"},
    {"p(X) :- q(X).\nr(\"a\")@1.\ns(X)@next.",
     "1:13 [.] period-ends-clause: a clause does not end in `.`. write `;`\n"
     "2:9 [.] period-ends-clause: a clause does not end in `.`. write `;`\n"
     "3:10 [.] period-ends-clause: a clause does not end in `.`. write `;`"},
    {"\"a\";",
     "1:1 [\"a\"] expected-clause: expected a fact, a rule or an include, but found a string. "
     "begin a clause with the name of a relation, or with `include`"},
    {"p(\"a\")@1;;", "1:10 [;] expected-clause: there is no clause before this `;`. remove it"},
    {":- p(X);", "1:1 [:-] missing-head: a rule begins with its head. write `head(...) :- body;`"},
    {"p(X), q(X) :- r(X);",
     "1:5 [,] several-heads: a clause has one head. write a clause for each head, and end each "
     "with `;`"},
    {"include spec.ded;",
     "1:9 [spec.ded] include-path: `include` needs a file name in double quotes. write `include "
     "\"file.ded\";`"},
    {"reliable;",
     "1:9 [;] limit-node: expected the name of a node in double quotes, but found `;`. write "
     "`reliable \"a\";` or `reliable \"a\" > \"b\";`"},
    {"nocrash a;",
     "1:9 [a] limit-node: expected the name of a node in double quotes, but found `a`. write "
     "`nocrash \"a\", \"b\";`"},
    {"nocrash \"\";",
     "1:9 [\"\"] limit-node: expected the name of a node in double quotes, but found a string. "
     "write `nocrash \"a\", \"b\";`"},
    {"nocrash \"a\" > \"b\";",
     "1:13 [>] limit-node: a node crashes, not a link. write `nocrash \"a\", \"b\";`"},
    {"reliable \"a\" -> \"b\";",
     "1:14 [->] limit-node: a link is written with `>`. write `reliable \"a\";` or `reliable \"a\" "
     "> \"b\";`"},
    {"reliable \"a\" > b;",
     "1:16 [b] limit-node: expected the name of a node in double quotes, but found `b`. write "
     "`reliable \"a\";` or `reliable \"a\" > \"b\";`"},
    {"reliable \"a\" > \"a\";",
     "1:10 [\"a\" > \"a\"] limit-self: no node loses a message to itself. leave this out, or name "
     "another node"},
    {"reliable \"a\" \"b\";",
     "1:14 [\"b\"] unexpected-token: expected `>`, `,` or `;`, but found a string. write `,` "
     "between the parts of a body, and `;` after a clause"},
    {"relaible \"a\";",
     "1:1 [relaible] unknown-declaration: there is no declaration `relaible`. did you mean "
     "`reliable`?"},
    {"p \"a\";",
     "1:1 [p] unknown-declaration: there is no declaration `p`. the declarations are `include`, "
     "`reliable`, `nocrash`; the arguments of a relation stand in parentheses"},
    {"p(X) :- ;",
     "1:9 [;] empty-body: a rule needs something after its `:-`. write the body; or write a fact, "
     "without `:-` and with its tick, as `@1`"},
    {"p(X) :- q(X), ;", "1:13 [,] extra-comma: nothing follows this `,`. remove it"},
    {"p(X) :- q(X), , r(X);", "1:15 [,] extra-comma: nothing stands before this `,`. remove it"},
    {"p(X) :- q(X) r(X);",
     "1:14 [r] missing-comma: expected `,` or `;` before `r`. write `,` between the parts of a "
     "body, and `;` after a clause"},
    {"p(\"a\" \"b\")@1;",
     "1:7 [\"b\"] missing-comma: expected `,` or `)` before a string (1:2: the arguments begin "
     "here). write `,` between arguments"},
    {"p(X) :- q(X) :- r(X);",
     "1:14 [:-] second-arrow: a rule has one `:-`. end the clause before with `;`, or write `,` "
     "between the parts of a body"},
    {"p(X) + 1;",
     "1:6 [+] unexpected-token: expected `@`, `:-` or `;`, but found `+`. write `,` between the "
     "parts of a body, and `;` after a clause"},
    {"p(X) :- q(X) + 1 > 2;",
     "1:14 [+] unexpected-token: expected `,` or `;`, but found `+`. write `,` between the parts "
     "of a body, and `;` after a clause"},
    {"p(X) :- notin (q(X));",
     "1:15 [(] missing-relation: expected a relation after `notin`, but found `(`. write `notin "
     "relation(...)`; instead of negating a condition, write the opposite one"},
    {"_(X) :- q(X);",
     "1:1 [_] missing-relation: `_` stands for any value, not for a relation. write the name of a "
     "relation"},
    {"p :- q(X);",
     "1:3 [:-] missing-arguments: expected `(` after `p`, but found `:-`. write the arguments in "
     "parentheses, or `()` if there are none"},
    {"p(X) :- q@1;",
     "1:10 [@] missing-arguments: expected `(` after `q`, but found `@`. write the arguments in "
     "parentheses, or `()` if there are none"},
    {"p(X :- q(X);",
     "1:5 [:-] missing-parenthesis: expected `,` or `)`, but found `:-` (1:2: it was opened here). "
     "close the parenthesis"},
    {"p(X) :- q(X), (X + 1 > 2, r(X);",
     "1:25 [,] missing-parenthesis: expected `)`, but found `,` (1:15: it was opened here). close "
     "the parenthesis"},
    {"p(X) :- q(X));", "1:13 [)] extra-parenthesis: this `)` closes nothing. remove it"},
    {")p(X) :- q(X);", "1:1 [)] extra-parenthesis: this `)` closes nothing. remove it"},
    {"p(\"a\")@nxt;",
     "1:8 [nxt] bad-time: expected `next`, `async` or a tick after `@`, but found `nxt`. did you "
     "mean `@next`?"},
    {"p(\"a\")@;",
     "1:8 [;] bad-time: expected `next`, `async` or a tick after `@`, but found `;`. write "
     "`@next`, `@async`, or a tick such as `@1`"},
    {"p(\"a\")@-1;", "1:8 [-] bad-time: there are no negative ticks. the first tick is `@1`"},
    {"p(\"a\")@1@2;", "1:9 [@] bad-time: an atom has one time at most. keep one `@`"},
    {"p(X, )@next :- q(X);",
     "1:6 [)] expected-term: expected a variable or a value, but found `)`. write a variable, `_`, "
     "a \"string\" or an integer"},
    {"p(X) :- q(X), -X > 1;",
     "1:15 [-] expected-term: expected a variable or a value, but found `-`. write `0 - X` for the "
     "negative of `X`"},
    {"p(X) :- q(X), X > ;",
     "1:19 [;] expected-term: expected a variable or a value, but found `;`. write a variable, "
     "`_`, a \"string\" or an integer"},
    {"p(X) :- q(r(X));",
     "1:11 [r(] nested-atom: an atom is not a value. put the atom into the body, on its own"},
    {"notin p(X) :- q(X);",
     "1:1 [notin] misplaced-notin: the head of a clause cannot be negated. write `notin` before "
     "atoms of a body only"},
    {"p(X, notin q(X)) :- q(X);",
     "1:6 [notin] misplaced-notin: `notin` cannot stand inside of a term. write `notin` before an "
     "atom of a body"},
    {"p(count<X> + 1) :- q(X);",
     "1:3 [count<X>] misplaced-aggregate: an aggregate must be a whole argument of a head. compute "
     "it in the head of one rule, and use its value in another"},
    {"p(1 + count<X>) :- q(X);",
     "1:7 [count<X>] misplaced-aggregate: an aggregate must be a whole argument of a head. compute "
     "it in the head of one rule, and use its value in another"},
    {"p(X) :- q(count<X>);",
     "1:11 [count<X>] misplaced-aggregate: an aggregate must be a whole argument of a head. "
     "compute it in the head of one rule, and use its value in another"},
    {"p(X) :- q(X), count<X> > 1;",
     "1:15 [count<X>] misplaced-aggregate: an aggregate must be a whole argument of a head. "
     "compute it in the head of one rule, and use its value in another"},
    {"p(X) :- q(X), 1 == count<X>;",
     "1:20 [count<X>] misplaced-aggregate: an aggregate must be a whole argument of a head. "
     "compute it in the head of one rule, and use its value in another"},
    {"p(avg<X>) :- q(X);",
     "1:3 [avg] unknown-aggregate: there is no aggregate `avg`. the aggregates are `count`, `sum`, "
     "`min` and `max`"},
    {"p(cout<X>) :- q(X);",
     "1:3 [cout] unknown-aggregate: there is no aggregate `cout`. did you mean `count`?"},
    {"p(count<*>) :- q(X);",
     "1:3 [count] unknown-aggregate: an aggregate needs a variable. write `count<X>`"},
    {"p(count<>) :- q(X);",
     "1:3 [count] unknown-aggregate: an aggregate needs a variable. write `count<X>`"},
    {"p(X < 1) :- q(X);",
     "1:5 [<] misplaced-comparison: a comparison is not a value. put the comparison into the body, "
     "on its own"},
    {"p((X < 1)) :- q(X);",
     "1:3 [(X < 1)] misplaced-comparison: a comparison is not a value. put the comparison into the "
     "body, on its own"},
    {"p(X) :- q(X), (X < 1) + 1 == 2;",
     "1:15 [(X < 1)] misplaced-comparison: a comparison is not a value. write each comparison as a "
     "condition of its own"},
    {"p(X) :- q(X), X;",
     "1:15 [X] missing-comparison: this is neither an atom nor a comparison. compare it with "
     "something, as in `X > 0`; or, if it is a relation without columns, write `X()`"},
    {"p(X) :- q(X), X + 1;",
     "1:15 [X + 1] missing-comparison: this is neither an atom nor a comparison. compare it with "
     "something, as in `X > 0`"},
    {"p(X) :- q(X), 1 < X < 3;",
     "1:21 [<] chained-comparison: comparisons cannot be chained. write two conditions, as in `1 < "
     "X, X < 5`"},
    {"p(9223372036854775808)@1;",
     "1:3 [9223372036854775808] number-too-large: `9223372036854775808` does not fit into 64 bits. "
     "integers lie between -9223372036854775808 and 9223372036854775807"},
    {"p(\"a\")@99999999999999999999;",
     "1:8 [99999999999999999999] number-too-large: `99999999999999999999` does not fit into 64 "
     "bits. integers lie between -9223372036854775808 and 9223372036854775807"},
};

TEST(ParseErrors, SayWhatIsWrongAndWhatToDo) {
  for (const Mistake& row : kMistakes) {
    EXPECT_EQ(summary(parse_text(row.source)), row.errors) << row.source;
  }
}

}  // namespace
}  // namespace clew::dedalus
