// SPDX-License-Identifier: Apache-2.0
#include "harness/target/auth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "harness/target/target.h"

namespace harness::target {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

namespace fs = std::filesystem;
constexpr const char* kUrl = "url: http://127.0.0.1:1/mcp\n";

class AuthTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        ("auth-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
    setenv("RPCSPEC_TEST_TOKEN", "tok-en-from-env", 1);
    unsetenv("RPCSPEC_TEST_UNSET");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const char* name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Target load(const std::string& text, const char* name = "t.yaml") {
    auto target = load_target(write(name, text));
    EXPECT_TRUE(target) << target.error().text();
    return target ? *target : Target();
  }
  std::string complaint(const std::string& text) {
    const auto target = load_target(write("t.yaml", text));
    if (target) return "";
    std::string out = target.error().text();
    const std::size_t at = out.find("t.yaml");
    return at == std::string::npos ? out : out.substr(at);
  }

  fs::path folder_;
};

TEST_F(AuthTest, ABearerTokenComesFromTheEnvironment) {
  const Target target =
      load(std::string(kUrl) + "auth: {type: bearer, token: $RPCSPEC_TEST_TOKEN}");
  EXPECT_THAT(headers_of(target.auth, Showing::kUsual),
              ElementsAre(Pair("Authorization", "Bearer tok-en-from-env")));
  EXPECT_EQ(target.secrets.masked("tok-en-from-env"), "«secret RPCSPEC_TEST_TOKEN»");
  EXPECT_THAT(target.warnings, IsEmpty());
}

TEST_F(AuthTest, AKeyComesFromAFileWithoutItsLineEnd) {
  write("key.txt", "the-key-itself\n");
  const Target target =
      load(std::string(kUrl) + "auth: {type: api_key, header: X-API-Key, value: '@key.txt'}");
  EXPECT_THAT(headers_of(target.auth, Showing::kUsual),
              ElementsAre(Pair("X-API-Key", "the-key-itself")));
  EXPECT_EQ(target.secrets.masked("<the-key-itself>"), "<«secret key.txt»>");
}

TEST_F(AuthTest, CustomHeadersMayHoldNamesBesideTheSecret) {
  const Target target = load(std::string(kUrl) +
                             "auth: {type: custom, headers: {Authorization: 'Custom "
                             "${RPCSPEC_TEST_TOKEN}', X-Client-ID: tester}}");
  EXPECT_THAT(
      headers_of(target.auth, Showing::kUsual),
      ElementsAre(Pair("Authorization", "Custom tok-en-from-env"), Pair("X-Client-ID", "tester")));
  EXPECT_EQ(target.secrets.masked("tester"), "tester");
  EXPECT_THAT(target.warnings, IsEmpty());
}

TEST_F(AuthTest, ASecretInTheFileItselfIsWarnedOfAndStaysSecret) {
  const Target target = load(std::string(kUrl) + "auth: {type: bearer, token: written-down}");
  ASSERT_EQ(target.warnings.size(), 1u);
  EXPECT_THAT(target.warnings[0], HasSubstr("t.yaml:2:29: the file contains the secret itself; "));
  EXPECT_THAT(target.warnings[0], testing::Not(HasSubstr("written-down")));
  EXPECT_EQ(target.secrets.masked("written-down"), "«secret token»");
}

TEST_F(AuthTest, HeadersOfAClientListAreCredentials) {
  const Target target = load(R"({"mcpServers": {"a": {"url": "http://127.0.0.1:1/mcp",
      "headers": {"Authorization": "Bearer ${env:RPCSPEC_TEST_TOKEN}"}}}})",
                             "c.json");
  EXPECT_EQ(target.auth.type, "bearer");
  EXPECT_THAT(headers_of(target.auth, Showing::kUsual),
              ElementsAre(Pair("Authorization", "Bearer tok-en-from-env")));
  EXPECT_EQ(target.secrets.masked("tok-en-from-env"), "«secret RPCSPEC_TEST_TOKEN»");
}

TEST_F(AuthTest, SecretsOfTheEnvironmentAreKeptOutOfReports) {
  const Target target = load(
      "command: [./s]\nenv: {A: {secret: $RPCSPEC_TEST_TOKEN}, MY_API_KEY: abcdefgh12, HOME: "
      "/home/x}");
  EXPECT_THAT(target.env, ElementsAre(Pair("A", "tok-en-from-env"),
                                      Pair("MY_API_KEY", "abcdefgh12"), Pair("HOME", "/home/x")));
  EXPECT_EQ(target.secrets.masked("tok-en-from-env abcdefgh12 /home/x"),
            "«secret RPCSPEC_TEST_TOKEN» «secret MY_API_KEY» /home/x");
}

TEST_F(AuthTest, AreShownInOtherWaysToo) {
  Auth auth{"bearer", {{"Authorization", "Bearer abcdef", {"abcdef"}}}};
  const auto value = [&](Showing showing) { return headers_of(auth, showing).front(); };
  EXPECT_THAT(value(Showing::kNone), Pair("Authorization", std::string(1, '\0')));
  EXPECT_THAT(value(Showing::kCut), Pair("Authorization", "Bearer abcde"));
  EXPECT_THAT(value(Showing::kLowerCase), Pair("authorization", "bearer abcdef"));
  EXPECT_THAT(value(Showing::kWrong), Pair("Authorization", "Bearer not-th"));
  EXPECT_THAT(value(Showing::kUnsigned).second, testing::StartsWith("Bearer eyJhbGciOiJub25lIi"));
  EXPECT_FALSE(auth.signed_token());
}

TEST_F(AuthTest, TheOptionNamesAVariableAndNeverHoldsTheSecret) {
  Target target;
  target.url = "http://127.0.0.1:1/mcp";
  ASSERT_TRUE(auth_from_option("bearer:RPCSPEC_TEST_TOKEN", target));
  EXPECT_THAT(headers_of(target.auth, Showing::kUsual),
              ElementsAre(Pair("Authorization", "Bearer tok-en-from-env")));
  ASSERT_TRUE(auth_from_option("api_key:X-Key:$RPCSPEC_TEST_TOKEN", target));
  EXPECT_THAT(headers_of(target.auth, Showing::kUsual),
              ElementsAre(Pair("X-Key", "tok-en-from-env")));
  for (const char* option :
       {"bearer:tok-en-from-env", "bearer", "basic:RPCSPEC_TEST_TOKEN", "digest:RPCSPEC_TEST_TOKEN",
        "bearer:RPCSPEC_TEST_UNSET", "tok-en-from-env", "api_key:X-Key"}) {
    const Status refused = auth_from_option(option, target);
    ASSERT_FALSE(refused) << option;
    EXPECT_EQ(refused.error().where, "--auth");
    EXPECT_THAT(refused.error().text(), testing::Not(HasSubstr("tok-en"))) << option;
  }
}

TEST_F(AuthTest, ALoginIsSentAsBasicAndMaskedInEachForm) {
  ::setenv("RPCSPEC_TEST_LOGIN", "Aladdin:open sesame", 1);
  Target target;
  target.url = "http://127.0.0.1:1/";
  ASSERT_TRUE(auth_from_option("basic:RPCSPEC_TEST_LOGIN", target));
  EXPECT_THAT(headers_of(target.auth, Showing::kUsual),
              ElementsAre(Pair("Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")));
  const Target described =
      load(std::string(kUrl) + "auth: {type: basic, login: $RPCSPEC_TEST_LOGIN}");
  EXPECT_EQ(headers_of(described.auth, Showing::kUsual), headers_of(target.auth, Showing::kUsual));
  for (const char* form : {"open sesame", "Aladdin:open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="})
    EXPECT_EQ(target.secrets.masked(form), "«secret RPCSPEC_TEST_LOGIN»") << form;
  ::unsetenv("RPCSPEC_TEST_LOGIN");
}

TEST_F(AuthTest, AVariableMayHoldLines) {
  write("key.pem", "first line\nsecond line\n");
  const Target target = load("command: [a]\nenv: {KEY: {secret: '@key.pem'}}");
  EXPECT_EQ(target.env.front().second, "first line\nsecond line");
  EXPECT_EQ(target.secrets.masked("a first line\nsecond line b"), "a «secret key.pem» b");
}

TEST_F(AuthTest, MistakesHaveTheirPlace) {
  const struct {
    const char* auth;
    const char* text;
  } rows[] = {
      {"{type: bearer}", "t.yaml:2:7: auth of type bearer needs 'token'; write "},
      {"{type: baerer, token: a}",
       "t.yaml:2:14: there is no auth of type 'baerer'; did you mean 'bearer'?"},
      {"{type: bearer, tokn: a}",
       "t.yaml:2:22: unknown key 'tokn' in auth of type bearer; did you"},
      {"{type: bearer, token: $RPCSPEC_TEST_UNSET}",
       "t.yaml:2:29: the environment variable RPCSPEC_TEST_UNSET is not set; set it to the secret"},
      {"{type: bearer, token: '@nowhere'}", "t.yaml:2:29: the file '"},
      {"{type: bearer, token: '@.'}", "t.yaml:2:29: the file '"},
      {"{type: api_key, header: 'X Key', value: a}",
       "t.yaml:2:31: 'header' must be the name of a header; write header: X-API-Key"},
      {"secret", "t.yaml:2:7: 'auth' must be a mapping with a type; write "},
  };
  for (const auto& row : rows)
    EXPECT_THAT(complaint(std::string(kUrl) + "auth: " + row.auth), testing::StartsWith(row.text));
  EXPECT_THAT(complaint("url: tcp://127.0.0.1:1\nauth: {type: bearer, token: a}"),
              HasSubstr("credentials in headers do not go with tcp"));
}

TEST_F(AuthTest, ARefusalSaysWhatToAdd) {
  const std::string challenge = "Bearer resource_metadata=\"http://h/.well-known/x\"";
  const Error none = refused_credentials(false, 401, &challenge);
  EXPECT_THAT(none.what, HasSubstr("the target requires credentials: it answers HTTP 401 with "
                                   "WWW-Authenticate: " +
                                   challenge));
  EXPECT_THAT(none.remedy, HasSubstr("--auth bearer:NAME"));
  EXPECT_THAT(refused_credentials(true, 401, nullptr).what, HasSubstr("refuses the credentials"));
}

}  // namespace
}  // namespace harness::target
