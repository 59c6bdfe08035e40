#include "tests/inject/toys.h"

#include <fmt/format.h>

#include <filesystem>
#include <variant>

#include "base/check.h"
#include "inject/local_runner.h"

namespace clew::inject {

namespace fs = std::filesystem;

namespace {

std::string toy_program() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "inject_toy").string();
}

std::string told(const Happening& one) {
  if (const Line* line = std::get_if<Line>(&one)) return line->who + ": " + line->text;
  if (const Told* fact = std::get_if<Told>(&one)) return fact->who + " tells " + fact->fact;
  if (const Struck* struck = std::get_if<Struck>(&one)) {
    return fmt::format("struck {}", struck->failure);
  }
  const Change* const change = std::get_if<Change>(&one);
  if (change == nullptr) return "";
  const bool numbered =
      change->kind == Change::Kind::kExited || change->kind == Change::Kind::kKilled;
  return numbered ? fmt::format("{} {} {}", to_string(change->kind), change->who, change->number)
                  : fmt::format("{} {}", to_string(change->kind), change->who);
}

}  // namespace

Toys::Toys() : folder_(fs::current_path().string()) {
  CHECK(folder_.valid(), "no folder for a target");
  fs::create_directory(state());
}

bool Toys::make_folder(const std::string& path) { return fs::create_directory(path); }

CommandSpec Toys::shell_command(const std::string& script) {
  return {.words = {"/bin/sh", "-c", script}};
}

CommandSpec Toys::toy_command(const std::vector<std::string>& words) {
  CommandSpec command{.words = {toy_program()}};
  command.words.insert(command.words.end(), words.begin(), words.end());
  return command;
}

Target Toys::shell(const std::string& node, const std::string& workload) const {
  Target target;
  target.path = folder() + "/target.toml";
  target.folder = folder();
  target.state = {state()};
  target.nodes.push_back({.name = "n", .command = shell_command(node), .ready = {.line = "ready"}});
  target.workload = shell_command(workload);
  return target;
}

Target Toys::server(const std::vector<std::string>& words) const {
  Target target = shell("", "");
  target.nodes[0].command = toy_command({"serve", "7000", state() + "/kept"});
  std::vector<std::string> asks = {"ask", "7000"};
  asks.insert(asks.end(), words.begin(), words.end());
  target.workload = toy_command(asks);
  target.check = shell_command("cat state/kept");
  return target;
}

Observed Toys::run(const Target& target, const std::vector<std::string>& failures) {
  Plan plan;
  for (const std::string& text : failures) {
    const Result<Failure> failure = parse_failure(text);
    CHECK(failure.ok(), "{}", failure.error().message);
    plan.push_back(*failure);
  }
  const auto runner = LocalRunner::make(target, {.jobs = 1});
  CHECK(runner.ok(), "{}", runner.error().message);
  (*runner)->start(1, plan);
  return (*runner)->next().observed;
}

std::string point_of(const Observed& seen, std::string_view call, std::string_view object,
                     std::string_view node) {
  for (const Happening& one : seen.happenings) {
    const Call* const made = std::get_if<Call>(&one);
    const bool fits = made != nullptr && (object.empty() || made->object.name == object);
    if (fits && made->row->name == call && seen.nodes[made->node] == node) {
      return seen.points[made->point].id();
    }
  }
  return "none";
}

std::vector<std::string> story(const Observed& seen) {
  std::vector<std::string> all;
  for (const Happening& one : seen.happenings) {
    if (!std::holds_alternative<Call>(one)) all.push_back(told(one));
  }
  return all;
}

std::vector<std::string> lines_of(const Observed& seen, std::string_view who) {
  std::vector<std::string> lines;
  for (const Happening& one : seen.happenings) {
    const Line* const line = std::get_if<Line>(&one);
    if (line != nullptr && line->who == who) lines.push_back(line->text);
  }
  return lines;
}

std::vector<std::string> calls_of(const Observed& seen, std::string_view call,
                                  std::string_view object, std::string_view node) {
  std::vector<std::string> calls;
  for (const Happening& one : seen.happenings) {
    const Call* const made = std::get_if<Call>(&one);
    if (made == nullptr || made->row->name != call ||
        (!object.empty() && made->object.name != object) || seen.nodes[made->node] != node) {
      continue;
    }
    calls.push_back(fmt::format("{}{}{}", made->result, made->injected ? " injected" : "",
                                made->finished ? "" : " unfinished"));
  }
  return calls;
}

std::vector<std::string> warnings_of(const Observed& seen) {
  std::vector<std::string> all;
  for (const Warning& warning : seen.warnings) all.push_back(warning.what);
  return all;
}

}  // namespace clew::inject
