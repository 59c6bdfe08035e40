// clew verify: an independent look at the certificate of a Robust verdict.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/text.h"
#include "check/certificate_folder.h"
#include "check/memory.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

int refuse(const std::string& folder, const verify::Refusal& refusal) {
  const std::string where =
      refusal.file.empty() ? "" : (std::filesystem::path(folder) / "").string();
  fmt::print("refused: {}{}\n", where, verify::to_string(refusal));
  return kViolated;
}

int verify_folder(const std::string& path) {
  const Result<check::CertificateFolder> folder = check::open_certificate(path);
  if (!folder.ok()) return fail(folder.error());
  if (folder->refusal) return refuse(path, *folder->refusal);
  const std::optional<check::ProgramInput> input = check::read_program(folder->inputs);
  if (!input) return kInputError;
  const Result<verify::Verification> seen = check::verify_certificate(*folder, *input);
  if (!seen.ok()) return fail(seen.error());
  if (seen->refusal) return refuse(path, *seen->refusal);
  fmt::print("accepted: no faults within {} violate the program\n",
             describe_bounds(folder->certificate.model));
  fmt::print("{} possible, {} of the certificate follow, {} of the proof\n",
             count_noun(seen->facts, "fact"), count_noun(seen->clauses, "clause"),
             count_noun(seen->lemmas, "lemma"));
  return kOk;
}

}  // namespace

void add_verify(CommandLine& line) {
  Command command = line.add("verify", "Check a certificate, independently");
  auto folder = std::make_shared<std::string>();
  command.argument("DIR", *folder, "a certificate, as clew check --certificate writes it");
  auto memory = std::make_shared<std::string>(check::kDefaultMemory);
  add_memory(command, *memory);
  command.footer("Exits with 0 if it is accepted, 10 if it is refused.");
  command.does(
      [folder, memory] { return work_within(*memory, [&] { return verify_folder(*folder); }); });
}

}  // namespace clew::cli
