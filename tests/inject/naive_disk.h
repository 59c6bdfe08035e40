// The slow, obvious twin of the disk model: it remembers every operation, asks of each whether a
// later sync has made it durable, and replays all of them from the beginning for every crash state
// that docs/crash-states.md allows.
//
//   NaiveDisk naive({"a=1", "d/"});
//   naive.write(naive.look_up("a"), 0, "xy", false);
//   naive.legal();                             // "a=1 d/", "a=x d/", "a=xy d/", "a=10 d/"
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clew::inject {

class NaiveDisk {
 public:
  // As BaseFolder (disk_files.h).
  explicit NaiveDisk(const std::vector<std::string>& files);

  static constexpr int kRoot = 0;
  static constexpr int kNobody = -1;

  // As processes see them. Paths are "a" or "d/a".
  int look_up(const std::string& path) const;
  bool is_folder(int inode) const { return folders_.contains(inode); }
  bool is_empty(int folder) const;
  std::vector<int> files() const;  // with and without a name

  int create(const std::string& path, bool folder);
  void write(int file, size_t at, const std::string& bytes, bool synced);
  void resize(int file, size_t size);
  void grow(int file, size_t size);
  void clear(int file, size_t at, size_t length);
  void link(int inode, const std::string& path);
  void remove(const std::string& path);
  void rename(const std::string& from, const std::string& to);
  void sync(std::optional<int> object, bool works);  // nothing: all

  // All crash states, in the words of files_below.
  std::set<std::string> legal() const;
  std::string none() const;
  std::string all() const;
  // Those that have to be offered: prefixes, all but one, only one.
  std::set<std::string> simple() const;
  size_t unsynced() const { return open_operations().size(); }

 private:
  struct Atom {
    enum class Kind { kSet, kRemove, kWrite, kResize, kGrow, kClear } kind;
    int object;
    std::string name{};
    int inode = kNobody;
    size_t at = 0;
    std::string bytes{};
    size_t size = 0;
  };
  struct Event {
    std::vector<Atom> atoms{};  // of an operation
    bool sync = false;
    bool works = true;
    std::optional<int> object{};                       // of a sync: of what; nothing: of everything
    std::optional<std::pair<size_t, size_t>> range{};  // of a write that is synced at once
  };
  struct Files {
    std::map<std::pair<int, std::string>, int> names{};
    std::map<int, std::string> bytes{};
  };
  // How much of an operation is there: so many of its atoms, and of a write so many bytes; -1: only
  // its size.
  struct Extent {
    size_t atoms = 0;
    int bytes = 0;
  };

  static Extent whole(const Event& event);
  static std::vector<Extent> extents(const Event& event);
  static void apply(const Atom& atom, int bytes, const std::set<int>& folders, Files& files);
  std::pair<int, std::string> place(const std::string& path) const;
  bool is_durable(size_t event, const Atom& atom) const;
  std::vector<size_t> open_operations() const;
  std::string replay(const std::map<size_t, Extent>& kept) const;
  void print(const Files& files, int folder, const std::string& prefix,
             std::map<int, std::string>& seen, std::string& text) const;
  void note(std::vector<Atom> atoms);

  Files base_{};
  Files live_{};
  std::set<int> folders_{kRoot};
  int inodes_ = 1;
  std::vector<Event> history_{};
};

}  // namespace clew::inject
