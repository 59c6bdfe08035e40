#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "base/check.h"
#include "base/streams.h"
#include "base/watched.h"
#include "check/budget.h"

namespace clew::cli {

namespace {

// Only what a signal may interrupt anything with.
void say(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

void end_at_once(int signal) {
  constexpr std::string_view kInterrupted =
      "clew: interrupted before there was anything to show\n"
      "  help: try fewer nodes or ticks, or a smaller program\n";
  constexpr std::string_view kOutOfTime =
      "clew: the budget was used up before there was anything to show\n"
      "  help: give it more time with --budget, or try a smaller program\n";
  const std::string_view told = signal == SIGALRM ? kOutOfTime : kInterrupted;
  say(told);
  ::_exit(kBudgetUsed);
}

std::string g_when_ended;

void say_that_it_ended(int) {
  if (::isatty(STDERR_FILENO) != 0) say("\r\x1b[K");  // a line that shows how far it is
  say("clew: interrupted again, so it ended at once, without a result");
  say(g_when_ended);
  say("\n");
}

// Why the work has ended without a result.
Error why_stopped(const Allowance& allowance) {
  if (check::Budget::interrupted()) {
    return {"interrupted before there was anything to show", "try fewer nodes or ticks"};
  }
  if (check::Budget::out_of_time()) {
    return {"the budget was used up before there was anything to show",
            "give it more time with --budget, or try fewer nodes or ticks"};
  }
  return {fmt::format("{} of memory were not enough", allowance.memory),
          "give it more with --memory, or try fewer nodes or ticks"};
}

}  // namespace

void catch_interrupts(std::string when_ended) {
  g_when_ended = std::move(when_ended);
  check::Budget::catch_interrupts(say_that_it_ended);
}

check::Notes notes_on_stderr() {
  return {.write = write_stderr, .shows_progress = ::isatty(STDERR_FILENO) != 0};
}

void add_memory(Command& command, std::string& memory) {
  command.option("--memory", memory, "how much memory to use at most, as 512M, 4G")
      .value("SIZE")
      .show_default();
}

void Allowance::add_to(Command& command) {
  command.option("--budget", budget, "how long to work at most, as 90s, 2m, 500ms")
      .value("TIME")
      .show_default();
  add_memory(command, memory);
}

int work_within(const Allowance& allowance, const std::function<int()>& work, size_t threads) {
  check::Budget::end_on_interrupts(end_at_once);
  const Result<uint64_t> most = check::parse_size(allowance.memory);
  if (!most.ok()) return fail(most.error());
  if (allowance.budget != Allowance::kAllTime) {
    const Result<std::chrono::milliseconds> length = check::parse_duration(allowance.budget);
    if (!length.ok()) return fail(length.error());
    check::Budget::limit_time(*length);
  }
  check::limit_memory(*most, threads);
  if (const std::optional<int> code = unless_stopped(work)) return *code;
  fail(why_stopped(allowance));
  return kBudgetUsed;
}

int work_until_stopped(const Allowance& allowance, const std::function<int()>& work) {
  return work_within(allowance, [&] {
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
