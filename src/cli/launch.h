// What ./clew leaves to the executable that it starts: to see whether that is up to date. A shell
// takes several times as long to look at every source.
#pragma once

namespace clew::cli {

// Does nothing unless ./clew says, in CLEW_ROOT, where the sources are. If one of those that
// build/release/built.sources lists has gone, or is newer than build/release/built.stamp, starts
// ./clew again with CLEW_BUILD set, which builds first, and does not return. Folders are among
// them, so that added and removed files count.
void build_first_if_needed(char** argv);

// For what is built only once somebody asks for it: starts ./clew with `what` as CLEW_BUILD, which
// builds that and starts this again, and does not return; does nothing if ./clew has not started
// this, or has built it just now.
void build_what_is_missing(const char* what, char** argv);

}  // namespace clew::cli
