// Random Rules, and a twin of them that says what they mean.
//
//   RandomRules random_rules(random, 5);
//   random_rules.rules                      // as the formula folder has them
//   random_rules.truth(bits)                // by node, if exactly the faults in `bits` happen
//
// A node is a fault, a definition or a member of a loop. The twin keeps bodies as they were given
// and knows no simplification, no sharing and no atoms.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "formula/rules.h"

namespace clew::formula {

class RandomRules {
 public:
  struct Sign {
    size_t node = 0;
    bool negative = false;
  };
  using Body = std::vector<Sign>;
  struct Node {
    Literal literal;  // what the rules made of it
    std::vector<Body> bodies;
    size_t group = 0;  // nodes of one loop have the same; 0: of none
  };

  RandomRules(Random& random, size_t faults) : random_(random), faults_(faults) {
    for (size_t i = 0; i < faults; ++i) nodes_.push_back({rules.fault(fault(i)), {}, 0});
    grow();
    rules.set_goal(nodes_.back().literal);
  }
  RandomRules(const RandomRules&) = delete;
  RandomRules& operator=(const RandomRules&) = delete;

  // Adds nodes and requirements.
  void grow() {
    for (int64_t steps = random_.uniform_in(2, 7); steps > 0; --steps) {
      if (random_.chance(0.4)) {
        add_loop();
      } else {
        add_definition();
      }
    }
    for (int64_t more = random_.uniform_in(0, 2); more > 0; --more) require_something();
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  size_t faults() const { return faults_; }

  static Fault fault(size_t i) {
    if (i % 2 == 0) return Crash{std::string(1, static_cast<char>('a' + i)), 1};
    return Omission{"a", std::string(1, static_cast<char>('a' + i)), 1};
  }
  static FaultSet fault_set(uint32_t bits) {
    FaultSet faults;
    for (size_t i = 0; bits >> i != 0; ++i) {
      if ((bits >> i & 1U) != 0) faults.insert(fault(i));
    }
    return faults;
  }

  std::vector<bool> truth(uint32_t bits) const {
    std::vector<bool> values(nodes_.size());
    for (size_t i = 0; i < faults_; ++i) values[i] = (bits >> i & 1U) != 0;
    for (size_t i = faults_; i < nodes_.size();) {
      size_t end = i + 1;
      while (nodes_[i].group != 0 && end < nodes_.size() && nodes_[end].group == nodes_[i].group) {
        ++end;
      }
      for (size_t round = i; round < end; ++round) {
        for (size_t node = i; node < end; ++node) values[node] = is_supported(node, values);
      }
      i = end;
    }
    return values;
  }

  // Whether these faults satisfy all requirements and reach the goal.
  bool solves(uint32_t bits) const { return solves(bits, {{nodes_.size() - 1, false}}); }
  // Whether they satisfy all requirements, and all of this is true.
  bool solves(uint32_t bits, const Body& asked) const {
    std::vector<bool> values = truth(bits);
    bool all = true;
    for (Sign sign : asked) all &= values[sign.node] != sign.negative;
    for (const Body& clause : required_) {
      bool any = false;
      for (Sign sign : clause) any |= values[sign.node] != sign.negative;
      all &= any;
    }
    return all;
  }

  Sign random_sign() { return {random_.uniform_below(nodes_.size()), random_.chance(0.4)}; }
  Literal to_literal(Sign sign) const {
    Literal literal = nodes_[sign.node].literal;
    return sign.negative ? !literal : literal;
  }

  Rules rules;

 private:
  bool is_supported(size_t node, const std::vector<bool>& values) const {
    for (const Body& body : nodes_[node].bodies) {
      bool holds = true;
      for (Sign sign : body) holds &= values[sign.node] != sign.negative;
      if (holds) return true;
    }
    return false;
  }

  Body random_body(size_t nodes, size_t group_begin) {
    Body body;
    for (int64_t more = random_.uniform_in(1, 3); more > 0; --more) {
      size_t node = random_.uniform_below(nodes);
      // Within a loop nothing depends on its own absence.
      body.push_back({node, node < group_begin && random_.chance(0.4)});
    }
    return body;
  }

  Bodies to_bodies(const std::vector<Body>& all) const {
    Bodies bodies;
    for (const Body& body : all) {
      for (Sign sign : body) bodies.add(to_literal(sign));
      bodies.end();
    }
    return bodies;
  }

  void add_definition() {
    Node node;
    for (int64_t more = random_.uniform_in(0, 3); more > 0; --more) {
      node.bodies.push_back(random_body(nodes_.size(), nodes_.size()));
    }
    Bodies bodies = to_bodies(node.bodies);
    node.literal = random_.chance(0.5) ? rules.either(bodies) : rules.named(7, bodies);
    nodes_.push_back(std::move(node));
  }

  void add_loop() {
    size_t begin = nodes_.size();
    size_t count = 2 + random_.uniform_below(3);
    ++groups_;
    rules.begin_loop();
    for (size_t i = 0; i < count; ++i) {
      nodes_.push_back({literal(rules.add_to_loop(7)), {}, groups_});
    }
    rules.end_loop();
    for (size_t i = begin; i < nodes_.size(); ++i) {
      for (int64_t more = random_.uniform_in(0, 3); more > 0; --more) {
        nodes_[i].bodies.push_back(random_body(nodes_.size(), begin));
      }
      Bodies bodies = to_bodies(nodes_[i].bodies);
      rules.set_bodies(nodes_[i].literal.atom(), bodies);
    }
  }

  void require_something() {
    Body clause = random_body(nodes_.size(), nodes_.size());
    std::vector<Literal> literals;
    for (Sign sign : clause) literals.push_back(to_literal(sign));
    rules.require(literals);
    required_.push_back(std::move(clause));
  }

  Random& random_;
  size_t faults_;
  size_t groups_ = 0;
  std::vector<Node> nodes_;
  std::vector<Body> required_;
};

}  // namespace clew::formula
