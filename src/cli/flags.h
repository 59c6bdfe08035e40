// The command line without the library that parses it: only flags.cc knows CLI11, whose header
// takes longer to compile than any file of ours.
//
//   CommandLine line({.name = "clew", .version = "0.1.0", .description = "...", .footer = "..."});
//   Command fmt = line.add("fmt", "Print programs in canonical layout");
//   fmt.argument("FILES", flags->files, "Dedalus programs");
//   Option write = fmt.flag("--write", flags->write, "rewrite the files instead");
//   fmt.flag("--check", flags->check, "only tell whether they are").excludes(write);
//   fmt.does([flags] { return format(*flags); });
//   return line.run(argc, argv);
//
// What options are bound to outlives run().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): it is not ours
class App;
class Option;
}  // namespace CLI

namespace clew::cli {

// A handle: copies mean the same option.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(option) {}

  Option value(const std::string& name);  // what the help calls it, such as TICK
  Option one_of(const std::vector<std::string>& words);
  Option between(int least, int most);
  Option optional();      // of an argument
  Option not_empty();     // of a path: as from a shell variable that is not set, it is a mistake
  Option show_default();  // the present value, in the help
  Option repeatable();    // one value each time
  Option commas();        // values as in a,b,c
  Option excludes(const Option& other);

 private:
  CLI::Option& option_;
};

// A handle, too.
class Command {
 public:
  Command(CLI::App& app, int& exit_code) : app_(app), exit_code_(exit_code) {}

  // Required; what stands without a name.
  Option argument(const std::string& name, std::string& text, const std::string& help);
  Option argument(const std::string& name, std::vector<std::string>& texts,
                  const std::string& help);
  // Names as in "-t,--eot".
  Option option(const std::string& names, std::string& text, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& texts, const std::string& help);
  Option option(const std::string& names, int32_t& number, const std::string& help);
  Option option(const std::string& names, int64_t& number, const std::string& help);
  Option option(const std::string& names, uint64_t& number, const std::string& help);
  Option flag(const std::string& name, bool& given, const std::string& help);

  void footer(const std::string& text);
  // Called once the arguments are known; its result is the exit code.
  void does(std::function<int()> work);

 private:
  CLI::App& app_;
  int& exit_code_;
};

class CommandLine {
 public:
  struct Texts {
    std::string name, version, description, footer;
  };
  explicit CommandLine(const Texts& texts);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add(const std::string& name, const std::string& help);

  // Parses, and does what the chosen command does; or prints help, or what is wrong.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = 0;
};

}  // namespace clew::cli
