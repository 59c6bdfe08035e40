#include "check/promises.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/text.h"
#include "base/watched.h"

namespace clew::check {

namespace {

using dedalus::PromiseInfo;

// counterexample.json of the promise `durable`: counterexample-durable.json
std::string saved_as(const std::string& path, const std::string& promise) {
  if (is_stream(path)) return path;
  const std::filesystem::path file(path);
  const std::string name =
      fmt::format("{}-{}{}", file.stem().string(), promise, file.extension().string());
  return (file.parent_path() / name).string();
}

// What is written of one promise among several is told apart by its name.
void set_apart(const std::string& promise, Wanted& wanted) {
  wanted.among_others = true;
  wanted.save = saved_as(wanted.save, promise);
  if (!wanted.certificate.empty()) {
    wanted.certificate = (std::filesystem::path(wanted.certificate) / promise).string();
  }
  wanted.outputs = outputs_of(wanted.outputs, promise);
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
                             const std::vector<std::string>& names, Notes notes)
    : wanted_(std::move(wanted)), notes_(std::move(notes)) {
  CHECK(!names.empty(), "nothing to check");
  for (const std::string& name : names) {
    auto part = std::make_unique<ProgramInput>(input);
    part->program = dedalus::with_promise(input.program, name);
    checks_.push_back({std::move(part)});
  }
}

void PromiseChecks::run(std::chrono::milliseconds length) {
  whole_ = Budget(length);
  for (size_t i = 0; i < checks_.size(); ++i) {
    PromiseCheck& one = checks_[i];
    const std::string& name = one.input->program.promises.front().name;
    Wanted wanted = wanted_;
    if (several()) set_apart(name, wanted);
    const double share = whole_.seconds_left() / static_cast<double>(checks_.size() - i);
    const std::chrono::milliseconds time(std::max<int64_t>(1, static_cast<int64_t>(share * 1000)));
    one.session = std::make_unique<Session>(*one.input, std::move(wanted), time, notes_);
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

std::vector<Error> PromiseChecks::write_outputs() {
  const Outputs& outputs = wanted_.outputs;
  if (!outputs.any()) return {};
  const Budget rest = whole_.rest();
  const auto used_up = [&rest] { return rest.used_up(); };
  const Watched watched(used_up);
  std::vector<report::Record> records;
  for (PromiseCheck& one : checks_) {
    one.session->go_on_within(rest);
    records.push_back(one.session->record(std::move(one.ending)));
  }
  std::vector<Error> errors = write_verdicts(outputs, records);
  const auto keep = [&errors](std::vector<Error> more) {
    errors.insert(errors.end(), more.begin(), more.end());
  };
  if (several()) {
    keep(clear_runs(outputs));
    const bool shown = std::ranges::any_of(
        records, [](const report::Record& one) { return one.replay != nullptr; });
    const Status page = outputs.report.empty() || !shown
                            ? Nothing{}
                            : write_page(outputs.report, records, used_up, notes_);
    if (!page.ok()) errors.push_back(page.error());
  }
  for (size_t i = 0; i < checks_.size(); ++i) {
    if (checks_[i].ending.answered) keep(checks_[i].session->write_runs(records[i]));
  }
  return errors;
}

}  // namespace clew::check
