#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_2(bugs::Variant::kBug); }
