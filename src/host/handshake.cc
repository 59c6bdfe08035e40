#include "host/handshake.h"

#include <fmt/format.h>
#include <sys/random.h>

#include "base/text.h"

namespace clew::host {

namespace {

constexpr const char* kProtocol = "clew peers 1";
constexpr size_t kNonce = 32;

// Ids are numbers: peers have to agree on whose they are.
std::string cluster_of(const node::Names& names) {
  std::string all;
  for (size_t i = 0; i < names.size(); ++i) {
    node::encode(names.name(Id{static_cast<uint8_t>(i)}), all);
  }
  return fingerprint(all);
}

Digest proof_of(const Credentials& credentials, const char* whose, const Hello& hello,
                const std::string& nonce) {
  return hmac_sha256(credentials.secret,
                     node::encode(std::tuple(std::string(whose), hello, nonce)));
}

Error unequal_secrets() {
  return {"it does not know the secret of this cluster", "give all nodes the same secret"};
}

}  // namespace

std::string make_nonce() {
  std::string nonce(kNonce, '\0');
  CHECK(::getrandom(nonce.data(), nonce.size(), 0) == static_cast<ssize_t>(kNonce),
        "the system gives no random bytes");
  return nonce;
}

Dialer::Dialer(const Credentials& credentials, Id peer, std::string nonce)
    : credentials_(credentials),
      hello_{.protocol = kProtocol,
             .cluster = cluster_of(credentials.names),
             .from = credentials.self,
             .to = peer,
             .incarnation = credentials.incarnation,
             .nonce = std::move(nonce)} {}

std::string Dialer::hello() const { return node::encode(hello_); }

Result<std::string> Dialer::prove(std::string_view challenge) const {
  const auto said = node::decode<Challenge>(challenge);
  if (!said || said->nonce.size() != kNonce) {
    return Error{"what listens there is no node of a cluster", "look at its address"};
  }
  const Digest expected = proof_of(credentials_, "doorman", hello_, said->nonce);
  if (!same_digest(expected, said->proof)) return unequal_secrets();
  return node::encode(proof_of(credentials_, "dialer", hello_, said->nonce));
}

Result<std::string> Doorman::challenge(std::string_view hello) {
  auto said = node::decode<Hello>(hello);
  if (!said || said->protocol != kProtocol || said->nonce.size() != kNonce) {
    return Error{"what came is no greeting of a node", "clients have a port of their own"};
  }
  if (said->cluster != cluster_of(credentials_.names)) {
    return Error{"it belongs to a cluster of other nodes", "start all nodes of the same source"};
  }
  if (said->to != credentials_.self) {
    return Error{fmt::format("it wants {}", credentials_.names.name(said->to)),
                 "look at the addresses in its config"};
  }
  if (said->from.number >= credentials_.names.size() || said->from == credentials_.self) {
    return Error{"it is nobody of this cluster", "look at its config"};
  }
  hello_ = *std::move(said);
  return node::encode(
      Challenge{.nonce = nonce_, .proof = proof_of(credentials_, "doorman", hello_, nonce_)});
}

Status Doorman::admit(std::string_view proof) const {
  const auto said = node::decode<Digest>(proof);
  if (!said || !same_digest(*said, proof_of(credentials_, "dialer", hello_, nonce_))) {
    return unequal_secrets();
  }
  return Nothing{};
}

}  // namespace clew::host
