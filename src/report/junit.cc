#include "report/junit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "report/escape.h"
#include "report/story.h"

namespace clew::report {

namespace {

constexpr const char* kInterrupted = "interrupted: larger bounds were not checked";

std::string suite_name(const Record& record) {
  if (record.program.empty()) return "clew check";
  return std::filesystem::path(record.program.front().path).stem().string();
}

// Does not name bounds that a sweep found: a test should keep its name.
std::string case_name(const CheckReport& check) {
  return check.promise + " within " +
         (check.swept ? "swept bounds" : describe_bounds(check.verdict.model));
}

std::string first_faults(const CheckReport& check) {
  if (check.counterexamples.empty()) return to_string(Verdict::Kind::kBroken);
  const std::vector<std::string> told = list_faults(check.counterexamples.front().run);
  return told.empty() ? "no fault is needed" : fmt::format("{}", fmt::join(told, "; "));
}

std::string property(const std::string& name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
}

std::string properties(const CheckReport& check) {
  const Verdict& verdict = check.verdict;
  const std::string limits = describe(verdict.model.limits);
  const Tick eventually = verdict.model.eventually;
  return "    <properties>\n" + property("verdict", to_string(verdict.kind)) +
         property("eot", std::to_string(verdict.model.eot)) +
         property("eff", std::to_string(verdict.model.eff)) +
         property("crashes", std::to_string(verdict.model.crashes)) +
         (eventually > 0 ? property("eventually", std::to_string(eventually)) : "") +
         property("crash_model", to_string(verdict.model.crash_model)) +
         (limits.empty() ? "" : property("limits", limits)) +
         property("nodes", fmt::format("{}", fmt::join(verdict.model.nodes, ","))) +
         property("adversary", check.adversary) +
         property("executions", std::to_string(verdict.effort.executions)) + "    </properties>\n";
}

std::string error(const char* type, const std::string& message, const std::string& text) {
  return fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n", type, xml(message),
                     xml(text));
}

std::string ending(const CheckReport& check) {
  switch (check.verdict.kind) {
    case Verdict::Kind::kRobust:
      if (check.interrupted) return error("interrupted", kInterrupted, to_text(check));
      return fmt::format("      <system-out>{}</system-out>\n", xml(to_text(check)));
    case Verdict::Kind::kBroken:
      return fmt::format("      <failure type=\"broken\" message=\"{}\">{}</failure>\n",
                         xml(first_faults(check)), xml(to_text(check)));
    case Verdict::Kind::kVacuous:
      return error("vacuous", headline(check), to_text(check));
    case Verdict::Kind::kFailed:
      return error("failed", check.verdict.why_unknown, check.verdict.why_unknown + "\n");
    default:
      return error("unknown", check.verdict.why_unknown, to_text(check));
  }
}

struct Counts {
  size_t tests = 0;
  size_t failures = 0;
  size_t errors = 0;
  double seconds = 0;

  void add(const CheckReport& check) {
    const bool broken = check.verdict.kind == Verdict::Kind::kBroken;
    const bool robust = check.verdict.kind == Verdict::Kind::kRobust && !check.interrupted;
    ++tests;
    failures += broken ? 1 : 0;
    errors += broken || robust ? 0 : 1;
    seconds += check.seconds;
  }
  std::string text() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", tests,
                       failures, errors, seconds);
  }
};

std::string suite(const Record& record) {
  const CheckReport& check = record.check;
  Counts counts;
  counts.add(check);
  const std::string name = xml(suite_name(record));
  return fmt::format(
      "  <testsuite name=\"{1}\" {0} skipped=\"0\">\n"
      "{2}"
      "    <testcase classname=\"{1}\" name=\"{3}\" time=\"{4:.3f}\">\n"
      "{5}"
      "    </testcase>\n"
      "  </testsuite>\n",
      counts.text(), name, properties(check), xml(case_name(check)), check.seconds, ending(check));
}

}  // namespace

std::string junit(std::span<const Record> records) {
  Counts counts;
  std::string suites;
  for (const Record& record : records) {
    counts.add(record.check);
    suites += suite(record);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"clew check\" {}>\n{}</testsuites>\n",
      counts.text(), suites);
}

}  // namespace clew::report
