// A variable of a node: declared once, with its name.
//
//   Field<int> ballot{this, "ballot"};
//   Field<std::set<Id>> votes{this, "votes"};
//   Durable<int> promised{this, "promised", 0};     // survives a crash once it was synced
//
//   if (message.ballot > ballot) ballot = message.ballot;
//   votes.edit().insert(from);
//   ++count;
//
// Every read and every write is noticed as it happens, so that whoever explores the node knows
// which steps have to do with each other. edit() is a read and a write.
//
// A Durable is a file of its own. Writes to one file reach the disk in order, writes to different
// ones in any order, and sync() waits for all of them. A crash keeps of each file what was synced,
// or what it was after some later step; never half of a write.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "node/value.h"

namespace clew::node {

class AnyNode;

// Which fields a step had to do with, as bits by number. What lies beyond the last bit counts as
// the last one.
struct Footprint {
  uint64_t reads = 0;
  uint64_t updates = 0;
  uint64_t increments = 0;  // updates that only added to a number, which may be read, too
  uint64_t sends = 0;       // read before something was sent
  uint64_t disk = 0;        // updates of durable fields

  uint64_t assigned() const { return updates & ~increments; }

  friend bool operator==(const Footprint&, const Footprint&) = default;
};

// Of a step that does either or both: what neither assigns is added to.
Footprint joined(const Footprint& a, const Footprint& b);

class AnyField {
 public:
  AnyField(AnyNode* node, std::string name, bool durable);
  AnyField(const AnyField&) = delete;
  AnyField& operator=(const AnyField&) = delete;
  virtual ~AnyField() = default;

  const std::string& name() const { return name_; }
  bool durable() const { return durable_; }

  // All of it: of a Durable what is on disk, too.
  virtual void encode_to(std::string& out) const = 0;
  virtual void decode_from(Reader& in) = 0;
  virtual void rename_ids(const Renaming& renaming) = 0;
  virtual std::string print_value(const Names& names) const = 0;
  virtual void tell(const Names& names, Row& row, const RowSink& sink) const = 0;
  virtual size_t told_columns() const = 0;  // of each row; 0 if they differ

  // What it holds now, and nothing else.
  virtual void encode_value(std::string& out) const = 0;
  // Holds this from now on, as after a restart: of a Durable it is on disk.
  virtual void restore(Reader& in) = 0;

  // Of a Durable; nothing otherwise.
  virtual void synced() {}
  virtual void end_step() {}
  // How many writes since the last sync might reach the disk, and what is left if so many do.
  virtual size_t unsynced() const { return 0; }
  virtual void crash(size_t) {}

 protected:
  void note_read() const;
  void note_update() const;
  void note_increment() const;

 private:
  AnyNode* node_;
  std::string name_;
  uint64_t bit_;
  bool durable_;
};

template <class T>
class Field : public AnyField {
 public:
  Field(AnyNode* node, std::string name, T initial = {})
      : Field(node, std::move(name), std::move(initial), false) {}

  const T& get() const { return note_read(), value_; }
  operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor)
  const T* operator->() const { return &get(); }
  const T& operator*() const { return get(); }
  // What templates and explicit conversions of T offer, which do not see through a Field.
  explicit operator bool() const
      requires(std::is_constructible_v<bool, const T&> && !std::is_convertible_v<const T&, bool>) {
    return static_cast<bool>(get());
  }
  template <class U>
  bool operator==(const U& other) const requires requires(const T& value) {
    value == other;
  }
  { return get() == other; }
  decltype(auto) operator[](size_t index) const requires requires(const T& value) { value[index]; }
  { return get()[index]; }
  auto begin() const requires std::ranges::range<const T> { return std::ranges::begin(get()); }
  auto end() const requires std::ranges::range<const T> { return std::ranges::end(get()); }

  Field& operator=(T value) { return note_update(), value_ = std::move(value), *this; }
  Field& operator=(const Field& other) { return *this = other.get(); }
  T& edit() { return note_read(), note_update(), value_; }

  Field& operator++() requires Number<T> { return *this += T{1}; }
  Field& operator--() requires Number<T> { return *this -= T{1}; }
  Field& operator+=(T more) requires Number<T> {
    return note_increment(), value_ = static_cast<T>(value_ + more), *this;
  }
  Field& operator-=(T less) requires Number<T> {
    return note_increment(), value_ = static_cast<T>(value_ - less), *this;
  }

  void encode_to(std::string& out) const override { encode(value_, out); }
  void decode_from(Reader& in) override { decode(in, value_); }
  void rename_ids(const Renaming& renaming) override { rename(value_, renaming); }
  std::string print_value(const Names& names) const override { return print(value_, names); }
  void tell(const Names& names, Row& row, const RowSink& sink) const override {
    facts(value_, names, row, sink);
  }
  size_t told_columns() const override { return columns<T>(); }
  void encode_value(std::string& out) const override { encode(value_, out); }
  void restore(Reader& in) override { decode(in, value_); }

 protected:
  Field(AnyNode* node, std::string name, T initial, bool durable)
      : AnyField(node, std::move(name), durable), value_(std::move(initial)) {}

  T value_;
};

template <class T>
class Durable : public Field<T> {
 public:
  Durable(AnyNode* node, std::string name, T initial = {})
      : Field<T>(node, std::move(name), initial, true), disk_(std::move(initial)) {}
  using Field<T>::operator=;
  Durable& operator=(const Durable& other) { return Field<T>::operator=(other.get()), *this; }

  void encode_to(std::string& out) const override {
    encode(this->value_, out);
    encode(disk_, out);
    encode(later_, out);
  }
  void decode_from(Reader& in) override {
    decode(in, this->value_);
    decode(in, disk_);
    decode(in, later_);
  }
  void rename_ids(const Renaming& renaming) override {
    Field<T>::rename_ids(renaming);
    rename(disk_, renaming);
    rename(later_, renaming);
  }
  void restore(Reader& in) override {
    decode(in, this->value_);
    disk_ = this->value_, later_.clear();
  }
  void synced() override { disk_ = this->value_, later_.clear(); }
  void end_step() override {
    if (!((later_.empty() ? disk_ : later_.back()) == this->value_)) later_.push_back(this->value_);
  }
  size_t unsynced() const override { return later_.size(); }
  void crash(size_t reached) override {
    if (reached > 0) disk_ = later_[reached - 1];
    later_.clear();
    this->value_ = disk_;
  }

 private:
  T disk_;                // as of the last sync
  std::vector<T> later_;  // after each later step that changed it
};

}  // namespace clew::node
