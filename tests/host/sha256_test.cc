#include "host/sha256.h"

#include <gtest/gtest.h>

namespace clew::host {
namespace {

std::string bytes(std::initializer_list<std::pair<size_t, uint8_t>> runs) {
  std::string text;
  for (const auto& [count, byte] : runs) text.append(count, static_cast<char>(byte));
  return text;
}

// Of FIPS 180-4's examples, and of NIST's vectors for short and long messages.
TEST(Sha256, KnownDigests) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"\xd3", "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
      {bytes({{1'000'000, 'a'}}),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, digest] : known) EXPECT_EQ(to_hex(sha256(text)), digest);
}

// Each way in which the end of a text can lie in a block, against what another program gives.
TEST(Sha256, EndsAnywhereInABlock) {
  std::string all;
  for (size_t size = 0; size <= 130; ++size) all += to_hex(sha256(std::string(size, 'x')));
  EXPECT_EQ(to_hex(sha256(all)),
            "87aca1c44bc7ba8897768170211f0a02063de70801131ff86c7edb9ce32c6a50");
}

// RFC 4231, test cases 1, 2, 3, 6 and 7.
TEST(Sha256, KnownHmacs) {
  EXPECT_EQ(to_hex(hmac_sha256(bytes({{20, 0x0b}}), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(to_hex(hmac_sha256(bytes({{20, 0xaa}}), bytes({{50, 0xdd}}))),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(to_hex(hmac_sha256(bytes({{131, 0xaa}}),
                               "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(to_hex(hmac_sha256(bytes({{131, 0xaa}}),
                               "This is a test using a larger than block-size key and a larger "
                               "than block-size data. The key needs to be hashed before being "
                               "used by the HMAC algorithm.")),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(Sha256, DigestsThatDifferAnywhereDiffer) {
  const Digest one = sha256("one");
  EXPECT_TRUE(same_digest(one, sha256("one")));
  for (size_t i = 0; i < one.size(); ++i) {
    Digest other = one;
    other[i] ^= 1;
    EXPECT_FALSE(same_digest(one, other));
  }
}

}  // namespace
}  // namespace clew::host
