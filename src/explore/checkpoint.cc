#include "explore/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "explore/store.h"
#include "explore/table.h"

namespace clew::explore {

namespace {

constexpr std::string_view kFirstLine = "clew checkpoint 1\n";
constexpr std::string_view kAnyVersion = "clew checkpoint ";
constexpr size_t kChunk = size_t{1} << 18U;
constexpr size_t kChecksum = 8;  // bytes

uint64_t added(uint64_t checksum, const uint8_t* chunk, size_t size) {
  return mixed(checksum + hash_bytes(chunk, size));
}

std::array<char, kChecksum> in_bytes(uint64_t checksum) {
  std::array<char, kChecksum> bytes{};
  for (size_t i = 0; i < kChecksum; ++i) bytes[i] = static_cast<char>(checksum >> (8 * i));
  return bytes;
}

Error unusable(const std::string& name, std::string_view why) {
  return {fmt::format("{} {}", name, why), "remove it to begin anew, or name another file"};
}

}  // namespace

Saver::Saver(std::string path) : path_(std::move(path)), chunk_(kChunk + kSlack) {
  // A link stays a link: the file behind it is replaced.
  std::error_code none;
  const auto behind = std::filesystem::canonical(path_, none);
  target_ = none ? path_ : behind.string();
  const std::string folder = std::filesystem::path(target_).parent_path().string();
  remove_leftovers(folder);
  file_.emplace(TemporaryFile::with_name(folder));
  struct stat old {};
  if (!file_->valid()) {
    failure_ = errno;
  } else if (::stat(target_.c_str(), &old) == 0) {
    ::fchmod(file_->descriptor(), old.st_mode & 0777U);
  }
}

Saver::Saver(std::string* bytes) : memory_(bytes), chunk_(kChunk + kSlack) { bytes->clear(); }

void Saver::begin(const Opening& opening) {
  std::memcpy(chunk_.data(), kFirstLine.data(), kFirstLine.size());
  used_ = kFirstLine.size();
  bytes(opening.head);
  number(opening.milliseconds);
  number(opening.has_engine ? 1 : 0);
}

bool Saver::write(std::string_view text) {
  if (memory_ != nullptr) return memory_->append(text), true;
  if (failure_ == 0 && !write_all(file_->descriptor(), text)) failure_ = errno;
  return failure_ == 0;
}

void Saver::flush() {
  checksum_ = added(checksum_, chunk_.data(), used_);
  write({reinterpret_cast<const char*>(chunk_.data()), used_});
  used_ = 0;
}

void Saver::number(uint64_t number) {
  for (;; number >>= 7U) {
    if (used_ == kChunk) flush();
    chunk_[used_++] = static_cast<uint8_t>(number >= 0x80 ? number | 0x80U : number);
    if (number < 0x80) return;
  }
}

void Saver::bytes(std::string_view text) {
  number(text.size());
  while (!text.empty()) {
    if (used_ == kChunk) flush();
    const size_t size = std::min(text.size(), kChunk - used_);
    std::memcpy(chunk_.data() + used_, text.data(), size);
    used_ += size;
    text.remove_prefix(size);
  }
}

void Saver::numbers(std::span<const uint32_t> all) {
  number(all.size());
  for (const uint32_t one : all) number(one);
}

Status Saver::finish() {
  flush();
  const std::array<char, kChecksum> end = in_bytes(checksum_);
  const bool written = write({end.data(), end.size()});
  if (memory_ != nullptr) return Nothing{};
  const bool placed = written && sync_to_disk(file_->descriptor()) && file_->take_place_of(target_);
  if (placed) return Nothing{};
  return cannot_write(path_, failure_ != 0 ? failure_ : errno, "it is as it was before");
}

Result<Loader> Loader::open(const std::string& path) {
  const auto file = std::make_shared<Descriptor>(
      ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file->valid() || ::fstat(file->number(), &status) != 0) {
    return Error{fmt::format("cannot read {}: {}", path, why_not(errno)), remedy_for(errno)};
  }
  if (!S_ISREG(status.st_mode)) return unusable(path, "is no file");
  const auto read = [file](uint64_t at, char* out, size_t size) {
    const ssize_t count = ::pread(file->number(), out, size, static_cast<off_t>(at));
    return static_cast<size_t>(std::max<ssize_t>(count, 0));
  };
  return open(read, static_cast<uint64_t>(status.st_size), path);
}

Result<Loader> Loader::open_bytes(std::string_view bytes) {
  const auto read = [bytes](uint64_t at, char* out, size_t size) {
    return bytes.copy(out, size, at);
  };
  return open(read, bytes.size(), "the checkpoint");
}

Result<Loader> Loader::open(Read read, uint64_t size, const std::string& name) {
  Loader in;
  in.read_ = std::move(read);
  in.chunk_.resize(kChunk + kSlack);
  std::string line(kFirstLine.size(), '\0');
  line.resize(in.read_(0, line.data(), line.size()));
  if (line != kFirstLine) {
    return unusable(name, line.starts_with(kAnyVersion) ? "was saved by another version of clew"
                                                        : "is no checkpoint of clew explore");
  }
  if (!in.is_whole(size)) return unusable(name, "is damaged: not all of it is as it was saved");
  in.from_ = 0;
  in.left_ = size - kChecksum;
  in.refill();
  in.at_ = kFirstLine.size();
  in.left_ -= in.at_;
  in.opening_.head = in.bytes();
  in.opening_.milliseconds = in.number();
  in.opening_.has_engine = in.flag();
  if (in.failed_) return unusable(name, "is damaged: it does not say what it is about");
  return in;
}

// Looks through all of it: whoever loads begins to believe it before the end.
bool Loader::is_whole(uint64_t size) {
  if (size < kFirstLine.size() + kChecksum) return false;
  uint64_t checksum = 0;
  left_ = size - kChecksum;
  for (from_ = 0; left_ > 0; left_ -= end_) {
    if (!refill()) return false;
    checksum = added(checksum, chunk_.data(), end_);
  }
  std::array<char, kChecksum> end{};
  return read_(size - kChecksum, end.data(), end.size()) == end.size() && end == in_bytes(checksum);
}

// Chunks begin where those of the Saver did.
bool Loader::refill() {
  const size_t wanted = std::min<uint64_t>(kChunk, left_);
  at_ = end_ = 0;
  while (end_ < wanted) {
    const size_t count =
        read_(from_ + end_, reinterpret_cast<char*>(chunk_.data()) + end_, wanted - end_);
    if (count == 0) return false;
    end_ += count;
  }
  from_ += end_;
  return end_ > 0;
}

uint64_t Loader::number() {
  uint64_t number = 0;
  for (uint32_t shift = 0; !failed_; shift += 7) {
    if (at_ == end_ && !refill()) break;
    const uint8_t byte = chunk_[at_++];
    --left_;
    if (shift == 63 && byte > 1) break;
    number |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return number;
  }
  fail();
  return 0;
}

uint32_t Loader::number_below(uint64_t limit) {
  const uint64_t number = this->number();
  if (number < limit && number <= UINT32_MAX) return static_cast<uint32_t>(number);
  fail();
  return 0;
}

size_t Loader::count() {
  const uint64_t count = number();
  if (count <= left_) return count;
  fail();
  return 0;
}

std::string Loader::bytes() {
  size_t left = count();
  std::string text;
  text.reserve(left);
  while (left > 0 && !failed_) {
    if (at_ == end_ && !refill()) fail();
    const size_t size = std::min(left, end_ - at_);
    text.append(reinterpret_cast<const char*>(chunk_.data()) + at_, size);
    at_ += size, left -= size, left_ -= size;
  }
  return text;
}

std::vector<uint32_t> Loader::numbers() {
  std::vector<uint32_t> all(count());
  for (uint32_t& one : all) one = number_below(uint64_t{UINT32_MAX} + 1);
  return all;
}

}  // namespace clew::explore
