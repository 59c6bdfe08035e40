#include "service/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/files.h"
#include "base/text.h"
#include "report/json_text.h"
#include "report/page.h"
#include "report/why.h"
#include "service/story.h"
#include "service/tell.h"

namespace clew::service {

namespace {

using nlohmann::ordered_json;

constexpr size_t kMostSourceText = 1 << 20;  // bytes of one file
constexpr size_t kLongText = 2000;           // characters
constexpr size_t kMostMomentsOfRun = 2000;   // of one run
constexpr size_t kFewMoments = 100;          // once the page is full

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
      for (const Moment& one : around(story(*group.observed, group.plan), most)) {
        steps.push_back(step(one));
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

  ordered_json step(const Moment& moment) {
    ordered_json data = {{"move", fmt::format("{}: {}", moment.who, cut(moment.what))},
                         {"kind", kind_of(moment)},
                         {"node", number_of(moment.who)},
                         {"what", cut(moment.what)},
                         {"fault", moment.kind == Moment::Kind::kFailure},
                         {"failed", moment.failed},
                         {"at", moment.at}};
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
