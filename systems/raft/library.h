// Canonical's raft, a library in C whose header does not say so.
#pragma once

extern "C" {
#include <raft.h>
}
