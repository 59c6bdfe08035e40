#include "tests/inject/naive_disk.h"

#include <algorithm>

#include "base/check.h"

namespace clew::inject {

NaiveDisk::NaiveDisk(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const bool folder = file.ends_with('/');
    const std::string path = file.substr(0, folder ? file.size() - 1 : file.find('='));
    const int inode = inodes_++;
    if (folder) folders_.insert(inode);
    live_.names[place(path)] = inode;
    if (!folder) live_.bytes[inode] = file.substr(file.find('=') + 1);
  }
  base_ = live_;
}

std::pair<int, std::string> NaiveDisk::place(const std::string& path) const {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {kRoot, path};
  return {look_up(path.substr(0, slash)), path.substr(slash + 1)};
}

int NaiveDisk::look_up(const std::string& path) const {
  if (path.empty()) return kRoot;
  const auto found = live_.names.find(place(path));
  return found == live_.names.end() ? kNobody : found->second;
}

bool NaiveDisk::is_empty(int folder) const {
  return std::ranges::none_of(live_.names,
                              [&](const auto& name) { return name.first.first == folder; });
}

std::vector<int> NaiveDisk::files() const {
  std::vector<int> all;
  for (const auto& [inode, bytes] : live_.bytes) all.push_back(inode);
  return all;
}

void NaiveDisk::note(std::vector<Atom> atoms) {
  for (const Atom& atom : atoms) {
    apply(atom, static_cast<int>(atom.bytes.size()), folders_, live_);
  }
  history_.push_back({.atoms = std::move(atoms)});
}

int NaiveDisk::create(const std::string& path, bool folder) {
  const int inode = inodes_++;
  if (folder) {
    folders_.insert(inode);
  } else {
    base_.bytes[inode] = "";
    live_.bytes[inode] = "";
  }
  link(inode, path);
  return inode;
}

void NaiveDisk::write(int file, size_t at, const std::string& bytes, bool synced) {
  note({{.kind = Atom::Kind::kWrite, .object = file, .at = at, .bytes = bytes}});
  if (!synced) return;
  history_.push_back({.sync = true, .object = file, .range = std::pair(at, at + bytes.size())});
}

void NaiveDisk::resize(int file, size_t size) {
  if (live_.bytes[file].size() == size) return;  // does nothing
  note({{.kind = Atom::Kind::kResize, .object = file, .size = size}});
}

void NaiveDisk::grow(int file, size_t size) {
  if (live_.bytes[file].size() >= size) return;
  note({{.kind = Atom::Kind::kGrow, .object = file, .size = size}});
}

void NaiveDisk::clear(int file, size_t at, size_t length) {
  note({{.kind = Atom::Kind::kClear, .object = file, .at = at, .size = length}});
}

void NaiveDisk::link(int inode, const std::string& path) {
  const auto [folder, name] = place(path);
  note({{.kind = Atom::Kind::kSet, .object = folder, .name = name, .inode = inode}});
}

void NaiveDisk::remove(const std::string& path) {
  const auto [folder, name] = place(path);
  note({{.kind = Atom::Kind::kRemove, .object = folder, .name = name}});
}

void NaiveDisk::rename(const std::string& from, const std::string& to) {
  const int inode = look_up(from);
  if (inode == look_up(to)) return;
  const auto [folder, name] = place(from);
  const auto [folder2, name2] = place(to);
  std::vector<Atom> atoms;
  if (look_up(to) != kNobody) {
    atoms.push_back({.kind = Atom::Kind::kRemove, .object = folder2, .name = name2});
  }
  atoms.push_back({.kind = Atom::Kind::kRemove, .object = folder, .name = name});
  atoms.push_back({.kind = Atom::Kind::kSet, .object = folder2, .name = name2, .inode = inode});
  note(std::move(atoms));
}

void NaiveDisk::sync(std::optional<int> object, bool works) {
  history_.push_back({.sync = true, .works = works, .object = object});
}

void NaiveDisk::apply(const Atom& atom, int bytes, const std::set<int>& folders, Files& files) {
  using enum Atom::Kind;
  switch (atom.kind) {
    case kSet:
      if (folders.contains(atom.inode)) {
        std::erase_if(files.names, [&](const auto& name) { return name.second == atom.inode; });
      }
      files.names[{atom.object, atom.name}] = atom.inode;
      return;
    case kRemove:
      files.names.erase({atom.object, atom.name});
      return;
    default:
      break;
  }
  std::string& text = files.bytes[atom.object];
  const size_t count = bytes < 0 ? 0 : static_cast<size_t>(bytes);
  const size_t end = atom.at + (bytes < 0 ? atom.bytes.size() : count);
  if (atom.kind == kWrite && (bytes != 0)) {
    if (text.size() < end) text.resize(end, '0');
    text.replace(atom.at, count, atom.bytes, 0, count);
  } else if (atom.kind == kResize || (atom.kind == kGrow && text.size() < atom.size)) {
    text.resize(atom.size, '0');
  } else if (atom.kind == kClear) {
    for (size_t i = atom.at; i < atom.at + atom.size && i < text.size(); ++i) text[i] = '0';
  }
}

// The first sync that is about it decides.
bool NaiveDisk::is_durable(size_t event, const Atom& atom) const {
  using enum Atom::Kind;
  for (size_t i = event + 1; i < history_.size(); ++i) {
    const Event& sync = history_[i];
    if (!sync.sync || (sync.object && *sync.object != atom.object)) continue;
    const bool size = atom.kind == kResize || atom.kind == kGrow;
    const bool inside = sync.range && atom.kind == kWrite && atom.at >= sync.range->first &&
                        atom.at + atom.bytes.size() <= sync.range->second;
    if (sync.range && !size && !inside) continue;
    return sync.works;
  }
  return false;
}

std::vector<size_t> NaiveDisk::open_operations() const {
  std::vector<size_t> open;
  for (size_t i = 0; i < history_.size(); ++i) {
    const std::vector<Atom>& atoms = history_[i].atoms;
    const auto is_open = [&](const Atom& atom) { return !is_durable(i, atom); };
    if (std::ranges::any_of(atoms, is_open)) open.push_back(i);
  }
  return open;
}

NaiveDisk::Extent NaiveDisk::whole(const Event& event) {
  return {event.atoms.size(), static_cast<int>(event.atoms.front().bytes.size())};
}

// All that may be left of an operation: nothing first.
std::vector<NaiveDisk::Extent> NaiveDisk::extents(const Event& event) {
  std::vector<Extent> all{{0, 0}};
  for (size_t atoms = 1; atoms < event.atoms.size(); ++atoms) all.push_back({atoms, 0});
  const Extent complete = whole(event);
  if (event.atoms.front().kind == Atom::Kind::kWrite) {
    for (int bytes = -1; bytes < complete.bytes; ++bytes) all.push_back({1, bytes});
  }
  all.push_back(complete);
  return all;
}

std::string NaiveDisk::replay(const std::map<size_t, Extent>& kept) const {
  Files files = base_;
  for (size_t i = 0; i < history_.size(); ++i) {
    const auto found = kept.find(i);
    for (size_t k = 0; k < history_[i].atoms.size(); ++k) {
      const Atom& atom = history_[i].atoms[k];
      if (is_durable(i, atom)) {
        apply(atom, static_cast<int>(atom.bytes.size()), folders_, files);
      } else if (found != kept.end() && k < found->second.atoms) {
        apply(atom, found->second.bytes, folders_, files);
      }
    }
  }
  std::map<int, std::string> seen;
  std::string text;
  print(files, kRoot, "", seen, text);
  return text;
}

void NaiveDisk::print(const Files& files, int folder, const std::string& prefix,
                      std::map<int, std::string>& seen, std::string& text) const {
  for (const auto& [place, inode] : files.names) {
    if (place.first != folder) continue;
    const std::string name = prefix + place.second;
    const auto [first, is_new] = seen.try_emplace(inode, name);
    text += text.empty() ? "" : " ";
    if (is_folder(inode)) {
      text += name + "/";
      print(files, inode, name + "/", seen, text);
    } else {
      text += name + (is_new ? "=" + files.bytes.at(inode) : "&" + first->second);
    }
  }
}

std::set<std::string> NaiveDisk::legal() const {
  std::vector<std::map<size_t, Extent>> choices{{}};
  for (const size_t operation : open_operations()) {
    std::vector<std::map<size_t, Extent>> longer;
    for (const auto& choice : choices) {
      for (const Extent& extent : extents(history_[operation])) {
        longer.push_back(choice);
        longer.back()[operation] = extent;
      }
    }
    choices = std::move(longer);
  }
  std::set<std::string> all;
  for (const auto& choice : choices) all.insert(replay(choice));
  return all;
}

std::string NaiveDisk::none() const { return replay({}); }

std::string NaiveDisk::all() const {
  std::map<size_t, Extent> kept;
  for (const size_t operation : open_operations()) kept[operation] = whole(history_[operation]);
  return replay(kept);
}

std::set<std::string> NaiveDisk::simple() const {
  std::set<std::string> all;
  std::map<size_t, Extent> complete;
  for (const size_t operation : open_operations()) complete[operation] = whole(history_[operation]);
  std::map<size_t, Extent> prefix;
  for (const auto& [operation, extent] : complete) {
    prefix[operation] = extent;
    std::map<size_t, Extent> but = complete;
    but.erase(operation);
    all.insert({replay(prefix), replay(but), replay({{operation, extent}})});
  }
  return all;
}

}  // namespace clew::inject
