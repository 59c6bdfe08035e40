// Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction): which
// sequences of events are still to be tried from some world on.
//
//   std::vector<Branch> tree;
//   insert(tree, sequence);                  // unless one that is there leads the same way
//
// (1) Branches are tried from the first to the last, but one that may begin no sequence of those
// before it may overtake them. (2) What a Branch begins with cannot come
// first in a sequence of a later one, nor be added to it as if it did: of two equivalent runs only
// the one that begins with the earlier Branch is ever tried, and no later one is tried in vain.
#pragma once

#include <vector>

#include "explore/events.h"

namespace clew::explore {

struct Branch {
  Event event;
  std::vector<Branch> next{};
};

// Whether all runs that begin with `sequence` may as well have begun with `event`: it is in there
// and may come first, or it must still happen and may change places with all of it. A fault that is
// not in there need not happen.
bool may_begin(const Event& event, const std::vector<Event>& sequence);

// The same of some sequence of a Branch. If not, it may as well be tried before it.
bool may_begin(const Event& event, const Branch& branch);

void insert(std::vector<Branch>& tree, std::vector<Event> sequence);

}  // namespace clew::explore
