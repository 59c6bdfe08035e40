// The main() of every explored program.
#include "explore/program.h"

clew::explore::Cluster describe();  // the user's

int main() { return clew::explore::answer(describe); }
