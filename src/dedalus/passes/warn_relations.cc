// Relations that are empty for certain, and relations that nobody looks at.
//
// The basic idea of the former: assume that every relation is empty, except those with facts; a
// rule whose positive literals can all have facts makes its head one that can. What is left over in
// the end is empty in every run. A relation that nothing derives is a cause of that, and so is a
// circle of relations that only feed each other; what merely depends on such a cause is not
// reported.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "datalog/stratify.h"
#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

// Which relations can hold a fact, given that some do.
class Fillable {
 public:
  explicit Fillable(const Draft& draft)
      : filled_(draft.program.relations.size(), false), readers_(filled_.size()) {
    for (const Clause& clause : draft.clauses) {
      auto rule = static_cast<uint32_t>(heads_.size());
      heads_.push_back(draft.index_of(clause.head));
      waiting_.push_back(0);
      for (const Literal& literal : clause.body) {
        if (literal.kind != Literal::Kind::kPositive) continue;
        readers_[draft.index_of(literal.atom)].push_back(rule);
        ++waiting_[rule];
      }
    }
    for (size_t rule = 0; rule < heads_.size(); ++rule) {
      if (waiting_[rule] == 0) fill(heads_[rule]);
    }
  }

  bool is_filled(RelationIndex relation) const { return filled_[relation]; }

  void fill(RelationIndex relation) {
    std::vector<RelationIndex> work = {relation};
    while (!work.empty()) {
      const RelationIndex next = work.back();
      work.pop_back();
      if (filled_[next]) continue;
      filled_[next] = true;
      for (const uint32_t rule : readers_[next]) {
        if (--waiting_[rule] == 0) work.push_back(heads_[rule]);
      }
    }
  }

 private:
  std::vector<bool> filled_;
  std::vector<std::vector<uint32_t>> readers_;  // rules by relation, once for each literal
  std::vector<RelationIndex> heads_;            // by rule
  std::vector<uint32_t> waiting_;               // by rule: literals whose relation is not filled
};

class RelationWarnings {
 public:
  explicit RelationWarnings(Draft& draft)
      : draft_(draft),
        relations_(draft.program.relations),
        first_head_(relations_.size(), nullptr),
        first_read_(relations_.size(), nullptr) {
    for (const Clause& clause : draft_.clauses) {
      note_first(first_head_, clause.head);
      for (const Literal& literal : clause.body) {
        if (literal.kind == Literal::Kind::kPositive) note_first(first_read_, literal.atom);
      }
    }
    for (const RelationInfo& relation : relations_) {
      if (relation.derived) derived_.push_back(relation.name);
      if (relation.read && !relation.derived) wanted_.push_back(relation.name);
    }
    if (draft_.given != nullptr) {
      for (const auto& [name, columns] : *draft_.given) derived_.push_back(name);
    }
    for (const char* name : {kPre, kPost}) {
      const RelationInfo* relation = draft_.program.find(name);
      if (relation == nullptr || !relation->derived) wanted_.emplace_back(name);
    }
  }

  void warn_empty() {
    Fillable fillable(draft_);
    fillable.fill(0);
    for (RelationIndex i = 0; i < relations_.size(); ++i) {
      if (!relations_[i].derived) warn_never_derived(i);
      if (!relations_[i].derived || relations_[i].given) fillable.fill(i);
    }
    auto strata = datalog::stratify(static_cast<uint32_t>(relations_.size()), feeding(fillable));
    for (const datalog::Stratum& stratum : std::get<datalog::Strata>(strata)) {
      if (!stratum.recursive || fillable.is_filled(stratum.members.front())) continue;
      warn_circular(stratum.members);
      for (const RelationIndex member : stratum.members) fillable.fill(member);
    }
  }

  // A program without specification is run to see its relations, so all of them are of use.
  void warn_unused() {
    const std::vector<PromiseInfo>& promises = draft_.program.promises;
    const bool promised = std::ranges::any_of(promises, [&](const PromiseInfo& promise) {
      return is_derived(promise.pre.c_str()) || is_derived(promise.post.c_str());
    });
    if (!promised) return;
    for (RelationIndex i = 1; i < relations_.size(); ++i) {
      const RelationInfo& relation = relations_[i];
      if (relation.read || is_promised(relation.name)) continue;
      draft_.diagnostics.warning("unused-relation", first_head_[i]->name_span,
                                 fmt::format("nothing reads {}", name_of(relation.name)),
                                 help(relation.name, wanted_, "read it in a rule, or remove it"));
    }
  }

 private:
  void note_first(std::vector<const Atom*>& firsts, const Atom& atom) {
    const Atom*& first = firsts[draft_.index_of(atom)];
    if (first == nullptr) first = &atom;
  }

  bool is_derived(const char* name) const {
    const RelationInfo* relation = draft_.program.find(name);
    return relation != nullptr && relation->derived;
  }

  bool is_promised(const std::string& name) const {
    return std::ranges::any_of(draft_.program.promises, [&](const PromiseInfo& promise) {
      return promise.pre == name || promise.post == name;
    });
  }

  std::string help(const std::string& name, const std::vector<std::string>& candidates,
                   const char* otherwise) {
    auto meant = suggester_.suggest(name, candidates);
    return meant ? fmt::format("did you mean {}?", name_of(*meant)) : otherwise;
  }

  void warn_never_derived(RelationIndex index) {
    const RelationInfo& relation = relations_[index];
    const Atom* positive = first_read_[index];
    const bool spec = draft_.given != nullptr;
    draft_.diagnostics.warning(
        "never-derived", positive == nullptr ? relation.first_use : positive->name_span,
        fmt::format("{} is {}{}", name_of(relation.name),
                    spec ? "empty: neither the run that is judged nor a rule has facts of it"
                         : "always empty, as no fact or rule derives it",
                    positive == nullptr ? ""
                    : spec              ? ", and this rule never fires"
                                        : ": this rule never fires"),
        help(relation.name, derived_,
             spec ? "check its name; a run can declare what it never has"
                  : "add a fact or a rule for it"));
  }

  void warn_circular(const std::vector<RelationIndex>& members) {
    const RelationInfo& relation = relations_[members.front()];
    const char* feeds = members.size() == 1 ? "itself" : "relations that depend on it";
    draft_.diagnostics.warning("circular-relation", first_head_[members.front()]->name_span,
                               fmt::format("{} is always empty, as it is derived only from {}",
                                           name_of(relation.name), feeds),
                               "add a fact, or a rule that does not depend on it");
  }

  // For each relation that is empty: the empty relations that it is waiting for.
  std::vector<datalog::Dependency> feeding(const Fillable& fillable) const {
    std::vector<datalog::Dependency> dependencies;
    for (const Clause& clause : draft_.clauses) {
      const RelationIndex head = draft_.index_of(clause.head);
      if (fillable.is_filled(head)) continue;
      for (const Literal& literal : clause.body) {
        if (literal.kind != Literal::Kind::kPositive) continue;
        const RelationIndex from = draft_.index_of(literal.atom);
        if (!fillable.is_filled(from)) dependencies.push_back({from, head, false});
      }
    }
    return dependencies;
  }

  Draft& draft_;
  const std::vector<RelationInfo>& relations_;
  std::vector<const Atom*> first_head_;  // by relation
  std::vector<const Atom*> first_read_;  // by relation: in a positive literal
  std::vector<std::string> derived_;
  std::vector<std::string> wanted_;  // what a relation that nothing reads may have been meant to be
  Suggester suggester_;
};

}  // namespace

void warn_relations(Draft& draft) {
  if (!draft.complete) return;
  RelationWarnings warnings(draft);
  warnings.warn_empty();
  warnings.warn_unused();
}

}  // namespace clew::dedalus
