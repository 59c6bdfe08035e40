#include "check/notes.h"

namespace clew::check {

void Notes::show(Diagnostics& diagnostics, const SourceSet& sources) const {
  if (diagnostics.all().empty()) return;
  diagnostics.sort();
  tell("{}", diagnostics.render(sources));
}

}  // namespace clew::check
