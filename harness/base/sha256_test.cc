// SPDX-License-Identifier: Apache-2.0
#include "harness/base/sha256.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

// The examples of FIPS 180-4, and the lengths at which the padding takes a block of its own.
TEST(Sha256, GivesTheKnownDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, TakesBytesAndNotCharacters) {
  EXPECT_NE(sha256_hex(std::string("a\0b", 3)), sha256_hex("a"));
  EXPECT_NE(sha256_hex("\xc3\xa4"), sha256_hex("\xe4"));
}

}  // namespace
}  // namespace harness
