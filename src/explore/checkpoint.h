// An exploration that has not come to its end, in a file, so that it can go on later.
//
// The file, version 1: the line `clew checkpoint 1`; a head, which is src/drive's own (what is
// explored, and the bounds that were explored as a whole); how long all that has taken; whether the
// tables of an engine follow; these tables; eight bytes of a checksum over all before. Numbers and
// texts are written as node/value.h writes them: numbers in as few bytes as will do, lower bits
// first, texts after their length.
//
// Tables are written in order, and what is in them are numbers of rows of earlier ones: so
// everything has the number that it had, and whatever is explored next is what would have been
// explored next. A Loader hands out what was written, and fails for good at whatever cannot be;
// those who load look at every number, so that a file made by somebody else breaks nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/temporary.h"
#include "node/value.h"

namespace clew::explore {

// What comes before the tables.
struct Opening {
  std::string head;
  uint64_t milliseconds = 0;
  bool has_engine = false;
};

class Saver {
 public:
  // Takes the place of that file.
  explicit Saver(std::string path);
  // The same bytes, for whoever wants them in memory.
  explicit Saver(std::string* bytes);

  void begin(const Opening& opening);
  void number(uint64_t number);
  void bytes(std::string_view text);
  void numbers(std::span<const uint32_t> all);  // and how many
  template <class T>
  void value(const T& value) {
    bytes(node::encode(value));
  }

  // An Error if it could not be written; the file is then as it was.
  Status finish();

 private:
  void flush();
  bool write(std::string_view text);

  std::string path_, target_;
  std::string* memory_ = nullptr;
  std::optional<TemporaryFile> file_;
  std::vector<uint8_t> chunk_;
  size_t used_ = 0;
  uint64_t checksum_ = 0;
  int failure_ = 0;  // errno
};

class Loader {
 public:
  static Result<Loader> open(const std::string& path);
  // Of what a Saver has put there. The bytes outlive this.
  static Result<Loader> open_bytes(std::string_view bytes);

  const Opening& opening() const { return opening_; }

  bool failed() const { return failed_; }
  bool fail() { return failed_ = true, false; }
  bool done() const { return !failed_ && left_ == 0; }  // there is nothing more

  uint64_t number();
  uint32_t number_below(uint64_t limit);
  // How many of something there are, each of which takes a byte at least.
  size_t count();
  bool flag() { return number_below(2) == 1; }
  std::string bytes();
  std::vector<uint32_t> numbers();
  template <class T>
  std::optional<T> value() {
    std::optional<T> decoded = node::decode<T>(bytes());
    if (!decoded) fail();
    return decoded;
  }

 private:
  using Read = std::function<size_t(uint64_t at, char* out, size_t size)>;

  static Result<Loader> open(Read read, uint64_t size, const std::string& name);
  bool refill();
  bool is_whole(uint64_t size);

  Read read_;
  std::vector<uint8_t> chunk_;
  size_t at_ = 0, end_ = 0;  // in the chunk
  uint64_t from_ = 0;        // where the next chunk begins
  uint64_t left_ = 0;        // bytes, those in the chunk among them
  bool failed_ = false;
  Opening opening_;
};

}  // namespace clew::explore
