#include "inject/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include "base/columns.h"

namespace clew::inject {

namespace {

constexpr const char* kFailureForm =
    "write WHAT@POINT, or WHAT@POINT#3 for the third time that it is reached: EIO@4c1be0d2, "
    "crash-after@4c1be0d2, power-before(none)@4c1be0d2; `clew inject --points` lists points";
constexpr const char* kUnknownError = "errno ";

struct EffectWord {
  Effect effect;
  std::string_view word;
};

// All but errors.
constexpr EffectWord kWords[] = {
    {Effect::kShort, "short"},
    {Effect::kTorn, "torn"},
    {Effect::kCorrupt, "corrupt"},
    {Effect::kCrashBefore, "crash-before"},
    {Effect::kCrashAfter, "crash-after"},
    {Effect::kReset, "reset"},
    {Effect::kTimeout, "timeout"},
    {Effect::kCut, "cut"},
    {Effect::kDrop, "drop"},
    {Effect::kPowerBefore, "power-before"},
    {Effect::kPowerAfter, "power-after"},
};

Error not_a_failure(std::string_view text, std::string_view why) {
  return {fmt::format("`{}` is not a failure: {}", printable(text), why), kFailureForm};
}

bool is_id(std::string_view text) {
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 8 && std::ranges::all_of(text, digit);
}

// The name of a crash state: words and numbers with `-` between them.
bool is_choice(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
  };
  return !text.empty() && std::ranges::all_of(text, fits);
}

template <class Number>
std::optional<Number> read_positive(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 ? std::optional(number) : std::nullopt;
}

// What follows the `@`; gives back what is wrong with it, or nothing.
std::string read_place(std::string_view text, Failure& failure) {
  const size_t hash = text.find('#');
  const std::string_view where = text.substr(0, hash);
  const size_t tilde = where.find('~');
  const std::string_view id = where.substr(0, tilde);
  if (!is_id(id)) return "after the `@` there is no point, which has 8 hexadecimal digits";
  failure.point = id;
  if (tilde != std::string_view::npos) {
    const auto life = read_positive<uint32_t>(where.substr(tilde + 1));
    if (!life) return "after the `~` there is no positive number";
    failure.life = *life;
  }
  if (hash == std::string_view::npos) return {};
  const auto occurrence = read_positive<uint32_t>(text.substr(hash + 1));
  if (!occurrence) return "after the `#` there is no positive number";
  failure.occurrence = *occurrence;
  return {};
}

std::string read_error(std::string_view what, Failure& failure) {
  failure.lasting = what.ends_with('!');
  const std::string_view name = what.substr(0, what.size() - (failure.lasting ? 1 : 0));
  failure.error = error_number(name);
  if (failure.error > 0) return {};
  if (name.starts_with(kUnknownError)) {
    const auto number = read_positive<int>(name.substr(std::string_view(kUnknownError).size()));
    if (number && error_name(*number) == name) {
      failure.error = *number;
      return {};
    }
  }
  return fmt::format("there is no error and no other failure `{}`", printable(what));
}

std::string read_what(std::string_view what, Failure& failure) {
  const size_t open = what.find('(');
  const auto word = std::ranges::find(kWords, what.substr(0, open), &EffectWord::word);
  if (word == std::end(kWords)) return read_error(what, failure);
  failure.effect = word->effect;
  if (!failure.is_power()) {
    if (open == std::string_view::npos) return {};
    return fmt::format("`{}` has nothing in parentheses", word->word);
  }
  if (open == std::string_view::npos || !what.ends_with(')') ||
      !is_choice(what.substr(open + 1, what.size() - open - 2))) {
    return fmt::format("`{0}` wants what the disk keeps, as in `{0}(none)`", word->word);
  }
  failure.keeps = what.substr(open + 1, what.size() - open - 2);
  return {};
}

std::string what_of(const Failure& failure) {
  if (failure.effect == Effect::kError) {
    return error_name(failure.error) + (failure.lasting ? "!" : "");
  }
  const auto word = std::ranges::find(kWords, failure.effect, &EffectWord::effect);
  return failure.is_power() ? fmt::format("{}({})", word->word, failure.keeps)
                            : std::string(word->word);
}

// "1st", "2nd", "3rd", "4th", "11th", ...
std::string ordinal(uint32_t number) {
  const uint32_t last = number / 10 % 10 == 1 ? 0 : number % 10;
  const char* const ending = last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return fmt::format("{}{}", number, ending);
}

const char* verb_of(Io io) {
  switch (io) {
    case Io::kRead:
      return "reads";
    case Io::kSend:
      return "sends";
    case Io::kReceive:
      return "receives";
    case Io::kCopy:
      return "copies";
    default:
      return "writes";
  }
}

std::string kept(std::string_view keeps) {
  if (keeps == "none") return "nothing that was not synced is left";
  if (keeps == "all") return "all is left, synced or not";
  return fmt::format("of what was not synced {} is left", keeps);
}

std::string sentence(const Failure& failure, const Point& point) {
  const std::string& call = point.call;
  switch (failure.effect) {
    case Effect::kError:
      return fmt::format("{} {} with {}", call,
                         failure.lasting ? "and all that follows on the same target fail" : "fails",
                         error_name(failure.error));
    case Effect::kShort:
      return fmt::format("{} {} only half of what was asked for", call, verb_of(point.io));
    case Effect::kTorn:
      return fmt::format("{} writes only half, then the node is killed", call);
    case Effect::kCorrupt:
      return fmt::format("one bit differs of what {} {}", call, verb_of(point.io));
    case Effect::kCrashBefore:
      return fmt::format("the node is killed before {}", call);
    case Effect::kCrashAfter:
      return fmt::format("the node is killed after {}", call);
    case Effect::kReset:
      return fmt::format("the connection is reset at {}", call);
    case Effect::kTimeout:
      return fmt::format("the connection times out at {}", call);
    case Effect::kCut:
      return fmt::format("from {} on the two nodes cannot reach each other", call);
    case Effect::kDrop:
      return fmt::format("the datagram of {} is lost", call);
    case Effect::kPowerBefore:
      return fmt::format("the power goes before {}: {}", call, kept(failure.keeps));
    case Effect::kPowerAfter:
      return fmt::format("the power goes after {}: {}", call, kept(failure.keeps));
  }
  CHECK(false, "no sentence about effect {}", static_cast<int>(failure.effect));
}

}  // namespace

bool Failure::ends_node() const {
  return effect == Effect::kCrashBefore || effect == Effect::kCrashAfter ||
         effect == Effect::kTorn || is_power();
}

bool tears_a_rename(std::string_view keeps) {
  return keeps.ends_with("-target") || keeps.ends_with("-names");
}

std::string to_string(const Failure& failure) {
  std::string text = what_of(failure) + "@" + failure.point;
  if (failure.life != 1) text += fmt::format("~{}", failure.life);
  if (failure.occurrence != 1) text += fmt::format("#{}", failure.occurrence);
  return text;
}

Result<Failure> parse_failure(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos) return not_a_failure(text, "there is no `@` and point in it");
  Failure failure;
  if (const std::string wrong = read_what(text.substr(0, at), failure); !wrong.empty()) {
    return not_a_failure(text, wrong);
  }
  if (const std::string wrong = read_place(text.substr(at + 1), failure); !wrong.empty()) {
    return not_a_failure(text, wrong);
  }
  return failure;
}

std::string describe(const Failure& failure, const Point& point) {
  std::string text = sentence(failure, point);
  if (failure.occurrence > 1) text += fmt::format(", the {} time", ordinal(failure.occurrence));
  if (failure.life > 1) text += fmt::format(", after the {} start", ordinal(failure.life));
  return text;
}

std::string to_string(const Plan& plan) {
  if (plan.empty()) return "no failures";
  std::string text;
  for (const Failure& failure : plan) text += (text.empty() ? "" : ", ") + to_string(failure);
  return text;
}

}  // namespace clew::inject
