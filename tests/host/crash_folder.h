// A Folder in memory whose power goes, whose process is killed, and whose calls fail.
//
// What was not synced may be on the disk or not: each sector of a write, each size, each name, by
// itself. That is the model of docs/crash-states.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "host/folder.h"

namespace clew::host {

// What outlives processes.
class CrashDisk {
 public:
  struct Write {
    uint64_t at = 0;
    std::string bytes{};
    uint64_t size = 0;  // if there are no bytes: the size it has at least
    enum class On { kMemory, kNobodyKnows, kDisk } on = On::kMemory;
  };
  struct Inode {
    std::string now;   // as processes see it
    std::string disk;  // that is sure
    // What came after that. Of a sync that failed nobody knows what it has written, and no other
    // one tries again.
    std::vector<Write> writes;
  };
  using Names = std::map<std::string, std::shared_ptr<Inode>>;

  Names now;
  Names disk;
  struct NameStep {
    std::string name;
    std::shared_ptr<Inode> inode;  // null: the name is gone
  };
  std::vector<NameStep> unsynced;
  std::optional<uint64_t> calls_left{};  // until one fails
  uint64_t calls = 0;

  void power_cut(Random& random) {
    for (const NameStep& step : unsynced) {
      if (random.chance(0.5)) apply(disk, step);
    }
    unsynced.clear();
    // What has lost its name may still have another.
    std::map<Inode*, bool> seen;
    for (auto& [name, inode] : disk) {
      if (!seen.emplace(inode.get(), true).second) continue;
      cut(*inode, random);
    }
    now = disk;
    calls_left.reset();
  }
  void kill() { calls_left.reset(); }

  void set_name(const std::string& name, std::shared_ptr<Inode> inode) {
    unsynced.push_back({name, inode});
    apply(now, unsynced.back());
  }
  // True if it fails.
  bool fails() {
    ++calls;
    if (!calls_left) return false;
    if (*calls_left == 0) return true;
    --*calls_left;
    return false;
  }
  static void apply(std::string& bytes, const Write& write) {
    const uint64_t end = std::max(write.at + write.bytes.size(), write.size);
    if (bytes.size() < end) bytes.resize(end, '\0');
    bytes.replace(write.at, write.bytes.size(), write.bytes);
  }

 private:
  static void apply(Names& names, const NameStep& step) {
    if (step.inode == nullptr) {
      names.erase(step.name);
    } else {
      names[step.name] = step.inode;
    }
  }
  static void cut(Inode& inode, Random& random) {
    constexpr double kShares[] = {0, 0.1, 0.5, 0.9, 1};
    for (const Write& write : inode.writes) {
      const double share = write.on == Write::On::kDisk ? 1 : kShares[random.uniform_below(5)];
      if (write.bytes.empty() && random.chance(share)) apply(inode.disk, write);
      // Sectors of the disk, wherever the write begins.
      for (uint64_t from = 0; from < write.bytes.size();) {
        const uint64_t size =
            std::min(kSectorBytes - (write.at + from) % kSectorBytes, write.bytes.size() - from);
        if (random.chance(share)) {
          apply(inode.disk, {write.at + from, write.bytes.substr(from, size)});
        }
        from += size;
      }
    }
    inode.writes.clear();
    inode.now = inode.disk;
  }
  static constexpr uint64_t kSectorBytes = 512;
};

// One process's view of it.
class CrashFolder : public Folder {
 public:
  explicit CrashFolder(CrashDisk& disk) : disk_(disk) {}

  std::string path_of(const std::string& name) const override { return "folder/" + name; }
  Result<std::vector<std::string>> list() override {
    std::vector<std::string> names;
    for (const auto& [name, inode] : disk_.now) names.push_back(name);
    return names;
  }
  Result<std::string> read(const std::string& name) override {
    if (!disk_.now.contains(name)) return failure("read");
    return disk_.now[name]->now;
  }
  Result<std::unique_ptr<File>> create(const std::string& name) override {
    if (disk_.fails()) return failure("create");
    disk_.set_name(name, std::make_shared<CrashDisk::Inode>());
    return open_file(name);
  }
  Result<std::unique_ptr<File>> open_file(const std::string& name) override {
    if (!disk_.now.contains(name)) return failure("open");
    return std::unique_ptr<File>(std::make_unique<CrashFile>(disk_, disk_.now[name]));
  }
  Status rename(const std::string& from, const std::string& to) override {
    if (disk_.fails()) return failure("rename");
    const std::shared_ptr<CrashDisk::Inode> inode = disk_.now.at(from);
    disk_.set_name(from, nullptr);
    disk_.set_name(to, inode);
    return Nothing{};
  }
  Status remove(const std::string& name) override {
    if (disk_.fails()) return failure("remove");
    disk_.set_name(name, nullptr);
    return Nothing{};
  }
  Status sync() override {
    if (disk_.fails()) return failure("sync the folder");
    disk_.disk = disk_.now;
    disk_.unsynced.clear();
    return Nothing{};
  }

  static Error failure(const std::string& what) { return {"cannot " + what, "mend the disk"}; }

 private:
  class CrashFile : public File {
   public:
    CrashFile(CrashDisk& disk, std::shared_ptr<CrashDisk::Inode> inode)
        : disk_(disk), inode_(std::move(inode)) {}

    Status write(uint64_t at, std::string_view bytes) override {
      const bool fails = disk_.fails();
      // What fails may have written a part.
      if (fails) bytes = bytes.substr(0, bytes.size() / 2);
      if (!bytes.empty()) change({at, std::string(bytes)});
      if (fails) return failure("write");
      return Nothing{};
    }
    Status reserve(uint64_t size) override {
      if (disk_.fails()) return failure("make room");
      change({.size = size});
      return Nothing{};
    }
    void begin_sync(uint64_t, uint64_t) override {}
    Status sync() override {
      using On = CrashDisk::Write::On;
      const bool fails = disk_.fails();
      bool all_known = !fails;
      for (CrashDisk::Write& write : inode_->writes) {
        if (write.on == On::kMemory) write.on = fails ? On::kNobodyKnows : On::kDisk;
        all_known = all_known && write.on == On::kDisk;
      }
      if (fails) return failure("sync");
      if (!all_known) return Nothing{};
      for (const CrashDisk::Write& write : inode_->writes) CrashDisk::apply(inode_->disk, write);
      inode_->writes.clear();
      return Nothing{};
    }

   private:
    void change(const CrashDisk::Write& write) {
      inode_->writes.push_back(write);
      CrashDisk::apply(inode_->now, write);
    }

    CrashDisk& disk_;
    std::shared_ptr<CrashDisk::Inode> inode_;
  };

  CrashDisk& disk_;
};

}  // namespace clew::host
