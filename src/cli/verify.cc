// clew verify: an independent look at the certificate of a Robust verdict.
#include <fmt/format.h>

#include <memory>

#include "check/memory.h"
#include "check/verified.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

struct VerifyFlags {
  std::string folder;
  bool json = false;
  std::string memory = check::kDefaultMemory;
};

int tell(const check::Verified& verified, bool json) {
  fmt::print("{}", json ? check::to_json(verified) : check::to_text(verified));
  return verified.seen.refusal ? kViolated : kOk;
}

int verify_folder(const VerifyFlags& flags) {
  const Result<check::CertificateFolder> folder = check::open_certificate(flags.folder);
  if (!folder.ok()) return fail(folder.error());
  check::Verified verified{*folder};
  verified.seen.refusal = folder->refusal;
  if (folder->refusal) return tell(verified, flags.json);
  verified.input = check::read_program(folder->inputs);
  if (!verified.input) return kInputError;
  Result<verify::Verification> seen = check::verify_certificate(*folder, *verified.input);
  if (!seen.ok()) return fail(seen.error());
  verified.seen = std::move(*seen);
  return tell(verified, flags.json);
}

}  // namespace

void add_verify(CommandLine& line) {
  Command command = line.add("verify", "Check a certificate, independently");
  auto flags = std::make_shared<VerifyFlags>();
  command.argument("DIR", flags->folder, "a certificate, as clew check --certificate writes it");
  command.flag("--json", flags->json, "print what was accepted as JSON (docs/formats/verify.md)");
  add_memory(command, flags->memory);
  command.footer("Exits with 0 if it is accepted, 10 if it is refused.");
  command.does(
      [flags] { return work_until_stopped(flags->memory, [&] { return verify_folder(*flags); }); });
}

}  // namespace clew::cli
