#include "inject/disk/bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/files.h"

namespace clew::inject {

namespace {

constexpr size_t kChunk = 256U << 10U;

Error cannot_copy_bytes(const std::string& path, int code) {
  return {fmt::format("cannot copy {}, which crash states are made of: {}", path, why_not(code)),
          remedy_for(code)};
}

Error cannot_write_state(int code) {
  return {fmt::format("cannot write a file of a crash state: {}", why_not(code)), remedy_for(code)};
}

bool write_at(int descriptor, const char* from, size_t size, uint64_t at) {
  while (size > 0) {
    const ssize_t done = ::pwrite(descriptor, from, size, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    at += static_cast<uint64_t>(done);
    size -= static_cast<size_t>(done);
  }
  return true;
}

}  // namespace

Piece Bytes::keep(std::string_view bytes, uint64_t at) {
  if (filling_ == SIZE_MAX || sources_[filling_].bytes.size() + bytes.size() > kChunk) {
    filling_ = sources_.size();
    sources_.emplace_back();
    sources_.back().bytes.reserve(std::max(kChunk, bytes.size()));
  }
  std::string& chunk = sources_[filling_].bytes;
  const uint64_t from = chunk.size();
  chunk.append(bytes);
  kept_ += bytes.size();
  return {at, bytes.size(), static_cast<uint32_t>(filling_), from};
}

uint32_t Bytes::add_file(std::string path) {
  sources_.push_back({.path = std::move(path)});
  return static_cast<uint32_t>(sources_.size() - 1);
}

Status Bytes::open(uint32_t source) {
  if (file_.valid() && opened_ == source) return Nothing();
  const std::string& path = sources_[source].path;
  file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  opened_ = source;
  if (!file_.valid()) return cannot_copy_bytes(path, errno);
  return Nothing();
}

Status Bytes::read(const Piece& piece, char* to) {
  const Source& source = sources_[piece.source];
  if (source.path.empty()) {
    std::memcpy(to, source.bytes.data() + piece.from, piece.length);
    return Nothing();
  }
  if (Status opened = open(piece.source); !opened.ok()) return opened;
  for (uint64_t done = 0; done < piece.length;) {
    const ssize_t count = ::pread(file_.number(), to + done, piece.length - done,
                                  static_cast<off_t>(piece.from + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_copy_bytes(source.path, errno);
    if (count == 0) return cannot_copy_bytes(source.path, ENODATA);  // somebody has cut it
    done += static_cast<uint64_t>(count);
  }
  return Nothing();
}

Status Bytes::write(const Piece& piece, int descriptor) {
  const Source& source = sources_[piece.source];
  if (source.path.empty()) {
    if (!write_at(descriptor, source.bytes.data() + piece.from, piece.length, piece.at)) {
      return cannot_write_state(errno);
    }
    return Nothing();
  }
  std::string buffer;
  for (uint64_t done = 0; done < piece.length;) {
    buffer.resize(std::min<uint64_t>(piece.length - done, kChunk));
    const Piece part{piece.at + done, buffer.size(), piece.source, piece.from + done};
    if (Status copied = read(part, buffer.data()); !copied.ok()) return copied;
    if (!write_at(descriptor, buffer.data(), buffer.size(), part.at)) {
      return cannot_write_state(errno);
    }
    done += part.length;
  }
  return Nothing();
}

}  // namespace clew::inject
