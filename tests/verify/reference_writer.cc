#include "tests/verify/reference_writer.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "dedalus/parse.h"
#include "verify/ground.h"

namespace clew::verify {

namespace {

std::string numbers(std::span<const Lit> lits) {
  std::string text;
  for (Lit lit : lits) text += fmt::format(" {}", lit);
  return text;
}

class Writer {
 public:
  Writer(const dedalus::Program& program, const FaultModel& model, size_t most)
      : claim_{&program, model}, grounding_(claim_, circuit_), steps_left_(most) {}

  std::optional<Written> run() {
    name_faults();
    write_variables();
    write_fault_model();
    write_recursions();
    clause({grounding_.violation()}, "goal");
    if (!refute({})) return std::nullopt;
    written_.proof += "0\n";
    return written_;
  }

 private:
  void name_faults() {
    const FaultSet all(all_faults(claim_.model));
    for (const Omission& omission : all.of<Omission>()) {
      names_[grounding_.omission(omission.from, omission.to, omission.tick)] =
          fmt::format("omission {} {} {}", clew::quoted(omission.from), clew::quoted(omission.to),
                      omission.tick);
    }
    for (const Crash& crash : all.of<Crash>()) {
      names_[grounding_.crash(crash.node, crash.tick)] =
          fmt::format("crash {} {}", clew::quoted(crash.node), crash.tick);
    }
    for (const auto& [lit, name] : names_) faults_.push_back(lit);
    for (FactId id = 0; id < grounding_.facts(); ++id) {
      const PossibleFact& fact = grounding_.at(id);
      if (fact.firings.empty() || *fact.lit == kTrue) continue;
      names_[*fact.lit] = fmt::format("fact {} {}", fact.tick, to_string(grounding_.print(id)));
    }
  }

  // The circuit's own numbers serve as they are.
  void write_variables() {
    written_.clauses += "d 1 and\n";
    proof_.new_variable();
    proof_.add({1});
    for (Lit variable = 2; variable <= circuit_.clauses().variables(); ++variable) {
      proof_.new_variable();
      if (auto name = names_.find(variable); name != names_.end()) {
        written_.clauses += fmt::format("v {} {}\n", variable, name->second);
        continue;
      }
      const std::span<const Lit> parts = circuit_.parts(variable);
      written_.clauses += fmt::format("d {} and{}\n", variable, numbers(parts));
      std::vector<Lit> all = {variable};
      for (Lit part : parts) {
        proof_.add({-variable, part});
        all.push_back(-part);
      }
      proof_.add(all);
    }
    written_.announced.variables = static_cast<size_t>(circuit_.clauses().variables());
  }

  void write_fault_model() {
    const FaultModel& model = claim_.model;
    std::vector<Lit> crashed;
    for (const NodeName& node : model.nodes) {
      std::vector<Lit> ticks;
      for (Tick tick = 1; tick <= model.last_fault() && model.may_crash(node); ++tick) {
        const Lit crash = grounding_.crash(node, tick);
        for (Lit earlier : ticks) clause({-earlier, -crash}, "fault-model");
        ticks.push_back(crash);
      }
      crashed.push_back(circuit_.disjunction(ticks));
    }
    const auto most = static_cast<size_t>(model.crashes);
    if (most == 0 || model.last_fault() < 1 || most >= crashed.size()) return;
    clause({-at_least(crashed, most + 1, circuit_)[most + 1]}, "fault-model");
  }

  // Both directions, and that the facts of a tick do not hold only each other up.
  void write_recursions() {
    std::map<Tick, std::vector<FactId>> ticks;
    for (FactId id = 0; id < grounding_.facts(); ++id) {
      const PossibleFact& fact = grounding_.at(id);
      if (fact.firings.empty() || *fact.lit == kTrue) continue;
      ticks[fact.tick].push_back(id);
      std::vector<Lit> any = {-*fact.lit};
      for (const RecursiveFiring& firing : fact.firings) {
        clause({*fact.lit, -firing.holds}, "firing");
        any.push_back(firing.holds);
      }
      clause(any, "support");
    }
    for (const auto& [tick, facts] : ticks) write_loop(facts);
  }

  void write_loop(const std::vector<FactId>& facts) {
    std::string reason = "loop";
    std::vector<Lit> external;
    for (FactId id : facts) {
      reason += fmt::format(" {}", *grounding_.at(id).lit);
      for (const RecursiveFiring& firing : grounding_.at(id).firings) {
        const bool circular = std::ranges::any_of(firing.used, [&](FactId used) {
          return std::ranges::find(facts, used) != facts.end();
        });
        if (!circular) external.push_back(firing.holds);
      }
    }
    for (FactId id : facts) {
      std::vector<Lit> lits = external;
      lits.push_back(-*grounding_.at(id).lit);
      clause(lits, reason);
    }
  }

  void clause(const std::vector<Lit>& lits, const std::string& reason) {
    written_.clauses += fmt::format("c{} 0 {}\n", numbers(lits), reason);
    ++written_.announced.clauses;
    proof_.add(lits);
  }

  // Decides one fault after the other; every dead end becomes a lemma.
  bool refute(std::vector<Lit> decisions) {
    if (steps_left_-- == 0) return false;
    const size_t before = proof_.mark();
    bool conflict = proof_.contradictory();
    for (Lit decision : decisions) conflict = conflict || !proof_.assume(decision);
    Lit open = 0;
    for (Lit fault : faults_) {
      if (open == 0 && !conflict && proof_.value(fault) == 0) open = fault;
    }
    proof_.undo(before);
    if (!conflict) {
      if (open == 0) return false;
      for (Lit choice : {open, -open}) {
        decisions.push_back(choice);
        if (!refute(decisions)) return false;
        decisions.pop_back();
      }
    }
    std::vector<Lit> lemma;
    for (Lit decision : decisions) lemma.push_back(-decision);
    if (!lemma.empty()) written_.proof += numbers(lemma).substr(1) + " 0\n";
    proof_.add(lemma);
    return true;
  }

  Claim claim_;
  Circuit circuit_;
  Grounding grounding_;
  Propagator proof_;  // the clauses written so far
  size_t steps_left_;
  std::map<Lit, std::string> names_;
  std::vector<Lit> faults_;
  Written written_;
};

}  // namespace

std::optional<Written> write_certificate(const dedalus::Program& program, const FaultModel& model,
                                         size_t most) {
  return Writer(program, model, most).run();
}

std::string outcome(const dedalus::Program& program, const FaultModel& model,
                    const Written& written) {
  const Verification result =
      verify({&program, model}, written.announced, written.clauses, written.proof);
  return result.refusal ? to_string(*result.refusal) : "accepted";
}

FaultModel model(Tick eot, Tick eff, int crashes, CrashModel crash_model) {
  return {{"a", "b"}, eot, eff, crashes, crash_model};
}

std::optional<dedalus::Program> parse_program(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId id = sources.add("test.ded", text);
  std::vector<dedalus::File> files;
  files.push_back(dedalus::parse(id, sources, diagnostics));
  if (diagnostics.has_errors()) return std::nullopt;
  return dedalus::check_program(std::move(files), diagnostics);
}

}  // namespace clew::verify
