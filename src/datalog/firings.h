// Lineage: every application of every rule, in the order in which they happened.
//
//   for (FiringLog::Cursor at = log.first(); at != log.end(); at = log.next(at)) {
//     Firing firing = log.at(at);   // firing.rule derived row firing.head ...
//     for (Row row : firing.used) ...   // from these
//   }
//
// `head` is a row of the rule's head relation; `used[i]` is a row of the relation of the rule's
// i-th positive atom. An aggregating rule used any number of rows of its one atom. What a firing
// relied on being absent follows from its rule and the rows it used: see absences.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "datalog/relation.h"
#include "datalog/rule.h"

namespace clew::datalog {

struct Firing {
  RuleId rule = 0;
  Row head = 0;
  std::span<const Row> used;
};

class FiringLog {
 public:
  using Cursor = size_t;

  void add(RuleId rule, Row head, std::span<const Row> used) {
    const size_t at = words_.size();
    words_.resize(at + 3 + used.size());
    words_[at] = rule;
    words_[at + 1] = head;
    words_[at + 2] = static_cast<uint32_t>(used.size());
    for (size_t i = 0; i < used.size(); ++i) words_[at + 3 + i] = used[i];
    ++count_;
  }

  Cursor first() const { return 0; }
  Cursor end() const { return words_.size(); }
  Cursor next(Cursor at) const { return at + 3 + words_[at + 2]; }
  Firing at(Cursor at) const {
    return {words_[at], words_[at + 1], {words_.data() + at + 3, words_[at + 2]}};
  }

  size_t count() const { return count_; }

  // Back to a moment when it ended at `end` and held `count` firings.
  void rewind(Cursor end, size_t count) {
    CHECK(end <= words_.size(), "rewind() to {} of {} words", end, words_.size());
    CHECK(count <= count_, "rewind() to {} of {} firings", count, count_);
    words_.resize(end);
    count_ = count;
  }

 private:
  std::vector<uint32_t> words_;
  size_t count_ = 0;
};

}  // namespace clew::datalog
