#include "analyze/term.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace clew::analyze {

using nlohmann::json;

namespace {

// A part that may be true or false.
TermPtr unknown() { return nullptr; }

}  // namespace

TermPtr make_number(int64_t number) {
  return std::make_shared<const Term>(Term{.kind = Term::Kind::kNumber, .number = number});
}

TermPtr make_text(std::string text) {
  return std::make_shared<const Term>(Term{.kind = Term::Kind::kText, .text = std::move(text)});
}

TermPtr make_leaf(Term::Kind kind, std::vector<std::string> path) {
  return std::make_shared<const Term>(Term{.kind = kind, .path = std::move(path)});
}

TermPtr make_whole(Term::Kind kind, std::vector<TermPtr> parts, std::string text) {
  if (std::ranges::any_of(parts, [](const TermPtr& part) { return part == nullptr; })) {
    return unknown();
  }
  return std::make_shared<const Term>(
      Term{.kind = kind, .text = std::move(text), .parts = std::move(parts)});
}

TermPtr make_not(const TermPtr& term) {
  if (term != nullptr && term->kind == Term::Kind::kNot) return term->parts.front();
  return make_whole(Term::Kind::kNot, {term});
}

namespace {

TermPtr joined(Term::Kind kind, const TermPtr& left, const TermPtr& right) {
  if (left == nullptr && right == nullptr) return unknown();
  return std::make_shared<const Term>(Term{.kind = kind, .parts = {left, right}});
}

}  // namespace

TermPtr make_and(const TermPtr& left, const TermPtr& right) {
  return joined(Term::Kind::kAnd, left, right);
}

TermPtr make_or(const TermPtr& left, const TermPtr& right) {
  return joined(Term::Kind::kOr, left, right);
}

TermPtr member_of(const TermPtr& term, const std::string& name) {
  if (term == nullptr) return unknown();
  if (term->kind != Term::Kind::kField && term->kind != Term::Kind::kMessage) return unknown();
  Term inner = *term;
  inner.path.push_back(name);
  return std::make_shared<const Term>(std::move(inner));
}

bool same(const TermPtr& a, const TermPtr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  return a->kind == b->kind && a->number == b->number && a->text == b->text && a->path == b->path &&
         std::ranges::equal(a->parts, b->parts, same);
}

bool mentions_field(const TermPtr& term) {
  if (term == nullptr) return false;
  return term->kind == Term::Kind::kField || std::ranges::any_of(term->parts, mentions_field);
}

json to_json(const TermPtr& term) {
  if (term == nullptr) return nullptr;
  static constexpr const char* kNames[] = {"number",  "text",  "field", "message", "from",
                                           "self",    "timer", "not",   "and",     "or",
                                           "compare", "plus",  "minus", "has",     "size"};
  const std::string name = kNames[static_cast<size_t>(term->kind)];
  switch (term->kind) {
    case Term::Kind::kNumber:
      return {{name, term->number}};
    case Term::Kind::kText:
      return {{name, term->text}};
    case Term::Kind::kField:
    case Term::Kind::kMessage:
      return {{name, term->path}};
    case Term::Kind::kFrom:
    case Term::Kind::kSelf:
    case Term::Kind::kTimer:
      return {{name, true}};
    default:
      break;
  }
  json parts = json::array();
  for (const TermPtr& part : term->parts) parts.push_back(to_json(part));
  if (term->kind == Term::Kind::kCompare) return {{term->text, parts}};
  return {{name, parts}};
}

}  // namespace clew::analyze
