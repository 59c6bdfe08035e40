#include <fmt/format.h>

#include "base/text.h"
#include "inject/facts.h"
#include "inject/regex.h"
#include "inject/told.h"

namespace clew::inject {

const dedalus::GivenRelations& built_in_relations() {
  static const dedalus::GivenRelations kRelations =
      {
          {"call", 5},    {"started", 2}, {"ready", 2},  {"restarted", 2},
          {"crashed", 2}, {"exited", 3},  {"killed", 3}, {"hung", 2},
          {"failed", 5},  {"said", 3},    {"crash", 3},  // the language's own
      };
  return kRelations;
}

Result<dedalus::GivenRelations> relations_of(const Target& target) {
  dedalus::GivenRelations relations = built_in_relations();
  const auto add = [&](const std::string& name, uint32_t columns) -> Status {
    const auto [known, is_new] = relations.try_emplace(name, columns);
    if (is_new || known->second == columns) return Nothing{};
    return Error{fmt::format("{}: `{}` has {} in one place and {} in another", target.path, name,
                             count_noun(known->second, "column"), columns),
                 "give all facts of a relation as many columns"};
  };
  for (const auto& [name, columns] : target.tells) {
    if (const Status added = add(name, columns); !added.ok()) return added.error();
  }
  for (const FactRule& rule : target.facts) {
    const Result<Regex> line = Regex::make(rule.line);
    if (!line.ok()) return line.error();
    const Result<FactTemplate> is = FactTemplate::make(rule.is, line->groups());
    if (!is.ok()) return is.error();
    if (const Status added = add(is->relation(), is->columns()); !added.ok()) return added.error();
  }
  return relations;
}

}  // namespace clew::inject
