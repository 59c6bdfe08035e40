// The bytes that a stopped call moves, in the memory of its process.
//
//   std::optional<Buffer> buffer = Buffer::of(call);    // nothing: it moves none that can be seen
//   buffer->total();                                    // so many, as asked for
//   Undo undo;
//   buffer->shorten(buffer->total() / 2, action, undo);   // only so many are asked for now
//   buffer->flip(17, undo);                               // one bit of byte 17 differs
//   undo.undo(call.thread);                               // and the memory is as it was
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inject/surface/tracer.h"

namespace clew::inject {

// What was in the memory of a process before it was changed.
class Undo {
 public:
  bool write(pid_t thread, uint64_t address, const void* from, size_t size);
  void undo(pid_t thread);

 private:
  std::vector<std::pair<uint64_t, std::string>> before_;
};

class Buffer {
 public:
  // Of several messages the first one.
  static std::optional<Buffer> of(const StoppedCall& call);

  uint64_t total() const;
  bool shorten(uint64_t bytes, Action& action, Undo& undo) const;
  bool flip(uint64_t byte, Undo& undo) const;

 private:
  pid_t thread_ = 0;
  bool plain_ = false;  // the call has its size as an argument
  uint64_t table_ = 0;  // else: where the pieces are listed
  std::vector<iovec> pieces_;
};

// How many bytes a read can give now, at most; nothing: nobody knows.
std::optional<uint64_t> available_bytes(const StoppedCall& call);

}  // namespace clew::inject
