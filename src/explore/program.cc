#include "explore/program.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "explore/hidden.h"
#include "explore/keeper.h"
#include "explore/predictions.h"
#include "explore/promises.h"
#include "explore/recorded.h"
#include "explore/shrink.h"
#include "explore/stateful.h"
#include "explore/stateless.h"
#include "explore/strategies/guided.h"
#include "explore/tale.h"

namespace clew::explore {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

std::atomic<bool> told_to_stop{false};

// Counts handlers where `clew` sees it, and refuses those that are known to end the process.
class CountingGuard : public Guard {
 public:
  explicit CountingGuard(const json& question) : memory_(question.at("memory").get<size_t>()) {
    void* page = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, kPage, 0);
    if (page == MAP_FAILED) throw Mistake("this program is started by clew, not by hand");
    page_ = static_cast<Page*>(page);
    for (const json& one : question.value("fatal", json::array())) {
      fatal_[one.at("handler").get<uint64_t>()] = one.at("why").get<std::string>();
    }
  }

  std::optional<std::string> begins() override {
    const auto fatal = fatal_.find(++page_->begun);
    if (fatal == fatal_.end()) return std::nullopt;
    ++page_->ended;
    return fatal->second;
  }
  void ended() override { ++page_->ended; }
  uint64_t count() const { return page_->ended; }
  void set_count(uint64_t handlers) { page_->begun = page_->ended = handlers; }
  bool knows_fatal_from(uint64_t number) const {
    return fatal_.lower_bound(number) != fatal_.end();
  }
  bool is_full() const override { return ::mallinfo2().uordblks > memory_ / 2; }

 private:
  Page* page_ = nullptr;
  size_t memory_;
  std::map<uint64_t, std::string> fatal_;
};

void say(const json& line) {
  const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(kQuestions, text.data() + at, text.size() - at);
    if (count <= 0) ::_exit(1);  // nobody listens any more
    at += static_cast<size_t>(count);
  }
}

json hear() {
  std::string text;
  for (char next = 0; ::read(kQuestions, &next, 1) == 1 && next != '\n';) text += next;
  return json::parse(text);
}

void set_up(Cluster& cluster, const json& question) {
  const json& limits = question.at("limits");
  const auto limit = [&](const char* name) { return limits.at(name).get<uint8_t>(); };
  cluster.limits = {.crashes = limit("crashes"),
                    .restarts = limit("restarts"),
                    .losses = limit("losses"),
                    .duplicates = limit("duplicates"),
                    .early_timers = limit("early_timers"),
                    .total = limit("total"),
                    .requests = limit("requests")};
  cluster.seed = question.at("seed").get<uint64_t>();
}

// Bytes do not tell their type, so whoever asks for something else is found out here.
void validate_requests(const Cluster& cluster) {
  for (const Client& client : cluster.clients()) {
    for (const Request& request : client) {
      const auto node = cluster.make(request.node);
      if (!node->print_request(request.bytes, cluster.names()).empty()) continue;
      throw Mistake(
          fmt::format("a client asks {} for what is no request of its class; where requests are a "
                      "std::variant, ask for that: cluster.ask(\"{}\", Request{{Put{{1}}}})",
                      cluster.names().name(request.node), cluster.names().name(request.node)));
    }
  }
}

json describe(const Cluster& cluster) {
  validate_requests(cluster);
  json nodes = json::array(), properties = json::array();
  bool declared = true;
  for (size_t i = 0; i < cluster.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    nodes.push_back(cluster.names().name(id));
    declared = declared && cluster.make(id)->declares_state();
  }
  for (const Property& property : cluster.properties()) {
    static constexpr const char* kKinds[] = {"always", "finally", "step", "eventually"};
    properties.push_back(
        {{"name", property.name}, {"kind", kKinds[static_cast<size_t>(property.kind)]}});
  }
  if (cluster.sequential()) {
    properties.push_back({{"name", cluster.sequential()->name}, {"kind", "linearizable"}});
  }
  const Limits& most = cluster.most;
  return {{"nodes", nodes},
          {"clients", cluster.clients().size()},
          {"properties", properties},
          {"declares_state", declared},
          {"symmetric", !cluster.symmetries().empty()},
          {"seed", cluster.seed},
          {"most",
           {{"crashes", most.crashes},
            {"restarts", most.restarts},
            {"losses", most.losses},
            {"duplicates", most.duplicates},
            {"early_timers", most.early_timers}}}};
}

std::vector<std::string> printed(Runner& runner, const std::vector<Move>& path) {
  std::vector<std::string> schedule;
  schedule.reserve(path.size());
  for (const Move& move : path) schedule.push_back(runner.print(move));
  return schedule;
}

// Says how far it is, a few times a second.
void tell_progress(const Progress& now) {
  static Clock::time_point next = Clock::now() + std::chrono::milliseconds(200);
  if (Clock::now() < next) return;
  next = Clock::now() + std::chrono::milliseconds(200);
  say({{"progress",
        {{"states", now.states},
         {"frontier", now.frontier},
         {"paths", now.paths},
         {"depth", now.depth},
         {"moves", now.moves}}}});
}

json told(const Exploration& found, Runner& runner, size_t most) {
  json result = {{"states", found.states},
                 {"paths", found.paths},
                 {"moves", found.moves},
                 {"ends", found.terminals},
                 {"depth", found.depth},
                 {"bytes", found.bytes},
                 {"complete", found.complete},
                 {"spent_all", runner.spent_all()},
                 {"handlers", runner.steps().taken()}};
  if (!found.complete && !found.violation) {
    const bool enough = std::max(found.states, found.paths + found.blocked) >= most;
    result["ended_by"] = told_to_stop    ? "stop"
                         : enough        ? "effort"
                         : found.gave_up ? "rules"
                         : found.cut > 0 ? "length"
                                         : "memory";
  }
  if (found.not_alike) result["not_alike"] = *found.not_alike;
  result["awaited"] = json::object();
  for (const Awaited& one : found.awaited) {
    result["awaited"][one.property] = {{"held", one.held}, {"awaited", one.awaited}};
  }
  result["unfinished"] = !found.unfinished.empty();
  if (!found.violation) return result;
  Walker walker(runner);
  const Walk least = shrink(
      walker, found.violation->path, found.violation->property, [] { return told_to_stop.load(); },
      found.violation->loop);
  result["violation"] = {{"property", found.violation->property},
                         {"found_with", found.violation->path.size()},
                         {"schedule", printed(runner, least.path)}};
  if (least.loop) result["violation"]["loop"] = *least.loop + 1;
  return result;
}

// What has come to no end is kept before it is made shorter: that is no part of the exploration.
template <class Engine>
json explored(Engine& engine, Keeper& keeper, const json& question) {
  keeper.load(engine);
  const Exploration found = engine.run();
  if (!found.complete) keeper.save(engine);
  json result = told(found, engine.runner(), question.at("most").get<size_t>());
  if (question.contains("analysis")) {
    const Footprints footprints(engine.runner().cluster(), question.at("analysis"));
    result["footprints"] = compared(engine.runner().steps(), footprints);
  }
  return result;
}

json explore_worlds(const Cluster& cluster, const json& question, Keeper& keeper) {
  const auto most = question.at("most").get<size_t>();
  std::optional<Stateful> engine;
  engine.emplace(cluster, Stateful::Options{.symmetry = question.at("symmetry").get<bool>(),
                                            .most_states = most,
                                            .stop = [] { return told_to_stop.load(); },
                                            .threads = question.at("threads").get<size_t>(),
                                            .most_bytes = question.at("memory").get<size_t>() / 2,
                                            .progress = tell_progress,
                                            .now_and_then = [&] { keeper.save_if_due(*engine); }});
  return explored(*engine, keeper, question);
}

json explore_paths(const Cluster& cluster, const json& question, Keeper& keeper) {
  const std::string name = question.at("engine");
  const auto most = question.at("most").get<size_t>();
  std::optional<Stateless> engine;
  engine.emplace(cluster, Stateless::Options{.reduction = name == "dfs"      ? Reduction::kDfs
                                                          : name == "random" ? Reduction::kRandom
                                                                             : Reduction::kOptimal,
                                             .seed = question.at("first").get<uint64_t>(),
                                             .most_paths = most,
                                             .stop = [] { return told_to_stop.load(); },
                                             .progress = tell_progress,
                                             .now_and_then = [&] { keeper.save_if_due(*engine); }});
  return explored(*engine, keeper, question);
}

Order order_of(const std::string& name) {
  const auto* found =
      std::ranges::find(kAllOrders, name, [](Order order) { return name_of(order); });
  if (found == std::end(kAllOrders)) throw Mistake("there is no order " + name);
  return *found;
}

// Nothing of it is kept: a plan of which a path has come is gone.
json explore_as_a_strategy_says(const Cluster& cluster, const json& question) {
  const auto most = question.at("most").get<size_t>();
  std::optional<Footprints> footprints;
  if (question.contains("analysis")) footprints.emplace(cluster, question.at("analysis"));
  Analysed analysed;
  if (footprints) {
    analysed = [&](Steps& steps, LocalId local, InputId input) {
      return footprints->predicted(steps.node(local), steps.input(input));
    };
  }
  Guided engine(cluster, {.strategy = {.name = question.at("engine"),
                                       .parts = question.at("parts"),
                                       .seed = question.at("first").get<uint64_t>(),
                                       .faults = question.at("with_faults").get<bool>(),
                                       .symmetry = question.at("symmetry").get<bool>(),
                                       .analysed = analysed},
                          .order = order_of(question.at("order")),
                          .most_paths = most,
                          .stop = [] { return told_to_stop.load(); },
                          .progress = tell_progress});
  json result = told(engine.run(), engine.runner(), most);
  if (footprints) result["footprints"] = compared(engine.runner().steps(), *footprints);
  return result;
}

json explore(const Cluster& cluster, const json& question, CountingGuard& guard,
             Promises* promises) {
  const auto say_progress = [](const json& progress) { say({{"progress", progress}}); };
  Keeper keeper(question,
                {.handlers = [&] { return guard.count(); },
                 .set_handlers = [&](uint64_t handlers) { guard.set_count(handlers); },
                 .promises = promises},
                say_progress);
  const std::string engine = question.at("engine");
  if (engine == "stateful") return explore_worlds(cluster, question, keeper);
  if (question.contains("order")) return explore_as_a_strategy_says(cluster, question);
  return explore_paths(cluster, question, keeper);
}

json tell(const Cluster& cluster, const json& question) {
  Runner runner(cluster);
  Walker walker(runner);
  const auto wanted = question.at("schedule").get<std::vector<std::string>>();
  Walker::Loop loop;
  if (question.contains("loop")) loop = question.at("loop").get<size_t>() - 1;
  const Walk walk = walker.walk_printed(
      wanted, question.at("go_on").get<bool>() ? Walker::Then::kGoOn : Walker::Then::kStop, loop);
  json result = {{"tale", tell(runner, walk, wanted)}};
  if (!walk.broken || !question.at("cures").get<bool>()) return result;
  json list = json::array();
  for (const Cure& cure : cures(walker, walk, [] { return told_to_stop.load(); })) {
    list.push_back({{"move", cure.move}, {"instead", cure.instead}});
    if (list.size() == 1) result["passing"] = tell(runner, cure.run);
  }
  result["cures"] = std::move(list);
  return result;
}

// Promises in rules see nothing but fields, and count how often they are asked. Handlers that run
// here have numbers of their own. One that ends the process will be found by the engine, too.
void find_hidden(Cluster cluster, const json& question, CountingGuard& guard) {
  constexpr uint64_t kFirst = uint64_t{1} << 40U;
  if (guard.knows_fatal_from(kFirst)) return;
  set_up(cluster, question);
  cluster.guard = &guard;
  guard.set_count(kFirst);
  const auto found = explore::find_hidden(cluster, [] { return told_to_stop.load(); });
  if (found) throw Mistake(*found);
  guard.set_count(0);
}

json reply_to(const json& question, Cluster cluster) {
  const std::string what = question.at("do");
  const Cluster without_promises = cluster;
  std::optional<Promises> promises;
  if (const auto files = question.at("promises").get<std::vector<std::string>>(); !files.empty()) {
    promises.emplace(cluster, files);
  }
  if (what == "describe") {
    json described = describe(cluster);
    described["warnings"] = promises ? promises->warnings() : "";
    return described;
  }
  CountingGuard guard(question);
  set_up(cluster, question);
  cluster.guard = &guard;
  if (what == "tell") return tell(cluster, question);
  if (what == "judge") return judge_recordings(cluster, question.at("recordings"));
  find_hidden(without_promises, question, guard);
  json result = explore(cluster, question, guard, promises ? &*promises : nullptr);
  result["applied"] = json::object();
  for (const auto& [name, states] :
       promises ? promises->applied() : std::vector<Promises::Applied>()) {
    result["applied"][name] = states;
  }
  return result;
}

void limit_memory(const json& question) {
  if (!question.contains("memory")) return;
  const auto bytes = question.at("memory").get<rlim_t>();
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

int answer(const std::function<Cluster()>& describe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGTERM, [](int) { told_to_stop = true; });
  std::signal(SIGINT, SIG_IGN);  // clew decides what an interrupt means
  try {
    const json question = hear();
    limit_memory(question);
    say({{"result", reply_to(question, describe())}});
    return 0;
  } catch (const json::exception&) {
    say({{"mistake", "this program is started by clew explore, not by hand"}});
  } catch (const std::bad_alloc&) {
    say({{"memory", true}});
  } catch (const std::exception& error) {
    say({{"mistake", error.what()}});
  }
  return 2;
}

}  // namespace clew::explore
