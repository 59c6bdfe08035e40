// SPRK-1: SPARK-19263, the driver of Spark submits a stage that is still running, and ends.
//
// The scheduler of tasks is never given two attempts at one stage that are both active: it does not
// expect that, and the whole program ends with an exception.
//
// A stage has failed since a task could not read what executor x had written. The stage before runs
// again, then this one, its second attempt. Now a task of its first attempt, which has run on x,
// ends well, late. Its output does not count, since x has lost files meanwhile; but the stage takes
// its part for written. When all other parts are, it finds that this one is missing after all and
// submits a third attempt, while the second one still runs.
//
//   stage 0 writes on x; stage 1 begins, x loses a file; a task fails, both stages are run anew;
//   an old task succeeds on x; all new ones but that one succeed.
//
// The repair: a part is only taken for written if its output counts, or if the task belongs to the
// latest attempt.
//
// inferred: that this is the bug that is published as SPARK-19623, of which the project knows
// nothing: two digits are exchanged. That a file is lost at the wish of a client, as a disk would
// lose it. The exception is a property here: the driver goes on.
#include <clew/explore.h>

#include "spark_stages.h"

clew::Cluster describe() { return bugs::sprk_1(bugs::Variant::kBug); }
