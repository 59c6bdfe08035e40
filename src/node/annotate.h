// What is written into the source of a node for `clew analyze`, which reads it; a compiler ignores
// it.
//
//   CLEW_CRASH_PATH void lost(Env& env, Id who) { ... }     handles the crash of another node
//   CLEW_APART int weight(const Plan& plan);                has nothing to do with the node, though
//                                                           it is virtual or defined elsewhere
#pragma once

#ifdef __clang__
#define CLEW_CRASH_PATH [[clang::annotate("clew::crash_path")]]
#define CLEW_APART [[clang::annotate("clew::apart")]]
#else
#define CLEW_CRASH_PATH
#define CLEW_APART
#endif
