// Names, constants and expressions of a Program as clingo writes them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dedalus/program.h"

namespace clew::asp {

// Gives every name of the program a name that clingo accepts, as similar as can be, and different
// from all others.
class Names {
 public:
  enum class Case { kLower, kUpper };  // predicates begin with a small letter, variables do not

  Names(Case first, std::set<std::string> reserved) : case_(first), taken_(std::move(reserved)) {}

  const std::string& operator[](const std::string& name);

 private:
  Case case_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> names_;
};

// The predicates that a translation uses besides those of the program.
const std::set<std::string>& own_predicates();

std::string string_text(std::string_view text);

// `p(a,b)`, or `p` without arguments.
std::string call(const std::string& predicate, const std::vector<std::string>& args);

// A term without wildcards. Aggregates stand for their variable.
std::string term_text(const dedalus::Term& term, Names& variables);

// `=` for `==`; the others are the same.
const char* comparison_text(dedalus::Op op);

}  // namespace clew::asp
