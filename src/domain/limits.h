// Limits on the adversary: what a user rules out, because something else takes care of it.
//
//   Limits limits;
//   limits.add(*parse_reliable("a>b"));     // no message from a to b is lost by an omission
//   limits.add(*parse_reliable("c"));       // none from or to c
//   limits.no_crash.insert("a");            // a does not crash
//   limits.may_lose("a", "b");              // false
//   describe(limits);                       // "c and a>b are reliable, and a does not crash"
//
// An omission is one thing, a crash another: what a node sends after its own crash never arrives,
// however reliable it is.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/fact.h"

namespace clew {

struct Link {
  NodeName from;
  NodeName to;

  friend bool operator==(const Link&, const Link&) = default;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// What `--reliable` names: a node, or a link if `to` is not empty.
struct Reliable {
  NodeName node;
  NodeName to;
};

struct Limits {
  std::set<NodeName> reliable_nodes{};
  std::set<Link> reliable_links{};
  std::set<NodeName> no_crash{};

  void add(const Reliable& reliable);
  void add(const Limits& others);

  bool empty() const;
  bool may_lose(const NodeName& from, const NodeName& to) const;
  bool may_crash(const NodeName& node) const { return !no_crash.contains(node); }
  // Every node that is named, sorted and distinct.
  std::vector<NodeName> named() const;
  // Those that are about these nodes alone.
  Limits within(const std::vector<NodeName>& nodes) const;

  friend bool operator==(const Limits&, const Limits&) = default;
};

std::string to_string(const Link& link);  // "a>b"

// In words, without anything before or after; empty if there are none.
std::string describe(const Limits& limits);

// "a" or "a>b"
Result<Reliable> parse_reliable(std::string_view text);

}  // namespace clew
