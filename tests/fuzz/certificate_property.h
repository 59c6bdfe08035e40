// What must be true of every text that is read as a certificate.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "dedalus/parse.h"
#include "verify/certificate.h"
#include "verify/verify.h"

namespace clew::verify {

// Two faults break it: the message is sent twice, and b counts what it hears. It has what a
// certificate can speak of: messages, crashes, an aggregate, a recursion, a negation.
inline constexpr const char* kFuzzedProgram = R"(
go("a", "b")@1; go(X, Y)@next :- go(X, Y), notin done(X);
done("a")@next :- go("a", _);
log(Y, X)@async :- go(X, Y);
log(Y, X)@next :- log(Y, X);
heard(Y, count<X>) :- log(Y, X);
friend("b", "a") :- heard("b", _); friend("a", "b") :- friend("b", "a");
friend("b", "a") :- friend("a", "b");
pre("x") :- go("a", _)@1, notin crash(_, "a", _);
post("x") :- friend("a", "b"), heard("b", 1);)";

inline const dedalus::Program& fuzzed_program() {
  static const dedalus::Program kProgram = [] {
    SourceSet sources;
    Diagnostics diagnostics;
    const FileId id = sources.add("fuzzed.ded", kFuzzedProgram);
    std::vector<dedalus::File> files;
    files.push_back(dedalus::parse(id, sources, diagnostics));
    auto program = dedalus::check_program(std::move(files), diagnostics);
    CHECK(program.has_value(), "{}", diagnostics.render(sources));
    return *program;
  }();
  return kProgram;
}

// What is announced is what is there, so that the check goes on.
inline Announced count_lines(std::string_view clauses) {
  Announced announced;
  while (!clauses.empty()) {
    (clauses.front() == 'c' ? announced.clauses : announced.variables) += 1;
    const size_t end = clauses.find('\n');
    clauses.remove_prefix(end == std::string_view::npos ? clauses.size() : end + 1);
  }
  return announced;
}

struct FuzzedVerdict {
  bool true_claim = false;  // a true claim was accepted
  bool read = false;        // it is a certificate.json
};

// The text is clauses.txt, a line `---`, and proof.drat; or certificate.json. No text proves the
// false claim.
inline FuzzedVerdict check_certificate_property(std::string_view text) {
  FuzzedVerdict verdict;
  const Result<Certificate> certificate = certificate_from_json(text);
  verdict.read = certificate.ok();
  if (certificate.ok()) CHECK(validate(certificate->model).ok());
  if (!certificate.ok()) CHECK(!certificate.error().message.empty());
  const size_t cut = text.find("---\n");
  const std::string_view clauses = text.substr(0, cut);
  const std::string_view proof =
      cut == std::string_view::npos ? std::string_view() : text.substr(cut + 4);
  const Announced announced = count_lines(clauses);
  const Claim falsehood{&fuzzed_program(), {{"a", "b"}, 4, 3, 1, CrashModel::kSilent}};
  const Verification result = verify(falsehood, announced, clauses, proof);
  CHECK(result.refusal.has_value(), "a false claim is accepted:\n{}", text);
  CHECK(!result.refusal->message.empty());
  const Claim truth{&fuzzed_program(), {{"a", "b"}, 4, 2, 1, CrashModel::kSilent}};
  verdict.true_claim = !verify(truth, announced, clauses, proof).refusal;
  return verdict;
}

}  // namespace clew::verify
