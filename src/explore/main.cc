// The main() of every explored program, which is also that of the hosted node.
#include "explore/hosting.h"
#include "explore/program.h"

clew::explore::Cluster describe();  // the user's

int main(int argc, char** argv) {
  if (argc > 1) return clew::explore::host_node(describe, {argv + 1, argv + argc});
  return clew::explore::answer(describe);
}
