#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace clew {

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  const char* name = std::strrchr(file, '/');
  fmt::print(stderr, "clew: a bug of ours at {}:{}: {} does not hold. {}\n",
             name == nullptr ? file : name + 1, line, condition, message);
  fmt::print(stderr, "Please report it with the input that led here.\n");
  std::fflush(stderr);
  std::_Exit(1);
}

}  // namespace clew
