#include "tests/twins/random_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace clew::twins {
namespace {

enum class Type { kNode, kInteger, kText };  // kNode: a string that is usually a node's name

struct Relation {
  std::string name;
  std::vector<Type> columns;
  int level = 0;  // negation and aggregation read from lower levels only
};

enum class When { kNow, kNext, kAsync };

struct Schema {
  std::vector<NodeName> nodes;
  std::vector<Relation> relations;  // the last is `crash`
};

const std::vector<std::string> kLarge = {"9223372036854775807", "-9223372036854775808",
                                         "4611686018427387904"};

std::string random_constant(const Schema& schema, Type type, Random& random) {
  if (random.chance(0.01)) type = type == Type::kInteger ? Type::kText : Type::kInteger;
  switch (type) {
    case Type::kNode:
      if (random.chance(0.05)) return R"("z")";
      return fmt::format("\"{}\"", random.pick(schema.nodes));
    case Type::kInteger:
      if (random.chance(0.01)) return random.pick(kLarge);
      return fmt::format("{}", random.uniform_in(random.chance(0.1) ? -3 : 0, 3));
    case Type::kText:
      break;
  }
  static const std::vector<std::string> kTexts = {R"("x")", R"("y")", R"("x y")", R"("")",
                                                  R"("a")"};
  return random.pick(kTexts);
}

// ---- Rules ----

struct Variable {
  std::string name;
  Type type;
};

struct BodyAtom {
  const Relation* relation = nullptr;
  bool negated = false;
  std::vector<std::string> args;  // empty text: an expression, filled in when variables are known
  std::string suffix;

  std::string text() const {
    return fmt::format("{}{}({}){}", negated ? "notin " : "", relation->name, fmt::join(args, ", "),
                       suffix);
  }
};

// Makes one rule. The order of the steps matters: what positive atoms bind is known only after all
// of them, and everything else is made of that.
class RuleMaker {
 public:
  RuleMaker(const Schema& schema, Random& random) : schema_(schema), random_(random) {}

  std::string make() {
    choose_head();
    choose_atoms();
    bind_positive_atoms();
    fill_expressions();
    const std::string head = make_head();
    add_conditions();
    if (body_.empty()) body_.emplace_back("1 < 2");
    return fmt::format("{} :- {};", head, fmt::join(body_, ", "));
  }

 private:
  // ---- What the rule reads and derives ----

  void choose_head() {
    static const std::vector<When> kWhen = {When::kNow,  When::kNow,   When::kNow,  When::kNow,
                                            When::kNext, When::kAsync, When::kAsync};
    when_ = random_.pick(kWhen);
    do {
      head_ = &schema_.relations[random_.uniform_below(schema_.relations.size() - 1)];
    } while (when_ == When::kAsync && (head_->columns.empty() || head_->columns[0] != Type::kNode));
    const bool lowest = when_ == When::kNow && head_->level == 0;
    aggregates_ = !lowest && !head_->columns.empty() && random_.chance(0.15);
    grows_ = when_ != When::kNow || (!lowest && random_.chance(0.5));
  }

  // Deductive rules read their own level only without negation, aggregates and growth.
  const Relation* choose_relation(bool lower) {
    std::vector<const Relation*> choices;
    for (const Relation& relation : schema_.relations) {
      const int most = head_->level - (lower ? 1 : 0);
      if (when_ == When::kNow && relation.level > most && !random_.chance(0.003)) continue;
      const bool rare = relation.name == "crash";
      if (!rare || random_.chance(0.3)) choices.push_back(&relation);
    }
    return choices.empty() ? nullptr : random_.pick(choices);
  }

  void add_atom(bool negated) {
    const bool lower = negated || aggregates_ || (when_ == When::kNow && grows_);
    const Relation* relation = choose_relation(lower);
    if (relation == nullptr) return;
    BodyAtom atom;
    atom.relation = relation;
    atom.negated = negated;
    if (random_.chance(0.06)) {
      atom.suffix = fmt::format("@{}", random_.uniform_in(1, 4));
    } else if (random_.chance(0.005)) {
      atom.suffix = "@0";
    }
    atoms_.push_back(atom);
  }

  void choose_atoms() {
    const bool negated_first = random_.chance(0.12);
    if (negated_first) add_atom(true);
    for (uint64_t i = negated_first ? random_.uniform_below(3) : 1 + random_.uniform_below(3);
         i > 0; --i) {
      add_atom(false);
    }
    for (uint64_t i = random_.chance(0.35) ? 1 + random_.uniform_below(2) : 0; i > 0; --i) {
      add_atom(true);
    }
    if (negated_first || atoms_.size() < 2) return;
    std::vector<BodyAtom> rest(atoms_.begin() + 1, atoms_.end());
    random_.shuffle(rest);
    std::ranges::copy(rest, atoms_.begin() + 1);
  }

  // ---- Terms ----

  std::string new_variable(Type type, bool bind) {
    static const std::vector<std::string> kNames = {"X", "Y", "Z", "n", "Who", "v.1", "T?", "w_"};
    const size_t turn = named_ / kNames.size();
    std::string name = kNames[named_++ % kNames.size()] + (turn > 0 ? std::to_string(turn) : "");
    if (bind) bound_.push_back({name, type});
    return name;
  }

  static bool is_text(Type type) { return type != Type::kInteger; }

  // A bound variable of the type; empty if there is none.
  std::string bound_variable(Type type) {
    std::vector<std::string> exact;
    std::vector<std::string> similar;
    for (const Variable& variable : bound_) {
      if (variable.type == type) exact.push_back(variable.name);
      if (is_text(variable.type) == is_text(type)) similar.push_back(variable.name);
    }
    if (similar.empty()) return "";
    return random_.pick(exact.empty() || random_.chance(0.05) ? similar : exact);
  }

  std::string constant(Type type) { return random_constant(schema_, type, random_); }

  std::string variable_or_constant(Type type) {
    const std::string variable = bound_variable(type);
    return variable.empty() || random_.chance(0.15) ? constant(type) : variable;
  }

  std::string expression(Type type, int depth = 0) {
    if (depth > 2 || (depth > 0 && random_.chance(0.7))) return variable_or_constant(type);
    const std::string left = expression(type, depth + 1);
    const std::string right = expression(type, depth + 1);
    if (is_text(type)) return depth > 0 ? left : left + " + " + right;
    static const std::vector<std::string> kOperators = {"+", "+", "+", "-", "-", "*"};
    const std::string op = random_.chance(0.1) ? "/" : random_.pick(kOperators);
    const std::string divisor = op == "/" && random_.chance(0.5) ? "2" : right;
    const std::string text = fmt::format("{} {} {}", left, op, divisor);
    return depth > 0 ? "(" + text + ")" : text;
  }

  // ---- Bodies ----

  // The location: the first column of the first atom.
  std::string location(Type type) {
    if (random_.chance(0.1)) return "_";
    if (type != Type::kNode && random_.chance(0.8)) return "_";
    if (random_.chance(0.1)) return constant(random_.chance(0.9) ? Type::kNode : Type::kInteger);
    return new_variable(Type::kNode, true);
  }

  std::string positive_argument(Type type) {
    if (random_.chance(0.06)) return constant(type);
    if (random_.chance(0.12)) return "_";
    if (random_.chance(0.04)) return "";
    const std::string known = bound_variable(type);
    return known.empty() || random_.chance(0.6) ? new_variable(type, true) : known;
  }

  void bind_positive_atoms() {
    for (BodyAtom& atom : atoms_) {
      const bool first = &atom == &atoms_.front();
      for (size_t i = 0; i < atom.relation->columns.size(); ++i) {
        const Type type = atom.relation->columns[i];
        if (first && i == 0) {
          atom.args.push_back(location(type));
        } else if (!atom.negated) {
          atom.args.push_back(positive_argument(type));
        }
      }
    }
  }

  // A variable that nothing else binds may stand twice in its own `notin`.
  std::string negative_argument(Type type, std::string& existential) {
    if (random_.chance(0.1)) return constant(type);
    if (random_.chance(0.2)) return "_";
    if (random_.chance(0.07)) return expression(type);
    if (random_.chance(0.2)) {
      if (existential.empty() || random_.chance(0.3)) existential = new_variable(type, false);
      return existential;
    }
    return variable_or_constant(type);
  }

  void fill_expressions() {
    for (BodyAtom& atom : atoms_) {
      std::string existential;
      for (size_t i = 0; i < atom.relation->columns.size(); ++i) {
        const Type type = atom.relation->columns[i];
        if (i == atom.args.size()) {
          atom.args.push_back(negative_argument(type, existential));
        } else if (atom.args[i].empty()) {
          atom.args[i] = expression(type);
        }
      }
      body_.push_back(atom.text());
    }
  }

  void add_condition(std::string text) {
    const uint64_t place = random_.uniform_below(body_.size() + 1);
    body_.insert(body_.begin() + static_cast<std::ptrdiff_t>(place), std::move(text));
  }

  void add_conditions() {
    static const std::vector<std::string> kComparisons = {"<", "<=", ">", ">=", "==", "!=", "!="};
    for (uint64_t i = random_.chance(0.3) ? 1 + random_.uniform_below(2) : 0; i > 0; --i) {
      const Type type = bound_.empty() ? Type::kInteger : random_.pick(bound_).type;
      const std::string left = random_.chance(0.2) ? expression(type) : variable_or_constant(type);
      const bool mixed = random_.chance(0.05);
      const Type other = type == Type::kInteger ? Type::kText : Type::kInteger;
      std::string right = variable_or_constant(mixed ? other : type);
      if (right == left) right = constant(type);
      add_condition(fmt::format("{} {} {}", left, random_.pick(kComparisons), right));
    }
  }

  // ---- Heads ----

  // Arithmetic that a recursive rule may apply again and again within a tick.
  std::string guarded_expression() {
    const std::string variable = bound_variable(Type::kInteger);
    if (variable.empty()) return constant(Type::kInteger);
    add_condition(fmt::format("{} < {}", variable, random_.uniform_in(2, 5)));
    add_condition(fmt::format("{} > -2", variable));
    return fmt::format("{} {} {}", variable, random_.chance(0.7) ? "+" : "-",
                       random_.uniform_in(1, 2));
  }

  std::string aggregate(Type type) {
    const bool text = is_text(type);
    const std::string same = bound_variable(type);
    if (!text && !bound_.empty() && random_.chance(0.5)) {
      return fmt::format("count<{}>", random_.pick(bound_).name);
    }
    if (same.empty()) return constant(type);
    static const std::vector<std::string> kForIntegers = {"sum", "min", "max", "count"};
    static const std::vector<std::string> kForTexts = {"min", "max"};
    return fmt::format("{}<{}>", random_.pick(text ? kForTexts : kForIntegers), same);
  }

  std::string head_argument(Type type, bool may_aggregate) {
    if (may_aggregate && aggregates_ && random_.chance(0.6)) return aggregate(type);
    if (!random_.chance(0.15)) return variable_or_constant(type);
    if (grows_) return expression(type);
    return is_text(type) ? variable_or_constant(type) : guarded_expression();
  }

  // Usually the location itself; messages usually go elsewhere.
  std::string destination() {
    const bool located = !bound_.empty() && bound_.front().type == Type::kNode;
    const bool elsewhere = random_.chance(when_ == When::kAsync ? 0.8 : 0.3);
    if (!located || !elsewhere) return located ? bound_.front().name : constant(Type::kNode);
    for (const Variable& variable : bound_) {
      if (variable.type == Type::kNode && random_.chance(0.5)) return variable.name;
    }
    return variable_or_constant(Type::kNode);
  }

  std::string make_head() {
    std::vector<std::string> args;
    for (size_t i = 0; i < head_->columns.size(); ++i) {
      const Type type = head_->columns[i];
      if (i == 0 && type == Type::kNode && !random_.chance(0.1)) {
        args.push_back(destination());
      } else {
        args.push_back(head_argument(type, i > 0 || when_ != When::kAsync));
      }
    }
    static const std::vector<std::string> kSuffixes = {"", "@next", "@async"};
    return fmt::format("{}({}){}", head_->name, fmt::join(args, ", "),
                       kSuffixes[static_cast<size_t>(when_)]);
  }

  const Schema& schema_;
  Random& random_;
  When when_ = When::kNow;
  const Relation* head_ = nullptr;
  bool aggregates_ = false;
  bool grows_ = false;  // values may grow: the rule is not part of a recursion within the tick
  std::vector<BodyAtom> atoms_;
  std::vector<Variable> bound_;
  size_t named_ = 0;
  std::vector<std::string> body_;
};

// ---- Programs ----

Relation random_relation(std::string name, int level, Random& random) {
  Relation relation{std::move(name), {}, level};
  if (random.chance(0.06)) return relation;
  relation.columns.push_back(random.chance(0.92) ? Type::kNode : Type::kInteger);
  for (uint64_t more = random.uniform_below(3); more > 0; --more) {
    static const std::vector<Type> kTypes = {Type::kNode, Type::kInteger, Type::kInteger,
                                             Type::kText};
    relation.columns.push_back(random.pick(kTypes));
  }
  return relation;
}

// A relation that is there in most programs and lets every node reach every other.
const char* const kNeighbours = "node";

void add_neighbours(const Schema& schema, std::vector<std::string>& clauses) {
  for (const NodeName& from : schema.nodes) {
    for (const NodeName& to : schema.nodes) {
      clauses.push_back(fmt::format("{}(\"{}\", \"{}\")@1;", kNeighbours, from, to));
    }
  }
}

Schema random_schema(Random& random) {
  static const std::vector<std::string> kNames = {"p", "q", "r.s", "t?", "u_1", "Vw"};
  Schema schema;
  const bool digits = random.chance(0.05);  // names that look like integers are not integers
  const std::vector<NodeName> all = digits ? std::vector<NodeName>{"0", "1", "2", "3"}
                                           : std::vector<NodeName>{"a", "b", "c", "d"};
  schema.nodes.assign(all.begin(), all.begin() + random.uniform_in(1, 4));
  const uint64_t count = 2 + random.uniform_below(kNames.size() - 1);
  for (uint64_t i = 0; i < count; ++i) {
    const int level = static_cast<int>(random.uniform_below(4));
    schema.relations.push_back(random_relation(kNames[i], level, random));
  }
  schema.relations[0] = {"p", {Type::kNode, Type::kInteger}, 0};
  if (random.chance(0.6)) schema.relations.push_back({kNeighbours, {Type::kNode, Type::kNode}, 0});
  if (random.chance(0.7)) {
    Relation goal = random_relation("pre", 4, random);
    schema.relations.push_back(goal);
    goal.name = "post";
    schema.relations.push_back(goal);
  }
  schema.relations.push_back({"crash", {Type::kNode, Type::kNode, Type::kInteger}, -1});
  return schema;
}

std::string random_fact(const Schema& schema, const Relation& relation, Random& random) {
  std::vector<std::string> args;
  for (const Type type : relation.columns) args.push_back(random_constant(schema, type, random));
  const int64_t tick = random.chance(0.7) ? 1 : random.chance(0.02) ? 0 : random.uniform_in(1, 7);
  return fmt::format("{}({})@{};", relation.name, fmt::join(args, ", "), tick);
}

// What a relation holds at one tick it holds at the next.
std::string persistence(const Relation& relation) {
  std::vector<std::string> args;
  for (size_t i = 0; i < relation.columns.size(); ++i) args.push_back(fmt::format("C{}", i));
  const std::string atom = fmt::format("{}({})", relation.name, fmt::join(args, ", "));
  return fmt::format("{}@next :- {};", atom, atom);
}

// Made of the bodies of rules; where names of variables agree, they join.
std::string random_promise(const Schema& schema, int number, Random& random) {
  const auto body = [&] {
    const std::string rule = RuleMaker(schema, random).make();
    const size_t begin = rule.find(":- ") + 3;
    return rule.substr(begin, rule.size() - begin - 1);
  };
  static const std::vector<std::string> kKinds = {"promise", "always", "never"};
  const std::string kind = random.pick(kKinds);
  std::string text = fmt::format("{} s{}: {}", kind, number, body());
  if (kind != "never") text += " implies " + body();
  return text + ";";
}

}  // namespace

std::string RandomProgram::text() const {
  std::string result;
  for (const std::string& clause : clauses) result += clause + "\n";
  return result;
}

RandomProgram random_program(Random& random) {
  const Schema schema = random_schema(random);
  RandomProgram program;
  program.nodes = schema.nodes;
  if (program.nodes.size() > 1 && random.chance(0.1)) program.nodes.pop_back();
  for (size_t i = 0; i + 1 < schema.relations.size(); ++i) {
    const Relation& relation = schema.relations[i];
    if (random.chance(0.5)) program.clauses.push_back(persistence(relation));
    if (relation.name == kNeighbours) add_neighbours(schema, program.clauses);
    if (i > 0 && random.chance(0.2)) continue;
    for (uint64_t facts = 1 + random.uniform_below(5); facts > 0; --facts) {
      program.clauses.push_back(random_fact(schema, relation, random));
    }
  }
  for (uint64_t rules = 1 + random.uniform_below(9); rules > 0; --rules) {
    program.clauses.push_back(RuleMaker(schema, random).make());
  }
  for (int number = 1; random.chance(0.25); ++number) {
    program.clauses.push_back(random_promise(schema, number, random));
  }
  random.shuffle(program.clauses);
  return program;
}

Scenario random_scenario(const std::vector<NodeName>& nodes, Random& random) {
  Scenario scenario;
  scenario.nodes = nodes;
  scenario.program.eot = static_cast<Tick>(random.uniform_in(1, 6));
  scenario.program.crash_model = random.chance(0.5) ? CrashModel::kSilent : CrashModel::kStop;
  const double omissions = random.chance(0.3) ? 0 : random.chance(0.5) ? 0.15 : 0.5;
  const double crashes = random.chance(0.4) ? 0 : random.chance(0.1) ? 1 : 0.3;
  for (const NodeName& from : nodes) {
    for (Tick tick = 1; tick < scenario.program.eot; ++tick) {
      for (const NodeName& to : nodes) {
        if (from != to && random.chance(omissions)) {
          scenario.faults.insert(Omission{from, to, tick});
        }
      }
    }
    if (scenario.program.eot > 1 && random.chance(crashes)) {
      const auto tick = static_cast<Tick>(random.uniform_in(1, scenario.program.eot - 1));
      scenario.faults.insert(Crash{from, tick});
    }
  }
  return scenario;
}

Limits random_limits(const std::vector<NodeName>& nodes, Random& random) {
  Limits limits;
  if (random.chance(0.6)) return limits;
  for (const NodeName& node : nodes) {
    if (random.chance(0.2)) limits.reliable_nodes.insert(node);
    if (random.chance(0.3)) limits.no_crash.insert(node);
    for (const NodeName& other : nodes) {
      if (node != other && random.chance(0.2)) limits.reliable_links.insert({node, other});
    }
  }
  return limits;
}

}  // namespace clew::twins
