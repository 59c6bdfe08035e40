// clew verify: an independent look at the certificate of a Robust verdict.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/streams.h"
#include "check/verified.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

struct VerifyFlags {
  std::string folder;
  bool json = false;
  Allowance allowance;
};

// Nothing if the program has errors, which were shown then.
Result<std::optional<check::Verified>> look_at(const std::string& path) {
  const Result<check::CertificateFolder> folder = check::open_certificate(path);
  if (!folder.ok()) return folder.error();
  check::Verified verified{*folder};
  verified.seen.refusal = folder->refusal;
  if (folder->refusal) return std::optional(std::move(verified));
  verified.input = check::read_program(folder->inputs, notes_on_stderr());
  if (!verified.input) return std::optional<check::Verified>();
  Result<verify::Verification> seen = check::verify_certificate(*folder, *verified.input);
  if (!seen.ok()) return seen.error();
  verified.seen = std::move(*seen);
  return std::optional(std::move(verified));
}

int verify_folder(const VerifyFlags& flags) {
  std::vector<check::Verified> all;
  for (const std::string& path : check::find_certificates(flags.folder)) {
    Result<std::optional<check::Verified>> one = look_at(path);
    if (!one.ok()) return fail(one.error());
    if (!*one) return kInputError;
    all.push_back(std::move(**one));
  }
  to_stdout("{}", flags.json ? check::to_json(all) : check::to_text(all));
  const bool refused = std::ranges::any_of(
      all, [](const check::Verified& one) { return one.seen.refusal.has_value(); });
  return refused ? kViolated : kOk;
}

}  // namespace

void add_verify(CommandLine& line) {
  Command command = line.add("verify", "Check a certificate, independently");
  auto flags = std::make_shared<VerifyFlags>();
  command.argument(
      "DIR", flags->folder,
      "a certificate, or a folder of several, as clew check --certificate writes them");
  command.flag("--json", flags->json, "print what was accepted as JSON (docs/formats/verify.md)");
  flags->allowance.add_to(command);
  command.footer("Exits with 0 if it is accepted, 10 if it is refused.");
  command.does([flags] {
    return work_until_stopped(flags->allowance, [&] { return verify_folder(*flags); });
  });
}

}  // namespace clew::cli
