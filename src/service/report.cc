#include "service/report.h"

namespace clew::service {

size_t Report::tried() const {
  size_t tried = 0;
  for (const Count& count : counts) tried += count.tried;
  return tried;
}

}  // namespace clew::service
