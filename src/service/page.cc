#include "service/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/columns.h"
#include "base/files.h"
#include "base/text.h"
#include "report/json_text.h"
#include "report/page.h"
#include "report/why.h"
#include "service/messages.h"
#include "service/story.h"
#include "service/tell.h"

namespace clew::service {

namespace {

using nlohmann::ordered_json;

constexpr size_t kMostSourceText = 1 << 20;  // bytes of one file
constexpr size_t kLongText = 2000;           // characters
constexpr size_t kMostMomentsOfRun = 2000;   // of one run
constexpr size_t kFewMoments = 100;          // once the page is full

// A moment as the page shows it.
struct Row {
  const Moment* moment = nullptr;
  size_t calls = 1;    // that are shown as this one
  size_t sent_by = 0;  // the row, from 1, of the one that sent it; 0: it is no message
};

// Puts what is received after what sends it, although who waits for it has begun before; and what
// comes of one message in several calls into one row.
class Rows {
 public:
  Rows(const std::vector<Moment>& moments, const std::map<uint32_t, uint32_t>& sent_by)
      : moments_(moments), sent_by_(sent_by) {}

  std::vector<Row> make() {
    std::set<uint32_t> shown;
    for (const Moment& one : moments_) shown.insert(one.at);
    for (const Moment& one : moments_) {
      const auto sender = sent_by_.find(one.at);
      const bool arrives = one.kind == Moment::Kind::kCall && sender != sent_by_.end();
      if (!arrives || !shown.contains(sender->second)) {
        add(one);
      } else if (row_of_.contains(sender->second)) {
        arrive(one, sender->second);
      } else {
        waiting_[sender->second].push_back(&one);
      }
    }
    return std::move(rows_);
  }

 private:
  void add(const Moment& moment) {
    rows_.push_back({&moment});
    row_of_[moment.at] = rows_.size();
    const auto waiting = waiting_.extract(moment.at);
    if (waiting.empty()) return;
    for (const Moment* one : waiting.mapped()) arrive(*one, moment.at);
  }

  void arrive(const Moment& moment, uint32_t sender) {
    const auto [at, is_new] =
        arrived_.try_emplace({sender, moment.who, moment.point}, rows_.size());
    if (!is_new) {
      ++rows_[at->second].calls;
      row_of_[moment.at] = at->second + 1;
      return;
    }
    rows_.push_back({&moment, 1, row_of_.at(sender)});
    row_of_[moment.at] = rows_.size();
  }

  const std::vector<Moment>& moments_;
  const std::map<uint32_t, uint32_t>& sent_by_;
  std::vector<Row> rows_;
  std::map<uint32_t, size_t> row_of_;  // from 1, by `at`
  std::map<uint32_t, std::vector<const Moment*>> waiting_;
  std::map<std::tuple<uint32_t, std::string, std::string>, size_t> arrived_;  // rows, from 0
};

class InjectedPage {
 public:
  InjectedPage(const Report& report, size_t most_bytes) : report_(report), most_bytes_(most_bytes) {
    for (const NodeName& node : report.nodes) number_of(node);
  }

  ordered_json write() {
    ordered_json runs = ordered_json::array();
    for (size_t i = 0; i < report_.groups.size(); ++i) runs.push_back(run(i));
    for (ordered_json& one : runs) one["start"] = ordered_json(names_.size(), nothing());
    return {{"clew", "page"},
            {"version", 2},
            {"title", cut(report_.target)},
            {"verdict", verdict()},
            {"properties", promises()},
            {"explored", nothing()},
            {"counts", counts()},
            {"nodes", names_},
            {"program", program()},
            {"facts", nothing()},
            {"runs", std::move(runs)}};
  }

 private:
  static ordered_json nothing() { return ordered_json::array(); }

  std::string cut(const std::string& text) {
    std::string result = printable(text, kLongText);
    bytes_ += result.size();
    return result;
  }

  size_t number_of(const std::string& name) {
    const auto at = std::ranges::find(names_, name);
    if (at != names_.end()) return static_cast<size_t>(at - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }

  ordered_json verdict() {
    ordered_json notes = ordered_json::array();
    for (const std::string& one : caveats(report_)) notes.push_back(cut(one));
    for (const inject::Warning& one : report_.warnings) notes.push_back(cut(one.what));
    return {{"kind", verdict_of(report_)},
            {"headline", cut(headline_of(report_))},
            {"covers", covers()},
            {"notes", std::move(notes)}};
  }

  ordered_json covers() const {
    return ordered_json::array(
        {{"failures in a run", fmt::format("at most {}", report_.most_failures)},
         {"failure points", with_thousands(report_.points.size())},
         {"failure ids", with_thousands(report_.ids)},
         {"combinations tried", with_thousands(report_.tried())},
         {"runs", with_thousands(report_.runs)}});
  }

  ordered_json promises() {
    ordered_json rows = ordered_json::array();
    for (const Report::Promise& one : report_.promises) {
      rows.push_back(
          {{"name", cut(one.name)}, {"told", promise_of(one)}, {"file", -1}, {"line", 0}});
    }
    return rows;
  }

  ordered_json counts() const {
    ordered_json rows = ordered_json::array();
    for (const Count& one : report_.counts) {
      rows.push_back({one.failures, one.tried, one.violating, one.covered, one.not_reached,
                      one.failed, one.left});
    }
    return rows;
  }

  ordered_json program() {
    ordered_json files = ordered_json::array();
    std::vector<std::string> paths = {report_.target};
    for (const Group& group : report_.groups) {
      for (const ProgramFile& file : group.scenario.target.files) {
        if (std::ranges::find(paths, file.path) == paths.end()) paths.push_back(file.path);
      }
    }
    for (const std::string& path : paths) {
      const Result<std::string> text = read_file(path, kMostSourceText);
      files.push_back({{"path", cut(path)}, {"text", text.ok() ? *text : ""}});
    }
    return files;
  }

  ordered_json run(size_t index) {
    const Group& group = report_.groups[index];
    ordered_json steps = ordered_json::array();
    if (group.observed) {
      const size_t most = bytes_ < most_bytes_ ? kMostMomentsOfRun : kFewMoments;
      const std::vector<Moment> moments = around(told_of(group), most);
      const std::vector<Row> rows = Rows(moments, find_messages(*group.observed)).make();
      for (const Row& one : rows) {
        steps.push_back(step(one));
        if (one.sent_by > 0) steps.back()["from"] = steps[one.sent_by - 1]["node"];
      }
    }
    return {{"title", fmt::format("Cause {}", index + 1)},
            {"faults", cut(to_string(group.plan))},
            {"story", causes(group)},
            {"outcome", "violated"},
            {"counterexample", index + 1},
            {"replay", group.saved.empty() ? "" : "clew replay " + group.saved},
            {"start", nothing()},
            {"steps", std::move(steps)},
            {"ended", true},
            {"explanation", explanation(group)}};
  }

  // Less how programs are loaded, which is the same every time.
  static std::vector<Moment> told_of(const Group& group) {
    std::set<std::string> loading;
    for (const inject::Point& point : group.observed->points) {
      if (point.is_loading()) loading.insert(point.id());
    }
    std::vector<Moment> moments = story(*group.observed, group.plan);
    std::erase_if(moments, [&](const Moment& one) {
      return one.kind == Moment::Kind::kCall && !one.failed && loading.contains(one.point);
    });
    return moments;
  }

  ordered_json step(const Row& row) {
    const Moment& moment = *row.moment;
    const std::string what =
        row.calls == 1 ? moment.what : fmt::format("{}, {} times", moment.what, row.calls);
    ordered_json data = {{"move", fmt::format("{}: {}", moment.who, cut(what))},
                         {"kind", kind_of(moment)},
                         {"node", number_of(moment.who)},
                         {"what", cut(what)},
                         {"fault", moment.kind == Moment::Kind::kFailure},
                         {"failed", moment.failed},
                         {"at", moment.at}};
    if (row.sent_by > 0) data["sent_by"] = row.sent_by;
    data["sent"] = nothing();
    data["answered"] = nothing();
    return data;
  }

  // The page draws crashes and restarts as those of explored nodes.
  static const char* kind_of(const Moment& moment) {
    if (moment.dies) return "crash";
    return moment.comes_back ? "restart" : to_string(moment.kind);
  }

  ordered_json explanation(const Group& group) {
    ordered_json why = ordered_json::array();
    for (const check::Broken& broken : group.broken) {
      report::Answer answer;
      answer.why.push_back(broken.pre);
      answer.why_not.push_back(broken.post);
      why.push_back({cut(broken.promise), report::to_text(answer)});
    }
    return {{"property", cut(fmt::format("{}", fmt::join(group.promises, ", ")))},
            {"cures", nothing()},
            {"left_out", nothing()},
            {"causes", causes(group)},
            {"often", often(group)},
            {"why", std::move(why)}};
  }

  const Report& report_;
  const size_t most_bytes_;
  size_t bytes_ = 0;  // of texts so far
  std::vector<std::string> names_{};
};

}  // namespace

std::string page_data(const Report& report, size_t most_bytes) {
  return report::without_tags(report::json_text(InjectedPage(report, most_bytes).write()));
}

std::string page(const Report& report) { return report::page_with(page_data(report)); }

}  // namespace clew::service
