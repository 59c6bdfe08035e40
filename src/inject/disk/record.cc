#include "inject/disk/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <sys/mman.h>

#include <algorithm>

namespace clew::inject {

namespace {

using StepKind = Step::Kind;

constexpr std::string_view kDeletedEnd = " (deleted)";
constexpr const char* kCopyNothing =
    "keep what is copied below `files` of the node, or have it written with write";

class CallRecorder {
 public:
  CallRecorder(const DiskCall& call, Model& model)
      : call_(call), model_(model), name_(call.row->name) {}

  void record() {
    switch (call_.row->io) {
      case Io::kOpen:
        return open();
      case Io::kWrite:
        return write();
      case Io::kSync:
        return sync();
      case Io::kNames:
        return change_names();
      case Io::kSize:
        return name_ == "fallocate" ? allocate() : resize();
      case Io::kCopy:
        return copy();
      default:
        if (name_ == "mmap") map();
    }
  }

 private:
  bool is(std::string_view a, std::string_view b = {}, std::string_view c = {}) const {
    return name_ == a || name_ == b || name_ == c;
  }

  void add(std::vector<Step> steps) {
    for (const Step& step : steps) model_.touched.insert(step.object);
    model_.log.add(std::move(steps), model_.live);
  }

  Step set_step(const Where& where, InodeId inode) const {
    return {.kind = StepKind::kSet,
            .object = *where.folder,
            .name = where.name,
            .inode = inode,
            .moves_folder = model_.inodes[inode].is_folder()};
  }

  static Step remove_step(const Where& where, Step::Part part = Step::Part::kNone) {
    return {.kind = StepKind::kRemove, .object = *where.folder, .name = where.name, .part = part};
  }

  // A new file with a name, or something else that `mode` says.
  InodeId create(const Where& where, Inode inode) {
    inode.named = true;
    const InodeId id = model_.add(std::move(inode));
    add({set_step(where, id)});
    return id;
  }

  // Somebody else has made it, who knows when: as if it had always been there.
  InodeId adopt(std::string_view path, bool folder) {
    const size_t slash = path.rfind('/');
    const std::string_view above = path.substr(0, slash);
    std::optional<Where> where = model_.find(path);
    if (!where) {
      adopt(above, true);
      where = model_.find(path);
    }
    model_.warn(
        fmt::format("nobody was seen making {}: its content is not known to crash states", path),
        "let only the node's processes change its files");
    const InodeId id =
        model_.add({.mode = folder ? S_IFDIR | 0755U : S_IFREG | 0644U, .named = true});
    model_.durable.set(*where->folder, where->name, id, folder);
    model_.live.set(*where->folder, where->name, id, folder);
    return id;
  }

  // Whether open has made a file where we still know one: somebody has removed that.
  bool is_another(InodeId id) const {
    const auto known = model_.numbers.find(call_.file);
    return call_.creates && call_.file != 0 &&
           (known == model_.numbers.end() || known->second != id);
  }

  void know(uint64_t number, InodeId id) {
    if (number != 0) model_.numbers[number] = id;
  }

  // Nothing: it is outside, or has no name any more and was never seen.
  std::optional<InodeId> find(std::string_view path, uint64_t number) {
    if (!model_.is_inside(path)) return {};
    const auto known = model_.numbers.find(number);
    if (number != 0 && known != model_.numbers.end()) return known->second;
    const std::optional<Where> where = model_.find(path);
    if (!where || !where->inode) {
      if (path.ends_with(kDeletedEnd)) return {};
      const InodeId id = adopt(path, false);
      know(number, id);
      return id;
    }
    know(number, *where->inode);
    return where->inode;
  }

  void open();
  void write();
  void sync();
  void change_names();
  void rename();
  void link();
  void unlink();
  void make();
  void resize();
  void allocate();
  void shift(InodeId id, bool insert);
  void copy();
  void map();
  void write_pieces(InodeId id, uint64_t at, uint64_t length, std::vector<Piece> pieces);
  Log::Which synced() const;
  void forget();

  const DiskCall& call_;
  Model& model_;
  const std::string_view name_;
};

void CallRecorder::open() {
  if (!model_.is_inside(call_.path)) return;
  const int flags = call_.flags | (is("creat") ? O_CREAT | O_WRONLY | O_TRUNC : 0);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if ((flags & O_DIRECT) != 0 && writes && (flags & (O_SYNC | O_DSYNC)) == 0) {
    model_.warn(fmt::format("{} is opened with O_DIRECT, but without O_DSYNC", call_.path),
                "nothing: what is written there counts as lost until it is synced");
  }
  const mode_t mode = S_IFREG | (call_.mode != 0 ? call_.mode & 07777U : 0644U);
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    know(call_.file, model_.add({.mode = mode}));
    return;
  }
  std::optional<Where> where = model_.find(call_.path);
  const bool makes = call_.creates || (flags & O_CREAT) != 0;
  if (!where && makes) {
    adopt(std::string_view(call_.path).substr(0, call_.path.rfind('/')), true);
    where = model_.find(call_.path);
  }
  if (where && where->folder && (where->inode ? is_another(*where->inode) : makes)) {
    know(call_.file, create(*where, {.mode = mode}));
    return;
  }
  const std::optional<InodeId> id = where && where->inode ? where->inode : find(call_.path, 0);
  if (!id) return;
  know(call_.file, *id);
  const bool cuts = (flags & O_TRUNC) != 0 && writes && model_.inodes[*id].is_file();
  if (cuts && model_.live.content(*id).size() > 0) {
    add({{.kind = StepKind::kResize, .object = *id}});
  }
}

void CallRecorder::write_pieces(InodeId id, uint64_t at, uint64_t length,
                                std::vector<Piece> pieces) {
  add({{.kind = StepKind::kWrite,
        .object = id,
        .at = at,
        .length = length,
        .pieces = std::move(pieces)}});
  if (!call_.synced_at_once) return;
  // As fdatasync of what was written: the size is needed to find it.
  model_.log.sync(
      [&](const Step& step) {
        const bool size = step.kind == StepKind::kResize || step.kind == StepKind::kGrow;
        const bool here =
            step.kind == StepKind::kWrite && step.at >= at && step.at + step.length <= at + length;
        return step.object == id && (size || here);
      },
      model_.durable);
}

void CallRecorder::write() {
  const std::optional<InodeId> id = find(call_.path, call_.file);
  if (!id || call_.result == 0) return;
  const auto length = static_cast<uint64_t>(call_.result);
  if (call_.bytes.size() < length) {
    model_.warn(
        fmt::format("of what was written to {} not all is known: it counts as zeros", call_.path),
        "have less written at a time");
  }
  const std::string_view bytes = std::string_view(call_.bytes).substr(0, length);
  std::vector<Piece> pieces;
  if (!bytes.empty()) pieces.push_back(model_.bytes.keep(bytes, 0));
  write_pieces(*id, call_.offset, length, std::move(pieces));
}

// Which steps a sync is about.
Log::Which CallRecorder::synced() const {
  const auto nothing = [](const Step&) { return false; };
  if (is("sync") || (is("syncfs") && model_.is_inside(call_.path))) {
    return [](const Step&) { return true; };
  }
  if (!is("fsync", "fdatasync", "msync") || !model_.is_inside(call_.path)) return nothing;
  const auto known = model_.numbers.find(call_.file);
  const std::optional<Where> where = model_.find(call_.path);
  const bool by_number = call_.file != 0 && known != model_.numbers.end();
  if (!by_number && (!where || !where->inode)) return nothing;
  const InodeId id = by_number ? known->second : *where->inode;
  if (!is("msync")) return [id](const Step& step) { return step.object == id; };
  if ((call_.flags & MS_SYNC) == 0) return nothing;
  const uint64_t begin = call_.offset;
  const uint64_t end = begin + call_.size;
  return [=](const Step& step) {
    const bool size = step.kind == StepKind::kResize || step.kind == StepKind::kGrow;
    const bool here =
        step.kind == StepKind::kWrite && step.at >= begin && step.at + step.length <= end;
    return step.object == id && (size || here);
  };
}

void CallRecorder::sync() {
  if (call_.result < 0) {
    model_.log.give_up(synced());
    return;
  }
  if (is("msync") && (call_.flags & MS_SYNC) != 0 && !call_.bytes.empty()) {
    if (const auto id = find(call_.path, call_.file)) {
      // What is behind the end of the file is not part of it.
      const uint64_t size = model_.live.content(*id).size();
      const uint64_t room = size - std::min(size, call_.offset);
      const std::string_view bytes = std::string_view(call_.bytes).substr(0, room);
      if (!bytes.empty()) {
        add({{.kind = StepKind::kWrite,
              .object = *id,
              .at = call_.offset,
              .length = bytes.size(),
              .pieces = {model_.bytes.keep(bytes, 0)}}});
      }
    }
  }
  model_.log.sync(synced(), model_.durable);
  forget();
}

// Nobody can find a file again that has no name, neither now nor on the disk.
void CallRecorder::forget() {
  const std::set<InodeId> named = model_.log.named();
  model_.log.forget([&](InodeId id) {
    return id >= model_.folders.size() && model_.inodes[id].named && model_.live.links(id) == 0 &&
           model_.durable.links(id) == 0 && !named.contains(id);
  });
}

void CallRecorder::change_names() {
  if (is("rename", "renameat", "renameat2")) return rename();
  if (is("link", "linkat")) return link();
  if (is("unlink", "unlinkat", "rmdir")) return unlink();
  make();
}

void CallRecorder::rename() {
  const bool leaves = !model_.is_inside(call_.path2);
  std::optional<Where> from = model_.find(call_.path);
  if (from && !from->folder) return;  // one of the folders itself
  if (leaves) {
    if (from && from->inode) add({remove_step(*from)});
    return;
  }
  std::optional<Where> to = model_.find(call_.path2);
  if (!to) {
    adopt(std::string_view(call_.path2).substr(0, call_.path2.rfind('/')), true);
    to = model_.find(call_.path2);
  }
  if (!from || !from->inode) {
    adopt(call_.path2, false);
    return;
  }
  const InodeId inode = *from->inode;
  if (!to->folder || to->inode == from->inode) return;  // nothing happens
  know(call_.file, inode);
  if ((call_.flags & RENAME_EXCHANGE) != 0 && to->inode) {
    return add({set_step(*to, inode), set_step(*from, *to->inode)});
  }
  if ((call_.flags & RENAME_WHITEOUT) != 0) {
    model_.warn(fmt::format("{} was renamed with RENAME_WHITEOUT, which crash states do not know",
                            call_.path),
                "rename without it");
  }
  std::vector<Step> steps;
  if (to->inode) steps.push_back(remove_step(*to, Step::Part::kOldTarget));
  steps.push_back(remove_step(*from, Step::Part::kSource));
  steps.push_back(set_step(*to, inode));
  steps.back().part = Step::Part::kTarget;
  add(std::move(steps));
}

void CallRecorder::link() {
  const std::optional<Where> to = model_.find(call_.path2);
  if (!to || !to->folder) return;
  std::optional<InodeId> id;
  const auto known = model_.numbers.find(call_.file);
  if (call_.file != 0 && known != model_.numbers.end()) {
    id = known->second;
  } else if (const std::optional<Where> from = model_.find(call_.path)) {
    id = from->inode;
  }
  if (!id) {
    adopt(call_.path2, false);
    return;
  }
  model_.inodes[*id].named = true;
  add({set_step(*to, *id)});
}

void CallRecorder::unlink() {
  const std::optional<Where> where = model_.find(call_.path);
  if (where && where->folder && where->inode) add({remove_step(*where)});
}

// mkdir, symlink, mknod.
void CallRecorder::make() {
  if (!model_.is_inside(call_.path)) return;
  std::optional<Where> where = model_.find(call_.path);
  if (!where) {
    adopt(std::string_view(call_.path).substr(0, call_.path.rfind('/')), true);
    where = model_.find(call_.path);
  }
  if (!where->folder) return;
  const mode_t bits = call_.mode & 07777U;
  Inode inode;
  if (is("mkdir", "mkdirat")) {
    inode.mode = S_IFDIR | (call_.mode != 0 ? bits : 0755U);
  } else if (is("symlink", "symlinkat")) {
    inode.mode = S_IFLNK | 0777U;
    inode.leads_to = call_.bytes;
  } else if ((call_.mode & S_IFMT) != 0) {
    inode.mode = call_.mode;
  }
  know(call_.file, create(*where, std::move(inode)));
}

void CallRecorder::resize() {
  const std::optional<InodeId> id = find(call_.path, call_.file);
  if (!id || model_.live.content(*id).size() == call_.size) return;
  add({{.kind = StepKind::kResize, .object = *id, .length = call_.size}});
}

void CallRecorder::allocate() {
  const std::optional<InodeId> id = find(call_.path, call_.file);
  if (!id) return;
  const int flags = call_.flags;
  const bool grows = (flags & FALLOC_FL_KEEP_SIZE) == 0;
  if ((flags & (FALLOC_FL_COLLAPSE_RANGE | FALLOC_FL_INSERT_RANGE)) != 0) {
    return shift(*id, (flags & FALLOC_FL_INSERT_RANGE) != 0);
  }
  if ((flags & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0) {
    return add({{.kind = grows ? StepKind::kWrite : StepKind::kClear,
                 .object = *id,
                 .at = call_.offset,
                 .length = call_.size}});
  }
  const uint64_t end = call_.offset + call_.size;
  if (!grows || model_.live.content(*id).size() >= end) return;
  add({{.kind = StepKind::kGrow, .object = *id, .length = end}});
}

// Takes a range out of the file, or puts one of zeros into it: what follows is as if written anew.
void CallRecorder::shift(InodeId id, bool insert) {
  const Extents& file = model_.live.content(id);
  const uint64_t size = file.size();
  const uint64_t at = std::min(call_.offset, size);
  const uint64_t length = insert ? call_.size : std::min(call_.size, size - at);
  if (insert) {
    std::vector<Piece> tail = file.slice(at, size - at);
    for (Piece& piece : tail) piece.at += length;
    return add({{.kind = StepKind::kWrite,
                 .object = id,
                 .at = at,
                 .length = size - at + length,
                 .pieces = std::move(tail)}});
  }
  const uint64_t rest = size - at - length;
  add({{.kind = StepKind::kWrite,
        .object = id,
        .at = at,
        .length = rest,
        .pieces = file.slice(at + length, rest)},
       {.kind = StepKind::kResize, .object = id, .length = size - length}});
}

void CallRecorder::copy() {
  if (call_.result <= 0) return;
  const std::optional<InodeId> id = find(call_.path, call_.file);
  if (!id) return;
  const auto length = static_cast<uint64_t>(call_.result);
  if (call_.bytes.size() >= length) {
    const std::string_view bytes = std::string_view(call_.bytes).substr(0, length);
    return write_pieces(*id, call_.offset, length, {model_.bytes.keep(bytes, 0)});
  }
  std::vector<Piece> pieces;
  if (const std::optional<InodeId> source = find(call_.path2, call_.file2)) {
    pieces = model_.live.content(*source).slice(call_.offset2, length);
  } else {
    model_.warn(
        fmt::format("what {} copied to {} is not known: it counts as zeros", name_, call_.path),
        kCopyNothing);
  }
  write_pieces(*id, call_.offset, length, std::move(pieces));
}

void CallRecorder::map() {
  const int type = call_.flags & MAP_TYPE;
  const bool shared = type == MAP_SHARED || type == MAP_SHARED_VALIDATE;
  if (!shared || !call_.writable || !model_.is_inside(call_.path)) return;
  if (const std::optional<InodeId> id = find(call_.path, call_.file)) model_.touched.insert(*id);
  model_.warn(fmt::format("{} is mapped shared and writable: what is written through the map is "
                          "in no crash state until msync",
                          call_.path),
              "nothing, if the file is not to outlive a power cut; else judge it by other tests");
}

}  // namespace

void record(const DiskCall& call, Model& model) {
  if (call.result < 0 && call.row->io != Io::kSync) return;
  CallRecorder(call, model).record();
}

}  // namespace clew::inject
