#include "report/shiviz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/columns.h"
#include "base/watched.h"

namespace clew::report {

namespace {

// Names without spaces, each once: ShiViz's hosts end at the first space.
std::map<NodeName, std::string> hosts_of(const std::vector<NodeName>& nodes) {
  std::map<NodeName, std::string> hosts;
  std::set<std::string> taken(nodes.begin(), nodes.end());
  for (const NodeName& node : nodes) {
    std::string host = node;
    if (node.find(' ') != std::string::npos || node.find("\xc2\xa0") != std::string::npos) {
      for (size_t at; (at = host.find("\xc2\xa0")) != std::string::npos;) host.replace(at, 2, "_");
      std::ranges::replace(host, ' ', '_');
      while (!taken.insert(host).second) host += '_';
    }
    hosts[node] = host;
  }
  return hosts;
}

class Logger {
 public:
  explicit Logger(const Run& run) : run_(run), hosts_(hosts_of(run.scenario.nodes)) {}

  std::string log() {
    std::string text = fmt::format("{}\n\n", kShivizRegex);
    size_t begin = 0;
    for (Tick tick = 1; tick <= run_.scenario.program.eot; ++tick) {
      size_t end = begin;
      while (end < run_.messages.size() && run_.messages[end].sent_at == tick) ++end;
      const std::map<NodeName, Clock> before = clocks_;
      for (const NodeName& node : run_.scenario.nodes) {
        text += event(node, tick, before, begin, end);
      }
      arriving_begin_ = begin;
      begin = end;
    }
    return text;
  }

 private:
  using Clock = std::map<std::string, int64_t>;  // by host

  // What happens at the node, as an entry of the log; empty if nothing does. Messages [begin, end)
  // are those sent at this tick, and [arriving_begin_, begin) those that arrive.
  std::string event(const NodeName& node, Tick tick, const std::map<NodeName, Clock>& before,
                    size_t begin, size_t end) {
    look(1 + end - arriving_begin_);
    std::vector<std::string> told;
    Clock& clock = clocks_[node];
    for (size_t i = arriving_begin_; i < begin; ++i) {
      const Message& message = run_.messages[i];
      if (message.to != node || message.fate != Message::Fate::kDelivered) continue;
      if (message.from == node) continue;
      told.push_back(fmt::format("gets {} from {}", to_string(message.fact), message.from));
      merge(before.at(message.from), clock);
    }
    for (const Crash& crash : run_.scenario.faults.of<Crash>()) {
      if (crash.node == node && crash.tick == tick) told.emplace_back("crashes");
    }
    for (size_t i = begin; i < end; ++i) {
      const Message& message = run_.messages[i];
      if (message.from == node && message.to != node) told.push_back(tell_send(message));
    }
    if (told.empty() && tick > 1) return {};
    ++clock[hosts_[node]];
    std::string text = told.empty() ? "begins" : fmt::format("{}", fmt::join(told, "; "));
    text = printable(fmt::format("tick {}: {}", tick, text), 2000);
    return fmt::format("{} {}\n{}\n", hosts_[node], clock_text(clock), text);
  }

  static std::string tell_send(const Message& message) {
    std::string text = fmt::format("sends {} to {}", to_string(message.fact), message.to);
    if (message.lost()) {
      std::string why = to_string(message.fate);
      std::ranges::replace(why, '-', ' ');
      text += fmt::format(", lost: {}", why);
    }
    return text;
  }

  static void merge(const Clock& from, Clock& into) {
    for (const auto& [host, count] : from) into[host] = std::max(into[host], count);
  }

  static std::string clock_text(const Clock& clock) {
    using nlohmann::json;
    return json(clock).dump(-1, ' ', false, json::error_handler_t::replace);
  }

  const Run& run_;
  std::map<NodeName, std::string> hosts_;
  std::map<NodeName, Clock> clocks_;
  size_t arriving_begin_ = 0;  // of the messages sent a tick earlier
};

}  // namespace

std::string shiviz(const Run& run) { return Logger(run).log(); }

}  // namespace clew::report
