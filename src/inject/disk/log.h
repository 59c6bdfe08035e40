// The operations that are not durable yet, in their order, and what syncs make of them.
//
//   Log log;
//   log.add({step}, live);                          // an operation; processes see it at once
//   log.sync([](const Step& one) { return one.object == file; }, durable);
//   log.count();                                    // operations of which a step is not durable
//   const Layer state = log.state(durable, {.first = 2});   // if the power goes, for example
//
// A step that is durable stays in the log as long as an earlier one of the same file or folder
// does: they have an order.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <vector>

#include "inject/disk/layer.h"

namespace clew::inject {

// Which operations a crash state keeps, by their numbers from 1: the first ones, and of one of them
// something else.
struct Selection {
  size_t first = 0;
  size_t special = 0;  // 0: none
  Kept kept = Kept::kNothing;

  Kept of(size_t number) const {
    if (number == special) return kept;
    return number <= first ? Kept::kAll : Kept::kNothing;
  }
  friend bool operator==(const Selection&, const Selection&) = default;
};

class Log {
 public:
  using Which = std::function<bool(const Step&)>;

  void add(std::vector<Step> steps, Layer& live);
  // Those are durable from now on.
  void sync(const Which& which, Layer& durable);
  // A sync of those has failed: what they wrote is in nobody's cache as dirty any more.
  void give_up(const Which& which);
  // Of what nobody can find any more: files without a name, and what is in folders without one.
  void forget(const std::function<bool(InodeId)>& gone);
  void clear() { steps_.clear(); }

  size_t count() const;
  Layer state(const Layer& durable, const Selection& keeps) const;
  // Those that are not durable, and their operation's number.
  void look(const std::function<void(const Step&, size_t number)>& at) const;
  std::set<InodeId> named() const;  // inodes that steps give a name

 private:
  std::vector<Step> steps_;
  uint32_t operations_ = 0;
};

}  // namespace clew::inject
