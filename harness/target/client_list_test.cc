// SPDX-License-Identifier: Apache-2.0
#include "harness/target/client_list.h"

#include <gtest/gtest.h>

#include "harness/json/yaml.h"

namespace harness::target {
namespace {

struct Listed {
  Target target;
  std::string complaint;
};

Listed listed(const std::string& list, const std::string& name = "") {
  Listed out;
  const auto value = json::read_yaml(list, "/p/.vscode/mcp.json");
  EXPECT_TRUE(value) << value.error().text();
  if (!value) return out;
  if (auto error = read_client_list({"/p/.vscode/mcp.json"}, *value, name, out.target))
    out.complaint = error->text();
  return out;
}

TEST(ClientList, ReadsHowAServerIsStartedOrReached) {
  const struct {
    const char* entry;
    const char* transport;
    const char* url;
    std::vector<std::string> command;
    const char* cwd;
  } table[] = {
      {R"({"command": "npx", "args": ["-y", 1, true]})",
       "stdio",
       "",
       {"npx", "-y", "1", "true"},
       ""},
      {R"({"command": "./a", "disabled": false, "autoApprove": []})",
       "stdio",
       "",
       {"/p/.vscode/a"},
       ""},
      {R"({"type": "stdio", "command": "a", "cwd": "work"})",
       "stdio",
       "",
       {"a"},
       "/p/.vscode/work"},
      {R"({"command": "${workspaceFolder}/a", "cwd": "${workspaceFolder}"})",
       "stdio",
       "",
       {"/p/a"},
       "/p"},
      {R"({"url": "http://h:1/mcp"})", "http", "http://h:1/mcp", {}, ""},
      {R"({"type": "http", "url": "http://h:1/mcp"})", "http", "http://h:1/mcp", {}, ""},
      {R"({"type": "streamable-http", "url": "https://h/mcp"})", "http", "https://h/mcp", {}, ""},
      {R"({"type": "sse", "url": "http://h:1/sse"})", "http+sse", "http://h:1/sse", {}, ""},
      {R"({"type": "ws", "url": "ws://h:1/"})", "websocket", "ws://h:1/", {}, ""},
      {R"({"url": "http://h/mcp", "headers": {}})", "http", "http://h/mcp", {}, ""},
  };
  for (const auto& row : table) {
    const Listed one = listed(std::string("{one: ") + row.entry + "}");
    EXPECT_EQ(one.complaint, "") << row.entry;
    EXPECT_STREQ(one.target.transport_name(), row.transport) << row.entry;
    EXPECT_EQ(one.target.url, row.url) << row.entry;
    EXPECT_EQ(one.target.command, row.command) << row.entry;
    EXPECT_EQ(one.target.cwd, row.cwd) << row.entry;
    EXPECT_EQ(one.target.name, "one") << row.entry;
  }
}

TEST(ClientList, TakesTheServerThatIsNamed) {
  constexpr const char* kTwo = "{one: {command: a}, two: {command: b}}";
  EXPECT_EQ(listed(kTwo, "two").target.command, std::vector<std::string>{"b"});
  EXPECT_EQ(listed("{only: {command: a}}").target.name, "only");
}

TEST(ClientList, TellsEveryMistakeWithItsPlace) {
  const struct {
    const char* list;
    const char* name;
    const char* complaint;
  } table[] = {
      {"[]", "", "1:1: 'mcpServers' must be a mapping of names to servers"},
      {"{}", "", "1:1: the file lists no servers"},
      {"{a: {command: x}, b: {command: y}}", "",
       "1:1: the file lists several servers: a, b; name one: /p/.vscode/mcp.json#a"},
      {"{alpha: {command: x}}", "alpa",
       "1:1: the file lists no server 'alpa'; did you mean 'alpha'?"},
      {"{alpha: {command: x}}", "zebra", "1:1: the file lists no server 'zebra'; it has alpha"},
      {"{a: x}", "", "1:5: 'a' must be a mapping"},
      {"{a: {command: [x]}}", "", "1:15: 'command' must be a string"},
      {"{a: {command: ''}}", "", "1:15: 'command' is empty; name the program"},
      {"{a: {command: x, args: y}}", "", "1:24: 'args' must be a list"},
      {"{a: {command: x, args: [[]]}}", "", "1:25: 'args' must hold text only"},
      {"{a: {args: []}}", "", "1:5: server 'a' has neither a command nor a url; add one of them"},
      {"{a: {type: pigeon, command: x}}", "",
       "1:12: transport 'pigeon' is not supported; write stdio, http, streamable-http, sse or ws"},
      {"{a: {type: http, command: x}}", "",
       "1:12: transport 'http' does not go with a command; leave out 'type': the entry is clear "
       "without it"},
      {"{a: {url: 'gopher://x/'}}", "",
       "1:11: 'gopher://x/' is not an address rpcspec can reach; write http(s)://HOST:PORT/PATH, "
       "ws(s)://HOST:PORT/PATH, tcp://HOST:PORT or unix:/PATH"},
      {"{a: {command: x, env: {K: '${input:key}'}}}", "",
       "1:27: '${input:key}' is a question of the editor; write ${NAME}, and set that in the "
       "environment"},
  };
  for (const auto& row : table)
    EXPECT_EQ(listed(row.list, row.name).complaint,
              std::string("/p/.vscode/mcp.json:") + row.complaint)
        << row.list;
}

}  // namespace
}  // namespace harness::target
