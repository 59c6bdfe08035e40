#include "explore/cluster.h"

#include <algorithm>
#include <set>

namespace clew::explore {

namespace {

void require(bool fine, const std::string& otherwise) {
  if (!fine) throw Mistake(otherwise);
}

std::function<bool(const States&, const States&)> of_one(std::function<bool(const States&)> holds) {
  return [holds = std::move(holds)](const States&, const States& now) { return holds(now); };
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

void Cluster::always(std::string name, std::function<bool(const States&)> holds) {
  properties_.push_back({std::move(name), Property::Kind::kAlways, of_one(std::move(holds))});
}

void Cluster::finally(std::string name, std::function<bool(const States&)> holds) {
  properties_.push_back({std::move(name), Property::Kind::kFinally, of_one(std::move(holds))});
}

void Cluster::eventually(std::string name, std::function<bool(const States&)> holds) {
  properties_.push_back({std::move(name), Property::Kind::kEventually, of_one(std::move(holds))});
}

void Cluster::step(std::string name, std::function<bool(const States&, const States&)> holds) {
  properties_.push_back({std::move(name), Property::Kind::kStep, std::move(holds)});
}

bool Cluster::has_eventually() const {
  return std::ranges::find(properties_, Property::Kind::kEventually, &Property::kind) !=
         properties_.end();
}

}  // namespace clew::explore
