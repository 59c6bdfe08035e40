#include "formula/rules.h"

#include <algorithm>

#include "base/check.h"

namespace clew::formula {

Bodies::Bodies(std::initializer_list<std::initializer_list<Literal>> bodies) {
  for (const auto& body : bodies) {
    for (const Literal literal : body) add(literal);
    end();
  }
}

bool Bodies::keep(std::span<const Literal> body, uint32_t kind) {
  auto begin = static_cast<std::ptrdiff_t>(kept_.size());
  for (const Literal literal : body) {
    if (literal != kTrue) kept_.push_back(literal);
  }
  std::sort(kept_.begin() + begin, kept_.end());
  kept_.erase(std::unique(kept_.begin() + begin, kept_.end()), kept_.end());
  bool impossible = false;
  for (size_t i = static_cast<size_t>(begin); i < kept_.size(); ++i) {
    impossible |= kept_[i] == kFalse;
    impossible |= i + 1 < kept_.size() && kept_[i + 1] == !kept_[i];
  }
  if (impossible) {
    kept_.resize(static_cast<size_t>(begin));
    return false;
  }
  kept_ends_.push_back({static_cast<uint32_t>(kept_.size()), kind});
  return static_cast<size_t>(begin) == kept_.size();
}

// Whether some other body asks for less. Not looked for among many.
bool Bodies::is_absorbed(const std::vector<uint32_t>& order, size_t i) const {
  const std::span<const Literal> body = (*this)[order[i]];
  for (size_t j = 0; order.size() <= kFew && j < order.size(); ++j) {
    const std::span<const Literal> other = (*this)[order[j]];
    if (other.size() < body.size() && std::ranges::includes(body, other)) return true;
  }
  return false;
}

// Sorts the bodies and removes repetitions and what follows from others.
void Bodies::sort() {
  std::vector<uint32_t> order(size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare((*this)[a], (*this)[b]);
  });
  kept_.clear();
  kept_ends_.clear();
  for (size_t i = 0; i < order.size(); ++i) {
    const std::span<const Literal> body = (*this)[order[i]];
    if (i > 0 && std::ranges::equal(body, (*this)[order[i - 1]])) continue;
    if (is_absorbed(order, i)) continue;
    kept_.insert(kept_.end(), body.begin(), body.end());
    kept_ends_.push_back({static_cast<uint32_t>(kept_.size()), kind(order[i])});
  }
  literals_.swap(kept_);
  ends_.swap(kept_ends_);
}

bool Bodies::simplify() {
  kept_.clear();
  kept_ends_.clear();
  for (size_t i = 0; i < size(); ++i) {
    if (keep((*this)[i], kind(i))) return true;
  }
  literals_.swap(kept_);
  ends_.swap(kept_ends_);
  if (size() < 2) return false;
  sort();
  // Opposite single literals: one of them is always true.
  for (size_t i = 0; i + 1 < size(); ++i) {
    const bool single = (*this)[i].size() == 1 && (*this)[i + 1].size() == 1;
    if (single && (*this)[i + 1][0] == !(*this)[i][0]) return true;
  }
  return false;
}

namespace {

// The only literal of `body` that `other`, of the same size, lacks; or nothing if there are more.
std::optional<Literal> only_in(std::span<const Literal> body, std::span<const Literal> other) {
  std::optional<Literal> only;
  for (const Literal literal : body) {
    if (std::ranges::binary_search(other, literal)) continue;
    if (only) return std::nullopt;
    only = literal;
  }
  return only;
}

}  // namespace

bool Bodies::join_pair(const Join& join) {
  for (size_t i = 0; i < size(); ++i) {
    for (size_t j = i + 1; j < size(); ++j) {
      if ((*this)[i].size() != (*this)[j].size()) continue;
      std::optional<Literal> one = only_in((*this)[i], (*this)[j]);
      if (!one) continue;
      std::optional<Literal> other = only_in((*this)[j], (*this)[i]);
      std::optional<Literal> both = join(*one, *other);
      if (!both) continue;
      std::replace(literals_.begin() + begin(i), literals_.begin() + ends_[i].at, *one, *both);
      literals_.erase(literals_.begin() + begin(j), literals_.begin() + ends_[j].at);
      auto gone = static_cast<uint32_t>((*this)[i].size());
      ends_.erase(ends_.begin() + static_cast<std::ptrdiff_t>(j));
      for (size_t k = j; k < size(); ++k) ends_[k].at -= gone;
      return true;
    }
  }
  return false;
}

void Bodies::join(const Join& join) {
  while (size() > 1 && size() <= kFew && join_pair(join)) simplify();
}

namespace {

uint64_t hash(const Bodies& bodies) {
  uint64_t hash = 0x9E3779B97F4A7C15ULL;
  auto mix = [&](uint32_t word) { hash = (hash ^ (hash >> 29U) ^ word) * 0x9E3779B97F4A7C15ULL; };
  for (size_t i = 0; i < bodies.size(); ++i) {
    for (const Literal literal : bodies[i]) mix(literal.bits);
    mix(UINT32_MAX);
  }
  return hash;
}

}  // namespace

Rules::Rules(const Options& options) : watch_(options.stop), most_atoms_(options.most_atoms) {
  add(Kind::kConstant);
}

Atom Rules::add(Kind kind) {
  if (atoms_.size() >= most_atoms_) throw TooManyAtoms();
  CHECK(!in_loop_ || kind == Kind::kNamed, "only the atoms of the loop are made within it");
  atoms_.push_back({kind, 0, static_cast<uint32_t>(bodies_.size()), 0, 0});
  return static_cast<Atom>(atoms_.size() - 1);
}

Literal Rules::fault(const Fault& fault) {
  auto [at, is_new] = by_fault_.try_emplace(to_string(fault), 0);
  if (is_new) {
    at->second = add(Kind::kFault);
    atoms_[at->second].first = static_cast<uint32_t>(fault_of_.size());
    fault_of_.push_back(fault);
    faults_.push_back(at->second);
  }
  return literal(at->second);
}

void Rules::check_bodies(Atom atom, const Bodies& bodies) const {
  for (size_t i = 0; i < bodies.size(); ++i) {
    Atom last = 0;
    for (const Literal literal : bodies[i]) {
      CHECK(literal.atom() > last, "a body of atom {} has a constant, or atom {} twice", atom,
            last);
      last = literal.atom();
    }
    const bool earlier = last < atom;
    CHECK(earlier || (last < atoms() && loop_of(last) != 0 && loop_of(last) == loop_of(atom)),
          "a body of atom {} has atom {}, which comes later", atom, last);
    CHECK(i == 0 || !std::ranges::equal(bodies[i - 1], bodies[i]),
          "atom {} has the same body twice", atom);
  }
}

void Rules::store(Atom atom, const Bodies& bodies) {
  check_bodies(atom, bodies);
  atoms_[atom].first = static_cast<uint32_t>(bodies_.size());
  atoms_[atom].count = static_cast<uint32_t>(bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    const std::span<const Literal> body = bodies[i];
    bodies_.push_back({static_cast<uint32_t>(literals_.size()), static_cast<uint32_t>(body.size()),
                       bodies.kind(i)});
    literals_.insert(literals_.end(), body.begin(), body.end());
  }
}

bool Rules::same(Atom atom, const Bodies& bodies) const {
  if (atoms_[atom].count != bodies.size()) return false;
  for (size_t i = 0; i < bodies.size(); ++i) {
    auto id = static_cast<BodyId>(first_body(atom) + i);
    if (!std::ranges::equal(body(id), bodies[i])) return false;
  }
  return true;
}

Literal Rules::either(Bodies& bodies) {
  watch_.look(bodies.size());
  if (bodies.simplify()) return kTrue;
  if (bodies.size() == 0) return kFalse;
  if (bodies.size() == 1 && bodies[0].size() == 1) return bodies[0][0];
  const uint64_t key = hash(bodies);
  auto [begin, end] = by_definition_.equal_range(key);
  for (auto at = begin; at != end; ++at) {
    if (same(at->second, bodies)) return literal(at->second);
  }
  const Atom atom = add(Kind::kDefined);
  store(atom, bodies);
  by_definition_.emplace(key, atom);
  return literal(atom);
}

Literal Rules::any(std::span<const Literal> literals) {
  scratch_.clear();
  for (const Literal literal : literals) scratch_.add(literal), scratch_.end();
  return either(scratch_);
}

Literal Rules::all(std::span<const Literal> literals) {
  scratch_.clear();
  for (const Literal literal : literals) scratch_.add(literal);
  scratch_.end();
  return either(scratch_);
}

Literal Rules::named(uint32_t name, Bodies& bodies) {
  watch_.look(bodies.size());
  if (bodies.simplify()) return kTrue;
  if (bodies.size() == 0) return kFalse;
  if (bodies.size() == 1 && bodies[0].size() == 1) return bodies[0][0];
  const Atom atom = add(Kind::kNamed);
  store(atom, bodies);
  atoms_[atom].name = name;
  return literal(atom);
}

void Rules::begin_loop() {
  CHECK(!in_loop_, "loops do not nest");
  in_loop_ = true;
  ++loops_;
}

Atom Rules::add_to_loop(uint32_t name) {
  CHECK(in_loop_, "an atom of no loop");
  const Atom atom = add(Kind::kNamed);
  atoms_[atom].loop = loops_;
  atoms_[atom].name = name;
  return atom;
}

void Rules::end_loop() { in_loop_ = false; }

void Rules::set_bodies(Atom atom, Bodies& bodies) {
  CHECK(atoms_[atom].loop != 0, "only atoms of a loop are given their bodies later");
  const uint32_t kind = bodies.size() > 0 ? bodies.kind(0) : 0;
  if (bodies.simplify()) {
    bodies.clear();
    bodies.end(kind);
  }
  store(atom, bodies);
}

std::vector<Literal> Rules::at_least(std::span<const Literal> literals, size_t most) {
  std::vector<Literal> row(most + 2, kFalse);
  row[0] = kTrue;
  for (const Literal literal : literals) {
    for (size_t k = most + 1; k >= 1; --k) {
      const Literal both = all({row[k - 1], literal});
      const Literal pair[] = {row[k], both};
      row[k] = any(pair);
    }
  }
  return row;
}

bool Valuation::holds(std::span<const Literal> body) const {
  return std::ranges::all_of(body, [&](Literal literal) { return holds(literal); });
}

namespace {

bool has_true_body(const Rules& rules, Atom atom, const std::vector<bool>& values) {
  for (auto id = rules.first_body(atom); id < rules.end_body(atom); ++id) {
    const bool holds = std::ranges::all_of(rules.body(id), [&](Literal literal) {
      return values[literal.atom()] != literal.negative();
    });
    if (holds) return true;
  }
  return false;
}

}  // namespace

Valuation evaluate(const Rules& rules, const FaultSet& faults, const Stop& stop) {
  Watch watch(stop);
  std::vector<bool> values(rules.atoms());
  values[0] = true;
  for (const Atom atom : rules.faults()) {
    values[atom] = faults.contains(rules.fault_of(atom));
  }
  for (Atom atom = 1; atom < rules.atoms(); ++atom) {
    if (rules.is_fault(atom)) continue;
    if (rules.loop_of(atom) == 0) {
      values[atom] = has_true_body(rules, atom, values);
      continue;
    }
    Atom end = atom;
    while (end < rules.atoms() && rules.loop_of(end) == rules.loop_of(atom)) ++end;
    bool grown = true;
    while (grown) {
      grown = false;
      watch.look(end - atom);
      for (Atom member = atom; member < end; ++member) {
        if (values[member] || !has_true_body(rules, member, values)) continue;
        values[member] = true;
        grown = true;
      }
    }
    atom = end - 1;
  }
  return Valuation(std::move(values));
}

}  // namespace clew::formula
