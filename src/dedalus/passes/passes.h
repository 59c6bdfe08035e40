// The passes between the parser and a Program, each in the file of its name.
//
// A pass reads the Draft, reports what it finds, and may complete or repair the Draft so that later
// passes need not stumble over the same mistake again: all errors of a program are shown in one go,
// and each mistake once. In a repaired Draft, a wildcard in a fact or a head stands for a value
// about which nothing is known. A Draft with errors never becomes a Program.
#pragma once

#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "dedalus/ast.h"
#include "dedalus/program.h"

namespace clew::dedalus {

// What first put an integer and a string into a column.
struct ColumnOrigin {
  Span integer;
  Span string;
};

struct Draft {
  std::vector<Clause> clauses;  // facts and rules as written, in order
  Program program;              // of which only the relations are filled in yet
  Diagnostics& diagnostics;
  // All clauses could be parsed. If not, a relation without rules may just have lost them.
  bool complete = true;
  // Of a spec: what the Runs give that it judges; null: a program of its own.
  const GivenRelations* given = nullptr;
  // By relation and column; infer_types fills them in.
  std::vector<std::vector<ColumnOrigin>> origins = {};

  // Requires resolve_relations.
  RelationIndex index_of(const Atom& atom) const {
    return program.relation_index.at(atom.relation);
  }
  RelationInfo& relation_of(const Atom& atom) { return program.relations[index_of(atom)]; }
};

// Turns promises into placeless rules for what they promise and what keeps them, and lists them.
void state_promises(Draft& draft);
// A spec judges what has happened: it sends nothing and limits nobody. Makes its rules placeless.
void check_spec_clauses(Draft& draft);
// Facts and heads hold what they may, time suffixes are where they may be. Folds constants.
void check_clauses(Draft& draft);
// Every relation has one arity. Fills in the relations but for their types and `view`.
void resolve_relations(Draft& draft);
// Relations that are read and always empty, relations that nothing reads.
void warn_relations(Draft& draft);
// Every variable that needs a value has one.
void check_safety(Draft& draft);
// What each column may hold.
void infer_types(Draft& draft);
// Operators and comparisons get what they can work with; literals can match. Follows infer_types;
// where that knew nothing of the columns, only constants and `crash` are wrong.
void check_types(Draft& draft);
// Nothing depends on its own absence, or on an aggregate of itself, within a tick.
void check_strata(Draft& draft);
// Which relations never influence a later tick.
void find_views(Draft& draft);
// Variables that look like misspelled others.
void warn_variables(Draft& draft);
// Rules that know of another node what only a message could have told them.
void warn_remote_access(Draft& draft);

struct Pass {
  const char* name;
  void (*run)(Draft&);
};

// All of them, in the order in which they run.
std::span<const Pass> all_passes();

}  // namespace clew::dedalus
