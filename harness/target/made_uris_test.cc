// SPDX-License-Identifier: Apache-2.0
#include "harness/target/made_uris.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace harness::target {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

Lists lists(const char* resources, const char* templates) {
  Lists out;
  out.resources = json::parse(resources);
  out.templates = json::parse(templates);
  return out;
}

std::vector<std::string> uris(const std::vector<MadeUri>& made) {
  std::vector<std::string> out;
  for (const MadeUri& one : made) out.push_back(one.uri);
  return out;
}

TEST(UnknownUris, LookLikeListedOnesAndAreNotListed) {
  const Lists server = lists(
      R"([{"uri":"file:///docs/a.md"},{"uri":"file:///docs/b.md"},{"uri":"memo:inbox"},{"uri":7}])",
      "[]");
  EXPECT_THAT(uris(made_uris(server, Uris::kUnknown)),
              ElementsAre("file:///docs/no-such-resource-7301.md", "memo:no-such-resource-7301",
                          "nobodys-scheme://no-such-resource-7301/1"));
}

TEST(UnknownUris, AreNoneThatATemplateMayGive) {
  const Lists server = lists(R"([{"uri":"file:///docs/a.md"},{"uri":"t://x/1/data"}])",
                             R"([{"uriTemplate":"file:///docs/{name}"},
                                 {"uriTemplate":"t://x/{id}/data"},{"uriTemplate":"u://y/{id}"}])");
  EXPECT_THAT(uris(made_uris(server, Uris::kUnknown)),
              ElementsAre("t://x/1/no-such-resource-7301", "file:///docs-no-such-resource-7301/1",
                          "t://x/1/data-no-such-resource-7301", "u://y-no-such-resource-7301/1",
                          "nobodys-scheme://no-such-resource-7301/1"));
  EXPECT_THAT(made_uris(lists("[]", R"([{"uriTemplate":"{+any}"}])"), Uris::kUnknown),
              ElementsAre());
}

TEST(ExpandedUris, PreferWhatIsListed) {
  const Lists server = lists(R"([{"uri":"file:///docs/a.md"}])",
                             R"([{"uriTemplate":"file:///docs/{name}"},{"uriTemplate":"fixed://x"},
                                 {"uriTemplate":"t://{a}/{b}"}])");
  const auto made = made_uris(server, Uris::kExpanded);
  EXPECT_THAT(uris(made), ElementsAre("file:///docs/a.md", "file:///docs/1", "t://1/1"));
  EXPECT_TRUE(made[0].listed);
  EXPECT_FALSE(made[1].listed);
  EXPECT_EQ(made[2].made_of.find("uriTemplate")->text, "t://{a}/{b}");
  EXPECT_THAT(uris(made_uris(server, Uris::kExpanded, {"a%20b"})),
              ElementsAre("file:///docs/a%20b", "t://a%20b/a%20b"));
}

TEST(EscapingUris, LeaveTheFolderOfAFile) {
  const auto made =
      uris(made_uris(lists(R"([{"uri":"file:///docs/a.md"}])", "[]"), Uris::kEscaping));
  EXPECT_THAT(made, Contains("file:///docs/../../../../../../../../etc/passwd"));
  EXPECT_THAT(made, Contains("file:///docs/..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd"));
  EXPECT_THAT(made, Contains("file:///etc/passwd"));
}

TEST(EscapingUris, LeaveOutWhatMayBeMeantToBeRead) {
  // All files below the root are listed, by a template; those of the web the client fetches itself.
  EXPECT_THAT(made_uris(lists("[]", R"([{"uriTemplate":"file:///{+path}"}])"), Uris::kEscaping),
              ElementsAre());
  EXPECT_THAT(made_uris(lists("[]", R"([{"uriTemplate":"https://h/{path}"}])"), Uris::kEscaping),
              ElementsAre());
  const auto notes =
      uris(made_uris(lists("[]", R"([{"uriTemplate":"note://{name}"}])"), Uris::kEscaping));
  EXPECT_THAT(notes, Contains("note://../../../../../../../../etc/passwd"));
  EXPECT_THAT(notes, Not(Contains("file:///etc/passwd")));
}

TEST(Uris, AreNamed) {
  for (const Uris kind : {Uris::kUnknown, Uris::kExpanded, Uris::kEscaping})
    EXPECT_EQ(uris_kind(uris_name(kind)), kind);
}

TEST(Uris, AreFewWhateverIsListed) {
  Lists server;
  for (int i = 0; i < 500; ++i) {
    const std::string folder = "file:///f" + std::to_string(i) + "/";
    server.resources.items.push_back(json::object({{"uri", json::string(folder + "a.md")}}));
    server.templates.items.push_back(
        json::object({{"uriTemplate", json::string(folder + "{name}")}}));
  }
  for (const Uris kind : {Uris::kUnknown, Uris::kExpanded, Uris::kEscaping})
    EXPECT_LE(made_uris(server, kind).size(), 32u);
}

}  // namespace
}  // namespace harness::target
