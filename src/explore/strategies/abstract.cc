#include "explore/strategies/abstract.h"

#include <algorithm>
#include <typeinfo>

namespace clew::explore {

namespace {

uint64_t& entry(std::vector<uint64_t>& table, uint32_t number) {
  if (number >= table.size()) table.resize(number + number / 2 + 64, 0);
  return table[number];
}

}  // namespace

uint64_t hash_numbers(std::span<const uint64_t> numbers) {
  uint64_t hash = numbers.size();
  for (const uint64_t number : numbers) {
    hash = mixed(hash ^ number) + 0x9e3779b97f4a7c15U + (hash << 6U);
  }
  return hash;
}

uint64_t Abstract::numbered(std::string bytes) {
  return numbers_.emplace(std::move(bytes), numbers_.size() + 1).first->second;
}

uint64_t Abstract::of_node(LocalId local) {
  if (const uint64_t known = entry(nodes_, local); known != 0) return known;
  const node::AnyNode& node = runner_.steps().node(local);
  std::string bytes = typeid(node).name();
  bytes += runner_.steps().up(local) ? "+" : "-";
  for (const InputId timer : runner_.steps().timers(local)) {
    bytes += runner_.steps().input(timer).parts.front() + ";";
  }
  const uint64_t number = numbered(bytes + node.encode_fields());
  return entry(nodes_, local) = number;
}

uint64_t Abstract::of_disk(LocalId local) {
  if (const uint64_t known = entry(disks_, local); known != 0) return known;
  const node::AnyNode& node = runner_.steps().node(local);
  std::string bytes = std::string("disk of ") + typeid(node).name();
  bytes += runner_.steps().up(local) ? "+" : "-";
  for (const node::AnyField* field : node.fields()) {
    if (field->durable()) field->encode_to(bytes);
  }
  const uint64_t number = numbered(std::move(bytes));
  return entry(disks_, local) = number;
}

uint64_t Abstract::of_nodes(WorldView world, uint8_t but, bool disks) {
  room_.clear();
  for (size_t i = 0; i < runner_.cluster().size(); ++i) {
    if (i != but) room_.push_back(disks ? of_disk(world[i]) : of_node(world[i]));
  }
  std::ranges::sort(room_);
  return hash_numbers(room_);
}

uint64_t Abstract::of_input(InputId input) {
  if (const uint64_t known = entry(inputs_, input); known != 0) return known;
  const Input& what = runner_.steps().input(input);
  const node::AnyNode& node = runner_.steps().node(runner_.steps().unborn(what.to));
  std::string bytes = fmt::format("input {} ", static_cast<int>(what.kind)) + typeid(node).name();
  if (what.kind == Input::Kind::kRequest) bytes += fmt::format("{}", what.request.client);
  for (const std::string& part : what.parts) bytes += fmt::format("{} ", part.size()) + part;
  const uint64_t number = numbered(std::move(bytes));
  return entry(inputs_, input) = number;
}

uint64_t Abstract::of_world(WorldView world) {
  std::vector<uint64_t> all{of_nodes(world)};
  for (size_t i = runner_.cluster().size(); i < world.size() - runner_.under_way(world).size();
       ++i) {
    all.push_back(world[i]);
  }
  const auto fixed = static_cast<std::ptrdiff_t>(all.size());
  for (const InputId envelope : runner_.under_way(world)) all.push_back(of_input(envelope));
  std::sort(all.begin() + fixed, all.end());
  return hash_numbers(all);
}

uint64_t Abstract::of_event(WorldView world, Move move) {
  const uint64_t kind = static_cast<uint64_t>(move.kind);
  const bool crash = move.kind == Move::Kind::kCrash || move.kind == Move::Kind::kRestart;
  const uint64_t what = crash ? of_node(world[runner_.node_of(move).number]) : of_input(move.input);
  return mixed(kind * 0x9e3779b97f4a7c15U + what);
}

}  // namespace clew::explore
