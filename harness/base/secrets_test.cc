// SPDX-License-Identifier: Apache-2.0
#include "harness/base/secrets.h"

#include <gtest/gtest.h>

#include "harness/base/base64.h"

namespace harness {
namespace {

constexpr const char* kSecret = "s3cret/\"key\"&more";
constexpr const char* kMark = "«secret KEY»";

Secrets secrets() {
  Secrets all;
  all.add("KEY", kSecret);
  return all;
}

TEST(Secrets, AreTakenOutOfText) {
  EXPECT_EQ(secrets().masked(std::string("a ") + kSecret + " b " + kSecret),
            std::string("a ") + kMark + " b " + kMark);
  EXPECT_EQ(secrets().masked("nothing to see: s3cret and key"), "nothing to see: s3cret and key");
  EXPECT_EQ(Secrets().masked("as it is"), "as it is");
}

TEST(Secrets, AreKnownInOtherSpellings) {
  for (const char* spelled :
       {R"(s3cret/\"key\"&more)", R"(s3cret\/\"key\"&more)",
        R"(s3cret\u002f\u0022key\u0022\u0026more)", R"(s3cret\\\/\\\"key\\\"&more)",
        R"(\\u0073\\u0033cret\\u002F\\u0022key\\"&more)", "s3cret%2F%22key%22%26more",
        "%73%33%63ret%2f%22key%22&more", "s3cret/&quot;key&quot;&amp;more"}) {
    EXPECT_EQ(secrets().masked(std::string("[") + spelled + "]"), std::string("[") + kMark + "]")
        << spelled;
    EXPECT_TRUE(secrets().found_in(spelled)) << spelled;
  }
}

TEST(Secrets, AreKnownInBase64AtAnyOffset) {
  for (const std::string before : {"", "u", "us", "user:", "user:x"}) {
    const std::string encoded = to_base64(before + kSecret + "tail");
    const std::string masked = secrets().masked(encoded);
    EXPECT_NE(masked.find(kMark), std::string::npos) << encoded;
    EXPECT_LT(masked.size(), encoded.size()) << masked;
  }
}

TEST(Secrets, AreKnownInHexadecimalDigits) {
  EXPECT_EQ(secrets().masked("7333637265742f226b65792226!"), "7333637265742f226b65792226!");
  EXPECT_EQ(secrets().masked("=7333637265742f226b65792226"
                             "6d6f7265;"),
            std::string("=") + kMark + ";");
}

TEST(Secrets, AreKnownByWhatAShortenedTextHasLeft) {
  EXPECT_EQ(secrets().masked(R"({"token":"s3cret/\"k … (40 bytes))"),
            std::string(R"({"token":")") + kMark + " … (40 bytes)");
  EXPECT_EQ(secrets().masked("s3cret/"), kMark);
  for (const char* cut : {R"(s3cret/\)", R"(s3cret/\u00)", "s3cret%2F%2", "s3cret/&quo"}) {
    EXPECT_EQ(secrets().masked(std::string(cut) + " … (40 bytes)"),
              std::string(kMark) + " … (40 bytes)")
        << cut;
  }
  EXPECT_EQ(secrets().masked("s3c"), "s3c");
  EXPECT_FALSE(secrets().found_in("the word s3cret"));
}

TEST(Secrets, OfATokenHavePartsOfTheirOwn) {
  Secrets all;
  all.add("T", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJlLW9mLWl0");
  EXPECT_EQ(all.masked("payload eyJzdWIiOiJzb21lYm9keSJ9!"), "payload «secret T»!");
  EXPECT_EQ(all.masked("alg eyJhbGciOiJIUzI1NiJ9!"), "alg eyJhbGciOiJIUzI1NiJ9!");
}

TEST(Secrets, TheLongestIsTakenFirst) {
  Secrets all;
  all.add("SHORT", "abcdef");
  all.add("LONG", "abcdefgh");
  EXPECT_EQ(all.masked("abcdefgh abcdefx"), "«secret LONG» «secret SHORT»x");
}

TEST(Secrets, OfThreeCharactersAreNotLookedFor) {
  Secrets all;
  all.add("T", "abc");
  EXPECT_TRUE(all.empty());
}

}  // namespace
}  // namespace harness
