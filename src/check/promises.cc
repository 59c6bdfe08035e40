#include "check/promises.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "base/watched.h"

namespace clew::check {

namespace {

using dedalus::PromiseInfo;

// counterexample.json of the promise `durable`: counterexample-durable.json
std::string saved_as(const std::string& path, const std::string& promise) {
  const std::filesystem::path file(path);
  const std::string name =
      fmt::format("{}-{}{}", file.stem().string(), promise, file.extension().string());
  return (file.parent_path() / name).string();
}

}  // namespace

Result<std::vector<std::string>> choose_promises(const dedalus::Program& program,
                                                 const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const PromiseInfo& promise : program.promises) {
    if (promise.defines_pre) names.push_back(promise.name);
  }
  if (names.empty()) {
    return Error{
        "nothing is promised: the program has no rule for `pre`, and no promise",
        "say what must hold, as in `promise stored: acked(C, W) implies log(_, W);`, or as "
        "rules for `pre` and `post`"};
  }
  if (wanted.empty()) return names;
  for (const std::string& name : wanted) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::optional<std::string> meant = closest(name, names);
    return Error{fmt::format("the program makes no promise \"{}\"", name),
                 meant ? fmt::format("did you mean {}?", *meant)
                       : fmt::format("its promises are {}", fmt::join(names, ", "))};
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(wanted, name) == wanted.end();
  });
  return names;
}

PromiseChecks::PromiseChecks(const ProgramInput& input, Wanted wanted,
                             const std::vector<std::string>& names)
    : wanted_(std::move(wanted)) {
  CHECK(!names.empty(), "nothing to check");
  for (const std::string& name : names) {
    auto part = std::make_unique<ProgramInput>(input);
    part->program = dedalus::with_promise(input.program, name);
    checks_.push_back({std::move(part)});
  }
}

void PromiseChecks::run(std::chrono::milliseconds length, bool show_progress) {
  const Budget whole(length);
  for (size_t i = 0; i < checks_.size(); ++i) {
    PromiseCheck& one = checks_[i];
    const std::string& name = one.input->program.promises.front().name;
    Wanted wanted = wanted_;
    if (checks_.size() > 1) wanted.save = saved_as(wanted_.save, name);
    wanted.among_others = checks_.size() > 1;
    const double share = whole.seconds_left() / static_cast<double>(checks_.size() - i);
    const std::chrono::milliseconds time(std::max<int64_t>(1, static_cast<int64_t>(share * 1000)));
    one.session = std::make_unique<Session>(*one.input, std::move(wanted), time, show_progress);
    one.ending = one.session->run();
  }
}

std::vector<const report::CheckReport*> PromiseChecks::reports() const {
  std::vector<const report::CheckReport*> reports;
  for (const PromiseCheck& one : checks_) {
    if (one.ending.answered) reports.push_back(&one.ending.report);
  }
  return reports;
}

const PromiseCheck& PromiseChecks::worst() const {
  return *std::ranges::max_element(
      checks_, {}, [](const PromiseCheck& one) { return badness(one.ending.report.verdict.kind); });
}

std::vector<Error> PromiseChecks::write_outputs() {
  if (!wanted_.outputs.any()) return {};
  const auto index = static_cast<size_t>(&worst() - checks_.data());
  const Watched watched(after_search());
  std::vector<report::Record> records;
  for (PromiseCheck& one : checks_) records.push_back(one.session->record(std::move(one.ending)));
  std::vector<Error> errors = write_verdicts(wanted_.outputs, records);
  for (Error& error : checks_[index].session->write_runs(records[index])) {
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace clew::check
