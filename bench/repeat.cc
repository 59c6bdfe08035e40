// Executes a protocol a number of times and does nothing else: what instructions.py counts.
//
//   repeat protocols/broadcast/simple_deliv.ded EOT lineage|plain TIMES
//
// prints the number of firings of one execution.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "base/check.h"
#include "bench/workloads.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: repeat FILE EOT lineage|plain TIMES\n");
    return 2;
  }
  const clew::bench::Workload workload = clew::bench::protocol(argv[1], std::atoi(argv[2]));
  const bool lineage = std::string(argv[3]) == "lineage";
  clew::simulate::Simulator simulator(workload.program, workload.nodes, clew::CrashModel::kSilent,
                                      {.lineage = lineage, .keep_states = false});
  for (int i = std::atoi(argv[4]); i > 0; --i) {
    auto error = simulator.run(workload.eot, {});
    CHECK(!error);
  }
  fmt::print("{}\n", simulator.engine().firings().count());
  return 0;
}
