// clew host: a node in C++ as a process.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/files.h"
#include "cli/command.h"
#include "drive/kit.h"
#include "host/config.h"

namespace clew::cli {

namespace {

struct HostFlags {
  std::vector<std::string> files;
  std::string config = "cluster.toml";
  std::string node;
  std::string metrics, record;
};

// What can be said before anything is compiled.
Status check_config(const HostFlags& flags) {
  const Result<host::Config> config = host::read_config(flags.config);
  if (!config.ok()) return config.error();
  const Result<host::Config::Node> node = host::find_node(*config, flags.node, flags.config);
  if (!node.ok()) return node.error();
  const Result<std::string> secret = host::read_secret(*config);
  if (!secret.ok()) return secret.error();
  return Nothing{};
}

Result<std::string> program_of(const HostFlags& flags) {
  if (flags.files.size() == 1 && drive::is_program(flags.files.front())) {
    const std::string& path = flags.files.front();
    return path.find('/') == std::string::npos ? "./" + path : path;
  }
  const Result<drive::Kit> kit = drive::find_kit();
  if (!kit.ok()) return kit.error();
  return drive::build(*kit, flags.files, notes_on_stderr(), [] { return false; });
}

// Does not return unless it fails.
int host_node(const HostFlags& flags) {
  if (const Status fine = check_config(flags); !fine.ok()) return fail(fine.error());
  const Result<std::string> program = program_of(flags);
  if (!program.ok()) return fail(program.error());
  std::vector<std::string> words = {*program, flags.config, flags.node, flags.metrics,
                                    flags.record};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program->c_str(), arguments.data());
  return fail({fmt::format("cannot start {}: {}", *program, why_not(errno)), remedy_for(errno)});
}

}  // namespace

void add_host(CommandLine& line) {
  Command command = line.add("host", "Run a node in C++ as a process, as it was explored");
  auto flags = std::make_shared<HostFlags>();
  command.argument("FILES", flags->files,
                   "C++ sources, one of which has describe(), or a program made of them");
  command.option("--config", flags->config, "who is where (docs/host.md)")
      .value("FILE")
      .not_empty()
      .show_default();
  command.option("--node", flags->node, "which node of the config this process is").value("NAME");
  command
      .option("--metrics", flags->metrics,
              "write the counters into FILE each second, as text for Prometheus")
      .value("FILE")
      .not_empty();
  command
      .option("--record", flags->record,
              "write each step into FILE, or go on in it, for clew replay")
      .value("FILE")
      .not_empty();
  command.footer(
      "docs/host.md goes from nothing to three processes. What happens is told by lines on "
      "stderr.\n"
      "SIGTERM ends it, with 0. Else it ends with 2 if it cannot begin, 10 if a handler fails,\n"
      "3 if the disk does.");
  command.does([flags] { return host_node(*flags); });
}

}  // namespace clew::cli
