#include "tests/explore/naive.h"

#include <algorithm>

namespace clew::explore {

namespace {

constexpr int kAnyNumber = 255;

uint64_t scrambled(uint64_t bits) {
  for (int i = 0; i < 2; ++i) bits = (bits ^ (bits >> 32U)) * 0xd6e8feb86659fd93U;
  return bits ^ (bits >> 32U);
}

class Now : public States {
 public:
  Now(const Cluster& cluster, const Naive::World& world) : cluster_(cluster), world_(world) {}
  bool up(Id id) const override { return world_.places[id.number].up; }
  const node::AnyNode& any(Id id) const override { return *world_.places[id.number].node; }
  Id id(std::string_view name) const override { return cluster_.id(name); }

 private:
  const Cluster& cluster_;
  const Naive::World& world_;
};

bool same(const Naive::Envelope& a, const Naive::Envelope& b) {
  return a.from == b.from && a.to == b.to && a.messages == b.messages;
}

}  // namespace

class Naive::Env : public node::AnyEnv {
 public:
  Env(const Cluster& cluster, World& world, Id self)
      : cluster_(cluster), world_(world), self_(self) {}

  Id self() const override { return self_; }
  const node::Names& names() const override { return cluster_.names(); }
  void send_bytes(Id to, std::string message) override {
    sent[to.number].push_back(std::move(message));
  }
  void reply_bytes(node::RequestId request, std::string) override { replies.push_back(request); }
  void set_timer(std::string_view name, std::chrono::milliseconds) override {
    place().timers.emplace(name);
  }
  void cancel_timer(std::string_view name) override { place().timers.erase(std::string(name)); }
  void sync() override {
    for (node::AnyField* field : place().node->fields()) field->synced();
  }
  uint64_t random(uint64_t below) override {
    return scrambled(scrambled(cluster_.seed + place().random_numbers++) + self_.number) % below;
  }

  std::map<uint8_t, std::vector<std::string>> sent;
  std::vector<node::RequestId> replies;

 private:
  Place& place() { return world_.places[self_.number]; }

  const Cluster& cluster_;
  World& world_;
  Id self_;
};

void Naive::step(World& world, Id id, const std::function<void(node::AnyEnv&)>& handler) const {
  Env env(cluster_, world, id);
  try {
    handler(env);
  } catch (const std::exception& error) {
    world.failure = error.what();
    return;
  }
  for (node::AnyField* field : world.places[id.number].node->fields()) field->end_step();
  for (auto& [to, messages] : env.sent) {
    std::vector<Envelope> envelopes;
    if (cluster_.unit == Unit::kEnvelope) {
      envelopes.push_back({id, Id{to}, messages});
    } else {
      for (const std::string& message : messages) envelopes.push_back({id, Id{to}, {message}});
    }
    for (const Envelope& one : envelopes) {
      const bool there = std::ranges::any_of(
          world.under_way, [&](const Envelope& other) { return same(one, other); });
      if (cluster_.channels != Channels::kSet || !there) world.under_way.push_back(one);
    }
  }
  for (const node::RequestId& request : env.replies) {
    if (world.asked[request.client] == static_cast<int>(request.number) + 1) {
      world.waits[request.client] = false;
    }
  }
}

int Naive::limit(const std::string& what) const {
  const std::map<std::string, int> limits{{"crash", cluster_.limits.crashes},
                                          {"restart", cluster_.limits.restarts},
                                          {"lose", cluster_.limits.losses},
                                          {"duplicate", cluster_.limits.duplicates},
                                          {"early", cluster_.limits.early_timers}};
  return limits.at(what);
}

bool Naive::may(const World& world, const std::string& what) const {
  const auto times = [&](const std::string& which) {
    const auto spent = world.spent.find(which);
    return spent == world.spent.end() ? 0 : spent->second;
  };
  if (limit(what) != kAnyNumber && times(what) >= limit(what)) return false;
  if (what == "restart" || cluster_.limits.total == kAnyNumber) return true;
  return times("any") < cluster_.limits.total;
}

// Counts what can make a difference.
void Naive::spend(World& world, const std::string& what) const {
  const int total = cluster_.limits.total;
  const bool in_total = what != "restart" && total != kAnyNumber;
  if (in_total) ++world.spent["any"];
  const bool within_total = in_total && limit(what) >= total;
  if (limit(what) != kAnyNumber && !within_total) ++world.spent[what];
}

Naive::World Naive::run(const Path& path) const {
  World world;
  for (size_t i = 0; i < cluster_.size(); ++i) {
    world.places.push_back({cluster_.make(Id{static_cast<uint8_t>(i)}), true, {}, 0});
  }
  world.asked.resize(cluster_.clients().size(), 0);
  world.waits.resize(cluster_.clients().size(), false);
  for (size_t i = 0; i < cluster_.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    step(world, id, [&](node::AnyEnv& env) { world.places[i].node->begin(env); });
  }
  for (const Action& action : path) apply(world, action);
  return world;
}

// Whether one of these deliveries, of which one that takes an envelope away always counts, leads to
// another world than the one after the path.
bool Naive::is_busy(const Path& path, const std::vector<Action>& deliveries) const {
  if (cluster_.channels != Channels::kSet) return !deliveries.empty();
  World here = run(path);
  const std::string before = text(here);
  return std::ranges::any_of(deliveries, [&](const Action& delivery) {
    Path longer = path;
    longer.push_back(delivery);
    World there = run(longer);
    return text(there) != before;
  });
}

std::vector<Naive::Action> Naive::actions(const Path& path) const {
  const World world = run(path);
  std::vector<Action> all;
  const auto& sent = world.under_way;
  std::vector<size_t> first;  // of equal envelopes one, of a FIFO channel the oldest
  for (size_t i = 0; i < sent.size(); ++i) {
    const bool later = std::any_of(
        sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(i), [&](const Envelope& other) {
          const bool channel = other.from == sent[i].from && other.to == sent[i].to;
          return cluster_.channels == Channels::kFifo ? channel : same(other, sent[i]);
        });
    if (!later) first.push_back(i);
  }
  for (const size_t i : first) {
    if (world.places[sent[i].to.number].up) all.push_back({"deliver", i, "", false, {}});
  }
  const auto waiting = std::ranges::count(world.waits, true);
  bool early = is_busy(path, all);
  const bool asks = !early || waiting < cluster_.limits.requests;
  for (size_t c = 0; asks && c < cluster_.clients().size(); ++c) {
    const Client& client = cluster_.clients()[c];
    const auto at = static_cast<size_t>(world.asked[c]);
    if (world.waits[c] || at >= client.size()) continue;
    if (!world.places[client[at].node.number].up) continue;
    all.push_back({"ask", c, "", false, {}});
    early = true;
  }
  for (size_t i = 0; i < cluster_.size(); ++i) {
    if (early && !may(world, "early")) continue;
    for (const std::string& timer : world.places[i].timers) {
      all.push_back({"fire", i, timer, early, {}});
    }
  }
  for (size_t i = 0; i < cluster_.size(); ++i) {
    const Place& place = world.places[i];
    if (!place.up && may(world, "restart")) all.push_back({"restart", i, "", false, {}});
    if (!place.up || !may(world, "crash")) continue;
    std::vector<std::vector<size_t>> ways{{}};
    for (const node::AnyField* field : place.node->fields()) {
      std::vector<std::vector<size_t>> longer;
      for (const std::vector<size_t>& way : ways) {
        for (size_t reached = 0; reached <= field->unsynced(); ++reached) {
          longer.push_back(way);
          longer.back().push_back(reached);
        }
      }
      ways = longer;
    }
    for (const std::vector<size_t>& way : ways) all.push_back({"crash", i, "", false, way});
  }
  for (const size_t i : first) {
    if (sent[i].from == sent[i].to) continue;
    if (may(world, "lose")) all.push_back({"lose", i, "", false, {}});
    if (may(world, "duplicate") && world.places[sent[i].to.number].up) {
      all.push_back({"duplicate", i, "", false, {}});
    }
  }
  return all;
}

void Naive::crash(World& world, const Action& action) const {
  Place& place = world.places[action.what];
  const Id id{static_cast<uint8_t>(action.what)};
  std::unique_ptr<node::AnyNode> fresh = cluster_.make(id);
  for (size_t i = 0; i < place.node->fields().size(); ++i) {
    node::AnyField& old = *place.node->fields()[i];
    if (!old.durable()) continue;
    old.crash(action.reached[i]);
    std::string bytes;
    old.encode_to(bytes);
    node::Reader in(bytes);
    fresh->fields()[i]->decode_from(in);
  }
  place = {std::move(fresh), false, {}, place.random_numbers};
}

void Naive::apply(World& world, const Action& action) const {
  if (action.kind == "lose" || action.kind == "duplicate" || action.kind == "crash" ||
      action.kind == "restart") {
    spend(world, action.kind);
  }
  if (action.early) spend(world, "early");
  if (action.kind == "crash") return crash(world, action);
  const auto place_of = [&] {
    return world.under_way.begin() + static_cast<std::ptrdiff_t>(action.what);
  };
  if (action.kind == "lose") {
    world.under_way.erase(place_of());
  } else if (action.kind == "deliver" || action.kind == "duplicate") {
    const Envelope envelope = *place_of();
    const bool stays = action.kind == "duplicate" || cluster_.channels == Channels::kSet;
    if (!stays) world.under_way.erase(place_of());
    step(world, envelope.to, [&](node::AnyEnv& env) {
      for (const std::string& message : envelope.messages) {
        world.places[envelope.to.number].node->deliver(env, envelope.from, message);
      }
    });
  } else if (action.kind == "ask") {
    const auto number = static_cast<uint32_t>(world.asked[action.what]++);
    const Request& request = cluster_.clients()[action.what][number];
    world.waits[action.what] = true;
    step(world, request.node, [&](node::AnyEnv& env) {
      world.places[request.node.number].node->ask(env, {static_cast<uint32_t>(action.what), number},
                                                  request.bytes);
    });
  } else {
    const Id id{static_cast<uint8_t>(action.what)};
    Place& place = world.places[action.what];
    place.up = true;
    place.timers.erase(action.timer);
    step(world, id, [&](node::AnyEnv& env) {
      return action.kind == "fire" ? place.node->fire(env, action.timer) : place.node->begin(env);
    });
  }
}

std::string Naive::text(World& world, const node::Renaming& as) const {
  const auto name = [&](Id id) { return std::to_string(node::renamed(id, as).number); };
  std::vector<std::string> lines;
  for (size_t i = 0; i < world.places.size(); ++i) {
    Place& place = world.places[i];
    place.node->rename_fields(as);
    std::string line = "node " + name(Id{static_cast<uint8_t>(i)}) + (place.up ? " up " : " down ");
    line += place.node->encode_fields() + " " + std::to_string(place.random_numbers);
    for (const std::string& timer : place.timers) line += " " + timer;
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  std::vector<std::string> sent;
  std::map<std::string, int> position;  // in a FIFO channel
  for (const Envelope& envelope : world.under_way) {
    std::string line = "sent " + name(envelope.from) + " to " + name(envelope.to);
    if (cluster_.channels == Channels::kFifo) {
      const std::string number = std::to_string(1'000'000 + position[line]++);
      line += " " + number;
    }
    for (const std::string& message : envelope.messages) {
      const node::AnyNode& reader = *world.places[envelope.to.number].node;
      line += " " + (as.empty() ? message : reader.rename_message(message, as));
    }
    sent.push_back(line);
  }
  std::ranges::sort(sent);
  std::string all = world.failure;
  for (const std::string& line : lines) all += line + "\n";
  for (const std::string& line : sent) all += line + "\n";
  for (size_t c = 0; c < world.asked.size(); ++c) {
    all += std::to_string(world.asked[c]) + (world.waits[c] ? " waits\n" : "\n");
  }
  for (const auto& [what, times] : world.spent) all += what + " " + std::to_string(times) + "\n";
  return all;
}

std::string Naive::canonical(const Path& path) const {
  node::Renaming identity;
  for (size_t i = 0; i < cluster_.size(); ++i) identity.push_back(Id{static_cast<uint8_t>(i)});
  std::vector<node::Renaming> all{identity};
  for (std::vector<Id> group : cluster_.symmetries()) {
    std::ranges::sort(group);
    const std::vector<Id> sorted = group;
    const std::vector<node::Renaming> before = all;
    while (std::ranges::next_permutation(group).found) {
      for (node::Renaming renaming : before) {
        for (size_t i = 0; i < sorted.size(); ++i) renaming[sorted[i].number] = group[i];
        all.push_back(renaming);
      }
    }
  }
  std::string least;
  for (const node::Renaming& renaming : all) {
    World world = run(path);
    const std::string text = this->text(world, renaming);
    if (least.empty() || text < least) least = text;
  }
  return least;
}

std::optional<std::string> Naive::violated(const World& before, const World& after) const {
  if (!after.failure.empty()) return "a handler fails: " + after.failure;
  for (const Property& property : cluster_.properties()) {
    if (property.of_ends()) continue;
    if (!property.holds(Now(cluster_, before), Now(cluster_, after))) return property.name;
  }
  return std::nullopt;
}

std::optional<std::string> Naive::violated_at_end(const World& world) const {
  for (const Property& property : cluster_.properties()) {
    if (!property.of_ends()) continue;
    if (!property.holds(Now(cluster_, world), Now(cluster_, world))) return property.name;
  }
  return std::nullopt;
}

bool Naive::violates(const std::string& property, const World& before, const World& after) const {
  if (!after.failure.empty()) return property == "a handler fails: " + after.failure;
  return std::ranges::any_of(cluster_.properties(), [&](const Property& one) {
    return one.name == property && !one.holds(Now(cluster_, before), Now(cluster_, after));
  });
}

Naive::Found Naive::explore(size_t most_worlds, bool up_to_renaming) const {
  const auto text_of = [&](const Path& path) {
    if (up_to_renaming) return canonical(path);
    World world = run(path);
    return text(world);
  };
  Found found;
  found.worlds.insert(text_of({}));
  std::vector<Path> level{{}};
  for (size_t moves = 0; !level.empty() && !found.violated; ++moves) {
    std::vector<Path> next_level;
    for (const Path& path : level) {
      const World world = run(path);
      const std::string here = text_of(path);
      bool ends = true;
      for (const Action& action : actions(path)) {
        Path longer = path;
        longer.push_back(action);
        if (const auto broken = violated(world, run(longer)); broken && !found.violated) {
          found.violated = broken;
          found.moves_to_violation = moves + 1;
        }
        const std::string there = text_of(longer);
        const bool must = action.kind == "deliver" || action.kind == "ask" || action.kind == "fire";
        if (must && there != here) ends = false;
        if (found.worlds.insert(there).second) next_level.push_back(std::move(longer));
        if (found.worlds.size() > most_worlds) return found;
      }
      if (!ends) continue;
      found.ends.insert(here);
      const bool shortest = !found.violated || moves < found.moves_to_violation;
      if (const auto broken = violated_at_end(world); broken && shortest) {
        found.violated = broken;
        found.moves_to_violation = moves;
      }
    }
    level = std::move(next_level);
  }
  found.complete = !found.violated;
  return found;
}

}  // namespace clew::explore
