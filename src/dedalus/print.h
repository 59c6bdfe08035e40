// Clauses to text: the canonical layout of `clew fmt`. Printing and parsing again gives the same
// clauses, and printing those gives the same text.
#pragma once

#include <string>

#include "dedalus/ast.h"

namespace clew::dedalus {

std::string print(const Term& term);
std::string print(const Atom& atom);
std::string print(const Literal& literal);
std::string print(const std::vector<Literal>& body);  // with commas
// On one line, without comments.
std::string print(const Clause& clause);

// The whole file in canonical layout: one clause a line where it fits into 80 columns, else one
// literal a line; comments kept; at most one empty line between clauses.
std::string format_file(const File& file);

// `--show=ast`: the tree, one element a line, indented.
std::string print_tree(const File& file);

}  // namespace clew::dedalus
