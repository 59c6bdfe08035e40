#include "host/counters.h"

#include <fmt/format.h>

namespace clew::host {

namespace {

struct CounterRow {
  const char* name;
  const char* help;
  uint64_t Counters::*value;
  bool now = false;  // it may fall again
};

// One row for each member.
constexpr CounterRow kCounterRows[] = {
    {"turns", "rounds of the loop", &Counters::turns},
    {"steps", "steps that the node has taken", &Counters::steps},
    {"envelopes_sent", "envelopes that have left for peers", &Counters::envelopes_sent},
    {"envelopes_received", "envelopes of peers that were handled", &Counters::envelopes_received},
    {"envelopes_lost", "envelopes that no peer will get", &Counters::envelopes_lost},
    {"envelopes_refused", "envelopes that were not handled", &Counters::envelopes_refused},
    {"bytes_sent", "bytes to peers and clients", &Counters::bytes_sent},
    {"bytes_received", "bytes of peers and clients", &Counters::bytes_received},
    {"requests", "requests of clients that were handled", &Counters::requests},
    {"replies", "replies to clients", &Counters::replies},
    {"replies_lost", "replies that no client waits for", &Counters::replies_lost},
    {"requests_refused", "requests that mean nothing to the node", &Counters::requests_refused},
    {"timers_fired", "timers that have fired", &Counters::timers_fired},
    {"flushes", "syncs of the disk", &Counters::flushes},
    {"peers_opened", "connections of peers that were admitted", &Counters::peers_opened},
    {"peers_closed", "connections of or to peers that have ended", &Counters::peers_closed},
    {"peers_refused", "connections of peers that were not admitted", &Counters::peers_refused},
    {"clients_opened", "connections of clients", &Counters::clients_opened},
    {"clients_closed", "connections of clients that have ended", &Counters::clients_closed},
    {"clients_refused", "connections of clients beyond the limit", &Counters::clients_refused},
    {"frames_refused", "frames that cost a connection", &Counters::frames_refused},
    {"peers", "peers that envelopes can be sent to", &Counters::peers, true},
    {"clients", "clients that are connected", &Counters::clients, true},
    {"waiting_bytes", "bytes that wait for peers", &Counters::waiting, true},
    {"held_bytes", "bytes of clients and for them", &Counters::held, true},
    {"timers", "timers that are set", &Counters::timers, true},
};
static_assert(std::size(kCounterRows) * sizeof(uint64_t) == sizeof(Counters), "a row for each");

std::string label_text(std::string_view label) {
  std::string text;
  for (const char c : label) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

}  // namespace

std::string Counters::to_prometheus(std::string_view node) const {
  std::string text;
  for (const CounterRow& row : kCounterRows) {
    const std::string name = fmt::format("clew_host_{}{}", row.name, row.now ? "" : "_total");
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0}{{node=\"{3}\"}} {4}\n", name, row.help,
                        row.now ? "gauge" : "counter", label_text(node), this->*row.value);
  }
  return text;
}

}  // namespace clew::host
