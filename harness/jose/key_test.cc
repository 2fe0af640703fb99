// SPDX-License-Identifier: Apache-2.0
#include "harness/jose/key.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace harness::jose {
namespace {

json::Value parsed(std::string_view text) {
  return std::get<json::Reading>(json::read(std::string(text))).value;
}

TEST(Key, VerifiesWhatItSignedAndNothingElse) {
  for (const Algorithm algorithm : {Algorithm::kRs256, Algorithm::kEs256}) {
    const Key key = Key::make(algorithm), other = Key::make(algorithm);
    const std::string token = signed_token(parsed("{}"), parsed(R"({"sub":"a"})"), key);
    const auto read = read_signed(token);
    ASSERT_TRUE(read) << token;
    EXPECT_EQ(read->header.find("alg")->text, key.name());
    const auto travelled = Key::from_jwk(key.jwk());
    ASSERT_TRUE(travelled);
    EXPECT_TRUE(travelled->verifies(read->text, read->signature));
    EXPECT_FALSE(travelled->verifies("x" + std::string(read->text), read->signature));
    EXPECT_FALSE(other.verifies(read->text, read->signature));
    EXPECT_FALSE(key.verifies(read->text, "short"));
  }
}

TEST(Key, OfAPrivateJwkSignsAsItself) {
  const Key key = Key::make(Algorithm::kEs256);
  const auto again = Key::from_jwk(key.private_jwk());
  ASSERT_TRUE(again);
  EXPECT_TRUE(key.verifies("text", again->signature("text")));
  EXPECT_EQ(again->signature("text").size(), 64U);
}

// RFC 7515, appendix A.3: a signature that others made.
TEST(Key, VerifiesTheExampleOfTheStandard) {
  const auto key = Key::from_jwk(
      parsed(R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
             R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})"));
  ASSERT_TRUE(key);
  const std::string token =
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLm"
      "NvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
      "pmWQxfKTUJqPP3-Kg6NU1Q";
  const auto read = read_signed(token);
  ASSERT_TRUE(read);
  EXPECT_TRUE(key->verifies(read->text, read->signature));
}

// RFC 7638, section 3.1.
TEST(Thumbprint, IsThatOfTheStandard) {
  EXPECT_EQ(
      thumbprint(parsed(
          R"({"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7)"
          R"(aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0)"
          R"(h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD0)"
          R"(8qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJ)"
          R"(zKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"})")),
      "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
  EXPECT_EQ(thumbprint(parsed(R"({"kty":"EC"})")), "");
}

TEST(Key, IsNoneWithoutItsNumbers) {
  for (const char* text : {"{}", R"({"kty":"oct","k":"AA"})", R"({"kty":"EC","crv":"P-256"})",
                           R"({"kty":"EC","crv":"P-384","x":"AA","y":"AA"})"})
    EXPECT_FALSE(Key::from_jwk(parsed(text))) << text;
  for (const char* text : {"", "a", "a.b", "a.b.c", "e30.e30", "e30.e30.e30.e30"})
    EXPECT_FALSE(read_signed(text)) << text;
}

}  // namespace
}  // namespace harness::jose
