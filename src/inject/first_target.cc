#include "inject/first_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/columns.h"
#include "base/text.h"
#include "inject/facts.h"
#include "inject/first_look.h"
#include "inject/target_checks.h"

namespace clew::inject {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostLine = 120;  // of those that become patterns
constexpr size_t kMostForms = 5;
constexpr size_t kMostNumber = 18;  // digits of one that a column can hold

// Letters and digits of the program's name, without the folder and an extension.
std::string node_name(const std::string& word) {
  std::string name = fs::path(word).stem().string();
  std::erase_if(name, [](unsigned char c) {
    return c >= 128 || (std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.');
  });
  if (name.empty()) return "node";
  return name == "workload" || name == "check" ? name + "-node" : name;
}

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + '"';
}

// Patterns read best without doubled backslashes.
std::string toml_pattern(const std::string& text) {
  return text.find('\'') == std::string::npos ? "'" + text + "'" : toml_text(text);
}

std::string toml_list(const std::vector<std::string>& words) {
  std::vector<std::string> texts;
  texts.reserve(words.size());
  std::ranges::transform(words, std::back_inserter(texts), toml_text);
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

bool is_plain(const std::string& line) {
  return !line.empty() && line.size() <= kMostLine &&
         std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_word_character(char c) {
  return is_decimal(c) || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// A line as a fact rule: words with digits in them are what differs from line to line.
struct Form {
  std::string example, line, is;
};

std::string relation_of(std::string_view line) {
  std::string name;
  for (const char c : line) {
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      if (name.empty()) continue;
      break;
    }
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (name.empty()) return "printed";
  return name + (built_in_relations().contains(name) ? "_line" : "_told");
}

Form form_of(const std::string& example) {
  Form form{.example = example, .line = {}, .is = {}};
  std::vector<std::string> columns;
  for (std::string_view rest = example; !rest.empty();) {
    const bool word = is_word_character(rest.front());
    const auto end =
        std::ranges::find_if(rest, [&](char c) { return is_word_character(c) != word; });
    const std::string_view part = rest.substr(0, static_cast<size_t>(end - rest.begin()));
    rest.remove_prefix(part.size());
    if (!word || std::ranges::none_of(part, is_decimal)) {
      form.line += escaped(part);
      continue;
    }
    const bool number = std::ranges::all_of(part, is_decimal) && part.size() <= kMostNumber &&
                        (part.size() == 1 || part.front() != '0');
    form.line += number ? "(\\d+)" : "(\\w+)";
    const std::string quote = number ? "" : "\"";
    columns.push_back(fmt::format("{0}${1}{0}", quote, columns.size() + 1));
  }
  form.is = fmt::format("{}({})", relation_of(example), fmt::join(columns, ", "));
  return form;
}

// Of relations that are told once, and by lines of one form each.
std::vector<Form> forms_of(const std::vector<std::string>& lines) {
  std::vector<Form> forms;
  for (const std::string& line : lines) {
    if (!is_plain(line)) continue;
    const Form form = form_of(line);
    const auto head = [](const Form& one) { return one.is.substr(0, one.is.find('(')); };
    const bool known = std::ranges::any_of(
        forms, [&](const Form& had) { return had.line == form.line || head(had) == head(form); });
    if (!known && forms.size() < kMostForms) forms.push_back(form);
  }
  return forms;
}

std::vector<std::string> in_both(const FirstLook& one, const FirstLook& two) {
  std::vector<std::string> lines;
  for (const std::string& line : one.lines) {
    const bool also = std::ranges::find(two.lines, line) != two.lines.end();
    const bool known = std::ranges::find(lines, line) != lines.end();
    if (also && !known && is_plain(line)) lines.push_back(line);
  }
  return lines;
}

bool says_ready(const std::string& line) {
  std::string lower = line;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"ready", "listen", "accept", "started", "serving"},
      [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string last_line(const FirstLook& look) {
  return look.lines.empty() ? "it printed nothing"
                            : "the last that it printed: " + printable(look.lines.back());
}

// Makes the texts, part by part in the order of the file.
class Writing {
 public:
  Writing(const FirstCommand& command, const Observed& one, const Observed& two)
      : command_(command),
        one_(look_at(command, one)),
        two_(look_at(command, two)),
        name_(node_name(command.words.front())),
        lines_(in_both(one_, two_)),
        renames_(renames_between(one, two)) {
    FirstLook both = one_;
    both.written.insert(two_.written.begin(), two_.written.end());
    both.moves_across |= two_.moves_across;
    state_ = state_of(command, both);
  }

  FirstTarget write() {
    begin();
    state();
    node();
    others();
    facts();
    failures();
    rules();
    return std::move(first_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    first_.target += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void note(std::string text) { first_.notes.push_back(std::move(text)); }

  std::string from_file(const std::string& path) const {
    return is_in(path, command_.file_folder) || is_in(path, command_.folder)
               ? fs::path(path).lexically_relative(command_.file_folder).string()
               : path;
  }

  void begin();
  void state();
  void node();
  void ready();
  void others();
  void facts();
  void failures();
  void rules();

  const FirstCommand& command_;
  FirstLook one_, two_;
  std::string name_;
  std::vector<std::string> lines_;  // that both runs printed
  std::vector<Rename> renames_;
  std::vector<std::string> state_;
  bool tells_ready_ = false;
  FirstTarget first_;
};

void Writing::begin() {
  add("# A first target file, from two runs of");
  add("#   {}", printable(fmt::format("{}", fmt::join(command_.words, " "))));
  add("# docs/inject.md describes all that may be said here. What is only likely is a comment.");
  add("");
}

void Writing::state() {
  if (state_.empty()) {
    note("it wrote no file that stays: the target has no `state`");
    add("# It wrote no file that stays. If it does so when it is used:");
    add("# state = \"data\"");
  } else {
    std::vector<std::string> names;
    std::ranges::transform(state_, std::back_inserter(names),
                           [&](const std::string& path) { return from_file(path); });
    add("# It wrote here: every run has a fresh copy.");
    add("state = {}", names.size() == 1 ? toml_text(names.front()) : toml_list(names));
    if (state_.front() == command_.folder) {
      note(
          "it writes beside its program: all of this folder is copied for each run; a folder of "
          "its own for what it writes is better");
    }
  }
  for (const std::string& folder : one_.elsewhere) {
    add("# It also wrote in {}, which every run has for itself.", printable(folder));
  }
  for (const std::string& folder : one_.refused) {
    note(fmt::format("it could not write in {}: name it in `state` if it has to", folder));
    add("# It could not write in {}: name it in `state` if it has to.", printable(folder));
  }
  add("spec = [{}]", toml_text(command_.rules));
  add("");
}

void Writing::node() {
  std::vector<std::string> words = command_.words;
  if (words.front().find('/') != std::string::npos) {
    words.front() = from_file(absolute_path(words.front(), command_.folder));
    if (words.front().find('/') == std::string::npos) words.front().insert(0, "./");
  }
  add("[[node]]");
  add("name = {}", toml_text(name_));
  add("command = {}", toml_list(words));
  if (command_.folder != command_.file_folder) {
    add("folder = {}", toml_text(from_file(command_.folder)));
  }
  if (one_.ends && two_.ends) {
    tells_ready_ = true;
    add("runs_to_end = true  # it ended by itself, with 0");
  } else {
    ready();
  }
  add("# It has PATH, HOME, LANG=C and TZ=UTC, and runs as whoever calls Clew. If it needs more:");
  add("# environment = {{ NAME = \"value\" }}");
  add("# user = \"nobody\"");
  add("");
}

void Writing::ready() {
  tells_ready_ = true;
  const auto last =
      std::find_if(one_.listening.rbegin(), one_.listening.rend(), [&](const Listening& listening) {
        return std::ranges::find(two_.listening, listening) != two_.listening.end() &&
               (listening.port != 0 || !fs::exists(listening.path));
      });
  const auto line = std::ranges::find_if(lines_, says_ready);
  if (last != one_.listening.rend() && last->port != 0) {
    add("ready = {{ port = {} }}  # it listens there", last->port);
  } else if (last != one_.listening.rend()) {
    add("ready = {{ file = {} }}  # it listens there", toml_text(from_file(last->path)));
  } else if (line != lines_.end()) {
    add("ready = {{ line = {} }}", toml_pattern(escaped(*line)));
  } else {
    tells_ready_ = false;
    note("what tells that it is ready is not known: say `ready`, as { line = \"...\" }");
    add("# What tells that it is ready? Without that, it is at once.");
    add("# ready = {{ line = {} }}",
        lines_.empty() ? toml_pattern("ready") : toml_pattern(escaped(lines_.back())));
  }
  if (one_.listens_anywhere) {
    note("it listens on a port that differs from run to run: give it one below 32768");
    add("# It listens on a port that differs from run to run: give it one below 32768.");
  }
  if (one_.listening.empty() && !one_.listens_anywhere) {
    note(fmt::format("after {} s it had not ended, and listened nowhere: it counts as a server",
                     kFirstRunSeconds));
    add("# If it ends by itself, but takes longer than {} s: runs_to_end = true, and run_seconds "
        "in",
        kFirstRunSeconds);
    add("# [limits].");
  }
}

void Writing::others() {
  const bool server = !one_.ends || !two_.ends;
  add("# What uses it{}",
      server ? ". Without that, a run is no more than its start." : ", if need be.");
  add("# [workload]");
  add("# command = [\"./client\", \"put\", \"7\"]");
  add("");
  add("# What looks at the files, or asks, in the end, when nothing fails any more.");
  add("# [check]");
  add("# command = [\"./client\", \"list\"]");
  add("");
  if (server) note("next: say in [workload] what uses it");
}

void Writing::facts() {
  const std::vector<Form> forms = forms_of(one_.lines);
  if (forms.empty()) {
    note("it printed nothing that could become a fact");
    add("# Facts from lines that it prints. In the two runs there were none to take.");
    add("# [[fact]]\n# from = {}\n# line = 'stored (\\d+)'\n# is = 'stored($1)'", toml_text(name_));
  } else {
    add("# Facts from lines that it printed. The rules may then speak of them.");
  }
  for (const Form& form : forms) {
    add("# [[fact]]  # as in: {}", form.example);
    add("# from = {}", toml_text(name_));
    add("# line = {}", toml_pattern(form.line));
    add("# is = {}", toml_pattern(form.is));
  }
  add("");
}

void Writing::failures() {
  add("[failures]");
  add("kinds = [\"crash\", \"error\"]  # also: lasting, short, torn, corrupt, reset, timeout, cut, "
      "drop{}",
      state_.empty() ? "" : ", power");
  if (renames_.empty()) return;
  add("");
  add("# These names were not the same in both runs.");
  for (const Rename& rename : renames_) {
    add("[[rename]]");
    add("pattern = {}", toml_pattern(rename.pattern));
    add("becomes = {}", toml_text(rename.becomes));
  }
}

void Writing::rules() {
  const bool ends = one_.ends && two_.ends;
  std::string& text = first_.rules;
  text += fmt::format("// First promises of {}; docs/inject.md has the facts that rules may use.\n",
                      name_);
  text += "// Whatever fails, no process is ended by a signal of its own, such as SIGSEGV.\n";
  text += "never dies: killed(_, _, _);\n\n";
  if (tells_ready_) {
    text += ends ? "// Whenever it is started, it comes to an end.\n"
                 : "// Whenever it is started, it gets ready: also with what a crash has left.\n";
    text += "begins(N, A) :- started(N, A);\nbegins(N, A) :- restarted(N, A);\n";
    text += ends ? "arrives(N, A) :- begins(N, A), exited(N, _, B), A < B;\n"
                 : "arrives(N, A) :- begins(N, A), ready(N, B), A < B;\n";
    text += fmt::format("promise {}: begins(\"{}\", A) implies arrives(\"{}\", A);\n\n",
                        ends ? "ends" : "comesUp", name_, name_);
  }
  text += "// To go on from here, take away the // of what has to hold in spite of failures.\n";
  if (ends) {
    text += fmt::format("// promise succeeds: started(\"{0}\", _) implies exited(\"{0}\", 0, _);\n",
                        name_);
  }
  const auto said = std::ranges::find_if(
      lines_, [](const std::string& line) { return line.find_first_of("\"\\") == line.npos; });
  if (said != lines_.end()) {
    text += fmt::format("// promise says: started(\"{0}\", _) implies said(\"{0}\", \"{1}\", _);\n",
                        name_, *said);
  }
  text += "// promise durable: acked(W) implies stored(W);  // of [[fact]]: what it has promised\n";
}

}  // namespace

Result<Target> target_to_watch(const FirstCommand& command) {
  for (const std::string& word : command.words) {
    if (find_invalid_utf8(word)) {
      return Error{fmt::format("{} is not UTF-8, which a target file is", printable(word)),
                   "call a script that has it as an argument"};
    }
  }
  Target target;
  target.path = command.file_folder + "/target.toml";
  target.folder = command.folder;
  target.state = {command.folder};
  if (const Status state = check_state(command.folder, {}); !state.ok()) {
    return Error{"the current folder is all of the disk, and no run can have a copy of it",
                 "go to the folder of what the command works on"};
  }
  for (const std::string& folder : command.more) {
    std::erase_if(target.state, [&](const std::string& one) { return is_in(one, folder); });
    target.state.push_back(folder);
  }
  const char* const search = std::getenv("PATH");
  const Result<std::string> program = find_program(command.words.front(), command.folder,
                                                   search == nullptr ? "/usr/bin:/bin" : search);
  if (!program.ok()) return program.error();
  NodeSpec node{.name = node_name(command.words.front()), .command = {.words = command.words}};
  node.command.words.front() = *program;
  node.command.folder = command.folder;
  node.restart = Restart::kNever;
  node.runs_to_end = true;
  target.nodes.push_back(std::move(node));
  target.run_seconds = kFirstRunSeconds;
  return target;
}

std::vector<std::string> folders_refused(const FirstCommand& command, const Observed& seen) {
  const FirstLook look = look_at(command, seen);
  std::vector<std::string> folders;
  for (const std::string& folder : look.refused) {
    const bool inside =
        std::ranges::any_of(folders, [&](const std::string& one) { return is_in(folder, one); });
    if (!inside && folder != "/") folders.push_back(folder);
  }
  return folders;
}

Status went_well(const FirstCommand& command, const Observed& seen) {
  const FirstLook look = look_at(command, seen);
  const std::string word = printable(command.words.front(), 60);
  if (seen.ending == Observed::Ending::kFailed || seen.ending == Observed::Ending::kCannotStart) {
    const size_t end = std::min(seen.trouble.find('\n'), seen.trouble.size());
    return Error{seen.trouble.substr(0, end),
                 end < seen.trouble.size() ? seen.trouble.substr(end + 1) : ""};
  }
  for (const Happening& one : seen.happenings) {
    const Change* const change = std::get_if<Change>(&one);
    if (change == nullptr || change->number == 0) continue;
    const bool killed = change->kind == Change::Kind::kKilled;
    std::string message =
        killed
            ? fmt::format("{} was ended by signal {} ({}), although nothing failed", word,
                          change->number, ::strsignal(change->number))
            : fmt::format("{} ended with status {}, although nothing failed", word, change->number);
    message += "; " + last_line(look);
    for (const std::string& folder : look.refused) message += "; it could not write in " + folder;
    return Error{message,
                 "see that it ends with 0 here; in a run it is alone on its network, and has PATH, "
                 "HOME, LANG=C and TZ=UTC: for more, write -- env NAME=VALUE COMMAND"};
  }
  if (std::ranges::all_of(seen.points, &Point::is_loading)) {
    return Error{fmt::format("{} made no call that could fail", word),
                 "docs/failure-surface.md lists the calls: there is nothing to inject here"};
  }
  return Nothing();
}

FirstTarget first_target(const FirstCommand& command, const Observed& one, const Observed& two) {
  return Writing(command, one, two).write();
}

}  // namespace clew::inject
