#include "host/handshake.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace clew::host {
namespace {

const node::Names kThree{"a", "b", "c"};

Credentials of(uint8_t self, const std::string& secret = "the secret of the cluster",
               const node::Names& names = kThree) {
  return {secret, names, Id{self}, 4};
}

// How far two get: "admitted", or what the first of them has to say.
std::string course(const Credentials& dialing, const Credentials& door, Id wanted) {
  const Dialer dialer(dialing, wanted, make_nonce());
  Doorman doorman(door, make_nonce());
  const Result<std::string> challenge = doorman.challenge(dialer.hello());
  if (!challenge.ok()) return "doorman: " + challenge.error().message;
  const Result<std::string> proof = dialer.prove(*challenge);
  if (!proof.ok()) return "dialer: " + proof.error().message;
  const Status admitted = doorman.admit(*proof);
  if (!admitted.ok()) return "doorman, then: " + admitted.error().message;
  EXPECT_EQ(doorman.peer(), dialing.self);
  EXPECT_EQ(doorman.incarnation(), 4U);
  return "admitted";
}

TEST(Handshake, AdmitsWhoKnowsTheSecret) {
  EXPECT_EQ(course(of(0), of(1), Id{1}), "admitted");
  EXPECT_EQ(course(of(2), of(0), Id{0}), "admitted");
}

TEST(Handshake, RefusesOthers) {
  EXPECT_EQ(course(of(0), of(1, "another secret"), Id{1}),
            "dialer: it does not know the secret of this cluster");
  EXPECT_EQ(course(of(0), of(2), Id{1}), "doorman: it wants b");
  EXPECT_EQ(course(of(1), of(1), Id{1}), "doorman: it is nobody of this cluster");
  EXPECT_EQ(course(of(0), of(1, "the secret of the cluster", {"b", "a", "c"}), Id{1}),
            "doorman: it belongs to a cluster of other nodes");
}

// Whoever listens to one course cannot use it for another.
TEST(Handshake, ProofsAreGoodOnce) {
  const Credentials a = of(0), b = of(1);
  const Dialer dialer(a, Id{1}, make_nonce());
  Doorman first(b, make_nonce()), second(b, make_nonce());
  const Result<std::string> challenge = first.challenge(dialer.hello());
  const Result<std::string> proof = dialer.prove(*challenge);
  EXPECT_TRUE(first.admit(*proof).ok());
  EXPECT_TRUE(second.challenge(dialer.hello()).ok());
  EXPECT_FALSE(second.admit(*proof).ok());
  // Nor is the doorman's proof the dialer's.
  Doorman third(b, make_nonce());
  const auto said = node::decode<Challenge>(*third.challenge(dialer.hello()));
  EXPECT_FALSE(third.admit(node::encode(said->proof)).ok());
}

// Any byte of what is said matters.
TEST(Handshake, DamageIsRefused) {
  const Credentials a = of(0), b = of(1);
  const Dialer dialer(a, Id{1}, make_nonce());
  Random random(3);
  const std::string hello = dialer.hello();
  for (size_t i = 0; i < hello.size(); ++i) {
    std::string damaged = hello;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << random.uniform_below(8)));
    Doorman doorman(b, make_nonce());
    const Result<std::string> challenge = doorman.challenge(damaged);
    if (!challenge.ok()) continue;
    EXPECT_FALSE(dialer.prove(*challenge).ok()) << i;
  }
  Doorman doorman(b, make_nonce());
  const std::string challenge = *doorman.challenge(hello);
  for (size_t i = 0; i < challenge.size(); ++i) {
    std::string damaged = challenge;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << random.uniform_below(8)));
    EXPECT_FALSE(dialer.prove(damaged).ok()) << i;
  }
}

}  // namespace
}  // namespace clew::host
