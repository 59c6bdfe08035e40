#include "domain/verdict.h"

namespace clew {

const char* to_string(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::kBroken:
      return "broken";
    case Verdict::Kind::kRobust:
      return "robust";
    case Verdict::Kind::kUnknown:
      return "unknown";
    case Verdict::Kind::kFailed:
      return "failed";
  }
  return "";
}

}  // namespace clew
