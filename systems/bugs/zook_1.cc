#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_1(bugs::Variant::kBug); }
