#include "tests/inject/strace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "base/text.h"

namespace clew::inject {
namespace {

const CallRow* row_called(const std::string& name) {
  const auto rows = all_calls();
  const auto row = std::ranges::find_if(rows, [&](const CallRow& one) { return one.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

// Whether strace's line shows one that is part of the surface.
bool is_of_surface(const std::string& name, const std::string& line) {
  const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
  if (name == "mmap") {
    return !has("MAP_ANONYMOUS") && (has("MAP_SHARED") || has("PROT_EXEC"));
  }
  if (name == "fcntl") return has("F_DUPFD") || has("F_SETFL");
  if (name == "ioctl") return has("FICLONE");
  return row_called(name) != nullptr;
}

// The first text in quotes, if the call is about a path; of a symbolic link, its name is the
// second.
std::string path_in(const std::string& name, const std::string& line) {
  static const std::regex quoted(R"re("([^"]*)")re");
  if (row_called(name)->path < 0) return "";
  std::sregex_iterator text(line.begin(), line.end(), quoted);
  if (name.starts_with("symlink") && text != std::sregex_iterator()) ++text;
  return text == std::sregex_iterator() ? "" : (*text)[1].str();
}

bool makes_a_thread(const std::string& name) {
  return name == "clone" || name == "clone3" || name == "fork" || name == "vfork";
}

// What is not finished on its line ends on a later one, and what is restarted counts once.
CallsMade read_strace(const std::string& path) {
  static const std::regex begins(R"((\d+) +(\w+)\(.*)");
  static const std::regex resumes(R"((\d+) +<\.\.\. \w+ resumed>.*)");
  static const std::regex fails(R"(.* = -1 (E\w+) \(.*)");
  static const std::regex succeeds(R"(.* = (\d+)( \(.*)?)");
  CallsMade made;
  std::map<std::string, bool> counts;  // whether the call that is not finished is of the surface
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    std::string thread;
    if (std::regex_match(line, match, begins)) {
      thread = match[1];
      counts[thread] = is_of_surface(match[2], line);
      if (counts[thread]) {
        made.of[thread].push_back({.name = match[2], .path = path_in(match[2], line)});
      }
    } else if (std::regex_match(line, match, resumes)) {
      thread = match[1];
    }
    if (thread.empty() || !counts[thread]) continue;
    std::vector<TracedRun::Seen>& calls = made.of[thread];
    if (line.find(" = ? ERESTART") != std::string::npos) {
      calls.pop_back();
    } else if (std::regex_match(line, match, fails)) {
      calls.back().result = "=-" + match[1].str();
    } else if (std::regex_match(line, match, succeeds)) {
      calls.back().result = "=" + match[1].str();
      if (makes_a_thread(calls.back().name)) made.made_by[match[1].str()] = thread;
    }
  }
  return made;
}

std::string error_of(const TracedRun::Seen& call) {
  return call.result.starts_with("=-") ? " " + call.result.substr(1) : "";
}

// The last one that it has executed, else that of whoever made it.
std::string program_of(const CallsMade& calls, const std::string& thread) {
  const auto own = calls.of.find(thread);
  if (own != calls.of.end()) {
    for (auto call = own->second.rbegin(); call != own->second.rend(); ++call) {
      if (call->name != "execve" || call->result != "=0") continue;
      return std::filesystem::path(call->path).filename();
    }
  }
  const auto maker = calls.made_by.find(thread);
  return maker == calls.made_by.end() ? "" : program_of(calls, maker->second);
}

std::string without_numbers(std::string path, const std::string& folder) {
  if (const size_t at = path.find(folder); at != std::string::npos) {
    path.replace(at, folder.size(), "FOLDER");
  }
  return std::regex_replace(path, std::regex("[0-9]+"), "#");
}

}  // namespace

bool is_installed(const std::string& program) {
  const std::string path = program.starts_with('/') ? program : "/usr/bin/" + program;
  return access(path.c_str(), X_OK) == 0;
}

CallsMade calls_of(const TracedRun& run) {
  CallsMade made;
  std::map<pid_t, std::string> newest;  // the first thread of the process with this number
  for (size_t i = 0; i < run.processes.size(); ++i) {
    const TracedRun::OneProcess& process = run.processes[i];
    const std::string first = fmt::format("{} {}", i, process.id);
    if (newest.contains(process.parent)) made.made_by[first] = newest[process.parent];
    newest[process.id] = first;
    for (const auto& [id, thread] : process.threads) {
      const std::string name = fmt::format("{} {}", i, id);
      if (name != first) made.made_by[name] = first;
      made.of[name] = thread.calls;
    }
  }
  return made;
}

CallsMade calls_under_strace(const TracedRun& run) {
  std::string line = "cd " + run.folder() + " && env -i";
  for (const std::string& variable : run.command.environment) line += " " + variable;
  line += " strace -f -s 256 -o strace.out";
  for (const std::string& word : run.command.words) line += " \"" + word + "\"";
  EXPECT_EQ(std::system((line + " < /dev/null > /dev/null 2> strace.err").c_str()), 0)
      << read_whole(run.folder() + "/strace.err");
  CallsMade made = read_strace(run.folder() + "/strace.out");
  // The execve of the command itself is not its own, but strace shows it.
  const auto command = std::ranges::find_if(made.of, [&](const auto& one) {
    return !made.made_by.contains(one.first) && !one.second.empty() &&
           one.second.front().name == "execve";
  });
  EXPECT_NE(command, made.of.end());
  if (command != made.of.end()) command->second.erase(command->second.begin());
  return made;
}

std::vector<std::string> texts_of(const CallsMade& calls) {
  std::vector<std::string> texts;
  for (const auto& [thread, its] : calls.of) {
    std::string text;
    for (const TracedRun::Seen& call : its) text += call.name + error_of(call) + "\n";
    texts.push_back(text);
  }
  std::ranges::sort(texts);
  return texts;
}

std::map<std::string, Counts> by_program(const CallsMade& calls, const std::string& folder) {
  std::map<std::string, Counts> counts;
  for (const auto& [thread, its] : calls.of) {
    Counts& program = counts[program_of(calls, thread)];
    for (const TracedRun::Seen& call : its) {
      const std::string path = without_numbers(call.path, folder);
      ++program[call.name + (path.empty() ? "" : " " + path) + error_of(call)];
    }
  }
  return counts;
}

}  // namespace clew::inject
