// Why a certificate is not accepted.
//
// Deep inside the grounding or a file, the first reason ends everything, so it is thrown; verify()
// catches it. Nothing else in this folder throws.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace clew::verify {

inline constexpr const char* kClausesFile = "clauses.txt";
inline constexpr const char* kProofFile = "proof.drat";

struct Refusal {
  std::string file;  // "clauses.txt"; empty: it is about the program, not about a place
  size_t line = 0;   // from 1; 0: the whole file
  std::string message;
};

// "clauses.txt:12: the clause does not follow"
inline std::string to_string(const Refusal& refusal) {
  if (refusal.file.empty()) return refusal.message;
  if (refusal.line == 0) return fmt::format("{}: {}", refusal.file, refusal.message);
  return fmt::format("{}:{}: {}", refusal.file, refusal.line, refusal.message);
}

// What this checker cannot decide it refuses: the claim may still be true.
[[noreturn]] inline void refuse_program(std::string message) {
  throw Refusal{"", 0, "this program cannot be certified: " + std::move(message)};
}

}  // namespace clew::verify
