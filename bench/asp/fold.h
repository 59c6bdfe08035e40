// The fold of an aggregating rule: from bindings, projected on the head's columns, to the head.
//
//   q(X, count<Y>, sum<Z>)       with the bindings in bind_7, at tick 3:
//
//   q(G0,F1,F2,3) :- bind_7(G0,_,_,3),
//       F1 = #count { V1,V1,V2 : bind_7(G0,V1,V2,3) }, F1 > 0,
//       F2 = #sum { V2,V1,V2 : bind_7(G0,V1,V2,3) }.
#pragma once

#include <string>
#include <vector>

#include "dedalus/ast.h"

namespace clew::asp {

bool is_aggregate(const dedalus::Term& term);

struct FoldText {
  std::string bindings;  // their predicate
  const std::vector<dedalus::Term>& head;
  std::string time;

  std::string column(size_t i) const;  // of the head: G0, F1, ...
  std::vector<std::string> columns() const;
  std::vector<std::string> body() const;

 private:
  std::string aggregate(size_t i) const;
  std::string element() const;
};

}  // namespace clew::asp
