// SPDX-License-Identifier: Apache-2.0
#include "harness/jose/proof.h"

#include <gtest/gtest.h>

#include "harness/jose/key.h"
#include "harness/jose/possession.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::jose {
namespace {

json::Value parsed(std::string_view text) {
  return std::get<json::Reading>(json::read(std::string(text))).value;
}

struct Made {
  Key key = Key::make(Algorithm::kEs256);
  std::string text;
  std::optional<Signed> read;

  explicit Made(std::string_view changes)
      : text(*proof({"POST", "http://h/mcp", "token"}, key.private_jwk(), parsed(changes), 1000)),
        read(read_signed(text)) {}
  bool is_signed_by(const Key& one) const { return one.verifies(read->text, read->signature); }
  const json::Value* claim(const char* name) const { return read->claims.find(name); }
};

TEST(Possession, ProvesEachRequestOfTheSchemeAnew) {
  Possession held{Key::make(Algorithm::kEs256).private_jwk(), ""};
  EXPECT_EQ(*held.proof_for("Bearer token", "GET", "http://h/mcp"), "");
  EXPECT_EQ(*held.proof_for("", "GET", "http://h/mcp"), "");
  const std::string first = *held.proof_for("DPoP token", "GET", "http://h/mcp?a=1");
  held.nonce = "n-1";
  const auto one = read_signed(first);
  const auto other = read_signed(*held.proof_for("dpop token", "POST", "http://h/mcp"));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->claims.find("htu")->text, "http://h/mcp");
  EXPECT_EQ(one->claims.find("htm")->text, "GET");
  EXPECT_EQ(one->claims.find("nonce"), nullptr);
  EXPECT_EQ(other->claims.find("nonce")->text, "n-1");
  EXPECT_NE(one->claims.find("jti")->text, other->claims.find("jti")->text);
}

TEST(Proof, ShowsTheKeyForThisRequest) {
  const Made made("{}");
  EXPECT_EQ(made.read->header.find("typ")->text, "dpop+jwt");
  EXPECT_EQ(thumbprint(*made.read->header.find("jwk")), thumbprint(made.key.jwk()));
  EXPECT_EQ(made.read->header.find("jwk")->find("d"), nullptr);
  EXPECT_EQ(made.claim("htm")->text, "POST");
  EXPECT_EQ(made.claim("htu")->text, "http://h/mcp");
  EXPECT_EQ(made.claim("iat")->text, "1000");
  EXPECT_EQ(made.claim("ath")->text, "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A");
  EXPECT_EQ(made.claim("nonce"), nullptr);
  EXPECT_TRUE(made.is_signed_by(made.key));
  EXPECT_NE(made.claim("jti")->text, Made("{}").claim("jti")->text);
}

TEST(Proof, IsWrongInTheWayThatIsAskedFor) {
  EXPECT_EQ(Made(R"({"claims":{"htm":null}})").claim("htm"), nullptr);
  EXPECT_EQ(Made(R"({"claims":{"htm":"GET"}})").claim("htm")->text, "GET");
  EXPECT_EQ(Made(R"({"age":310})").claim("iat")->text, "690");
  EXPECT_EQ(Made(R"({"nonce":"n"})").claim("nonce")->text, "n");
  EXPECT_EQ(Made(R"({"nonce":""})").claim("nonce"), nullptr);
  const Made other(R"({"key":"other"})");
  EXPECT_FALSE(other.is_signed_by(other.key));
  EXPECT_TRUE(other.is_signed_by(*Key::from_jwk(*other.read->header.find("jwk"))));
  const Made stranger(R"({"signed":"other-key"})");
  EXPECT_EQ(thumbprint(*stranger.read->header.find("jwk")), thumbprint(stranger.key.jwk()));
  EXPECT_FALSE(stranger.is_signed_by(stranger.key));
  const Made altered(R"({"signed":"altered"})");
  EXPECT_FALSE(altered.is_signed_by(altered.key));
  const Made bare(R"({"signed":"none"})");
  EXPECT_TRUE(bare.text.ends_with("."));
  EXPECT_EQ(Made(R"({"signed":"symmetric"})").read->signature.size(), 32U);
}

TEST(Proof, NeedsAPrivateKey) {
  const Key key = Key::make(Algorithm::kEs256);
  EXPECT_FALSE(proof({"POST", "http://h/", "t"}, key.jwk(), parsed("{}"), 0));
  EXPECT_FALSE(proof({"POST", "http://h/", "t"}, parsed("{}"), parsed("{}"), 0));
  const json::Value text = json::string(json::write(key.private_jwk()));
  EXPECT_TRUE(proof({"POST", "http://h/", "t"}, text, parsed("{}"), 0));
}

}  // namespace
}  // namespace harness::jose
