// What a condition says of the state and the input as they are when a handler begins, as far as
// that can be computed again without the handler:
//
//   m.ballot > promised && *phase != Phase::kDone
//
// is an `and` of two comparisons, of a member of the message with a field and of a field with a
// number. Whatever else there is in a condition is no Term: a null TermPtr, which may be true or
// false. docs/formats/analyze.md says how a Term is written down; explore/footprints.h evaluates
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace clew::analyze {

struct Term;
using TermPtr = std::shared_ptr<const Term>;

struct Term {
  enum class Kind : uint8_t {
    kNumber,
    kText,
    kField,    // of the node; then the names of members that lead into it
    kMessage,  // or request; the same
    kFrom,     // who has sent it
    kSelf,
    kTimer,  // its name
    kNot,
    kAnd,
    kOr,
    kCompare,  // by `text`: == != < <= > >=
    kPlus,
    kMinus,
    kHas,   // an optional holds something
    kSize,  // of a container
  };

  Kind kind = Kind::kNumber;
  int64_t number = 0;
  std::string text{};
  std::vector<std::string> path{};
  std::vector<TermPtr> parts{};
};

// Of parts that are no Terms nothing can be made.
TermPtr make_number(int64_t number);
TermPtr make_text(std::string text);
TermPtr make_leaf(Term::Kind kind, std::vector<std::string> path = {});
TermPtr make_whole(Term::Kind kind, std::vector<TermPtr> parts, std::string text = "");
TermPtr make_not(const TermPtr& term);
// One of them may be none: if the other is false, so is the whole, and if it is true, nothing is
// known.
TermPtr make_and(const TermPtr& left, const TermPtr& right);
TermPtr make_or(const TermPtr& left, const TermPtr& right);
TermPtr member_of(const TermPtr& term, const std::string& name);

bool same(const TermPtr& a, const TermPtr& b);
bool mentions_field(const TermPtr& term);
nlohmann::json to_json(const TermPtr& term);  // null if there is none

}  // namespace clew::analyze
