#include "microspec/specs.h"

namespace clew::microspec {

Specs specs_of(const dedalus::Program& program) {
  Specs specs;
  for (const dedalus::PromiseInfo& promise : program.promises) {
    const Promise::Relations relations{promise.pre, promise.post, promise.defines_pre,
                                       promise.every_tick};
    specs.push_back(std::make_shared<const Promise>(promise.name, relations));
  }
  return specs;
}

}  // namespace clew::microspec
