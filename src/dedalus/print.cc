#include "dedalus/print.h"

#include <fmt/format.h>

#include <string_view>

#include "base/check.h"

namespace clew::dedalus {

namespace {

int precedence(Op op) {
  if (is_comparison(op)) return 1;
  return op == Op::kAdd || op == Op::kSubtract ? 2 : 3;
}

void append(std::string& out, const Term& term);

// Operators join to the left: only a right operand of the same precedence needs parentheses.
void append_operand(std::string& out, const Term& operand, int least) {
  const bool enclose = operand.kind == Term::Kind::kBinary && precedence(operand.op) < least;
  if (enclose) out += '(';
  append(out, operand);
  if (enclose) out += ')';
}

void append(std::string& out, const Term& term) {
  switch (term.kind) {
    case Term::Kind::kVariable:
      out += term.text;
      return;
    case Term::Kind::kWildcard:
      out += '_';
      return;
    case Term::Kind::kString:
      out += fmt::format("\"{}\"", term.text);
      return;
    case Term::Kind::kInteger:
      out += std::to_string(term.integer);
      return;
    case Term::Kind::kAggregate:
      out += fmt::format("{}<{}>", name(term.function), term.text);
      return;
    case Term::Kind::kBinary:
      CHECK(term.operands.size() == 2);
      append_operand(out, term.operands[0], precedence(term.op));
      out += fmt::format(" {} ", symbol(term.op));
      append_operand(out, term.operands[1], precedence(term.op) + 1);
      return;
  }
}

std::string time_text(const TimeSuffix& time) {
  switch (time.kind) {
    case TimeSuffix::Kind::kNone:
      return "";
    case TimeSuffix::Kind::kNext:
      return "@next";
    case TimeSuffix::Kind::kAsync:
      return "@async";
    case TimeSuffix::Kind::kAt:
      return fmt::format("@{}", time.tick);
  }
  CHECK(false, "no such time: {}", static_cast<int>(time.kind));
  return "";
}

// `"a"` or `"a" > "b"`
std::string print(const Limit& limit) {
  if (limit.to.empty()) return fmt::format("\"{}\"", limit.node);
  return fmt::format("\"{}\" > \"{}\"", limit.node, limit.to);
}

std::string print_limits(const Clause& clause) {
  std::string out = name(clause.limits.front().kind);
  for (const Limit& limit : clause.limits) {
    out += &limit == &clause.limits.front() ? " " : ", ";
    out += print(limit);
  }
  return out + ";";
}

std::string describe(const Term& term) {
  switch (term.kind) {
    case Term::Kind::kVariable:
      return "variable " + term.text;
    case Term::Kind::kWildcard:
      return "wildcard";
    case Term::Kind::kString:
      return fmt::format("string \"{}\"", term.text);
    case Term::Kind::kInteger:
      return fmt::format("integer {}", term.integer);
    case Term::Kind::kAggregate:
      return fmt::format("aggregate {} {}", name(term.function), term.text);
    case Term::Kind::kBinary:
      return fmt::format("operator {}", symbol(term.op));
  }
  CHECK(false, "no such term: {}", static_cast<int>(term.kind));
  return "";
}

// Writes the tree, one element a line.
class TreePrinter {
 public:
  void add(const Clause& clause);
  std::string take() { return std::move(out_); }

 private:
  void line(int depth, std::string_view text);
  void add(int depth, const char* role, const Atom& atom);
  void add(int depth, const Literal& literal);
  void add(int depth, const Term& term);

  std::string out_;
};

void TreePrinter::line(int depth, std::string_view text) {
  out_.append(static_cast<size_t>(2 * depth), ' ');
  out_ += text;
  out_ += '\n';
}

void TreePrinter::add(const Clause& clause) {
  switch (clause.kind) {
    case Clause::Kind::kInclude:
      line(0, fmt::format("include \"{}\"", clause.path));
      return;
    case Clause::Kind::kLimits:
      line(0, name(clause.limits.front().kind));
      for (const Limit& limit : clause.limits) line(1, print(limit));
      return;
    case Clause::Kind::kFact:
      add(0, "fact", clause.head);
      return;
    case Clause::Kind::kPromise:
      line(0, fmt::format("{} {}", name(clause.promise), clause.name));
      for (const Literal& literal : clause.body) add(1, literal);
      if (!clause.implied.empty()) line(1, "implies");
      for (const Literal& literal : clause.implied) add(1, literal);
      return;
    case Clause::Kind::kRule:
      line(0, "rule");
      add(1, "head", clause.head);
      for (const Literal& literal : clause.body) add(1, literal);
      return;
  }
}

void TreePrinter::add(int depth, const char* role, const Atom& atom) {
  std::string time = time_text(atom.time);
  line(depth, fmt::format("{} {}{}{}", role, atom.relation, time.empty() ? "" : " ", time));
  for (const Term& term : atom.args) add(depth + 1, term);
}

void TreePrinter::add(int depth, const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kPositive:
      add(depth, "atom", literal.atom);
      return;
    case Literal::Kind::kNegative:
      add(depth, "notin", literal.atom);
      return;
    case Literal::Kind::kCondition:
      line(depth, "condition");
      add(depth + 1, literal.condition);
      return;
  }
}

void TreePrinter::add(int depth, const Term& term) {
  line(depth, describe(term));
  for (const Term& operand : term.operands) add(depth + 1, operand);
}

}  // namespace

std::string print(const Term& term) {
  std::string out;
  append(out, term);
  return out;
}

std::string print(const Atom& atom) {
  std::string out = atom.relation + "(";
  for (size_t i = 0; i < atom.args.size(); ++i) {
    if (i > 0) out += ", ";
    append(out, atom.args[i]);
  }
  return out + ")" + time_text(atom.time);
}

std::string print(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kPositive:
      return print(literal.atom);
    case Literal::Kind::kNegative:
      return "notin " + print(literal.atom);
    case Literal::Kind::kCondition:
      return print(literal.condition);
  }
  CHECK(false, "no such literal: {}", static_cast<int>(literal.kind));
  return "";
}

std::string print(const std::vector<Literal>& body) {
  std::string out;
  for (const Literal& literal : body) {
    if (!out.empty()) out += ", ";
    out += print(literal);
  }
  return out;
}

std::string print(const Clause& clause) {
  if (clause.kind == Clause::Kind::kInclude) return fmt::format("include \"{}\";", clause.path);
  if (clause.kind == Clause::Kind::kLimits) return print_limits(clause);
  if (clause.kind == Clause::Kind::kPromise) {
    std::string out =
        fmt::format("{} {}: {}", name(clause.promise), clause.name, print(clause.body));
    if (!clause.implied.empty()) out += " implies " + print(clause.implied);
    return out + ";";
  }
  if (clause.body.empty()) return print(clause.head) + ";";
  return fmt::format("{} :- {};", print(clause.head), print(clause.body));
}

std::string print_tree(const File& file) {
  TreePrinter printer;
  for (const Clause& clause : file.clauses) printer.add(clause);
  return printer.take();
}

}  // namespace clew::dedalus
