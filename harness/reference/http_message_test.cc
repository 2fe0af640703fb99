// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_message.h"

#include <gtest/gtest.h>

namespace harness::reference {
namespace {

TEST(HttpRequest, FindsHeadersWhateverTheirCase) {
  const HttpRequest request{
      "GET", "/mcp?a=b", {{"Accept", "a/b"}, {"X", "1"}, {"ACCEPT", "c/d"}, {"Empty", ""}}, ""};
  const struct {
    const char* name;
    std::optional<std::string> first;
    std::optional<std::string> whole;
    std::size_t count;
  } table[] = {
      {"accept", "a/b", "a/b, c/d", 2},
      {"x", "1", "1", 1},
      {"empty", "", "", 1},
      {"Y", std::nullopt, std::nullopt, 0},
  };
  for (const auto& row : table) {
    EXPECT_EQ(request.header(row.name), row.first) << row.name;
    EXPECT_EQ(request.whole_header(row.name), row.whole) << row.name;
    EXPECT_EQ(request.count(row.name), row.count) << row.name;
  }
  EXPECT_EQ(request.path(), "/mcp");
}

TEST(HttpReply, TellsAProblemAsAnErrorWithoutAnId) {
  const HttpReply reply = problem(404, "Not here", -32001, json::number(7));
  EXPECT_EQ(reply.status, 404);
  EXPECT_EQ(reply.headers, (HttpHeaders{{"Content-Type", "application/json"}}));
  EXPECT_EQ(reply.body,
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Not here","data":7}})");
}

}  // namespace
}  // namespace harness::reference
