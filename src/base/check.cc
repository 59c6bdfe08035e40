#include "base/check.h"

#include <cstdlib>
#include <cstring>

#include "base/streams.h"

namespace clew {

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  const char* name = std::strrchr(file, '/');
  to_stderr("clew: a bug of ours at {}:{}: {} does not hold. {}\n",
            name == nullptr ? file : name + 1, line, condition, message);
  to_stderr("Please report it with the input that led here.\n");
  std::_Exit(1);
}

}  // namespace clew
