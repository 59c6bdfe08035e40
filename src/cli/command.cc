#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "base/check.h"
#include "base/streams.h"
#include "base/watched.h"
#include "check/budget.h"
#include "check/memory.h"

namespace clew::cli {

namespace {

// Only what a signal may interrupt anything with.
void end_at_once(int) {
  constexpr std::string_view kTold =
      "clew: interrupted before there was anything to show\n"
      "  help: try fewer nodes or ticks, or a smaller program\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kTold.data(), kTold.size());
  ::_exit(kBudgetUsed);
}

}  // namespace

check::Notes notes_on_stderr() {
  return {.write = write_stderr, .shows_progress = ::isatty(STDERR_FILENO) != 0};
}

void add_memory(Command& command, std::string& memory) {
  command.option("--memory", memory, "how much memory to use at most, as 512M, 4G")
      .value("SIZE")
      .show_default();
}

int work_within(const std::string& memory, const std::function<int()>& work, size_t threads) {
  check::Budget::end_on_interrupts(end_at_once);
  const Result<uint64_t> most = check::parse_size(memory);
  if (!most.ok()) return fail(most.error());
  check::limit_memory(*most, threads);
  if (const std::optional<int> code = unless_stopped(work)) return *code;
  check::release_memory();
  if (check::Budget::interrupted()) {
    fail({"interrupted before there was anything to show", "try fewer nodes or ticks"});
  } else {
    fail({fmt::format("{} of memory were not enough", memory),
          "give it more with --memory, or try fewer nodes or ticks"});
  }
  return kBudgetUsed;
}

int work_until_stopped(const std::string& memory, const std::function<int()>& work) {
  return work_within(memory, [&] {
    const Watched watched(check::Budget::must_end);
    return work();
  });
}

int fail(const Error& error) {
  to_stderr("clew: {}\n", error.message);
  if (!error.remedy.empty()) to_stderr("  help: {}\n", error.remedy);
  return kInputError;
}

int fail_all(const std::vector<Error>& errors) {
  CHECK(!errors.empty(), "nothing failed");
  for (const Error& error : errors) fail(error);
  return kInputError;
}

}  // namespace clew::cli
