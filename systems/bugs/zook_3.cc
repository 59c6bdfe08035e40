#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_3(bugs::Variant::kBug); }
