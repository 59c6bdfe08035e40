// Rules over atoms: what a Program under a FaultModel amounts to once all its variables are gone.
//
//   Rules rules;
//   Literal lost = rules.fault(Omission{"a", "b", 1});
//   Bodies ways{{sent, !lost}, {relayed}};
//   Literal heard = rules.either(ways);                         // heard <-> sent & !lost | relayed
//   rules.set_goal(rules.all({asked, !heard}));                 // what a violation is
//   evaluate(rules, faults).holds(rules.goal());
//
// The free atoms are single faults. Every other atom is true if and only if one of its bodies, a
// conjunction of literals, is. Atoms come after those that they are made of, except within a loop:
// a group of atoms that may support each other, of which the least solution is meant.
//
// all() and either() give back an existing atom or a constant where they can; named() never does
// more than pass on a single literal.
//
// (1) A body is sorted, and never contains a constant, a repeated literal or a literal and its
// negation. (2) Bodies of one atom are distinct. (3) A body names atoms that were made before
// its own, or that are of the same loop. (4) The atoms of a loop follow one another: nothing else
// is made between begin_loop() and end_loop(). (5) Only atoms of a loop get their bodies later.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/stop.h"
#include "domain/fault.h"

namespace clew::formula {

using Atom = uint32_t;

struct Literal {
  uint32_t bits = 0;

  Atom atom() const { return bits >> 1U; }
  bool negative() const { return (bits & 1U) != 0; }
  Literal operator!() const { return {bits ^ 1U}; }
  friend auto operator<=>(Literal, Literal) = default;
};

inline Literal literal(Atom atom) { return {atom << 1U}; }
inline constexpr Literal kTrue{0};  // atom 0 is always true
inline constexpr Literal kFalse{1};

// The bodies of an atom, one after the other in one array.
//
//   Bodies bodies;
//   bodies.add(sent), bodies.add(!lost), bodies.end();
//   bodies.add(relayed), bodies.end();
class Bodies {
 public:
  Bodies() = default;
  Bodies(std::initializer_list<std::initializer_list<Literal>> bodies);

  void add(Literal literal) { literals_.push_back(literal); }
  // `kind` is the caller's number for what the body is about: which relation, for instance.
  void end(uint32_t kind = 0) { ends_.push_back({static_cast<uint32_t>(literals_.size()), kind}); }
  void clear() { literals_.clear(), ends_.clear(); }
  size_t size() const { return ends_.size(); }
  std::span<const Literal> operator[](size_t i) const {
    return {literals_.data() + begin(i), ends_[i].at - begin(i)};
  }
  uint32_t kind(size_t i) const { return ends_[i].kind; }
  // Establishes what bodies promise: no constants, nothing twice, no contradictions. True if the
  // disjunction of all bodies is true anyhow.
  bool simplify();
  // Makes one body of two that differ in one literal only, where `join` has a literal that says:
  // one or the other. Not tried among many. Requires what simplify() establishes.
  using Join = std::function<std::optional<Literal>(Literal, Literal)>;
  void join(const Join& join);

 private:
  struct End {
    uint32_t at;
    uint32_t kind;
  };
  static constexpr size_t kFew = 16;

  uint32_t begin(size_t i) const { return i == 0 ? 0 : ends_[i - 1].at; }

  // Moves a body to the end of what is kept, unless it is impossible; true if it is always true.
  bool keep(std::span<const Literal> body, uint32_t kind);
  bool join_pair(const Join& join);
  bool is_absorbed(const std::vector<uint32_t>& order, size_t i) const;
  void sort();

  std::vector<Literal> literals_;
  std::vector<End> ends_;
  std::vector<Literal> kept_;
  std::vector<End> kept_ends_;
};

// Thrown when there are more atoms than whoever makes them wants.
struct TooManyAtoms {};

class Rules {
 public:
  using BodyId = uint32_t;

  struct Options {
    Stop stop{};  // asked while atoms are made; true ends that with Stopped
    size_t most_atoms = UINT32_MAX / 2;
  };
  Rules() : Rules(Options{}) {}
  explicit Rules(const Options& options);

  // The atom of a fault, made when it is first asked for.
  Literal fault(const Fault& fault);
  // An atom with these bodies, or what it simplifies to. Equal ones are the same atom.
  Literal either(Bodies& bodies);
  Literal any(std::span<const Literal> literals);
  Literal all(std::span<const Literal> literals);
  Literal all(std::initializer_list<Literal> literals) {
    return all({literals.begin(), literals.size()});
  }
  // The same for an atom that stands for something people know: `name` is only kept, and told by
  // name_of().
  Literal named(uint32_t name, Bodies& bodies);

  // A loop: make its atoms one after the other, then give each its bodies.
  void begin_loop();
  Atom add_to_loop(uint32_t name);
  void end_loop();
  void set_bodies(Atom atom, Bodies& bodies);

  // At least k of the literals, for k = 0 .. most + 1: a counter along the literals as given.
  std::vector<Literal> at_least(std::span<const Literal> literals, size_t most);

  // A run in which the literal holds shows something of this kind, though no atom says so: kTrue
  // for what every run shows.
  struct Sign {
    uint32_t kind;
    Literal literal;
    friend auto operator<=>(const Sign&, const Sign&) = default;
  };
  void add_sign(Sign sign) { signs_.insert(sign); }
  const std::set<Sign>& signs() const { return signs_; }

  void set_goal(Literal goal) { goal_ = goal; }
  Literal goal() const { return goal_; }
  // What every FaultSet must satisfy: a disjunction.
  void require(std::vector<Literal> clause) { requirements_.push_back(std::move(clause)); }
  const std::vector<std::vector<Literal>>& requirements() const { return requirements_; }

  size_t atoms() const { return atoms_.size(); }
  size_t bodies() const { return bodies_.size(); }
  const std::vector<Atom>& faults() const { return faults_; }  // in order of their making
  bool is_fault(Atom atom) const { return atoms_[atom].kind == Kind::kFault; }
  const Fault& fault_of(Atom atom) const { return fault_of_[atoms_[atom].first]; }
  bool is_named(Atom atom) const { return atoms_[atom].kind == Kind::kNamed; }
  uint32_t name_of(Atom atom) const { return atoms_[atom].name; }
  uint32_t loop_of(Atom atom) const { return atoms_[atom].loop; }  // 0: in none
  uint32_t loops() const { return loops_; }
  BodyId first_body(Atom atom) const { return atoms_[atom].first; }
  BodyId end_body(Atom atom) const { return atoms_[atom].first + atoms_[atom].count; }
  uint32_t kind_of(BodyId id) const { return bodies_[id].kind; }
  std::span<const Literal> body(BodyId id) const {
    return {literals_.data() + bodies_[id].begin, bodies_[id].size};
  }

 private:
  enum class Kind : uint8_t { kConstant, kFault, kNamed, kDefined };
  struct AtomInfo {
    Kind kind = Kind::kDefined;
    uint32_t loop = 0;
    uint32_t first = 0;  // body; of a fault: its number
    uint32_t count = 0;
    uint32_t name = 0;
  };
  struct BodyRange {
    uint32_t begin = 0;
    uint32_t size = 0;
    uint32_t kind = 0;
  };

  friend struct RulesSaboteur;  // of the tests: breaks what is promised above

  Atom add(Kind kind);
  void store(Atom atom, const Bodies& bodies);
  void check_bodies(Atom atom, const Bodies& bodies) const;
  bool same(Atom atom, const Bodies& bodies) const;

  Watch watch_;
  size_t most_atoms_;
  std::vector<AtomInfo> atoms_;
  std::vector<BodyRange> bodies_;
  std::vector<Literal> literals_;
  std::vector<Fault> fault_of_;
  std::vector<Atom> faults_;
  std::unordered_map<std::string, Atom> by_fault_;
  std::unordered_multimap<uint64_t, Atom> by_definition_;
  std::vector<std::vector<Literal>> requirements_;
  Bodies scratch_;
  std::set<Sign> signs_;
  Literal goal_ = kFalse;
  uint32_t loops_ = 0;
  bool in_loop_ = false;
};

// What is true under a FaultSet.
class Valuation {
 public:
  explicit Valuation(std::vector<bool> values) : values_(std::move(values)) {}
  bool holds(Literal literal) const { return values_[literal.atom()] != literal.negative(); }
  bool holds(std::span<const Literal> body) const;

 private:
  std::vector<bool> values_;
};

// Faults of the set that are no atom of the rules make no difference. One pass over the atoms, and
// as many over each loop as it needs.
Valuation evaluate(const Rules& rules, const FaultSet& faults, const Stop& stop = {});

}  // namespace clew::formula
