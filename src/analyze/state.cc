#include "analyze/state.h"

#include <algorithm>

#include "base/check.h"

namespace clew::analyze {

namespace {

constexpr size_t kMostPaths = 32;

bool is_word(const std::string& text) {
  return std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '(' ||
           c == ')' || c == '*' || c == '>' || c == '-';
  });
}

// Where an operator stands that is in no parentheses.
std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == ']' || text[at] == '}') --depth;
    if (depth == 0 && text.compare(at, by.size(), by) == 0) {
      parts.emplace_back();
      at += by.size() - 1;
    } else {
      parts.back() += text[at];
    }
  }
  return parts;
}

std::string opposite_of(const std::string& text);

std::string opposite_of_all(const std::vector<std::string>& parts, const std::string& between) {
  std::string result;
  for (const std::string& part : parts) {
    result += (result.empty() ? "" : between) + opposite_of(part);
  }
  return result;
}

std::string opposite_of(const std::string& text) {
  static constexpr const char* kPairs[][2] = {{" == ", " != "}, {" <= ", " > "}, {" >= ", " < "},
                                              {" != ", " == "}, {" > ", " <= "}, {" < ", " >= "}};
  const bool quotes = text.find('"') != std::string::npos || text.find('\'') != std::string::npos;
  std::string negated = is_word(text) ? "!" + text : "!(" + text + ")";
  if (text.find('?') != std::string::npos || text.find(" = ") != std::string::npos) return negated;
  if (!quotes) {
    const auto any = split(text, " || "), all = split(text, " && ");
    if (any.size() > 1 && all.size() == 1) return opposite_of_all(any, " && ");
    if (all.size() > 1 && any.size() == 1) return opposite_of_all(all, " || ");
    if (any.size() > 1) return negated;
  }
  for (const auto& [from, to] : kPairs) {
    if (const auto sides = split(text, from); sides.size() == 2) return sides[0] + to + sides[1];
  }
  if (text.starts_with('!') && is_word(text.substr(1))) return text.substr(1);
  return negated;
}

bool is_same_guard(const Guard& a, const Guard& b) {
  return a.text == b.text && a.holds == b.holds && same(a.term, b.term);
}

bool is_same_value(const Value& a, const Value& b) {
  return a.fields == b.fields && a.lambdas == b.lambdas && same(a.term, b.term);
}

bool is_same_but_guards(const State& a, const State& b) {
  if (!a.does_the_same(b) || !is_same_value(a.returned, b.returned)) return false;
  return std::ranges::equal(a.locals, b.locals, [](const auto& one, const auto& other) {
    return one.first == other.first && is_same_value(one.second, other.second);
  });
}

// Whether one guard alone tells them apart, and by its opposite; then that one is left out of `a`.
bool absorb(State& a, const State& b) {
  if (!is_same_but_guards(a, b)) return false;
  const size_t most = std::min(a.guards.size(), b.guards.size());
  size_t at = 0;
  while (at < most && is_same_guard(a.guards[at], b.guards[at])) ++at;
  if (at == most) {  // one has all guards of the other, and the other happens anyway
    a.guards.resize(most);
    return true;
  }
  const Guard& one = a.guards[at];
  const Guard& other = b.guards[at];
  if (one.text != other.text || one.holds == other.holds || !same(one.term, other.term)) {
    return false;
  }
  const auto from = [&](const State& state) {
    return std::vector<Guard>(state.guards.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                              state.guards.end());
  };
  if (!std::ranges::equal(from(a), from(b), is_same_guard)) return false;
  a.guards.erase(a.guards.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool merge_two(States& states) {
  for (size_t i = 0; i < states.size(); ++i) {
    for (size_t j = i + 1; j < states.size(); ++j) {
      if (!absorb(states[i], states[j])) continue;
      states.erase(states.begin() + static_cast<std::ptrdiff_t>(j));
      return true;
    }
  }
  return false;
}

}  // namespace

std::string Guard::words() const { return holds ? text : opposite_of(text); }

void Value::join(const Value& other) {
  fields |= other.fields;
  for (const Cursor& lambda : other.lambdas) {
    if (std::ranges::find(lambdas, lambda) == lambdas.end()) lambdas.push_back(lambda);
  }
  if (!same(term, other.term)) term = nullptr;
}

void State::update(uint64_t fields, uint64_t durable) {
  footprint.updates |= fields;
  footprint.disk |= fields & durable;
}

void State::assign(uint64_t fields, uint64_t durable) {
  assigned |= fields;
  update(fields, durable);
}

void State::increment(uint64_t fields, uint64_t durable) {
  footprint.increments |= fields;
  update(fields, durable);
}

void State::send() {
  sends = true;
  footprint.sends |= footprint.reads;
}

void State::everything() {
  footprint = {.reads = UINT64_MAX,
               .updates = UINT64_MAX,
               .increments = 0,
               .sends = UINT64_MAX,
               .disk = UINT64_MAX};
  assigned = UINT64_MAX;
  sends = true;
}

void State::join(const State& other) {
  footprint.reads |= other.footprint.reads;
  footprint.updates |= other.footprint.updates;
  footprint.increments |= other.footprint.increments;
  footprint.sends |= other.footprint.sends;
  footprint.disk |= other.footprint.disk;
  assigned |= other.assigned;
  sends = sends || other.sends;
  crash_path = crash_path || other.crash_path;
  size_t common = 0;
  const size_t most = std::min(guards.size(), other.guards.size());
  while (common < most && is_same_guard(guards[common], other.guards[common])) ++common;
  guards.resize(common);
  for (const auto& [declaration, value] : other.locals) {
    const auto [at, is_new] = locals.emplace(declaration, value);
    if (!is_new) at->second.join(value);
  }
  returned.join(other.returned);
}

bool State::does_the_same(const State& other) const {
  return footprint == other.footprint && assigned == other.assigned && sends == other.sends &&
         crash_path == other.crash_path;
}

node::Footprint State::predicted() const {
  node::Footprint result = footprint;
  result.increments &= ~assigned;
  return result;
}

State joined(const States& states) {
  CHECK(!states.empty(), "nothing to join");
  State result = states.front();
  for (const State& state : states) result.join(state);
  return result;
}

void merge(States& states) {
  while (merge_two(states)) {
  }
  if (states.size() > kMostPaths) states = {joined(states)};
}

}  // namespace clew::analyze
