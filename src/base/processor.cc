#include "base/processor.h"

#include <sys/resource.h>

#include "base/check.h"

namespace clew {

double user_seconds() {
  rusage used{};
  CHECK(getrusage(RUSAGE_SELF, &used) == 0);
  constexpr double kMicro = 1e-6;
  return static_cast<double>(used.ru_utime.tv_sec) +
         kMicro * static_cast<double>(used.ru_utime.tv_usec);
}

}  // namespace clew
