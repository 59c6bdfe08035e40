#include "service/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <variant>

#include "base/columns.h"

namespace clew::service {

namespace {

namespace fs = std::filesystem;

using inject::Change;
using inject::CommandSpec;
using inject::NodeSpec;
using inject::Observed;
using inject::Restart;
using inject::Target;

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

std::string below(const std::string& path, const std::string& folder) {
  return fs::path(path).lexically_relative(folder).string();
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

// Where this change came in the run; nothing, if it did not.
std::optional<size_t> find_change(const Observed& seen, Change::Kind kind, std::string_view who) {
  for (size_t i = 0; i < seen.happenings.size(); ++i) {
    const Change* const change = std::get_if<Change>(&seen.happenings[i]);
    if (change != nullptr && change->kind == kind && change->who == who) return i;
  }
  return std::nullopt;
}

enum class Work { kNone, kAll, kCutShort };

// What the workload had yet to do when the power was cut.
Work work_left(const Target& target, const Observed& seen) {
  if (!target.workload) return Work::kNone;
  const auto cut = find_change(seen, Change::Kind::kPowerCut, target.nodes.front().name);
  const auto start = find_change(seen, Change::Kind::kStarted, "workload");
  if (!start || !cut) return Work::kNone;
  if (*cut < *start) return Work::kAll;
  const auto end = find_change(seen, Change::Kind::kExited, "workload");
  return end && *end < *cut ? Work::kNone : Work::kCutShort;
}

// A word of a command; what lies in the folder of the target is in $work.
std::string shell_word(const Target& target, std::string_view word) {
  const std::string folder = target.folder + "/";
  std::string result;
  for (size_t at = word.find(folder); at != std::string_view::npos; at = word.find(folder)) {
    if (at > 0) result += in_quotes(word.substr(0, at));
    result += "\"$work\"/";
    word.remove_prefix(at + folder.size());
  }
  return word.empty() && !result.empty() ? result : result + in_quotes(word);
}

// With the environment that it has in a run, in its folder.
std::string shell_command(const Target& target, const CommandSpec& command) {
  const std::string folder = command.folder.empty() ? target.folder : command.folder;
  std::string line = is_below(folder, target.folder)
                         ? fmt::format("cd \"$work\"/{}", in_quotes(below(folder, target.folder)))
                         : "cd " + in_quotes(folder);
  line += " && exec env -i PATH=\"$PATH\" HOME=\"$HOME\" LANG=C TZ=UTC";
  for (const auto& [name, value] : command.environment) {
    line += fmt::format(" {}={}", name, shell_word(target, value));
  }
  // A program is where it is, unless the state has it.
  const std::string& program = command.words.front();
  const bool in_state = std::ranges::any_of(
      target.state, [&](const std::string& state) { return is_below(program, state); });
  line += " " + (in_state ? shell_word(target, program) : in_quotes(program));
  for (size_t i = 1; i < command.words.size(); ++i) {
    line += " " + shell_word(target, command.words[i]);
  }
  return line;
}

// Everything beside the state is a link to what is there.
std::string lay_out(const Target& target) {
  std::string text = "  work=$(mktemp -d) || exit 2\n";
  std::vector<std::string> folders;  // that have something of the state in them
  for (size_t i = 0; i < target.state.size(); ++i) {
    const fs::path state = below(target.state[i], target.folder);
    text += fmt::format("  mkdir -p \"$work\"/{0} && cp -a \"$here\"/state/{1}/. \"$work\"/{0}/\n",
                        in_quotes(state.string()), i);
    if (state == ".") continue;
    for (fs::path one = state.parent_path();; one = one.parent_path()) {
      const std::string folder = one.empty() ? "." : one.string();
      if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
      if (one.empty()) break;
    }
  }
  for (const std::string& folder : folders) {
    text += fmt::format("  link_others {}\n", in_quotes(folder));
  }
  return text;
}

std::string readiness(const Target& target, const NodeSpec& node) {
  std::string look = "true";
  if (!node.ready.line.empty()) {
    look = fmt::format("grep -qP -e {} \"$work.node\"", in_quotes(node.ready.line));
  }
  if (!node.ready.file.empty()) {
    const std::string file =
        node.ready.file.starts_with('/') ? node.ready.file : target.folder + "/" + node.ready.file;
    look += fmt::format(" && [ -e {} ]", shell_word(target, file));
  }
  if (node.ready.port != 0) {
    look += fmt::format(" && grep -q ':{:04X} [0-9A-F]*:0000 0A' /proc/net/tcp /proc/net/tcp6",
                        node.ready.port);
  }
  return fmt::format(
      "  tries={}\n"
      "  until {} || [ $tries -eq 0 ]; do sleep 0.1; tries=$((tries - 1)); done\n",
      static_cast<int>(target.ready_seconds * 10), look);
}

std::string timed(const Target& target, const CommandSpec& command) {
  return fmt::format("timeout {} sh -c {}", target.run_seconds,
                     in_quotes(shell_command(target, command)));
}

constexpr std::string_view kHead = R"sh(#!/bin/sh
# Shows ten times what becomes of the files in state/. README.md says more. Clew is not needed.
here=$(cd "$(dirname "$0")" && pwd)
target=${{1:-{}}}  # the folder of the target file
export work target

link_others() {{
  for one in "$target/$1"/* "$target/$1"/.[!.]*; do
    name=$(basename "$one")
    [ -e "$one" ] && [ ! -e "$work/$1/$name" ] && ln -s "$one" "$work/$1/$name"
  done
}}

[ -d "$target" ] || {{ echo "there is no $target: call $0 FOLDER-OF-THE-TARGET" >&2; exit 2; }}
shown=0
for run in 1 2 3 4 5 6 7 8 9 10; do
)sh";

constexpr std::string_view kTail =
    R"sh(  if cmp -s "$work.check" "$here/expected.txt"; then shown=$((shown + 1)); fi
  if [ "$run" -eq 1 ]; then
    echo "the check printed:"
    cat "$work.check"
  fi
  rm -rf "$work" "$work.check" "$work.node"
done
echo "in $shown of 10 runs it printed the same as in the run that violated {}"
[ "$shown" -gt 0 ]
)sh";

}  // namespace

std::optional<std::string> why_not_ready_made(const Target& target, const Group& group) {
  if (group.plan.size() != 1 || !group.plan.front().is_power()) {
    return "it is no single power cut";
  }
  if (!group.observed) return "no run violated the promise again";
  if (target.nodes.size() != 1) return "what the other nodes know is in no file";
  if (!target.check) return "the target has no check";
  const auto has_user = [](const CommandSpec& command) { return !command.user.empty(); };
  if (has_user(target.nodes.front().command) || has_user(*target.check) ||
      (target.workload && has_user(*target.workload))) {
    return "a command runs as another user";
  }
  const bool inside = std::ranges::all_of(
      target.state, [&](const std::string& state) { return is_below(state, target.folder); });
  if (!inside) return "state lies outside of the folder of the target";
  return std::nullopt;
}

std::string run_script(const Target& target, const Group& group) {
  const NodeSpec& node = target.nodes.front();
  std::string text = fmt::format(kHead, in_quotes(target.folder)) + lay_out(target);
  text += "  : > \"$work.node\"\n";
  const bool starts = node.restart != Restart::kNever;
  if (starts && node.runs_to_end) {
    text += fmt::format("  {} > \"$work.node\" 2>&1 < /dev/null\n", timed(target, node.command));
  } else if (starts) {
    text += fmt::format("  setsid sh -c {} > \"$work.node\" 2>&1 < /dev/null &\n  node=$!\n",
                        in_quotes(shell_command(target, node.command)));
    text += readiness(target, node);
  }
  if (work_left(target, *group.observed) == Work::kAll) {
    text += fmt::format("  {} > /dev/null 2>&1 < /dev/null\n", timed(target, *target.workload));
  }
  text += fmt::format("  {} > \"$work.check\" 2>&1 < /dev/null\n", timed(target, *target.check));
  if (starts && !node.runs_to_end) {
    text += "  kill -s KILL -- \"-$node\"; wait \"$node\" 2> /dev/null\n";
  }
  return text + fmt::format(kTail, group.promises.front());
}

std::string expected(const Observed& seen) {
  std::string text;
  for (const inject::Happening& one : seen.happenings) {
    const inject::Line* const line = std::get_if<inject::Line>(&one);
    if (line != nullptr && line->who == "check") text += line->text + "\n";
  }
  return text;
}

std::string injector_script(const Target& target, const std::vector<std::string>& rules) {
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# Makes the failures strike in ten runs. README.md says more. Clew is not needed.\n"
      "here=$(cd \"$(dirname \"$0\")\" && pwd)\n"
      "target=${{1:-{}}}  # the folder of the target file\n"
      "[ -d \"$target\" ] || {{ echo \"there is no $target: call $0 FOLDER-OF-THE-TARGET\" >&2; "
      "exit 2; }}\n"
      "exec \"$here\"/injector \"$here\"/scenario.json \"$here\"/target.toml \"$target\"/{}",
      in_quotes(target.folder), in_quotes(fs::path(target.path).filename().string()));
  for (const std::string& one : rules) text += " \"$here\"/" + in_quotes(one);
  return text + "\n";
}

std::string read_me(const Target& target, const Group& group,
                    const std::optional<std::string>& why_not) {
  std::string text = fmt::format("# {} is violated\n\n", group.promises.front());
  text += fmt::format("Of the target {}, if this happens:\n\n", target.path);
  for (size_t i = 0; i < group.plan.size(); ++i) {
    text += fmt::format("- {}, at {}\n", inject::describe(group.plan[i], group.points[i]),
                        group.points[i].place());
  }
  if (group.plan.empty()) text += "- nothing: no failure is needed\n";
  if (why_not) {
    return text + fmt::format(
                      "\n`./run.sh` shows it without Clew. `injector` starts what the target file "
                      "names, makes these failures strike as they did, and judges what comes of "
                      "it, ten times: the files that a power cut leaves would not be enough, since "
                      "{}. `scenario.json`, `target.toml` and `rules/` tell it what to do.\n\n"
                      "The programs and files of the target have to be in {}, as they were; "
                      "`./run.sh FOLDER` takes them from another folder, also on another machine. "
                      "A failure strikes where the stack is the same, so the libraries that they "
                      "load have to be the same, too. They work {}.\n\n"
                      "`clew replay scenario.json` runs it as well.\n",
                      *why_not, target.folder,
                      target.isolate ? "in namespaces of their own, on copies of their state"
                                     : "in the real folders of their state, which are put back in "
                                       "order (`isolate = false`)");
  }
  text +=
      "\n`./run.sh` shows it without Clew. `state/` has the files as the power cut left them, in "
      "the "
      "order of `state` in the target file; the script lays them out in a new folder, with links "
      "to "
      "all else that lies beside the target file, starts the node as after the power cut, and runs "
      "the check, ten times. It compares what the check prints with `expected.txt`, which is what "
      "it printed in the run that violated the promise.\n\n"
      "It uses the network and the files of this machine: ports that the target needs must be "
      "free, "
      "and what a command writes beside its state is really written.\n";
  if (work_left(target, *group.observed) == Work::kCutShort) {
    text +=
        "\nThe power was cut while the workload ran. What it did later is not repeated, so that "
        "the check may print something else.\n";
  }
  return text + "\n`clew replay scenario.json` runs all of it again.\n";
}

}  // namespace clew::service
