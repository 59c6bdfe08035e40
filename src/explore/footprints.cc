#include "explore/footprints.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace clew::explore {

using nlohmann::json;
using node::AnyNode;
using node::Footprint;

namespace {

constexpr Footprint kEverything{.reads = UINT64_MAX,
                                .updates = UINT64_MAX,
                                .increments = 0,
                                .sends = UINT64_MAX,
                                .disk = UINT64_MAX};

// Fields of a node by name.
class Bits {
 public:
  // `declared` are those that the analysis knows by name.
  Bits(const AnyNode& node, const json& declared) {
    std::set<std::string> known;
    for (const json& field : declared) known.insert(field.at("name").get<std::string>());
    const auto& fields = node.fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      const uint64_t bit = uint64_t{1} << std::min<size_t>(i, 63);
      bits_[fields[i]->name()] |= bit;
      if (!known.contains(fields[i]->name())) bits_["*"] |= bit;
    }
    bits_.try_emplace("*", 0);
  }

  // A field that is not there may be any.
  uint64_t of(const json& names) const {
    uint64_t bits = 0;
    for (const json& name : names) {
      const auto at = bits_.find(name.get<std::string>());
      bits |= at == bits_.end() ? UINT64_MAX : at->second;
    }
    return bits;
  }

 private:
  std::map<std::string, uint64_t> bits_;
};

Footprint sets_in(const json& record, const Bits& bits) {
  const uint64_t updates = bits.of(record.at("update")), adds = bits.of(record.at("increment"));
  return {.reads = bits.of(record.at("read")),
          .updates = updates,
          // Beyond the last bit there are several, of which some may be more than added to.
          .increments = updates == UINT64_MAX ? 0 : adds & ~(uint64_t{1} << 63U),
          .sends = bits.of(record.at("send")),
          .disk = bits.of(record.at("disk"))};
}

// A name that prints like nothing else.
bool is_plain(const std::string& name) {
  const auto fine = [](unsigned char letter) {
    return letter < 128 && (std::isalnum(letter) != 0 || letter == '_' || letter == '-');
  };
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::all_of(name, fine) && name != "none" && name != "true" && name != "false";
}

}  // namespace

std::string class_of(const AnyNode& node) {
  int status = 0;
  char* name = abi::__cxa_demangle(typeid(node).name(), nullptr, nullptr, &status);
  std::string result = status == 0 && name != nullptr ? name : typeid(node).name();
  std::free(name);
  return result;
}

std::string handler_of(Input::Kind kind) {
  static constexpr const char* kNames[] = {"start", "receive", "request", "timer", "crash"};
  return kNames[static_cast<size_t>(kind)];
}

std::string name_in(const std::string& printed) {
  size_t end = 0;
  while (end < printed.size() &&
         (std::isalnum(static_cast<unsigned char>(printed[end])) != 0 || printed[end] == '_')) {
    ++end;
  }
  const bool is_name = end == printed.size() || printed[end] == '{';
  return is_name ? printed.substr(0, end) : "";
}

Footprints::Footprints(const Cluster& cluster, const json& analysis)
    : cluster_(cluster), records_(cluster.size()), crash_paths_(cluster.size()) {
  if (analysis.value("clew", "") != "analyze" || analysis.value("version", 0) != 1) {
    throw Mistake("this is not what clew analyze --json prints");
  }
  for (size_t i = 0; i < cluster.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    plain_names_ = plain_names_ && is_plain(cluster.names().name(id));
    made_.push_back(cluster.make(id));
    known_.push_back(false);
    for (const json& node : analysis.at("nodes")) {
      const std::string name = class_of(*made_.back());  // of a template, before the `<`
      if (node.at("class") != name && node.at("class") != name.substr(0, name.find('<'))) continue;
      known_.back() = true;
      if (node.at("opaque").get<std::string>().empty()) add(id, node, *made_.back());
    }
  }
}

void Footprints::add(Id id, const json& node, const AnyNode& made) {
  const Bits bits(made, node.at("fields"));
  for (const json& handler : node.at("handlers")) {
    std::vector<Record>& records =
        records_[id.number][{handler.at("handler"), handler.at("input")}];
    for (const json& one : handler.at("records")) {
      Record record{.guards = {}, .sets = sets_in(one, bits), .sends = one.at("sends")};
      for (const json& guard : one.at("guards")) {
        record.guards.push_back(parse_condition(guard.at("where")));
      }
      records.push_back(std::move(record));
    }
  }
  crash_paths_[id.number] = sets_in(node.at("crash_paths"), bits);
}

Footprints::Part Footprints::part(const Input& input, const std::string& printed,
                                  const Moment* moment) const {
  const Records& all = records_[input.to.number];
  const std::string handler = handler_of(input.kind);
  const bool has_name = input.kind == Input::Kind::kEnvelope || input.kind == Input::Kind::kRequest;
  const auto exact = all.find({handler, has_name ? name_in(printed) : ""});
  Part part;
  bool any = false;
  const auto add = [&](const std::vector<Record>& records, bool checks) {
    for (const Record& record : records) {
      const auto fails = [&](const Condition& guard) { return holds(guard, *moment) == false; };
      if (checks && std::ranges::any_of(record.guards, fails)) continue;
      part.sets = any ? node::joined(part.sets, record.sets) : record.sets;
      part.sends = part.sends || record.sends;
      any = true;
    }
  };
  if (exact != all.end()) {
    add(exact->second, moment != nullptr && plain_names_);
    if (!any) add(exact->second, false);
    return part;
  }
  for (const auto& [key, records] : all) {
    if (key.first == handler) add(records, false);
  }
  return any ? part : Part{kEverything, true};
}

Footprint Footprints::whole(const AnyNode* before, const Input& input) const {
  if (input.kind == Input::Kind::kCrash) return {};
  if (records_[input.to.number].empty()) return kEverything;
  const AnyNode& made = *made_[input.to.number];
  const node::Names& names = cluster_.names();
  Footprint all;
  for (size_t i = 0; i < std::max<size_t>(input.parts.size(), 1); ++i) {
    std::string printed;
    if (input.kind == Input::Kind::kEnvelope) printed = made.print_message(input.parts[i], names);
    if (input.kind == Input::Kind::kRequest) printed = made.print_request(input.parts[i], names);
    std::optional<Moment> moment;
    if (before != nullptr && i == 0) {  // the next messages find another state
      moment.emplace(Moment{.node = *before, .names = names, .self = input.to, .message = printed});
      if (input.kind == Input::Kind::kEnvelope) moment->from = input.from;
      if (input.kind == Input::Kind::kTimer) moment->timer = input.parts.front();
    }
    Part one = part(input, printed, moment ? &*moment : nullptr);
    if (one.sends) one.sets.sends |= all.reads;
    all = i == 0 ? one.sets : node::joined(all, one.sets);
  }
  return all;
}

Footprint Footprints::predicted(const AnyNode& before, const Input& input) const {
  return whole(&before, input);
}

Footprint Footprints::anywhere(const Input& input) const { return whole(nullptr, input); }

}  // namespace clew::explore
