// SPRK-2: SPARK-15262, the driver of Spark and its blocks disagree about who is an executor.
//
// The driver asks only executors that live for blocks, or to forget some: the part that knows
// blocks must not know anybody whom the scheduler has removed, or the driver asks the dead, and
// fails.
//
// The scheduler removes an executor that is to be killed, and has its blocks removed as well. The
// executor still lives for a moment, and a heartbeat of it is under way. Nobody knows it any more,
// so it is told to register its blocks again, and does. When it exits at last, its connection is
// closed; but the scheduler does not know that executor, and does nothing but write so into its
// log. Its blocks stay known for ever.
//
//   the driver removes the executor; a heartbeat arrives, late; the executor registers its blocks
//   once more, and exits.
//
// The repair: who is removed without being known has its blocks removed all the same.
//
// inferred: that the manager of the cluster says that an executor is gone while it still lives;
// that an executor beats twice, as soon as the last one was answered, rather than by the clock.
#include <clew/explore.h>

#include "spark_executors.h"

clew::Cluster describe() { return bugs::sprk_2(bugs::Variant::kBug); }
