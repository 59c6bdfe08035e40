#include "explain/explanation.h"

namespace clew::explain {

const char* to_string(Explanation::Hint::Kind kind) {
  switch (kind) {
    case Explanation::Hint::Kind::kTime:
      return "time";
    case Explanation::Hint::Kind::kSpace:
      return "space";
    case Explanation::Hint::Kind::kKnowledge:
      return "knowledge";
  }
  return "";
}

}  // namespace clew::explain
