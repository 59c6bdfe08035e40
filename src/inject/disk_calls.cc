#include "inject/disk_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <vector>

#include "inject/surface/maps.h"
#include "inject/surface/memory.h"
#include "inject/surface/process_files.h"

namespace clew::inject {

namespace {

constexpr size_t kMostPath = 4096;
constexpr size_t kMostParts = 1024;  // IOV_MAX

// A call, with words for what it is asked.
class Reader {
 public:
  explicit Reader(const StoppedCall& call) : call_(call), row_(*call.row) {}

  DiskCall before() const;
  void after(int64_t result, size_t most_bytes, DiskCall& done) const;

 private:
  uint64_t argument(int number) const {
    return number < 0 ? 0 : call_.arguments[static_cast<size_t>(number)];
  }
  int descriptor(int number) const { return static_cast<int>(argument(number)); }
  bool is(long number) const { return row_.number == number; }

  int flags() const;
  Located locate_path(int path, int folder, bool follow) const;
  void set_thing(int path, int folder, std::string& name, uint64_t& file, bool follow) const;
  void set_map(DiskCall& done) const;
  void opened(DiskCall& done) const;
  void written(size_t most_bytes, DiskCall& done) const;
  void copied(size_t most_bytes, DiskCall& done) const;
  uint64_t place(int number, int pointer, uint64_t moved) const;
  std::string bytes_of(size_t most) const;

  const StoppedCall& call_;
  const CallRow& row_;
};

int Reader::flags() const {
  open_how how{};
  switch (row_.number) {
    case SYS_open:
    case SYS_fallocate:
      return descriptor(1);
    case SYS_openat:
    case SYS_msync:
      return descriptor(2);
    case SYS_openat2:
      read_exactly(call_.thread, argument(2), &how, sizeof how);
      return static_cast<int>(how.flags);
    case SYS_sync_file_range:
    case SYS_mmap:
      return descriptor(3);
    case SYS_renameat2:
      return descriptor(4);
    default:
      return 0;
  }
}

Located Reader::locate_path(int path, int folder, bool follow) const {
  const std::optional<std::string> text = read_string(call_.thread, argument(path), kMostPath);
  if (!text) return {};
  const int from = folder < 0 ? AT_FDCWD : descriptor(folder);
  if (text->empty()) return {link_of(call_.thread, from), stat_of(call_.thread, from)};
  return locate(call_.thread, from, *text, follow);
}

// By its path, if the call has one, else by its descriptor.
void Reader::set_thing(int path, int folder, std::string& name, uint64_t& file, bool follow) const {
  std::optional<struct stat> status;
  if (path >= 0) {
    Located found = locate_path(path, folder, follow);
    name = std::move(found.path);
    status = found.status;
  } else if (folder >= 0) {
    name = link_of(call_.thread, descriptor(folder));
    status = stat_of(call_.thread, descriptor(folder));
  }
  if (status) file = status->st_ino;
}

// What msync is about is told by an address.
void Reader::set_map(DiskCall& done) const {
  const std::vector<Mapping> maps = read_maps(call_.process);
  const Mapping* mapping = find_mapping(maps, argument(0));
  if (!mapping) return;
  done.path = mapping->path;
  done.file = mapping->inode;
  done.offset = mapping->offset + (argument(0) - mapping->begin);
  done.size = argument(1);
}

DiskCall Reader::before() const {
  DiskCall done;
  done.row = &row_;
  done.flags = flags();
  const bool keeps_link = row_.io == Io::kOpen && (done.flags & O_NOFOLLOW) != 0;
  set_thing(row_.path, row_.descriptor, done.path, done.file, row_.io != Io::kNames && !keeps_link);
  if (row_.path2 >= 0 || row_.io == Io::kCopy) {
    set_thing(row_.path2, row_.descriptor2, done.path2, done.file2, false);
  }
  if (row_.io == Io::kOpen) {
    const bool may_create = is(SYS_creat) || (done.flags & O_CREAT) != 0;
    done.creates = may_create && done.file == 0;
  }
  if (row_.io == Io::kSize) done.size = argument(row_.count);
  if (is(SYS_fallocate)) done.offset = argument(row_.offset);
  if (is(SYS_msync)) set_map(done);
  if (is(SYS_mmap)) {
    done.writable = (argument(2) & PROT_WRITE) != 0;
    done.offset = argument(row_.offset);
    done.size = argument(row_.count);
  }
  if (is(SYS_symlink) || is(SYS_symlinkat)) {
    done.bytes = read_string(call_.thread, argument(0), kMostPath).value_or("");
  }
  return done;
}

void Reader::opened(DiskCall& done) const {
  const auto number = static_cast<int>(done.result);
  const std::optional<struct stat> status = stat_of(call_.thread, number);
  if (!status) return;
  done.file = status->st_ino;
  done.mode = status->st_mode;
  const std::string link = link_of(call_.thread, number);
  if (status->st_nlink > 0 && link.starts_with('/')) done.path = link;
}

// Where a call has read or written that moved `moved` bytes on from there.
uint64_t Reader::place(int number, int pointer, uint64_t moved) const {
  uint64_t end = 0;
  if (pointer >= 0 && argument(pointer) != 0) {
    read_exactly(call_.thread, argument(pointer), &end, sizeof end);
  } else if (const auto open = open_file_of(call_.thread, number)) {
    end = open->position;
  }
  return end - std::min(end, moved);
}

std::string Reader::bytes_of(size_t most) const {
  std::vector<iovec> parts = {{reinterpret_cast<void*>(argument(row_.buffer)), most}};
  if (row_.shape == CallRow::Shape::kVector) {
    parts.resize(std::min<uint64_t>(argument(row_.count), kMostParts));
    const size_t size = parts.size() * sizeof(iovec);
    if (!read_exactly(call_.thread, argument(row_.buffer), parts.data(), size)) return {};
  }
  std::string bytes;
  for (const iovec& part : parts) {
    const size_t had = bytes.size();
    const size_t wanted = std::min(part.iov_len, most - had);
    bytes.resize(had + wanted);
    const auto at = reinterpret_cast<uint64_t>(part.iov_base);
    const size_t got = read_some(call_.thread, at, {bytes.data() + had, wanted});
    bytes.resize(had + got);
    if (got < wanted || bytes.size() == most) break;
  }
  return bytes;
}

void Reader::written(size_t most_bytes, DiskCall& done) const {
  const auto moved = static_cast<uint64_t>(done.result);
  const int number = descriptor(row_.descriptor);
  const OpenFile open = open_file_of(call_.thread, number).value_or(OpenFile{});
  const int how = is(SYS_pwritev2) ? descriptor(5) : 0;
  const bool here = row_.offset < 0 || (is(SYS_pwritev2) && argument(row_.offset) == ~uint64_t{0});
  done.synced_at_once = (open.flags & O_DSYNC) != 0 || (how & (RWF_SYNC | RWF_DSYNC)) != 0;
  if (here) {
    done.offset = open.position - std::min(open.position, moved);
  } else if ((open.flags & O_APPEND) != 0 || (how & RWF_APPEND) != 0) {
    // Linux appends then, whatever the offset.
    const std::optional<struct stat> status = stat_of(call_.thread, number);
    const auto size = status ? static_cast<uint64_t>(status->st_size) : moved;
    done.offset = size - std::min(size, moved);
  } else {
    done.offset = argument(row_.offset);
  }
  done.bytes = bytes_of(std::min<size_t>(moved, most_bytes));
}

// What was copied is read from where it is now.
void Reader::copied(size_t most_bytes, DiskCall& done) const {
  const auto moved = static_cast<uint64_t>(done.result);
  const int to = descriptor(row_.descriptor);
  const bool sends = is(SYS_sendfile);
  done.offset = place(to, sends ? -1 : 3, moved);
  done.offset2 = place(descriptor(row_.descriptor2), sends ? 2 : 1, moved);
  const std::optional<OpenFile> open = open_file_of(call_.thread, to);
  done.synced_at_once = open && (open->flags & O_DSYNC) != 0;
  const std::optional<struct stat> status = stat_of(call_.thread, to);
  if (!status || !S_ISREG(status->st_mode)) return;
  const std::string path = fmt::format("/proc/{}/fd/{}", call_.thread, to);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string bytes(std::min<size_t>(moved, most_bytes), '\0');
  const auto at = static_cast<off_t>(done.offset);
  const ssize_t got = ::pread(file.number(), bytes.data(), bytes.size(), at);
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  done.bytes = std::move(bytes);
}

void Reader::after(int64_t result, size_t most_bytes, DiskCall& done) const {
  done.result = result;
  if (result < 0) return;
  switch (row_.io) {
    case Io::kOpen:
      return opened(done);
    case Io::kWrite:
      return written(most_bytes, done);
    case Io::kCopy:
      return copied(most_bytes, done);
    case Io::kSync:
      if (is(SYS_msync)) {
        done.bytes.resize(std::min<size_t>(done.size, most_bytes));
        done.bytes.resize(read_some(call_.thread, argument(0), done.bytes));
      }
      return;
    case Io::kNames: {
      if (row_.path2 >= 0) return;
      const Located made = locate_path(row_.path, row_.descriptor, false);
      if (!made.status) return;
      done.file = made.status->st_ino;
      done.mode = made.status->st_mode;
      return;
    }
    default:
      return;
  }
}

}  // namespace

DiskCall disk_call_before(const StoppedCall& call) { return Reader(call).before(); }

void disk_call_after(const StoppedCall& call, int64_t result, size_t most_bytes, DiskCall& done) {
  Reader(call).after(result, most_bytes, done);
}

}  // namespace clew::inject
