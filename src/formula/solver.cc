#include "formula/solver.h"

#include <cadical.hpp>

#include "base/check.h"

namespace clew::formula {

struct Solver::Cadical : CaDiCaL::Terminator {
  CaDiCaL::Solver solver;
  std::function<bool()> stop;

  bool terminate() override { return stop && stop(); }
};

Solver::Solver() : cadical_(std::make_unique<Cadical>()) {
  cadical_->solver.set("quiet", 1);
  cadical_->solver.set("phase", 0);
}

Solver::~Solver() = default;

bool Solver::trace_proof(const std::string& path) {
  cadical_->solver.set("binary", 0);
  return cadical_->solver.trace_proof(path.c_str());
}

void Solver::close_proof() { cadical_->solver.close_proof_trace(); }

int Solver::new_variable() {
  return ++variables_;
}

void Solver::add(std::span<const int> clause) {
  for (int literal : clause) {
    CHECK(literal != 0 && std::abs(literal) <= variables_, "literal {}", literal);
    cadical_->solver.add(literal);
  }
  cadical_->solver.add(0);
  ++clauses_;
}

Solver::Answer Solver::solve(std::span<const int> assumptions, std::span<const int> clause) {
  CaDiCaL::Solver& solver = cadical_->solver;
  for (int literal : assumptions) solver.assume(literal);
  for (int literal : clause) solver.constrain(literal);
  if (!clause.empty()) solver.constrain(0);
  switch (solver.solve()) {
    case 10:
      return Answer::kSatisfiable;
    case 20:
      return Answer::kUnsatisfiable;
    default:
      return Answer::kStopped;
  }
}

bool Solver::value(int variable) { return cadical_->solver.val(variable) > 0; }

void Solver::set_stop(std::function<bool()> stop) {
  cadical_->stop = std::move(stop);
  cadical_->solver.connect_terminator(cadical_.get());
}

}  // namespace clew::formula
