#include "bench/asp/names.h"

#include <fmt/format.h>

#include <cctype>

#include "base/check.h"

namespace clew::asp {

namespace {

using dedalus::Op;
using dedalus::Term;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Letters, digits and `_`, beginning with a letter of the right case.
std::string legal(const std::string& name, Names::Case first) {
  const bool upper = first == Names::Case::kUpper;
  std::string result;
  for (const char c : name) result += is_letter(c) || is_digit(c) ? c : '_';
  if (!is_letter(result[0])) result.insert(0, upper ? "V" : "p");
  auto letter = static_cast<unsigned char>(result[0]);
  result[0] = static_cast<char>(upper ? std::toupper(letter) : std::tolower(letter));
  return result;
}

}  // namespace

const std::string& Names::operator[](const std::string& name) {
  auto [at, is_new] = names_.try_emplace(name);
  if (!is_new) return at->second;
  std::string base = legal(name, case_);
  at->second = base;
  for (int i = 1; !taken_.insert(at->second).second; ++i) {
    at->second = fmt::format("{}_{}", base, i);
  }
  return at->second;
}

const std::set<std::string>& own_predicates() {
  static const std::set<std::string> kNames = {
      "not", "is_node", "tick", "omission", "crash_at", "dead", "lost", "violated", "crash"};
  return kNames;
}

std::string string_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string call(const std::string& predicate, const std::vector<std::string>& args) {
  return args.empty() ? predicate : fmt::format("{}({})", predicate, fmt::join(args, ","));
}

std::string term_text(const Term& term, Names& variables) {
  switch (term.kind) {
    case Term::Kind::kVariable:
    case Term::Kind::kAggregate:
      return variables[term.text];
    case Term::Kind::kString:
      return string_text(term.text);
    case Term::Kind::kInteger:
      return std::to_string(term.integer);
    case Term::Kind::kBinary:
      return fmt::format("({}{}{})", term_text(term.operands[0], variables), symbol(term.op),
                         term_text(term.operands[1], variables));
    case Term::Kind::kWildcard:
      break;
  }
  CHECK(false, "a wildcard has no value");
  return "";
}

const char* comparison_text(Op op) { return op == Op::kEqual ? "=" : symbol(op); }

}  // namespace clew::asp
