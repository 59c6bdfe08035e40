#include "host/serve.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>

#include "base/files.h"
#include "host/lines.h"
#include "host/log.h"
#include "host/record.h"

namespace clew::host {

namespace {

constexpr int kLinesGoTo = 2;

std::atomic<Host*> g_served = nullptr;

void end_served(int) {
  if (Host* host = g_served; host != nullptr) host->stop();
}

void on_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  static_cast<void>(::sigaction(SIGTERM, &action, nullptr));
  static_cast<void>(::sigaction(SIGINT, &action, nullptr));
}

std::vector<std::string> durable_fields(const node::AnyNode& node) {
  std::vector<std::string> names;
  for (const node::AnyField* field : node.fields()) {
    if (field->durable()) names.push_back(field->name());
  }
  return names;
}

Result<std::unique_ptr<Store>> open_store(const Serve& wanted, const std::string& folder,
                                          const node::AnyNode& node, Lines& lines) {
  Result<std::unique_ptr<Log>> log =
      Log::open(folder, {.node = wanted.node, .fields = durable_fields(node)});
  if (!log.ok()) return log.error();
  if (!(*log)->note().empty()) lines.say("log_cut", {{"why", (*log)->note()}});
  return std::unique_ptr<Store>(*std::move(log));
}

Result<std::unique_ptr<Host>> open_host(const Serve& wanted, const node::Names& names,
                                        const MakeNode& make, Lines& lines) {
  Result<Config> config = read_config(wanted.config);
  if (!config.ok()) return config.error();
  if (const Status fits = check_nodes(*config, names, wanted.config); !fits.ok()) {
    return fits.error();
  }
  const Result<Config::Node> where = find_node(*config, wanted.node, wanted.config);
  if (!where.ok()) return where.error();
  Result<std::string> secret = read_secret(*config);
  if (!secret.ok()) return secret.error();
  const Id self = *names.find(wanted.node);
  std::unique_ptr<node::AnyNode> node = make(self);
  Result<std::unique_ptr<Store>> store = open_store(wanted, where->data, *node, lines);
  if (!store.ok()) return store.error();
  std::unique_ptr<Recorder> recorder;
  if (!wanted.record.empty()) {
    Result<std::unique_ptr<Recorder>> opened = record_to(wanted.record, names, self, *node);
    if (!opened.ok()) return opened.error();
    recorder = *std::move(opened);
  }
  return Host::open({.node = std::move(node),
                     .names = names,
                     .self = self,
                     .config = *std::move(config),
                     .secret = *std::move(secret),
                     .store = *std::move(store),
                     .recorder = std::move(recorder),
                     .lines = kLinesGoTo,
                     .metrics = wanted.metrics});
}

}  // namespace

int serve(const Serve& wanted, const node::Names& names, const MakeNode& make) {
  Lines lines(kLinesGoTo, wanted.node);
  const Result<std::unique_ptr<Host>> served = open_host(wanted, names, make, lines);
  if (!served.ok()) {
    lines.say("cannot_start", {{"why", served.error().message}, {"remedy", served.error().remedy}});
    return kCannotServe;
  }
  g_served = served->get();
  on_signals(end_served);
  const Host::End end = (*served)->run();
  on_signals(SIG_IGN);
  g_served = nullptr;
  switch (end.why) {
    case Host::End::Why::kStopped:
      return kServed;
    case Host::End::Why::kNode:
      return kNodeFailed;
    case Host::End::Why::kDisk:
      return kDiskFailed;
  }
  return kDiskFailed;
}

}  // namespace clew::host
