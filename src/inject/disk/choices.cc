#include "inject/disk/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "base/columns.h"
#include "base/text.h"

namespace clew::inject {

namespace {

constexpr const char* kChoiceForm =
    "write none, all, first-N, all-but-N, only-N, or torn-N or first-N with -512, -half, -zeros, "
    "-target or -names (docs/crash-states.md)";

struct Part {
  Kept kept;
  std::string_view word;
};

constexpr Part kParts[] = {
    {Kept::kSector, "512"},       {Kept::kHalf, "half"},   {Kept::kZeros, "zeros"},
    {Kept::kOldTarget, "target"}, {Kept::kNames, "names"},
};

std::optional<size_t> take_number(std::string_view& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.starts_with('0')) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<Selection> read_selection(std::string_view text, size_t count) {
  if (text == "none") return Selection{};
  if (text == "all") return Selection{.first = count};
  const bool but = take(text, "all-but-");
  const bool only = !but && take(text, "only-");
  const bool torn = !but && !only && take(text, "torn-");
  if (!but && !only && !torn && !take(text, "first-")) return {};
  const std::optional<size_t> number = take_number(text);
  if (!number) return {};
  if (text.empty()) {
    if (but) return Selection{count, *number, Kept::kNothing};
    if (only) return Selection{0, *number, Kept::kAll};
    return torn ? std::nullopt : std::optional(Selection{.first = *number});
  }
  if (but || only || !take(text, "-")) return {};
  const auto part = std::ranges::find(kParts, text, &Part::word);
  if (part == std::end(kParts)) return {};
  return Selection{torn ? count : *number, *number, part->kept};
}

// 0 to count - 1, those far apart first: the middle, then the quarters, ...
std::vector<size_t> spread(size_t count) {
  std::vector<size_t> order;
  order.reserve(count);
  for (size_t step = std::bit_ceil(count + 1); step >= 2; step /= 2) {
    for (size_t at = step / 2; at <= count; at += step) order.push_back(at - 1);
  }
  return order;
}

// What can be torn of the operations, by their numbers.
std::vector<std::pair<size_t, Kept>> torn_parts(const Log& log, const Layer& durable,
                                                bool renames) {
  std::vector<std::pair<size_t, Kept>> parts;
  log.look([&](const Step& step, size_t number) {
    if (step.kind == Step::Kind::kWrite) {
      if (step.length > 512 - step.at % 512) parts.emplace_back(number, Kept::kSector);
      if (step.length > 1) parts.emplace_back(number, Kept::kHalf);
      if (step.at + step.length > durable.content(step.object).size()) {
        parts.emplace_back(number, Kept::kZeros);
      }
    } else if (renames && step.part == Step::Part::kOldTarget) {
      parts.emplace_back(number, Kept::kOldTarget);
    } else if (renames && step.part == Step::Part::kTarget) {
      parts.emplace_back(number, Kept::kNames);
    }
  });
  return parts;
}

}  // namespace

std::string to_string(const Selection& keeps, size_t operations) {
  const bool all = keeps.first >= operations;
  if (keeps.special == 0) {
    if (keeps.first == 0) return "none";
    return all ? "all" : fmt::format("first-{}", keeps.first);
  }
  if (keeps.kept == Kept::kNothing) return fmt::format("all-but-{}", keeps.special);
  if (keeps.kept == Kept::kAll) return fmt::format("only-{}", keeps.special);
  const auto part = std::ranges::find(kParts, keeps.kept, &Part::kept);
  const bool first = keeps.first == keeps.special && !all;
  return fmt::format("{}-{}-{}", first ? "first" : "torn", keeps.special, part->word);
}

Result<Selection> parse_selection(std::string_view name, const Log& log) {
  const size_t count = log.count();
  const std::optional<Selection> keeps = read_selection(name, count);
  if (!keeps) {
    return Error{fmt::format("`{}` is not the name of a crash state", printable(name)),
                 kChoiceForm};
  }
  if (std::max(keeps->first, keeps->special) > count) {
    return Error{
        fmt::format("there is no crash state `{}`: {} not synced", printable(name),
                    count == 1 ? "1 operation is" : fmt::format("{} operations are", count)),
        "choose another one, or another moment"};
  }
  return *keeps;
}

std::vector<Selection> candidates(const Log& log, const Layer& durable, bool torn_renames) {
  const size_t count = log.count();
  const std::vector<std::pair<size_t, Kept>> parts = torn_parts(log, durable, torn_renames);
  const std::vector<size_t> operations = spread(count);
  const std::vector<size_t> prefixes = spread(count > 0 ? count - 1 : 0);
  const std::vector<size_t> tears = spread(parts.size());
  std::vector<Selection> result{{}, {.first = count}};
  for (size_t i = 0; i < std::max(operations.size(), tears.size()); ++i) {
    if (i < prefixes.size()) result.push_back({.first = prefixes[i] + 1});
    if (i < operations.size()) {
      result.push_back({count, operations[i] + 1, Kept::kNothing});
      result.push_back({0, operations[i] + 1, Kept::kAll});
    }
    if (i < tears.size()) {
      const auto [number, kept] = parts[tears[i]];
      result.push_back({count, number, kept});
      if (number < count) result.push_back({number, number, kept});
    }
  }
  return result;
}

}  // namespace clew::inject
