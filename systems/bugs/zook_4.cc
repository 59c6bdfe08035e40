#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_4(bugs::Variant::kBug); }
