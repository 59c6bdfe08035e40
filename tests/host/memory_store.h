// A Store that forgets nothing while the test lasts, and fails when it is told to.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/store.h"

namespace clew::host {

// What outlives the store, as a disk does.
struct MemoryDisk {
  std::map<std::string, std::string> fields{};
  uint64_t flushes = 0;
  std::vector<std::map<std::string, std::string>> past{};  // `fields` after each flush
  bool fails = false;
};

class MemoryStore : public Store {
 public:
  explicit MemoryStore(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {
    for (const auto& [field, bytes] : disk_->fields) recovered_.push_back({field, bytes});
  }

  const std::vector<Kept>& recovered() const override { return recovered_; }
  void append(const std::vector<Kept>& changes) override {
    unflushed_.insert(unflushed_.end(), changes.begin(), changes.end());
  }
  Status flush() override {
    if (disk_->fails) return Error{"the disk is full", "make room"};
    for (const Kept& kept : unflushed_) disk_->fields[kept.field] = kept.bytes;
    unflushed_.clear();
    ++disk_->flushes;
    disk_->past.push_back(disk_->fields);
    return Nothing{};
  }

 private:
  std::shared_ptr<MemoryDisk> disk_;
  std::vector<Kept> recovered_;
  std::vector<Kept> unflushed_;
};

}  // namespace clew::host
