// A Relation is an append-only set of tuples of one arity, cut into frames.
//
//   Relation edge(2, false);              // two columns, not permanent
//   edge.insert(tuple).is_new;            // false if this frame holds it already
//   Row row = edge.find(tuple);           // or kNoRow
//   edge.insert_next(tuple);              // from now on the current frame is frozen
//   edge.advance();                       // the next frame is the current one
//
//   rows:   0 ..... | begin() ........ end() | .........
//           earlier |     current frame      | next frame
//
// Lookups, scans and duplicates concern the current frame alone; earlier rows stay readable by
// their number. insert() adds to the current frame. insert_next() adds to the next one, and from
// then on the current frame is frozen; advance() makes the next frame current. Nothing is allocated
// for a tuple beyond its place in one flat array; tables keep their capacity over frames and runs.
//
// (1) A row never changes: it is found under the values that were inserted. (2) Within a frame no
// tuple occurs twice. (advance() looks at the last row of the frame that ends.)
// (3) Rows are numbered in the order of insertion, so that runs repeat exactly, and die by rewind()
// alone, the youngest first. (4) A frame that was frozen stays as it is. (5) A permanent Relation
// has a single frame, which advance() leaves alone: its rows hold always.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "datalog/value.h"

namespace clew::datalog {

using Row = uint32_t;
inline constexpr Row kNoRow = UINT32_MAX;

// An open-addressing table of rows. A slot holds row + 1; a slot of a row before the frame's first
// one is stale and counts as empty, so that a new frame needs no clearing.
class RowTable {
 public:
  // The slot where `is_match(row)` holds for a row from `begin` on, or the empty one to fill.
  template <class IsMatch>
  uint32_t& slot(uint32_t hash, Row begin, const IsMatch& is_match) {
    uint32_t at = hash & mask_;
    while (slots_[at] > begin && !is_match(slots_[at] - 1)) at = (at + 1) & mask_;
    return slots_[at];
  }
  // The same for reading: the row + 1 found there, or something <= begin.
  template <class IsMatch>
  uint32_t find(uint32_t hash, Row begin, const IsMatch& is_match) const {
    uint32_t at = hash & mask_;
    while (slots_[at] > begin && !is_match(slots_[at] - 1)) at = (at + 1) & mask_;
    return slots_[at];
  }
  // Makes at least twice as many slots as `rows`; true if that emptied the table.
  bool reserve(size_t rows);
  void clear();

 private:
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(16);
  uint32_t mask_ = 15;
};

class Relation {
 public:
  Relation(uint32_t arity, bool permanent) : arity_(arity), permanent_(permanent) {}

  struct Inserted {
    Row row;
    bool is_new;
  };
  Inserted insert(const Value* values);       // requires that the current frame is not frozen
  Inserted insert_next(const Value* values);  // requires !permanent()

  uint32_t arity() const { return arity_; }
  bool permanent() const { return permanent_; }
  Row begin() const { return begin_; }
  Row end() const { return frozen_ ? next_begin_ : rows_; }
  bool empty() const { return begin() == end(); }
  Row rows() const { return rows_; }  // of all frames
  const Value* tuple(Row row) const { return data_.data() + size_t{row} * arity_; }

  // The row of the current frame that holds these values, or kNoRow.
  Row find(const Value* values) const;

  void advance();
  // Forgets all rows.
  void clear();
  // Back to a moment when the current frame began at `begin` and `rows` rows existed.
  void rewind(Row begin, Row rows);

  // Indexes: lookups by the values of some columns. Small frames are scanned instead.
  using IndexId = uint32_t;
  IndexId add_index(std::vector<uint32_t> columns);
  const std::vector<uint32_t>& index_columns(IndexId index) const {
    return indexes_[index].columns;
  }
  // The rows of the current frame before row `until` that hold `key`, a value for each column of
  // the index, in order: the first one, and the one after `row`. kNoRow at the end. Rows may be
  // inserted between the calls, as long as `until` is not beyond what end() was at the first.
  Row first_match(IndexId id, const Value* key, Row until);
  Row next_match(IndexId id, const Value* key, Row row, Row until) const;

 private:
  struct Link {
    Row next;
    Row last;  // of the chain that starts here
  };
  struct Index {
    std::vector<uint32_t> columns;
    RowTable heads;           // first row of each chain of equal keys
    std::vector<Link> links;  // by row - begin_
    Row indexed_until = 0;
  };
  static constexpr Row kScanAtMost = 8;

  Inserted insert_into(RowTable& table, Row begin, const Value* values);
  Row append(const Value* values);
  bool equal(Row row, const Value* values) const;
  bool matches(const Index& index, Row row, const Value* key) const;
  Row scan(const Index& index, const Value* key, Row from, Row until) const;
  uint32_t hash_key(const Index& index, Row row) const;
  void catch_up(Index& index);
  void check_found(Row row) const;
  void link(Index& index, Row row);

  uint32_t arity_;
  bool permanent_;
  bool frozen_ = false;
  Row begin_ = 0;
  Row next_begin_ = 0;
  Row rows_ = 0;
  std::vector<Value> data_;
  RowTable current_;
  RowTable next_;
  std::vector<Index> indexes_;
};

}  // namespace clew::datalog
