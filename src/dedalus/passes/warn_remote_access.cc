// A node knows of other nodes only what messages told it. A rule that reads another node's
// relations, or derives something there without a message, describes a system that cannot be built.
// Views may do so: they describe what an observer of the whole system sees.
#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

constexpr size_t kMostNotes = 5;

// "`X`", "\"a\"", "every node"
std::string place_of(const Term& column) {
  switch (column.kind) {
    case Term::Kind::kVariable:
      return name_of(column.text);
    case Term::Kind::kString:
      return string_of(column.text);
    case Term::Kind::kWildcard:
      return "every node";
    default:
      return "a computed place";
  }
}

// Where a rule is at home: the first column of the first literal that has columns, and the
// variables that a condition equates with it.
class Home {
 public:
  explicit Home(const Clause& rule) : column_(first_column(rule)) {
    if (column_ == nullptr || column_->kind != Term::Kind::kVariable) return;
    for (const Literal& literal : rule.body) {
      if (literal.kind == Literal::Kind::kCondition) equate(literal.condition);
    }
  }

  // Null if no literal has a column, so that nothing is near or far.
  const Term* column() const { return column_; }

  bool contains(const Term& term) const {
    if (term.kind == Term::Kind::kVariable) {
      const bool is_column = column_->kind == Term::Kind::kVariable && column_->text == term.text;
      return is_column || equal_.contains(term.text);
    }
    return term.kind == Term::Kind::kString && column_->kind == Term::Kind::kString &&
           column_->text == term.text;
  }

 private:
  static const Term* first_column(const Clause& rule) {
    for (const Literal& literal : rule.body) {
      const bool is_atom = literal.kind != Literal::Kind::kCondition;
      if (is_atom && !literal.atom.args.empty()) return &literal.atom.args.front();
    }
    return nullptr;
  }

  void equate(const Term& condition) {
    if (condition.op != Op::kEqual) return;
    const Term& left = condition.operands[0];
    const Term& right = condition.operands[1];
    if (left.kind != Term::Kind::kVariable || right.kind != Term::Kind::kVariable) return;
    if (left.text == column_->text) equal_.insert(right.text);
    if (right.text == column_->text) equal_.insert(left.text);
  }

  const Term* column_;
  std::unordered_set<std::string> equal_;
};

class RemoteAccess {
 public:
  RemoteAccess(const Clause& rule, Diagnostics& diagnostics)
      : rule_(rule), home_(rule), diagnostics_(diagnostics) {}

  void check() {
    if (home_.column() == nullptr || home_.column()->kind == Term::Kind::kBinary) return;
    if (!check_reads() && rule_.head.time.kind != TimeSuffix::Kind::kAsync) check_head();
  }

 private:
  // `crash` holds at every node.
  bool is_far(const Atom& atom) const {
    return !atom.args.empty() && atom.relation != kCrash && !home_.contains(atom.args.front());
  }

  bool check_reads() {
    Diagnostic* diagnostic = nullptr;
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition || !is_far(literal.atom)) continue;
      const std::string reads = fmt::format("reads {} at {}", name_of(literal.atom.relation),
                                            place_of(literal.atom.args.front()));
      if (diagnostic == nullptr) {
        diagnostic = &warn_read(literal.atom, reads);
      } else if (diagnostic->notes.size() < kMostNotes) {
        diagnostic->notes.push_back({literal.atom.name_span, "it also " + reads});
      }
    }
    return diagnostic != nullptr;
  }

  Diagnostic& warn_read(const Atom& atom, const std::string& reads) {
    const bool at_home = &atom.args.front() == home_.column();
    std::string message =
        at_home ? fmt::format("this rule {}", reads)
                : fmt::format("this rule fires at {} but {}", place_of(*home_.column()), reads);
    return diagnostics_.warning(
        "remote-read", atom.name_span, std::move(message),
        "a node knows of the others only what it was told: send it with `@async`");
  }

  void check_head() {
    const Atom& head = rule_.head;
    if (!is_far(head) || head.args.front().kind == Term::Kind::kWildcard) return;
    diagnostics_.warning(
        "remote-write", head.name_span,
        fmt::format("this rule fires at {} but derives {} at {} without a message",
                    place_of(*home_.column()), name_of(head.relation), place_of(head.args.front())),
        "write `@async` to send it, or put the location first");
  }

  const Clause& rule_;
  Home home_;
  Diagnostics& diagnostics_;
};

bool is_view(const Clause& rule, Draft& draft) {
  return rule.head.time.kind == TimeSuffix::Kind::kNone && draft.relation_of(rule.head).view;
}

}  // namespace

void warn_remote_access(Draft& draft) {
  if (draft.given != nullptr) return;  // a spec is an observer of the whole system
  for (const Clause& clause : draft.clauses) {
    if (clause.kind != Clause::Kind::kRule || is_view(clause, draft)) continue;
    if (location_of(clause).kind == Location::Kind::kNowhere) continue;
    RemoteAccess(clause, draft.diagnostics).check();
  }
}

}  // namespace clew::dedalus
