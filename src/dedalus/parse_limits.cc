// The declarations that limit the adversary.
#include <fmt/format.h>

#include <utility>

#include "dedalus/parser.h"

namespace clew::dedalus {

namespace {

const char* form_of(Limit::Kind kind) {
  return kind == Limit::Kind::kReliable ? "write `reliable \"a\";` or `reliable \"a\" > \"b\";`"
                                        : "write `nocrash \"a\", \"b\";`";
}

}  // namespace

bool Parser::read_limits(Clause& clause) {
  const Limit::Kind kind =
      take().text == name(Limit::Kind::kReliable) ? Limit::Kind::kReliable : Limit::Kind::kNoCrash;
  clause.kind = Clause::Kind::kLimits;
  do {
    Limit limit;
    limit.kind = kind;
    if (!count_element() || !read_limit(limit)) return false;
    clause.limits.push_back(std::move(limit));
  } while (accept(TokenKind::kComma));
  return end_clause(kind == Limit::Kind::kReliable ? "`>`, `,` or `;`" : "`,` or `;`");
}

bool Parser::read_limit(Limit& limit) {
  if (!at_node()) return refuse_limit(limit.kind);
  limit.span = peek().span;
  limit.node = take().text;
  const bool arrow = at(TokenKind::kMinus) && peek(1).kind == TokenKind::kGreater;
  if (!at(TokenKind::kGreater) && !arrow) return true;
  if (limit.kind == Limit::Kind::kNoCrash) {
    return fail_here("limit-node", "a node crashes, not a link", form_of(limit.kind));
  }
  if (arrow) {
    fail("limit-node", join(peek().span, peek(1).span), "a link is written with `>`",
         form_of(limit.kind));
    take();
  }
  take();
  if (!at_node()) return refuse_limit(limit.kind);
  limit.to = take().text;
  limit.span = join(limit.span, last_);
  if (limit.to != limit.node) return true;
  return fail("limit-self", limit.span, "no node loses a message to itself",
              "leave this out, or name another node");
}

bool Parser::refuse_limit(Limit::Kind kind) {
  return fail_here(
      "limit-node",
      fmt::format("expected the name of a node in double quotes, but found {}", as_code(peek())),
      form_of(kind));
}

}  // namespace clew::dedalus
