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
    case Verdict::Kind::kVacuous:
      return "vacuous";
  }
  return "";
}

int badness(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::kBroken:
      return 3;
    case Verdict::Kind::kFailed:
    case Verdict::Kind::kVacuous:
      return 2;
    case Verdict::Kind::kUnknown:
      return 1;
    case Verdict::Kind::kRobust:
      return 0;
  }
  return 0;
}

}  // namespace clew
