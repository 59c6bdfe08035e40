// What the subcommands share that try much and tell what they found: explore and inject.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace clew::cli {

// A file that a verdict is written to; without a path it is not wanted.
struct Export {
  std::string path;
  std::function<std::string()> text;
};

// All that are wanted, also after one that could not be written: that is told, and gives false.
bool write_exports(const std::vector<Export>& exports);

// Does the work; if that ends before it has anything to show, says so and returns kBudgetUsed.
int until_stopped(const std::function<int()>& work);

}  // namespace clew::cli
