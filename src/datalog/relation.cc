#include "datalog/relation.h"

#include <algorithm>

namespace clew::datalog {

namespace {

uint32_t hash_values(const Value* values, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; ++i) hash = mix(hash, values[i]);
  return finish(hash);
}

}  // namespace

bool RowTable::reserve(size_t rows) {
  if (rows * 2 <= slots_.size()) return false;
  size_t size = slots_.size();
  while (rows * 2 > size) size *= 2;
  slots_.assign(size, 0);
  mask_ = static_cast<uint32_t>(size - 1);
  return true;
}

void RowTable::clear() { std::ranges::fill(slots_, 0); }

bool Relation::equal(Row row, const Value* values) const {
  const Value* mine = tuple(row);
  for (uint32_t i = 0; i < arity_; ++i) {
    if (mine[i] != values[i]) return false;
  }
  return true;
}

Row Relation::append(const Value* values) {
  CHECK(rows_ < kNoRow - 1, "a relation is full");
  data_.insert(data_.end(), values, values + arity_);
  return rows_++;
}

Relation::Inserted Relation::insert_into(RowTable& table, Row begin, const Value* values) {
  if (table.reserve(rows_ - begin + 1)) {
    for (Row row = begin; row < rows_; ++row) {
      const uint32_t hash = hash_values(tuple(row), arity_);
      table.slot(hash, begin, [](Row) { return false; }) = row + 1;
    }
  }
  const uint32_t hash = hash_values(values, arity_);
  uint32_t& slot = table.slot(hash, begin, [&](Row row) { return equal(row, values); });
  if (slot > begin) return {slot - 1, false};
  slot = append(values) + 1;
  return {slot - 1, true};
}

Relation::Inserted Relation::insert(const Value* values) {
  CHECK(!frozen_, "insert() into a frame that insert_next() has frozen");
  return insert_into(current_, begin_, values);
}

Relation::Inserted Relation::insert_next(const Value* values) {
  CHECK(!permanent_, "insert_next() into a relation that has a single frame");
  if (!frozen_) {
    frozen_ = true;
    next_begin_ = rows_;
  }
  return insert_into(next_, next_begin_, values);
}

Row Relation::find(const Value* values) const {
  const uint32_t hash = hash_values(values, arity_);
  const uint32_t slot = current_.find(hash, begin_, [&](Row row) { return equal(row, values); });
  return slot > begin_ ? slot - 1 : kNoRow;
}

void Relation::advance() {
  if (permanent_) return;
  if (!empty()) check_found(end() - 1);
  begin_ = end();
  frozen_ = false;
  std::swap(current_, next_);
}

void Relation::check_found(Row row) const {
  const Row found = find(tuple(row));
  CHECK(found == row, "row {} has changed, or occurs twice: its values are those of row {}", row,
        found);
}

void Relation::clear() { rewind(0, 0); }

void Relation::rewind(Row begin, Row rows) {
  CHECK(begin <= rows, "a frame from row {} on in {} rows", begin, rows);
  CHECK(rows <= rows_, "rewind() to {} rows, but there are {}", rows, rows_);
  frozen_ = false;
  begin_ = begin;
  rows_ = rows;
  data_.resize(size_t{rows} * arity_);
  current_.clear();
  next_.clear();
  for (Row row = begin; row < rows; ++row) {
    const uint32_t hash = hash_values(tuple(row), arity_);
    current_.slot(hash, begin, [](Row) { return false; }) = row + 1;
  }
  for (Index& index : indexes_) {
    index.heads.clear();
    index.indexed_until = begin;
  }
}

Relation::IndexId Relation::add_index(std::vector<uint32_t> columns) {
  for (IndexId i = 0; i < indexes_.size(); ++i) {
    if (indexes_[i].columns == columns) return i;
  }
  indexes_.push_back({std::move(columns), {}, {}, begin_});
  return static_cast<IndexId>(indexes_.size() - 1);
}

bool Relation::matches(const Index& index, Row row, const Value* key) const {
  const Value* values = tuple(row);
  for (size_t i = 0; i < index.columns.size(); ++i) {
    if (values[index.columns[i]] != key[i]) return false;
  }
  return true;
}

Row Relation::scan(const Index& index, const Value* key, Row from, Row until) const {
  for (Row row = from; row < until; ++row) {
    if (matches(index, row, key)) return row;
  }
  return kNoRow;
}

uint32_t Relation::hash_key(const Index& index, Row row) const {
  const Value* values = tuple(row);
  uint64_t hash = 0;
  for (const uint32_t column : index.columns) hash = mix(hash, values[column]);
  return finish(hash);
}

void Relation::link(Index& index, Row row) {
  const Value* mine = tuple(row);
  auto same_key = [&](Row other) {
    const Value* values = tuple(other);
    return std::ranges::all_of(index.columns,
                               [&](uint32_t column) { return values[column] == mine[column]; });
  };
  uint32_t& slot = index.heads.slot(hash_key(index, row), begin_, same_key);
  if (slot > begin_) {
    Link& head = index.links[slot - 1 - begin_];
    index.links[head.last - begin_].next = row;
    head.last = row;
  } else {
    slot = row + 1;
    index.links[row - begin_].last = row;
  }
}

void Relation::catch_up(Index& index) {
  if (index.indexed_until == end()) return;
  Row from = std::max(index.indexed_until, begin_);
  if (index.heads.reserve(end() - begin_)) from = begin_;
  index.links.resize(end() - begin_);
  for (Row row = from; row < end(); ++row) {
    index.links[row - begin_].next = kNoRow;
    link(index, row);
  }
  index.indexed_until = end();
}

Row Relation::first_match(IndexId id, const Value* key, Row until) {
  Index& index = indexes_[id];
  if (end() - begin_ <= kScanAtMost) return scan(index, key, begin_, until);
  catch_up(index);
  const uint32_t hash = hash_values(key, index.columns.size());
  const uint32_t slot =
      index.heads.find(hash, begin_, [&](Row r) { return matches(index, r, key); });
  return slot > begin_ && slot <= until ? slot - 1 : kNoRow;
}

Row Relation::next_match(IndexId id, const Value* key, Row row, Row until) const {
  const Index& index = indexes_[id];
  // The first match came from a scan if the frame was small then; it may have grown since.
  const bool indexed = row < index.indexed_until;
  const Row next = indexed ? index.links[row - begin_].next : scan(index, key, row + 1, until);
  return next < until ? next : kNoRow;
}

}  // namespace clew::datalog
