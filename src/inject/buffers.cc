#include "inject/buffers.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "inject/sockets.h"

namespace clew::inject {

namespace {

constexpr uint64_t kMostPieces = 1024;  // as the kernel has it
constexpr unsigned char kOneBit = 0x10;

uint64_t argument(const StoppedCall& call, int8_t which) {
  return which < 0 ? 0 : call.arguments[static_cast<size_t>(which)];
}

}  // namespace

bool Undo::write(pid_t thread, uint64_t address, const void* from, size_t size) {
  std::string before(size, '\0');
  if (!Tracer::read_memory(thread, address, before.data(), size)) return false;
  if (!Tracer::write_memory(thread, address, from, size)) return false;
  before_.emplace_back(address, std::move(before));
  return true;
}

// The last change first: it may be part of an earlier one.
void Undo::undo(pid_t thread) {
  for (; !before_.empty(); before_.pop_back()) {
    const auto& [address, bytes] = before_.back();
    Tracer::write_memory(thread, address, bytes.data(), bytes.size());
  }
}

std::optional<Buffer> Buffer::of(const StoppedCall& call) {
  using Shape = CallRow::Shape;
  Buffer buffer;
  buffer.thread_ = call.thread;
  const uint64_t at = argument(call, call.row->buffer);
  uint64_t count = argument(call, call.row->count);
  buffer.table_ = at;
  if (call.row->shape == Shape::kNone || at == 0) return std::nullopt;
  if (call.row->shape == Shape::kBytes) {
    buffer.plain_ = true;
    buffer.pieces_.push_back({reinterpret_cast<void*>(at), count});
    return buffer;
  }
  if (call.row->shape != Shape::kVector) {
    struct msghdr message {};  // the first part of an mmsghdr, too
    if (!Tracer::read_memory(call.thread, at, &message, sizeof(message))) return std::nullopt;
    buffer.table_ = reinterpret_cast<uint64_t>(message.msg_iov);
    count = message.msg_iovlen;
  }
  if (count > kMostPieces) return std::nullopt;
  buffer.pieces_.resize(count);
  if (!Tracer::read_memory(call.thread, buffer.table_, buffer.pieces_.data(),
                           count * sizeof(iovec))) {
    return std::nullopt;
  }
  return buffer;
}

uint64_t Buffer::total() const {
  uint64_t total = 0;
  for (const iovec& piece : pieces_) total += piece.iov_len;
  return total;
}

bool Buffer::shorten(uint64_t bytes, Action& action, Undo& undo) const {
  if (plain_) {
    action.count = bytes;
    return true;
  }
  std::vector<iovec> shorter = pieces_;
  uint64_t left = bytes;
  for (iovec& piece : shorter) {
    piece.iov_len = std::min<uint64_t>(piece.iov_len, left);
    left -= piece.iov_len;
  }
  return undo.write(thread_, table_, shorter.data(), shorter.size() * sizeof(iovec));
}

bool Buffer::flip(uint64_t byte, Undo& undo) const {
  for (const iovec& piece : pieces_) {
    if (byte >= piece.iov_len) {
      byte -= piece.iov_len;
      continue;
    }
    const uint64_t address = reinterpret_cast<uint64_t>(piece.iov_base) + byte;
    unsigned char value = 0;
    if (!Tracer::read_memory(thread_, address, &value, 1)) return false;
    value ^= kOneBit;
    return undo.write(thread_, address, &value, 1);
  }
  return false;
}

std::optional<uint64_t> available_bytes(const StoppedCall& call) {
  if (call.row->descriptor < 0) return std::nullopt;
  const Descriptor copy =
      copy_descriptor(call.process, static_cast<int>(argument(call, call.row->descriptor)));
  struct stat status {};
  if (!copy.valid() || ::fstat(copy.number(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode)) {
    int bytes = 0;
    if (::ioctl(copy.number(), FIONREAD, &bytes) != 0 || bytes < 0) return std::nullopt;
    return static_cast<uint64_t>(bytes);
  }
  const int64_t at = call.row->offset >= 0 ? static_cast<int64_t>(argument(call, call.row->offset))
                                           : ::lseek(copy.number(), 0, SEEK_CUR);
  return at >= 0 && at < status.st_size ? static_cast<uint64_t>(status.st_size - at) : 0;
}

}  // namespace clew::inject
