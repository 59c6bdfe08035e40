// Reading goes in two steps, for each line or for all of the text: guarded_json (syntax, nesting,
// repeated keys), then a strict Decoder (which keys, which types).
#include "microspec/recorded.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/columns.h"
#include "base/text.h"
#include "domain/json_guard.h"

namespace clew::microspec {

using nlohmann::json;

namespace {

constexpr const char* kRemedy = "write it as docs/formats/facts.md says";
constexpr uint32_t kMostColumns = 1'000;
constexpr int kRunVersion = 1;

std::string describe(const json& value) {
  if (value.is_null()) return "null";
  if (value.is_number_float()) return "a number with a fraction";
  return fmt::format("{} {}", value.is_array() || value.is_object() ? "an" : "a",
                     value.type_name());
}

// "line 3: values[1]", "ticks[2].facts[0].values[1]"
std::string member(const std::string& where, const std::string& key) {
  return where + (where.starts_with("line ") ? ": " : ".") + key;
}

// The first mistake sticks; what is read after it does not matter.
class Decoder {
 public:
  void line(const json& value, const std::string& where);
  void run(const json& root);
  Recorded finish() &&;

  void fail(const std::string& where, const std::string& what, std::string remedy = kRemedy) {
    if (!error_) error_ = Error{fmt::format("{}: {}", where, what), std::move(remedy)};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  void fail_type(const json& value, const std::string& where, const char* expected) {
    fail(where, fmt::format("it must be {}, not {}", expected, describe(value)));
  }
  bool object(const json& value, const std::string& where, std::initializer_list<const char*> keys,
              std::initializer_list<const char*> others = {});
  int64_t number(const json& value, const std::string& where, int64_t least, int64_t most);
  std::string name(const json& value, const std::string& where);
  Datum datum(const json& value, const std::string& where);
  void declare(const std::string& relation, uint32_t columns, const std::string& where);
  void fact(const json& value, Tick tick, const std::string& where);
  void end(Tick tick);
  void kind_of_run(const json& root);
  std::set<std::string> judgement_of(const json& root);

  std::optional<Error> error_;
  Recorded recorded_;
  std::map<std::string, std::string> first_;  // by relation: where it was first seen
  std::set<std::string> left_out_;
};

bool Decoder::object(const json& value, const std::string& where,
                     std::initializer_list<const char*> keys,
                     std::initializer_list<const char*> others) {
  if (!value.is_object()) fail_type(value, where, "an object");
  if (error_) return false;
  for (const char* key : keys) {
    if (!value.contains(key)) fail(where, fmt::format("the key \"{}\" is missing", key));
  }
  std::vector<std::string> known(keys.begin(), keys.end());
  known.insert(known.end(), others.begin(), others.end());
  for (const auto& [key, member] : value.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string shown = printable(key, 60);
    const std::optional<std::string> meant = closest(shown, known);
    fail(where, fmt::format("there is an unknown key \"{}\"", shown),
         meant ? fmt::format("did you mean \"{}\"?", *meant) : kRemedy);
  }
  return !error_;
}

int64_t Decoder::number(const json& value, const std::string& where, int64_t least, int64_t most) {
  if (!value.is_number_integer()) {
    fail_type(value, where, "an integer");
  } else if (value < least || value > most) {
    // Unsigned numbers beyond 63 bits compare as what they are.
    fail(where, fmt::format("{} is not from {} to {}", value.dump(), least,
                            with_thousands(static_cast<uint64_t>(most))));
  }
  return error_ ? least : value.get<int64_t>();
}

std::string Decoder::name(const json& value, const std::string& where) {
  if (!value.is_string()) fail_type(value, where, "a string");
  if (error_) return {};
  if (value.get_ref<const std::string&>().empty()) fail(where, "the name is empty");
  return value.get<std::string>();
}

Datum Decoder::datum(const json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_integer()) {
    fail_type(value, where, "a string or an integer");
  } else if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) {
    fail(where, fmt::format("{} does not fit into 64 bits", value.dump()));
  }
  return error_ ? Datum(int64_t{0}) : Datum(value.get<int64_t>());
}

void Decoder::declare(const std::string& relation, uint32_t columns, const std::string& where) {
  if (error_) return;
  const auto [known, is_new] = recorded_.relations.try_emplace(relation, columns);
  if (is_new) first_[relation] = where;
  if (known->second == columns) return;
  fail(where,
       fmt::format("{} has {} here, but {} in {}", printable(relation, 60),
                   count_noun(columns, "column"), known->second, first_[relation]),
       "give all facts of a relation as many values");
}

void Decoder::fact(const json& value, Tick tick, const std::string& where) {
  Fact fact{name(value["relation"], member(where, "relation")), {}};
  const json& values = value["values"];
  if (!values.is_array()) fail_type(values, member(where, "values"), "an array");
  if (error_ || left_out_.contains(fact.relation)) return;
  if (values.size() > kMostColumns) {
    fail(where, fmt::format("it has more than {} values", with_thousands(kMostColumns)));
  }
  for (size_t i = 0; i < values.size() && !error_; ++i) {
    fact.values.push_back(datum(values[i], member(where, fmt::format("values[{}]", i))));
  }
  declare(fact.relation, static_cast<uint32_t>(fact.values.size()), where);
  if (error_) return;
  end(tick);
  recorded_.facts[static_cast<size_t>(tick - 1)].push_back(std::move(fact));
}

void Decoder::end(Tick tick) {
  const auto ticks = static_cast<size_t>(tick);
  if (recorded_.facts.size() < ticks) recorded_.facts.resize(ticks);
}

void Decoder::line(const json& value, const std::string& where) {
  if (value.is_object() && value.contains("ticks")) {
    if (!object(value, where, {"ticks"})) return;
    const int64_t ticks = number(value["ticks"], member(where, "ticks"), 1, kMostTicks);
    if (!error_) end(static_cast<Tick>(ticks));
  } else if (value.is_object() && value.contains("columns")) {
    if (!object(value, where, {"relation", "columns"})) return;
    const std::string relation = name(value["relation"], member(where, "relation"));
    const int64_t columns = number(value["columns"], member(where, "columns"), 0, kMostColumns);
    declare(relation, static_cast<uint32_t>(columns), where);
  } else if (object(value, where, {"tick", "relation", "values"})) {
    const int64_t tick = number(value["tick"], member(where, "tick"), 1, kMostTicks);
    if (!error_) fact(value, static_cast<Tick>(tick), where);
  }
}

void Decoder::kind_of_run(const json& root) {
  constexpr const char* kRun = "the run";
  if (!root.is_object()) return fail_type(root, kRun, "an object");
  const auto clew = root.find("clew");
  if (clew == root.end() || *clew != "run") {
    return fail(kRun, "the key \"clew\" with the value \"run\" is missing",
                "give a run as `clew run --json` prints it, or facts, one JSON object a line "
                "(docs/formats/facts.md)");
  }
  const auto version = root.find("version");
  if (version != root.end() && version->is_number_integer() && *version == kRunVersion) return;
  fail(kRun, fmt::format("this Clew reads version {} only", kRunVersion),
       "print the run again with `clew run --json`");
}

// Who judges a Run does not want to know how it was judged before.
std::set<std::string> Decoder::judgement_of(const json& root) {
  std::set<std::string> relations = {dedalus::kPre, dedalus::kPost};
  const auto promises = root.find("promises");
  if (promises == root.end()) return relations;
  if (!promises->is_array()) fail_type(*promises, "promises", "an array");
  for (size_t i = 0; i < promises->size() && !error_; ++i) {
    const std::string where = fmt::format("promises[{}]", i);
    if (!object((*promises)[i], where, {"promise", "kind", "goals"})) break;
    const std::string promise = name((*promises)[i]["promise"], member(where, "promise"));
    for (const char* what : {"pre", "post", "bad"}) relations.insert(promise + "." + what);
  }
  return relations;
}

void Decoder::run(const json& root) {
  kind_of_run(root);
  if (error_) return;
  if (!object(root, "the run",
              {"clew", "version", "scenario", "ticks", "messages", "stray", "outcome"},
              {"promises", "firings"})) {
    return;
  }
  left_out_ = judgement_of(root);
  const json& ticks = root["ticks"];
  if (!ticks.is_array()) fail_type(ticks, "ticks", "an array");
  for (size_t i = 0; i < ticks.size() && !error_; ++i) {
    const std::string where = fmt::format("ticks[{}]", i);
    if (!object(ticks[i], where, {"tick", "facts"})) return;
    const auto tick =
        static_cast<Tick>(number(ticks[i]["tick"], member(where, "tick"), 1, kMostTicks));
    if (!error_ && static_cast<size_t>(tick) != i + 1) {
      fail(member(where, "tick"), fmt::format("it must be {}", i + 1));
    }
    const json& facts = ticks[i]["facts"];
    if (!facts.is_array()) fail_type(facts, member(where, "facts"), "an array");
    if (!error_) end(tick);
    for (size_t j = 0; j < facts.size() && !error_; ++j) {
      const std::string at = fmt::format("{}.facts[{}]", where, j);
      if (object(facts[j], at, {"relation", "values"})) fact(facts[j], tick, at);
    }
  }
}

Recorded Decoder::finish() && {
  for (std::vector<Fact>& facts : recorded_.facts) {
    std::ranges::sort(facts);
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  }
  return std::move(recorded_);
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Whether the text is one object for each line: then the first line that is not blank is one by
// itself, and none that tells of a Run.
bool has_lines(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return true;
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  const Result<json> value = guarded_json(line);
  return value.ok() && (!value->is_object() || !value->contains("clew"));
}

void read_lines(std::string_view text, Decoder& decoder) {
  size_t number = 0;
  for (size_t begin = 0; begin < text.size() && !decoder.error();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string where = fmt::format("line {}", ++number);
    begin = end + 1;
    if (is_blank(line)) continue;
    const Result<json> value = guarded_json(line);
    if (!value.ok()) return decoder.fail(where, value.error().message);
    decoder.line(*value, where);
  }
}

}  // namespace

Result<Recorded> read_recorded(std::string_view text) {
  if (text.size() > kMostRecordedBytes) {
    return Error{fmt::format("facts of {} bytes are too many: at most {} are read",
                             with_thousands(text.size()), with_thousands(kMostRecordedBytes)),
                 "record fewer relations, or fewer ticks"};
  }
  Decoder decoder;
  if (has_lines(text)) {
    read_lines(text, decoder);
  } else if (const Result<json> value = guarded_json(text); value.ok()) {
    decoder.run(*value);
  } else {
    decoder.fail("neither a run nor facts, one JSON object a line", value.error().message);
  }
  if (decoder.error()) return *decoder.error();
  Recorded recorded = std::move(decoder).finish();
  if (recorded.facts.empty()) return Error{"there is no tick", kRemedy};
  return recorded;
}

Run to_run(Recorded recorded) {
  Run run;
  run.scenario.program.eot = static_cast<Tick>(recorded.facts.size());
  run.facts = std::move(recorded.facts);
  return run;
}

}  // namespace clew::microspec
