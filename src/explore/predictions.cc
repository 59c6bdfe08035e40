#include "explore/predictions.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace clew::explore {

using nlohmann::json;
using node::Footprint;

namespace {

struct Set {
  const char* name;
  uint64_t seen;
  uint64_t surprising;
};

std::array<Set, 5> sets_of(const Footprint& seen, const Footprint& predicted) {
  return {Set{"read", seen.reads, seen.reads & ~predicted.reads},
          Set{"update", seen.updates, seen.updates & ~predicted.updates},
          Set{"send", seen.sends, seen.sends & ~predicted.sends},
          Set{"disk", seen.disk, seen.disk & ~predicted.disk},
          // What was to be only added to.
          Set{"assign", 0, seen.assigned() & predicted.increments}};
}

std::vector<std::string> names_of(uint64_t bits, const node::AnyNode& node) {
  std::vector<std::string> names;
  for (size_t i = 0; i < node.fields().size(); ++i) {
    if ((bits >> std::min<size_t>(i, 63) & 1U) != 0) names.push_back(node.fields()[i]->name());
  }
  return names;
}

// What of the input chooses the handler.
std::set<std::string> inputs_of(const Input& input, const node::AnyNode& node,
                                const node::Names& names) {
  std::set<std::string> result;
  for (const std::string& bytes : input.parts) {
    if (input.kind == Input::Kind::kEnvelope) {
      result.insert(name_in(node.print_message(bytes, names)));
    }
    if (input.kind == Input::Kind::kRequest) {
      result.insert(name_in(node.print_request(bytes, names)));
    }
  }
  if (result.empty()) result.insert("");
  return result;
}

using Entry = std::array<std::string, 5>;  // class, handler, input, set, field

class Comparison {
 public:
  Comparison(Steps& steps, const Footprints& footprints) : steps_(steps), footprints_(footprints) {}

  void look_at(LocalId local, InputId number, const Step& step) {
    const Input& input = steps_.input(number);
    if (input.kind == Input::Kind::kCrash || !step.failure.empty()) return;
    ++count_;
    const node::AnyNode& node = steps_.node(local);
    if (!footprints_.knows(input.to)) unknown_.insert(class_of(node));
    const auto inputs = inputs_of(input, node, steps_.cluster().names());
    for (const Set& set : sets_of(step.footprint, footprints_.predicted(node, input))) {
      for (const std::string& field : names_of(set.seen, node)) {
        for (const std::string& name : inputs) {
          observed_.insert({class_of(node), handler_of(input.kind), name, set.name, field});
        }
      }
      for (const std::string& field : names_of(set.surprising, node)) {
        const Entry entry{class_of(node), handler_of(input.kind), *inputs.begin(), set.name, field};
        unpredicted_.emplace(entry, std::pair(local, number));
      }
    }
  }

  json result() {
    json surprises = json::array();
    for (const auto& [entry, step] : unpredicted_) {
      json one = entry;
      one.push_back(steps_.print_local(step.first));
      one.push_back(steps_.print_input(step.second));
      surprises.push_back(std::move(one));
    }
    return {{"steps", count_},
            {"observed", observed_},
            {"unpredicted", std::move(surprises)},
            {"unknown", unknown_}};
  }

 private:
  Steps& steps_;
  const Footprints& footprints_;
  size_t count_ = 0;
  std::set<Entry> observed_;
  std::map<Entry, std::pair<LocalId, InputId>> unpredicted_;
  std::set<std::string> unknown_;
};

}  // namespace

json compared(Steps& steps, const Footprints& footprints) {
  Comparison comparison(steps, footprints);
  steps.for_each([&](LocalId local, InputId input, const Step& step) {
    comparison.look_at(local, input, step);
  });
  return comparison.result();
}

}  // namespace clew::explore
