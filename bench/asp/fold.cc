#include "bench/asp/fold.h"

#include <fmt/format.h>

#include "bench/asp/names.h"

namespace clew::asp {

bool is_aggregate(const dedalus::Term& term) {
  return term.kind == dedalus::Term::Kind::kAggregate;
}

std::string FoldText::column(size_t i) const {
  return fmt::format("{}{}", is_aggregate(head[i]) ? "F" : "G", i);
}

std::vector<std::string> FoldText::columns() const {
  std::vector<std::string> all;
  for (size_t i = 0; i < head.size(); ++i) all.push_back(column(i));
  return all;
}

std::vector<std::string> FoldText::body() const {
  std::vector<std::string> group;
  for (size_t i = 0; i < head.size(); ++i) group.push_back(is_aggregate(head[i]) ? "_" : column(i));
  group.push_back(time);
  std::vector<std::string> body = {call(bindings, group)};
  for (size_t i = 0; i < head.size(); ++i) {
    if (!is_aggregate(head[i])) continue;
    body.push_back(aggregate(i));
    // The grounder would consider the count 0 as well.
    const bool counts = head[i].function == dedalus::AggregateFunction::kCount;
    if (counts) body.push_back(column(i) + " > 0");
  }
  return body;
}

// Every row of a group counts, even if some folded columns are alike: all of them tell rows apart.
std::string FoldText::aggregate(size_t i) const {
  std::vector<std::string> values = {fmt::format("V{}", i)};
  for (size_t k = 0; k < head.size(); ++k) {
    if (is_aggregate(head[k])) values.push_back(fmt::format("V{}", k));
  }
  return fmt::format("{} = #{} {{ {} : {} }}", column(i), name(head[i].function),
                     fmt::join(values, ","), element());
}

std::string FoldText::element() const {
  std::vector<std::string> args;
  for (size_t i = 0; i < head.size(); ++i) {
    args.push_back(is_aggregate(head[i]) ? fmt::format("V{}", i) : column(i));
  }
  args.push_back(time);
  return call(bindings, args);
}

}  // namespace clew::asp
