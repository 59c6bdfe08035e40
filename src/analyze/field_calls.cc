// Calls of the methods of fields and of the Env: what node/field.h notes when they happen.
#include <algorithm>
#include <array>

#include "analyze/call.h"

namespace clew::analyze {

Value Walker::call_field(const Call& call, State& state) {
  static constexpr std::array kReads = {"get",   "operator*",  "operator->",
                                        "begin", "operator[]", "operator=="};
  static constexpr std::array kAdds = {"operator++", "operator--", "operator+=", "operator-="};
  static constexpr std::array kNothing = {"name", "durable", "told_columns"};
  const uint64_t fields = call.object.fields;
  const std::string name = call.name();
  const auto is_one_of = [&](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  for (size_t i = 0; i < call.values.size(); ++i) {
    state.read(call.values[i].fields);  // x = y
    keep({.fields = 0, .lambdas = call.values[i].lambdas, .term = nullptr}, call.arguments[i],
         state);
  }
  if (is_constructor(call.function) || is_one_of(kNothing)) return {};
  if (fields == 0) {
    not_understood(call.expression, "this may be any field", state);
  } else if (name == "operator=") {
    state.assign(fields, durable_);
    return {.fields = fields};
  } else if (is_one_of(kAdds)) {
    state.increment(fields, durable_);
    return {.fields = fields};
  } else if (is_one_of(kReads) || name == "end" ||
             call.function.kind() == CXCursor_ConversionFunction) {
    const TermPtr term = term_of_field(fields, state);
    state.read(fields);
    if (name == "operator bool") return {.term = make_whole(Term::Kind::kHas, {term})};
    if (name == "operator[]" || name == "begin" || name == "end") return {};
    if (name != "operator==") return {.term = term};
    const std::vector<Cursor> both = call.expression.arguments();
    const std::string text = both.size() == 2 ? operator_between(both[0], both[1]) : "";
    const TermPtr other = call.values.empty() ? nullptr : call.values.front().term;
    if (!is_comparison(text)) return {};
    return {.term = make_whole(Term::Kind::kCompare, {term, other}, text)};
  } else {  // edit, and what else there may be
    state.read(fields);
    state.assign(fields, durable_);
  }
  return {};
}

// As it was when the handler began; afterwards it is not known.
TermPtr Walker::term_of_field(uint64_t bit, const State& state) const {
  if ((state.footprint.updates & bit) != 0) return nullptr;
  for (size_t i = 0; i + 1 < node_.fields.size() && i < 63; ++i) {
    if (bit == node_.bit(i)) return make_leaf(Term::Kind::kField, {node_.fields[i].name});
  }
  return nullptr;
}

Value Walker::call_env(const std::string& name, const Call& call, State& state) {
  // In a template, what a field holds is not written as a call.
  for (const Value& value : call.values) state.read(value.fields);
  if (name.starts_with("send") || name.starts_with("reply")) state.send();
  if (name == "self") return {.term = make_leaf(Term::Kind::kSelf)};
  return {};
}

}  // namespace clew::analyze
