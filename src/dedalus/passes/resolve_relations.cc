// Gives every relation its number and its arity. Where uses disagree, the arity that most of them
// have is taken to be right, so that one slip is one error.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

constexpr uint32_t kCrashArity = 3;

struct ArityUse {
  uint32_t arity = 0;
  uint32_t count = 0;
  Span first;
};

class Resolver {
 public:
  explicit Resolver(Draft& draft) : draft_(draft) {
    RelationInfo& crash = draft_.program.relations[intern(kCrash, {})];
    crash.derived = true;
  }

  void run() {
    for_each_atom([this](const Atom& atom, bool is_head) { count(atom, is_head); });
    for (RelationIndex i = 0; i < uses_.size(); ++i) settle(i);
    for (RelationIndex i = 0; i < uses_.size() && draft_.given != nullptr; ++i) give(i);
    for (const Clause& clause : draft_.clauses) {
      if (clause.placeless) draft_.relation_of(clause.head).placeless = true;
    }
    for_each_atom([this](const Atom& atom, bool) { compare(atom); });
    compare_specification();
  }

 private:
  template <class Visit>
  void for_each_atom(Visit visit) {
    for (const Clause& clause : draft_.clauses) {
      visit(clause.head, true);
      for (const Literal& literal : clause.body) {
        if (literal.kind != Literal::Kind::kCondition) visit(literal.atom, false);
      }
    }
  }

  RelationIndex intern(const std::string& name, Span first_use) {
    Program& program = draft_.program;
    auto next = static_cast<RelationIndex>(program.relations.size());
    auto [entry, is_new] = program.relation_index.emplace(name, next);
    if (is_new) {
      RelationInfo info;
      info.name = name;
      info.first_use = first_use;
      program.relations.push_back(std::move(info));
      uses_.emplace_back();
    }
    return entry->second;
  }

  void count(const Atom& atom, bool is_head) {
    const RelationIndex index = intern(atom.relation, atom.name_span);
    RelationInfo& info = draft_.program.relations[index];
    (is_head ? info.derived : info.read) = true;
    auto arity = static_cast<uint32_t>(atom.args.size());
    std::vector<ArityUse>& uses = uses_[index];
    auto known =
        std::ranges::find_if(uses, [&](const ArityUse& use) { return use.arity == arity; });
    if (known == uses.end()) known = uses.insert(uses.end(), {arity, 0, atom.name_span});
    ++known->count;
  }

  // The use that the others are measured by; the first of the most common ones.
  static const ArityUse& usual(const std::vector<ArityUse>& uses) {
    return *std::ranges::max_element(
        uses, [](const ArityUse& a, const ArityUse& b) { return a.count < b.count; });
  }

  void settle(RelationIndex index) {
    RelationInfo& info = draft_.program.relations[index];
    info.arity = index == 0 ? kCrashArity : usual(uses_[index]).arity;
    info.columns.resize(info.arity);
    if (index == 0 && !uses_[0].empty()) info.first_use = uses_[0].front().first;
  }

  // What the Run gives has as many columns as it has there, and nobody else derives it. `crash`
  // is the language's own.
  void give(RelationIndex index) {
    RelationInfo& info = draft_.program.relations[index];
    const auto given = draft_.given->find(info.name);
    if (given == draft_.given->end() || index == 0) return;
    if (info.derived) refuse_derived(info.name);
    info.given = true;
    info.derived = true;
    info.arity = given->second;
    info.columns.resize(info.arity);
  }

  void refuse_derived(const std::string& name) {
    for (const Clause& clause : draft_.clauses) {
      if (clause.head.relation != name) continue;
      draft_.diagnostics.error(
          "derives-given", clause.head.name_span,
          fmt::format("{} is given by the run that is judged, and cannot be derived as well",
                      name_of(name)),
          "give the relation of the spec another name");
    }
  }

  void compare(const Atom& atom) {
    const RelationIndex index = draft_.index_of(atom);
    const RelationInfo& info = draft_.program.relations[index];
    if (atom.args.size() == info.arity) return;
    std::string has = fmt::format("{} has {} here", name_of(atom.relation),
                                  count_noun(atom.args.size(), "argument"));
    if (index == 0) {
      draft_.diagnostics.error("arity-clash", atom.name_span, fmt::format("{} but needs 3", has),
                               "write `crash(Observer, Node, Time)`");
      return;
    }
    if (info.given) {
      draft_.diagnostics.error("arity-clash", atom.name_span,
                               fmt::format("{} but {} in the run that is judged", has, info.arity),
                               fmt::format("give it {}", count_noun(info.arity, "argument")));
      return;
    }
    draft_.diagnostics
        .error("arity-clash", atom.name_span, fmt::format("{} but {} elsewhere", has, info.arity),
               fmt::format("give every use of {} the same number of arguments",
                           name_of(atom.relation)))
        .notes.push_back({usual(uses_[index]).first, fmt::format("here it has {}", info.arity)});
  }

  void compare_specification() {
    const RelationInfo* pre = draft_.program.find(kPre);
    const RelationInfo* post = draft_.program.find(kPost);
    if (pre == nullptr || post == nullptr || pre->arity == post->arity) return;
    draft_.diagnostics
        .error("pre-post-arity", post->first_use,
               fmt::format("`post` has {} but `pre` has {}", count_noun(post->arity, "argument"),
                           pre->arity),
               "every tuple of `pre` is looked for in `post`: give both the same columns")
        .notes.push_back({pre->first_use, fmt::format("here `pre` has {}", pre->arity)});
  }

  Draft& draft_;
  std::vector<std::vector<ArityUse>> uses_;  // by relation, in order of first use
};

}  // namespace

void resolve_relations(Draft& draft) { Resolver(draft).run(); }

}  // namespace clew::dedalus
