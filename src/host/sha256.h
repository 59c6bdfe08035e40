// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) with it.
//
//   to_hex(sha256("abc"))                  // "ba7816bf8f01cfea..."
//   const Digest proof = hmac_sha256(secret, text);
//   same_digest(proof, theirs)             // takes as long wherever they differ
//
// Peers prove to each other with this that they know a secret (handshake.h). A library would be a
// further thing to install for whoever compiles a node, for a hundred lines that do not change.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace clew::host {

using Digest = std::array<uint8_t, 32>;

Digest sha256(std::string_view text);
Digest hmac_sha256(std::string_view secret, std::string_view text);
bool same_digest(const Digest& a, const Digest& b);
std::string to_hex(const Digest& digest);

}  // namespace clew::host
