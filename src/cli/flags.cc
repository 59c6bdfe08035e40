#include "cli/flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>
#include <utility>

#include "base/streams.h"
#include "base/text.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The deepest subcommand that was named.
const CLI::App& chosen(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : chosen(*commands.front());
}

int fail_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App& command = chosen(app);
  const std::string path =
      &command == &app ? app.get_name() : app.get_name() + " " + command.get_name();
  to_stderr("{}: {}\n", path, error.what());
  const std::vector<std::string> names = names_of(command);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string word = argument.substr(0, argument.find('='));
    if (std::ranges::find(names, word) != names.end()) continue;
    const bool could_be_name = word.starts_with("--") || (i == 1 && &command == &app);
    if (!could_be_name) continue;
    if (const auto meant = closest(word, names)) {
      to_stderr("  help: did you mean {}?\n", *meant);
      break;
    }
  }
  to_stderr("  help: {} --help lists what it takes\n", path);
  return kInputError;
}

// Numbers are decimal: without this, 010 would be 8, and what does not fit would be another number.
template <class Number>
CLI::Option& only_numbers(CLI::Option& option) {
  const auto refuse = [](std::string& text) -> std::string {
    Number number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (rest == end && error == std::errc{}) {
      text = std::to_string(number);
      return "";
    }
    using Limits = std::numeric_limits<Number>;
    return fmt::format("{} is not a whole number from {} to {}", text, Limits::min(),
                       Limits::max());
  };
  option.transform(CLI::Validator(refuse, ""));
  return option;
}

}  // namespace

Option Option::value(const std::string& name) {
  option_.type_name(name);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) {
  option_.check(CLI::IsMember(words));
  return *this;
}

Option Option::between(int least, int most) {
  option_.check(CLI::Range(least, most));
  return *this;
}

Option Option::optional() {
  option_.required(false);
  return *this;
}

Option Option::not_empty() {
  const auto refuse = [](const std::string& path) -> std::string {
    return path.empty() ? "the path is empty" : "";
  };
  option_.check(CLI::Validator(refuse, ""));
  return *this;
}

Option Option::show_default() {
  option_.capture_default_str();
  return *this;
}

Option Option::repeatable() {
  option_.allow_extra_args(false);
  return *this;
}

Option Option::commas() {
  option_.delimiter(',');
  return repeatable();
}

Option Option::excludes(const Option& other) {
  option_.excludes(&other.option_);
  return *this;
}

Option Command::argument(const std::string& name, std::string& text, const std::string& help) {
  return Option(*app_.add_option(name, text, help)->required()->type_name(""));
}

Option Command::argument(const std::string& name, std::vector<std::string>& texts,
                         const std::string& help) {
  return Option(*app_.add_option(name, texts, help)->required()->type_name(""));
}

Option Command::option(const std::string& names, std::string& text, const std::string& help) {
  return Option(*app_.add_option(names, text, help));
}

Option Command::option(const std::string& names, std::vector<std::string>& texts,
                       const std::string& help) {
  return Option(*app_.add_option(names, texts, help));
}

Option Command::option(const std::string& names, int32_t& number, const std::string& help) {
  return Option(only_numbers<int32_t>(*app_.add_option(names, number, help)));
}

Option Command::option(const std::string& names, int64_t& number, const std::string& help) {
  return Option(only_numbers<int64_t>(*app_.add_option(names, number, help)));
}

Option Command::option(const std::string& names, uint64_t& number, const std::string& help) {
  return Option(only_numbers<uint64_t>(*app_.add_option(names, number, help)));
}

Option Command::flag(const std::string& name, bool& given, const std::string& help) {
  return Option(*app_.add_flag(name, given, help));
}

void Command::footer(const std::string& text) { app_.footer(text); }

void Command::does(std::function<int()> work) {
  app_.callback([work = std::move(work), &exit_code = exit_code_] { exit_code = work(); });
}

CommandLine::CommandLine(const Texts& texts) : app_(std::make_unique<CLI::App>(texts.description)) {
  app_->name(texts.name);
  app_->set_version_flag("--version", texts.version);
  app_->require_subcommand(1);
  app_->footer(texts.footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& help) {
  return {*app_->add_subcommand(name, help), exit_code_};
}

int CommandLine::run(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream help;
      app_->exit(error, help, help);
      write_stdout(help.str());
      return kOk;
    }
    return fail_usage(*app_, error, argc, argv);
  }
  return exit_code_;
}

}  // namespace clew::cli
