// A process that is about to end need not free its memory: the system takes back all of it at once,
// where taking apart what is large, piece by piece, may be most of what is left to do.
//
//   stop_freeing();      // about to end: from now on `delete` leaves all memory where it is
//   resume_freeing();    // memory is short after all
//
// Destructors run as ever, so files, locks and threads end as they should; only what operator new
// gave stays taken. Under a sanitizer, everything is freed as ever, so that leaks are found.
#pragma once

namespace clew {

// For the whole process; a signal handler may call them.
void stop_freeing();
void resume_freeing();
bool is_freeing();

}  // namespace clew
