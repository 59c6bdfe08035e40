#include "cli/campaign.h"

#include "base/files.h"
#include "base/stop.h"
#include "check/budget.h"
#include "cli/command.h"

namespace clew::cli {

bool write_exports(const std::vector<Export>& exports) {
  bool all = true;
  for (const Export& one : exports) {
    if (one.path.empty()) continue;
    const Status written = write_file_atomically(one.path, one.text());
    if (written.ok()) continue;
    fail(written.error());
    all = false;
  }
  return all;
}

int until_stopped(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Stopped&) {
    fail({check::Budget::interrupted() ? "interrupted before there was anything to show"
                                       : "the budget was used up before there was anything to show",
          "give it more time with --budget"});
    return kBudgetUsed;
  }
}

}  // namespace clew::cli
