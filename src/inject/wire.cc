#include "inject/wire.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace clew::inject {

namespace {

constexpr uint64_t kMagic = 0x31'77'65'6c'63;  // "clew1"
constexpr uint32_t kNoRow = UINT32_MAX;

// One list of members for both directions: `Wire` is a Writer or a Reader, which has `ok`.
class WireWriter {
 public:
  template <std::integral T>
  void value(const T& number) {
    uint64_t left = static_cast<uint64_t>(static_cast<int64_t>(number));
    // Most numbers are small: seven bits a byte.
    left = (left << 1U) ^ (static_cast<int64_t>(left) < 0 ? ~uint64_t{0} : 0);
    while (left >= 0x80) {
      bytes_.push_back(static_cast<char>(left | 0x80U));
      left >>= 7U;
    }
    bytes_.push_back(static_cast<char>(left));
  }
  void value(const std::string& text) {
    value(text.size());
    bytes_ += text;
  }
  void value(const double& number) { value(std::bit_cast<uint64_t>(number)); }
  template <class T>
  void list(const std::vector<T>& items) {
    value(items.size());
  }
  bool ok() const { return true; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}

  template <std::integral T>
  void value(T& number) {
    uint64_t all = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) return fail();
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      all |= static_cast<uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) break;
    }
    const uint64_t whole = (all >> 1U) ^ (~(all & 1U) + 1);
    number = static_cast<T>(whole);
    if (static_cast<uint64_t>(static_cast<int64_t>(number)) != whole) fail();
  }
  void value(std::string& text) {
    size_t size = 0;
    value(size);
    if (size > left_.size()) return fail();
    text.assign(left_.substr(0, size));
    left_.remove_prefix(size);
  }
  void value(double& number) {
    uint64_t bits = 0;
    value(bits);
    number = std::bit_cast<double>(bits);
  }
  // Every item takes at least a byte, so that a large number cannot ask for much memory.
  template <class T>
  void list(std::vector<T>& items) {
    size_t size = 0;
    value(size);
    if (size > left_.size()) return fail();
    items.resize(size);
  }
  void fail() {
    ok_ = false;
    left_ = {};
  }
  bool ok() const { return ok_; }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
  bool ok_ = true;
};

template <class Wire, class Kind>
void pass_kind(Wire& wire, Kind& kind, std::remove_const_t<Kind> last) {
  auto number = static_cast<uint32_t>(kind);
  wire.value(number);
  if constexpr (!std::is_const_v<Kind>) {
    if (number > static_cast<uint32_t>(last)) return wire.fail();
    kind = static_cast<Kind>(number);
  }
}

template <class Wire, class Flag>
void pass_flag(Wire& wire, Flag& flag) {
  auto number = static_cast<uint8_t>(flag);
  wire.value(number);
  if constexpr (!std::is_const_v<Flag>) flag = number != 0;
}

template <class Wire, class Texts>
void pass_texts(Wire& wire, Texts& texts) {
  wire.list(texts);
  for (auto& text : texts) wire.value(text);
}

template <class Wire, class Numbers>
void pass_numbers(Wire& wire, Numbers& numbers) {
  wire.list(numbers);
  for (auto& number : numbers) wire.value(number);
}

template <class Wire, class T>
void pass_object(Wire& wire, T& object) {
  pass_kind(wire, object.kind, Object::Kind::kDatagrams);
  wire.value(object.name);
  wire.value(object.exact);
}

template <class Wire, class T>
void pass_point(Wire& wire, T& point) {
  wire.value(point.node);
  wire.value(point.thread);
  wire.value(point.call);
  pass_kind(wire, point.io, Io::kOther);
  pass_object(wire, point.object);
  pass_object(wire, point.object2);
  pass_texts(wire, point.stack);
  pass_flag(wire, point.truncated);
}

void pass_row(WireWriter& wire, const CallRow* row) {
  wire.value(row == nullptr ? kNoRow : static_cast<uint32_t>(row->number));
}

void pass_row(WireReader& wire, const CallRow*& row) {
  uint32_t number = kNoRow;
  wire.value(number);
  row = number == kNoRow ? nullptr : find_call(number);
}

template <class Wire, class T>
void pass_call(Wire& wire, T& call) {
  wire.value(call.node);
  wire.value(call.process);
  wire.value(call.thread);
  pass_row(wire, call.row);
  wire.value(call.point);
  wire.value(call.life);
  wire.value(call.occurrence);
  pass_object(wire, call.object);
  pass_object(wire, call.object2);
  wire.value(call.offset);
  wire.value(call.size);
  wire.value(call.result);
  pass_flag(wire, call.finished);
  pass_flag(wire, call.injected);
}

template <class Wire, class T>
void pass_one(Wire& wire, T& one) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Plain, Call>) {
    pass_call(wire, one);
  } else if constexpr (std::is_same_v<Plain, Line>) {
    wire.value(one.who);
    wire.value(one.text);
  } else if constexpr (std::is_same_v<Plain, Change>) {
    pass_kind(wire, one.kind, Change::Kind::kHung);
    wire.value(one.who);
    wire.value(one.number);
  } else if constexpr (std::is_same_v<Plain, Struck>) {
    wire.value(one.failure);
  } else {
    wire.value(one.who);
    wire.value(one.fact);
  }
}

void pass_happening(WireWriter& wire, const Happening& one) {
  wire.value(one.index());
  std::visit([&](const auto& what) { pass_one(wire, what); }, one);
}

void pass_happening(WireReader& wire, Happening& one) {
  size_t index = 0;
  wire.value(index);
  switch (index) {
    case 0:
      one = Call();
      break;
    case 1:
      one = Line();
      break;
    case 2:
      one = Change();
      break;
    case 3:
      one = Struck();
      break;
    case 4:
      one = Told();
      break;
    default:
      return wire.fail();
  }
  std::visit([&](auto& what) { pass_one(wire, what); }, one);
}

template <class Wire, class T>
void pass_observed(Wire& wire, T& seen) {
  pass_kind(wire, seen.ending, Observed::Ending::kFailed);
  wire.value(seen.trouble);
  wire.list(seen.points);
  for (auto& point : seen.points) pass_point(wire, point);
  pass_texts(wire, seen.nodes);
  wire.list(seen.happenings);
  for (auto& one : seen.happenings) pass_happening(wire, one);
  pass_numbers(wire, seen.reached);
  wire.list(seen.warnings);
  for (auto& warning : seen.warnings) {
    wire.value(warning.what);
    wire.value(warning.remedy);
  }
  wire.list(seen.crash_states);
  for (auto& states : seen.crash_states) pass_texts(wire, states);
  wire.list(seen.extracted);
  for (auto& [rule, text] : seen.extracted) {
    wire.value(rule);
    wire.value(text);
  }
  wire.list(seen.listening);
  for (auto& one : seen.listening) {
    wire.value(one.who);
    wire.value(one.port);
    wire.value(one.path);
  }
  wire.value(seen.seconds);
  wire.value(seen.passed);
}

bool is_sound(const Observed& seen) {
  return std::ranges::all_of(seen.happenings, [&](const Happening& one) {
    const Call* const call = std::get_if<Call>(&one);
    return call == nullptr || (call->row != nullptr && call->point < seen.points.size() &&
                               call->node < seen.nodes.size());
  });
}

}  // namespace

std::string encode(const Observed& observed, std::string_view news) {
  WireWriter wire;
  wire.value(kMagic);
  pass_observed(wire, observed);
  wire.value(std::string(news));
  return wire.take();
}

std::optional<Arrived> decode(std::string_view bytes) {
  WireReader wire(bytes);
  Arrived arrived;
  uint64_t magic = 0;
  wire.value(magic);
  if (magic != kMagic) return std::nullopt;
  pass_observed(wire, arrived.observed);
  wire.value(arrived.news);
  if (!wire.ok() || !wire.at_end() || !is_sound(arrived.observed)) return std::nullopt;
  return arrived;
}

}  // namespace clew::inject
