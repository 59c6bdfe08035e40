#include "explore/cluster.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <set>
#include <typeinfo>

namespace clew::explore {

namespace {

void require(bool fine, const std::string& otherwise) {
  if (!fine) throw Mistake(otherwise);
}

std::function<bool(const States&, const States&)> of_one(std::function<bool(const States&)> holds) {
  return [holds = std::move(holds)](const States&, const States& now) { return holds(now); };
}

// As `    ann: has 1, wants 0` on a line for each node.
std::string print_states(const node::Names& names, const States& states) {
  std::string text;
  const auto count = static_cast<uint8_t>(names.size());
  for (uint8_t i = 0; i < count; ++i) {
    text += fmt::format("{}    {}{}", i == 0 ? "" : "\n", names.name(Id{i}),
                        states.up(Id{i}) ? ":" : " (down):");
    const char* comma = " ";
    for (const node::AnyField* field : states.any(Id{i}).fields()) {
      text += comma + field->name() + " " + field->print_value(names);
      comma = ", ";
    }
  }
  return text;
}

std::string type_of(const std::exception& thrown) {
  const char* name = typeid(thrown).name();
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(name, nullptr, nullptr, nullptr), std::free);
  return demangled == nullptr ? name : demangled.get();
}

// What `ask` gives. If it throws, it is said whose fault that is; `details` are added.
template <class Ask, class Details>
auto naming(const std::string& name, const Cluster::Where& where, const Ask& ask,
            const Details& details) {
  const auto mistake = [&](const std::string& what) {
    return Mistake(fmt::format("{}:{}: \"{}\"{}{}", where.file, where.line, name, what, details()));
  };
  try {
    return ask();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Mistake& known) {
    if (where.line == 0) throw;
    throw mistake(fmt::format(": {}", known.what()));
  } catch (const std::exception& thrown) {
    throw mistake(fmt::format(" throws {}: {}", type_of(thrown), thrown.what()));
  } catch (...) {
    throw mistake(" throws what is no std::exception");
  }
}

}  // namespace

Cluster::Cluster(std::vector<std::string> names) : names_(names), factories_(names.size()) {
  require(!names.empty(), "a cluster without nodes");
  require(names.size() <= node::kMostNodes,
          fmt::format("{} nodes, but at most {} are possible", names.size(), node::kMostNodes));
  require(std::set<std::string>(names.begin(), names.end()).size() == names.size(),
          "two nodes have one name");
}

Id Cluster::id(std::string_view name) const {
  const std::optional<Id> found = names_.find(name);
  if (!found) {
    std::string known;
    for (size_t i = 0; i < size(); ++i) {
      known += (i == 0 ? "" : ", ") + names_.name(Id{static_cast<uint8_t>(i)});
    }
    throw Mistake(fmt::format("no node is called \"{}\": there are {}", name, known));
  }
  return *found;
}

std::unique_ptr<node::AnyNode> Cluster::make(Id id) const {
  require(factories_[id.number] != nullptr,
          fmt::format("nobody said who {0} is: add cluster.node<...>(\"{0}\")", names_.name(id)));
  return factories_[id.number]();
}

void Cluster::symmetric(const std::vector<std::string>& names) {
  std::vector<Id> group;
  group.reserve(names.size());
  for (const std::string& name : names) group.push_back(id(name));
  symmetries_.push_back(std::move(group));
}

void Cluster::always(std::string name, OfState holds, Where where) {
  add(std::move(name), Property::Kind::kAlways, of_one(std::move(holds)), where);
}

void Cluster::finally(std::string name, OfState holds, Where where) {
  add(std::move(name), Property::Kind::kFinally, of_one(std::move(holds)), where);
}

void Cluster::eventually(std::string name, OfState holds, Where where) {
  add(std::move(name), Property::Kind::kEventually, of_one(std::move(holds)), where);
}

void Cluster::step(std::string name, OfStep holds, Where where) {
  add(std::move(name), Property::Kind::kStep, std::move(holds), where);
}

void Cluster::add(std::string name, Property::Kind kind, OfStep holds, Where where) {
  const auto named = [names = names_, name, kind, where, holds = std::move(holds)](
                         const States& before, const States& after) {
    return naming(
        name, where, [&] { return holds(before, after); },
        [&] {
          const std::string now = print_states(names, after);
          if (kind != Property::Kind::kStep) return "\n  asked about this state:\n" + now;
          return "\n  asked about the step from this state:\n" + print_states(names, before) +
                 "\n  to this one:\n" + now;
        });
  };
  properties_.push_back({std::move(name), kind, named});
}

Sequential::Take Cluster::named(const std::string& name, Sequential::Take take, Where where) {
  return [name, where, take = std::move(take)](std::string& state, std::string_view request) {
    return naming(
        name, where, [&] { return take(state, request); }, [] { return ""; });
  };
}

bool Cluster::has_eventually() const {
  return std::ranges::find(properties_, Property::Kind::kEventually, &Property::kind) !=
         properties_.end();
}

}  // namespace clew::explore
