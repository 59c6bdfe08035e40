// What this process has cost so far, for whoever compares programs.
//
//   const double before = user_seconds();
//   search();
//   user_seconds() - before                // seconds of the processor, of all threads together
#pragma once

namespace clew {

// In user mode, since the process began: what others run on the machine hardly shows in it.
double user_seconds();

}  // namespace clew
