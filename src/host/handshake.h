// How two peers find out that each knows the secret of the cluster, before anything else is said.
//
//   dialer                                         doorman
//   hello: who I am, whom I want, my nonce   -->
//                                            <--   challenge: my nonce, my proof
//   proof                                    -->   from here on, envelopes
//
// A proof is the HMAC, with the secret, of whose proof it is and of all that was said before: both
// names, both nonces, the names of the whole cluster, the incarnation. So neither can be made of
// another one. What follows is neither secret nor sealed: docs/host.md says what that means.
//
//   Dialer dialer(credentials, peer, nonce);       dialer.hello()
//   Doorman doorman(credentials, nonce);           doorman.challenge(hello)
//   dialer.prove(challenge)                        doorman.admit(proof)
//
// All are bodies of frames. An Error is what to write down; the other side learns nothing but that
// the connection ends.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "host/sha256.h"
#include "node/value.h"

namespace clew::host {

using node::Id;

struct Credentials {
  std::string secret;
  node::Names names;  // of the cluster
  Id self;
  uint64_t incarnation = 0;
};

// The longest body of a handshake.
inline constexpr size_t kMostGreeting = 512;

// 32 random bytes of the system.
std::string make_nonce();

struct Hello {
  std::string protocol;
  std::string cluster;  // what the names are
  Id from, to;
  uint64_t incarnation = 0;
  std::string nonce;
  CLEW_FIELDS(Hello, protocol, cluster, from, to, incarnation, nonce)
};

struct Challenge {
  std::string nonce;
  Digest proof{};
  CLEW_FIELDS(Challenge, nonce, proof)
};

class Dialer {
 public:
  // `credentials` outlives this.
  Dialer(const Credentials& credentials, Id peer, std::string nonce);

  std::string hello() const;
  Result<std::string> prove(std::string_view challenge) const;

 private:
  const Credentials& credentials_;
  Hello hello_;
};

class Doorman {
 public:
  Doorman(const Credentials& credentials, std::string nonce)
      : credentials_(credentials), nonce_(std::move(nonce)) {}

  Result<std::string> challenge(std::string_view hello);
  // Who it is: requires that it was challenged.
  Status admit(std::string_view proof) const;
  Id peer() const { return hello_.from; }
  uint64_t incarnation() const { return hello_.incarnation; }

 private:
  const Credentials& credentials_;
  std::string nonce_;
  Hello hello_{};
};

}  // namespace clew::host
