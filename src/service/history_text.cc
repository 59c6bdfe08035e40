#include "service/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "domain/json_guard.h"

namespace clew::service {

namespace {

using inject::Io;
using inject::Object;
using inject::Point;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr uint32_t kMostRuns = 1'000'000;

ordered_json json_object(const Object& object) {
  return ordered_json::array({static_cast<int>(object.kind), object.name, object.exact});
}

ordered_json json_point(const Point& point) {
  return {{"node", point.node},
          {"thread", point.thread},
          {"call", point.call},
          {"io", static_cast<int>(point.io)},
          {"object", json_object(point.object)},
          {"object2", json_object(point.object2)},
          {"stack", point.stack},
          {"truncated", point.truncated}};
}

ordered_json json_look(const Look& look) {
  ordered_json outcomes = ordered_json::array();
  for (const Outcome::Kind kind : look.outcomes) outcomes.push_back(static_cast<int>(kind));
  ordered_json one = {{"runs", look.runs},
                      {"ending", static_cast<int>(look.ending)},
                      {"struck", look.struck},
                      {"last", look.last},
                      {"outcomes", std::move(outcomes)}};
  if (!look.sites.empty()) one["sites"] = look.sites, one["after"] = look.after;
  if (!look.unlikely.empty()) one["unlikely"] = look.unlikely;
  if (!look.states.empty()) one["states"] = look.states;
  if (!look.supports.empty()) one["supports"] = look.supports;
  if (!look.calls.empty()) one["calls"] = look.calls;
  for (const inject::Warning& warning : look.warnings) {
    one["warnings"].push_back({warning.what, warning.remedy});
  }
  if (!look.broken.empty()) one["broken"] = look.broken;
  if (!look.trouble.empty()) one["trouble"] = look.trouble;
  return one;
}

// Text that a target has printed need not be valid.
std::string dump(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// What is not as it should be.
struct Misfit {
  std::string where;
};

// Reads what was written; throws Misfit.
class Reader {
 public:
  explicit Reader(const json& root) : root_(root) {}

  Kept read() {
    read_head();
    for (const json& one : list(root_, "points")) read_point(one);
    for (const json& one : list(root_, "sites")) read_site(one);
    for (const json& one : list(root_, "failures")) read_failure(one);
    for (const json& one : list(root_, "trials")) read_trial(one);
    return std::move(kept_);
  }

 private:
  static void want(bool holds, const char* where) {
    if (!holds) throw Misfit{where};
  }
  static const json& at(const json& in, const char* name) {
    const auto found = in.find(name);
    want(found != in.end(), name);
    return *found;
  }
  static const json& list(const json& in, const char* name) {
    const json& all = at(in, name);
    want(all.is_array(), name);
    return all;
  }
  // Nothing is an empty list.
  static json list_or_none(const json& in, const char* name) {
    return in.contains(name) ? list(in, name) : json::array();
  }
  static uint32_t number(const json& value, size_t below, const char* where) {
    want(value.is_number_unsigned() && value.get<uint64_t>() < below, where);
    return value.get<uint32_t>();
  }
  static std::string text(const json& value, const char* where) {
    want(value.is_string(), where);
    return value.get<std::string>();
  }
  static bool truth(const json& value, const char* where) {
    want(value.is_boolean(), where);
    return value.get<bool>();
  }
  static std::vector<uint32_t> numbers(const json& all, size_t below, const char* where) {
    std::vector<uint32_t> numbers;
    want(all.is_array(), where);
    for (const json& one : all) numbers.push_back(number(one, below, where));
    return numbers;
  }
  static std::vector<std::string> texts(const json& all, const char* where) {
    std::vector<std::string> texts;
    want(all.is_array(), where);
    for (const json& one : all) texts.push_back(text(one, where));
    return texts;
  }

  void read_head() {
    const json& bound = at(root_, "bound");
    want(bound.is_object(), "bound");
    for (const auto& [name, value] : bound.items()) kept_.bound[name] = text(value, "bound");
    kept_.promises = number(at(root_, "promises"), 1'000'000, "promises");
    const json& seconds = at(root_, "seconds");
    want(seconds.is_number() && seconds.get<double>() >= 0, "seconds");
    kept_.seconds = seconds.get<double>();
  }

  static Object read_object(const json& value) {
    want(value.is_array() && value.size() == 3, "object");
    constexpr auto kKinds = static_cast<size_t>(Object::Kind::kDatagrams) + 1;
    return {static_cast<Object::Kind>(number(value[0], kKinds, "object")), text(value[1], "object"),
            text(value[2], "object")};
  }

  void read_point(const json& one) {
    want(one.is_object(), "points");
    constexpr auto kIos = static_cast<size_t>(Io::kOther) + 1;
    Point point{.node = text(at(one, "node"), "node"),
                .thread = text(at(one, "thread"), "thread"),
                .call = text(at(one, "call"), "call"),
                .io = static_cast<Io>(number(at(one, "io"), kIos, "io")),
                .object = read_object(at(one, "object")),
                .object2 = read_object(at(one, "object2")),
                .stack = texts(at(one, "stack"), "stack"),
                .truncated = truth(at(one, "truncated"), "truncated")};
    want(ids_.insert(point.id()).second, "points");
    kept_.points.push_back(std::move(point));
  }

  void read_site(const json& one) {
    want(one.is_array() && one.size() == 3, "sites");
    const Site site{number(one[0], kept_.points.size(), "sites"),
                    number(one[1], UINT32_MAX, "sites"), number(one[2], UINT32_MAX, "sites")};
    want(site.life > 0 && site.occurrence > 0, "sites");
    want(sites_.insert({kept_.points[site.point].id(), site.life, site.occurrence}).second,
         "sites");
    kept_.sites.push_back(site);
  }

  void read_failure(const json& one) {
    const Result<inject::Failure> failure = inject::parse_failure(text(one, "failures"));
    want(failure.ok(), "failures");
    want(sites_.contains({failure->point, failure->life, failure->occurrence}), "failures");
    want(failures_.insert(*failure).second, "failures");
    kept_.failures.push_back(*failure);
  }

  void read_trial(const json& one) {
    want(one.is_object(), "trials");
    Trial trial;
    std::set<inject::Failure> plan;
    for (const uint32_t id : numbers(at(one, "plan"), kept_.failures.size(), "plan")) {
      want(plan.insert(kept_.failures[id]).second, "plan");
    }
    trial.wish.plan.assign(plan.begin(), plan.end());
    trial.wish.times = number(at(one, "times"), kMostRuns, "times");
    const json& keep = at(one, "keep");
    if (!keep.is_null()) trial.wish.keep = number(keep, kept_.promises, "keep");
    for (const json& look : list(one, "looks")) {
      trial.looks.push_back(read_look(look, trial.wish.plan.size()));
    }
    want(trial.wish.times > 0 && trial.looks.size() == trial.wish.times, "looks");
    kept_.trials.push_back(std::move(trial));
  }

  Look read_look(const json& one, size_t failures) const {
    want(one.is_object(), "looks");
    Look look;
    look.runs = number(at(one, "runs"), kMostRuns, "runs");
    constexpr auto kEndings = static_cast<size_t>(Look::Ending::kFailed) + 1;
    look.ending = static_cast<Look::Ending>(number(at(one, "ending"), kEndings, "ending"));
    look.struck = truth(at(one, "struck"), "struck");
    look.last = number(at(one, "last"), std::max<size_t>(failures, 1), "last");
    for (const uint32_t kind : numbers(at(one, "outcomes"), 3, "outcomes")) {
      look.outcomes.push_back(static_cast<Outcome::Kind>(kind));
    }
    want(look.outcomes.empty() || look.outcomes.size() == kept_.promises, "outcomes");
    read_sites(one, look);
    look.states = texts(list_or_none(one, "states"), "states");
    for (const json& support : list_or_none(one, "supports")) {
      look.supports.push_back(numbers(support, kept_.sites.size(), "supports"));
    }
    for (const json& call : list_or_none(one, "calls")) {
      want(call.is_array() && call.size() == 2, "calls");
      look.calls.emplace_back(number(call[0], kept_.points.size(), "calls"),
                              number(call[1], UINT32_MAX, "calls"));
    }
    for (const json& warning : list_or_none(one, "warnings")) {
      want(warning.is_array() && warning.size() == 2, "warnings");
      look.warnings.push_back({text(warning[0], "warnings"), text(warning[1], "warnings")});
    }
    if (one.contains("broken")) look.broken = text(one.at("broken"), "broken");
    if (one.contains("trouble")) look.trouble = text(one.at("trouble"), "trouble");
    return look;
  }

  void read_sites(const json& one, Look& look) const {
    look.sites = numbers(list_or_none(one, "sites"), kept_.sites.size(), "sites");
    const std::set<uint32_t> distinct(look.sites.begin(), look.sites.end());
    want(distinct.size() == look.sites.size(), "sites");
    if (!look.sites.empty()) look.after = number(at(one, "after"), look.sites.size() + 1, "after");
    look.unlikely = numbers(list_or_none(one, "unlikely"), kept_.sites.size(), "unlikely");
    want(std::ranges::is_sorted(look.unlikely), "unlikely");
  }

  const json& root_;
  Kept kept_;
  std::set<std::string> ids_;
  std::set<std::tuple<std::string, uint32_t, uint32_t>> sites_;
  std::set<inject::Failure> failures_;
};

Error no_history(const std::string& why) {
  return {fmt::format("this is no history of a campaign that can be read: {}", why),
          "name the file that an earlier campaign has written, or remove it to begin anew"};
}

}  // namespace

bool operator==(const Kept& a, const Kept& b) {
  return a.bound == b.bound && a.promises == b.promises && a.points == b.points &&
         a.sites == b.sites && a.failures == b.failures &&
         std::ranges::equal(a.trials, b.trials, [](const Trial& x, const Trial& y) {
           return x.wish == y.wish && x.looks == y.looks;
         });
}

std::string text_before_trials(const Bound& bound, size_t promises, double seconds,
                               const Known& known) {
  const auto member = [](const char* name, const ordered_json& value) {
    return fmt::format("{}: {},\n", dump(name), dump(value));
  };
  std::string text = "{" + member("clew", "inject-history") + member("version", kHistoryVersion);
  text += member("bound", bound) + member("promises", promises) + member("seconds", seconds);
  ordered_json points = ordered_json::array();
  for (const Point& point : known.points()) points.push_back(json_point(point));
  ordered_json sites = ordered_json::array();
  for (const Site& site : known.sites()) sites.push_back({site.point, site.life, site.occurrence});
  ordered_json failures = ordered_json::array();
  for (const inject::Failure& one : known.failures()) failures.push_back(to_string(one));
  return text + member("points", points) + member("sites", sites) + member("failures", failures) +
         "\"trials\": [";
}

std::string to_text(const Trial& trial, Known& known) {
  ordered_json looks = ordered_json::array();
  for (const Look& look : trial.looks) looks.push_back(json_look(look));
  return dump(ordered_json{{"plan", known.combination(trial.wish.plan)},
                           {"times", trial.wish.times},
                           {"keep", trial.wish.keep ? ordered_json(*trial.wish.keep) : nullptr},
                           {"looks", std::move(looks)}});
}

Result<Kept> kept_from_text(std::string_view text) {
  const Result<json> root = guarded_json(text);
  if (!root.ok()) return no_history(root.error().message);
  const bool is_one = root->is_object() && root->value("clew", json()) == "inject-history";
  if (!is_one) return no_history("it is something else");
  if (const json version = root->value("version", json()); version != kHistoryVersion) {
    return no_history(fmt::format("its version is {}, not {}", version.dump(), kHistoryVersion));
  }
  try {
    return Reader(*root).read();
  } catch (const Misfit& misfit) {
    return no_history(fmt::format("`{}` is damaged", misfit.where));
  }
}

}  // namespace clew::service
