// clew call: asks a hosted node from the terminal.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <thread>

#include "base/streams.h"
#include "check/budget.h"
#include "cli/command.h"
#include "host/client.h"
#include "host/config.h"

namespace clew::cli {

namespace {

struct CallFlags {
  std::vector<std::string> requests;
  std::string config = "cluster.toml";
  std::string node;
  std::string patience = "5s";
};

// It may be about to start.
Result<host::Caller> connect(const host::Address& address, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    Result<host::Caller> caller = host::Caller::connect(address, patience);
    if (caller.ok() || std::chrono::steady_clock::now() > until) return caller;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

int call(const CallFlags& flags) {
  const Result<host::Config> config = host::read_config(flags.config);
  if (!config.ok()) return fail(config.error());
  const Result<host::Config::Node> node = host::find_node(*config, flags.node, flags.config);
  if (!node.ok()) return fail(node.error());
  const Result<std::chrono::milliseconds> patience = check::parse_duration(flags.patience);
  if (!patience.ok()) return fail(patience.error());
  Result<host::Caller> caller = connect(node->clients, *patience);
  if (!caller.ok()) return fail(caller.error());
  for (const std::string& request : flags.requests) {
    const Result<std::string> reply = caller->ask_text(request, *patience);
    if (!reply.ok()) return fail(reply.error());
    to_stdout("{}\n", *reply);
  }
  return kOk;
}

}  // namespace

void add_call(CommandLine& line) {
  Command command = line.add("call", "Ask a node that clew host runs");
  auto flags = std::make_shared<CallFlags>();
  command.argument("REQUESTS", flags->requests,
                   "as 'Put{key: \"k\", value: 1}' or 'Put{\"k\", 1}', one after the other");
  command.option("--config", flags->config, "who is where (docs/host.md)")
      .value("FILE")
      .not_empty()
      .show_default();
  command.option("--node", flags->node, "which node is asked").value("NAME");
  command.option("--timeout", flags->patience, "how long to wait for the node, and for each answer")
      .value("TIME")
      .show_default();
  command.footer(
      "Prints the replies. Exits with 0, or 2 if a request is none or is not answered; then it\n"
      "may have been taken all the same.");
  command.does([flags] { return call(*flags); });
}

}  // namespace clew::cli
