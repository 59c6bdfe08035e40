// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "cli/flags.h"

namespace clew::cli {
namespace {

struct ExampleFlags {
  std::vector<std::string> files;
  bool write = false;
  bool check = false;
};

int format(const ExampleFlags& given) { return given.write ? 7 : 0; }

// example: src/cli/flags.h
TEST(CliExamples, ACommandLine) {
  auto flags = std::make_shared<ExampleFlags>();
  auto main = [&](int argc, char** argv) {
    CommandLine line(
        {.name = "clew", .version = "0.1.0", .description = "Finds bugs", .footer = "Bye"});
    Command fmt = line.add("fmt", "Print programs in canonical layout");
    fmt.argument("FILES", flags->files, "Dedalus programs");
    Option write = fmt.flag("--write", flags->write, "rewrite the files instead");
    fmt.flag("--check", flags->check, "only tell whether they are").excludes(write);
    fmt.does([flags] { return format(*flags); });
    return line.run(argc, argv);
  };
  std::string words[] = {"clew", "fmt", "one.ded", "--write"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data()};
  EXPECT_EQ(main(4, argv), 7);
  EXPECT_EQ(flags->files, std::vector<std::string>{"one.ded"});
}

}  // namespace
}  // namespace clew::cli
