// SPDX-License-Identifier: Apache-2.0
#include "harness/target/description.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "harness/json/write.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

class Description : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("description-" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
    setenv("RPCSPEC_TEST_TOKEN", "s3cret", 1);
    unsetenv("RPCSPEC_TEST_UNSET");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& text, const char* name = "t.yaml") {
    const auto path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  Target load(const std::string& text, const char* name = "t.yaml", const std::string& entry = "") {
    auto target = load_target(write(text, name) + entry);
    EXPECT_TRUE(target) << target.error().text();
    return target ? *target : Target();
  }
  // The complaint without the folder.
  std::string complaint(const std::string& text, const char* name = "t.yaml",
                        const std::string& entry = "") {
    const auto target = load_target(write(text, name) + entry);
    if (target) return "";
    auto out = target.error().text();
    const auto folder = folder_.string() + "/";
    for (auto at = out.find(folder); at != std::string::npos; at = out.find(folder))
      out.erase(at, folder.size());
    return out;
  }
  std::string beside(const char* path) {
    return (fs::absolute(folder_) / path).lexically_normal().string();
  }

  fs::path folder_;
};

TEST_F(Description, ReadsEveryField) {
  const auto target = load(R"(
name: mine
command: [./server, --port, 8080]
cwd: work
env: {TOKEN: $RPCSPEC_TEST_TOKEN, TEXT: "a${RPCSPEC_TEST_TOKEN}b$$", NONE: "${RPCSPEC_TEST_UNSET:-x}", PORT: 1}
profile: mcp-2025-06-18
allow: {call_tools: listed, tools: [echo]}
transport: {type: stdio, framing: line, encoding: utf-8}
affordances: {tool.slow: {name: sleep, arguments: {seconds: 2}}}
)");
  EXPECT_EQ(target.name, "mine");
  EXPECT_EQ(target.command, (std::vector<std::string>{beside("server"), "--port", "8080"}));
  EXPECT_EQ(target.cwd, beside("work"));
  const std::vector<std::pair<std::string, std::string>> env = {
      {"TOKEN", "s3cret"}, {"TEXT", "as3cretb$"}, {"NONE", "x"}, {"PORT", "1"}};
  EXPECT_EQ(target.env, env);
  EXPECT_EQ(target.profile, "mcp-2025-06-18");
  EXPECT_EQ(target.allow, Allow::kListed);
  EXPECT_EQ(target.listed_tools, std::vector<std::string>{"echo"});
  EXPECT_EQ(json::write(*target.affordances.find("tool.slow")),
            R"({"name":"sleep","arguments":{"seconds":2}})");
  EXPECT_TRUE(target.stdio());
}

TEST_F(Description, AProgramWithoutASlashIsLeftToThePath) {
  EXPECT_EQ(load("command: [node, ./server.js]").command,
            (std::vector<std::string>{"node", "./server.js"}));
}

TEST_F(Description, TakesAnAddressWithOrWithoutACommand) {
  EXPECT_EQ(load("url: http://127.0.0.1:8080/mcp\ntransport: http").url,
            "http://127.0.0.1:8080/mcp");
  const auto both = load("url: http://127.0.0.1:{port}/mcp\ncommand: [server, \"{port}\"]");
  EXPECT_FALSE(both.stdio());
  EXPECT_EQ(both.command.size(), 2u);
  EXPECT_EQ(both.name, "t");
}

TEST_F(Description, TakesStreamsAndTheirFramings) {
  const auto plain = load("url: tcp://127.0.0.1:1");
  EXPECT_STREQ(plain.transport_name(), "tcp");
  EXPECT_EQ(plain.framing, Framing::kLine);
  const auto tcp = load(
      "url: TCP://127.0.0.1:{port}\ncommand: [a]\n"
      "transport: {type: tcp, framing: content-length, bufferSize: 8192}");
  EXPECT_STREQ(tcp.transport_name(), "tcp");
  EXPECT_EQ(tcp.framing, Framing::kContentLength);
  EXPECT_EQ(tcp.buffer_size, 8192u);
  EXPECT_STREQ(load("url: unix:/run/a.sock\ntransport: unix").transport_name(), "unix");
  const auto stdio = load("command: [a]\ntransport: {framing: content-length}");
  EXPECT_STREQ(stdio.transport_name(), "stdio+content-length");
  EXPECT_TRUE(stdio.stdio());
  EXPECT_STREQ(load("command: [a]\ntransport: stdio").transport_name(), "stdio");
}

TEST_F(Description, TakesWebSocketAndTls) {
  const auto wss = load(
      "url: wss://127.0.0.1:1/x\ntls: {ca: ca.pem, cert: /a.pem, key: b.pem}\n"
      "transport: {type: websocket, subprotocol: mcp}");
  EXPECT_STREQ(wss.transport_name(), "websocket");
  EXPECT_EQ(wss.subprotocol, "mcp");
  EXPECT_EQ(wss.tls.ca, beside("ca.pem"));
  EXPECT_EQ(wss.tls.cert, "/a.pem");
  EXPECT_EQ(wss.tls.key, beside("b.pem"));
  EXPECT_FALSE(wss.tls.insecure);
  EXPECT_TRUE(load("url: https://a/\ntls: {insecure: true}").tls.insecure);
  const std::pair<const char*, const char*> kWrong[] = {
      {"url: http://a/\ntls: {ca: x}", "'tls' goes with https:// and wss:// only"},
      {"url: https://a/\ntls: {cert: x}", "'cert' and 'key' of 'tls' go together"},
      {"url: https://a/\ntls: {insecure: 1}", "'insecure' must be true or false"},
      {"url: https://a/\ntls: {cafile: x}", "unknown key 'cafile' in 'tls'"},
      {"url: http://a/\ntransport: {subprotocol: mcp}", "'subprotocol' does not go with http"},
      {"url: ws://a/\ntransport: {subprotocol: 'a b'}", "'subprotocol' must be one word"},
  };
  for (const auto& [text, said] : kWrong) {
    EXPECT_NE(complaint(text).find(said), std::string::npos) << complaint(text);
  }
}

TEST_F(Description, ReadsTheListOfAnMcpClient) {
  const char* list = R"({"mcpServers": {
	"one": {"command": "npx", "args": ["-y", "x"], "env": {"T": "${RPCSPEC_TEST_TOKEN}"}, "disabled": false},
	"two": {"type": "http", "url": "http://127.0.0.1:9/mcp"}}})";
  const auto one = load(list, "c.json", "#one");
  EXPECT_EQ(one.command, (std::vector<std::string>{"npx", "-y", "x"}));
  EXPECT_EQ(one.env.front().second, "s3cret");
  EXPECT_EQ(load(list, "c.json", "#two").url, "http://127.0.0.1:9/mcp");
  EXPECT_NE(complaint(list, "c.json")
                .find("the file lists several servers: one, two; name one: c.json#one"),
            std::string::npos);
  EXPECT_NE(complaint(list, "c.json", "#tow").find("the file lists no server 'tow'"),
            std::string::npos);
}

TEST_F(Description, KnowsTheTwoTransportsOverHttpByTheirType) {
  const std::string url = "url: http://127.0.0.1:9/sse\n";
  EXPECT_STREQ(load(url, "t.yaml").transport_name(), "http");
  EXPECT_STREQ(load(url + "transport: sse", "t.yaml").transport_name(), "http+sse");
  EXPECT_STREQ(load(url + "transport: {type: http+sse}", "t.yaml").transport_name(), "http+sse");
  const char* list = R"({"mcpServers": {"old": {"type": "sse", "url": "http://127.0.0.1:9/sse"}}})";
  EXPECT_STREQ(load(list, "c.json").transport_name(), "http+sse");
  EXPECT_FALSE(load(list, "c.json").has_exchanges());
}

TEST_F(Description, TheOnlyServerOfAListNeedsNoName) {
  EXPECT_EQ(load(R"({"mcpServers": {"one": {"command": "a"}}})", "c.json").name, "one");
}

TEST_F(Description, TellsEveryMistakeWithItsPlace) {
  const struct {
    const char* text;
    const char* complaint;
  } table[] = {
      {"comand: [a]",
       "t.yaml:1:1: unknown key 'comand' in the target description; did you mean 'command'?"},
      {"command: a b",
       "t.yaml:1:10: 'command' must be a list: the program and its arguments; write command: "
       "[./my-server, --stdio]"},
      {"name: x",
       "t.yaml:1:1: the description names neither a command nor a url; add command: [./my-server], "
       "or url: http://127.0.0.1:8080/mcp, or name the command after --"},
      {"command: ['', a]", "t.yaml:1:11: 'command' is empty; name the program"},
      {R"(command: [a, "b\0c"])",
       "t.yaml:1:14: 'command' has a NUL, which cannot be passed to a process; leave it out"},
      {"command: [a]\n"
       R"(cwd: "b\0c")",
       "t.yaml:2:6: 'cwd' has a NUL, which cannot be passed to a process; leave it out"},
      {"command: [a]\n"
       R"(env: {A: "b\0c"})",
       "t.yaml:2:10: the value of A has a NUL, which cannot be passed to a process; leave it out"},
      {"command: [a]\n"
       R"(env: {A: {secret: "b\0c"}})",
       "t.yaml:2:10: the value of A has a NUL, which cannot be passed to a process; leave it out"},
      {"command: [a]\nenv: {A=B: c}",
       "t.yaml:2:7: 'A=B' is not a variable name; write NAME: value"},
      {"command: [a]\nenv: {A: $RPCSPEC_TEST_UNSET}",
       "t.yaml:2:10: the environment variable RPCSPEC_TEST_UNSET is not set; set it, or write the "
       "value here; $$ is a dollar sign"},
      {"command: [a]\nallow: {call_tools: all}",
       "t.yaml:2:21: 'call_tools' is 'all'; write listed, read-only or any"},
      {"command: [a]\ntransport: {framing: lsp}",
       "t.yaml:2:22: framing 'lsp' is not supported; write line or content-length"},
      {"url: http://a/\ntransport: {type: http, framing: line}",
       "t.yaml:2:34: 'framing' does not go with http; leave it out: messages need none there"},
      {"command: [a]\ntransport: {encoding: latin1}",
       "t.yaml:2:23: encoding 'latin1' is not supported; JSON between systems is utf-8"},
      {"command: [a]\ntransport: {bufferSize: 0}",
       "t.yaml:2:25: 'bufferSize' is '0'; write a number of bytes from 1 to 16777216"},
      {"command: [a]\ntransport: {bufferSize: many}",
       "t.yaml:2:25: 'bufferSize' is 'many'; write a number of bytes from 1 to 16777216"},
      {"command: [a]\ntransport: {buffersize: 1}",
       "t.yaml:2:13: unknown key 'buffersize' in 'transport'; did you mean 'bufferSize'?"},
      {"command: [a]\ntransport: carrier-pigeon",
       "t.yaml:2:12: transport 'carrier-pigeon' is not supported; write stdio, http, sse, "
       "websocket, tcp or unix"},
      {"command: [a]\ntransport: sse",
       "t.yaml:2:12: transport http+sse needs an address; add url: http://HOST:PORT/sse"},
      {"url: tcp://127.0.0.1:1\ntransport: sse",
       "t.yaml:2:12: transport http+sse does not go with 'tcp://127.0.0.1:1'; write url: "
       "http://HOST:PORT/sse, or type: tcp"},
      {"command: [a]\ntransport: tcp",
       "t.yaml:2:12: transport tcp needs an address; add url: tcp://HOST:PORT"},
      {"url: tcp://127.0.0.1:1\ntransport: unix",
       "t.yaml:2:12: transport unix does not go with 'tcp://127.0.0.1:1'; write url: unix:/PATH, "
       "or "
       "type: tcp"},
      {"url: unix:/a\ntransport: stdio",
       "t.yaml:2:12: transport stdio takes no url; remove 'url', or write type: unix"},
      {"command: [a]\ntransport: http",
       "t.yaml:2:12: transport http needs an address; add url: http://HOST:PORT/PATH"},
      {"url: gopher://x/",
       "t.yaml:1:6: 'gopher://x/' is not an address rpcspec can reach; "
       "write http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT or unix:/PATH"},
      {"command: [a]\nauth: {type: bearer}",
       "t.yaml:2:7: credentials in headers do not go with stdio; give a command its secrets in "
       "env: {NAME: {secret: $NAME}}"},
      {"command: [a]\naffordances: {opening: {messages: [{params: {}}]}}",
       "t.yaml:2:36: a message of 'opening' needs a method; write opening: {messages: [{method: "
       "initialize, params: {…}}, {method: initialized, notification: true}]}"},
      {"command: [a]\naffordances: {auth.dpop: {token: abc, key: {kty: oct}}}",
       "t.yaml:2:26: affordance 'auth.dpop' needs a token and its private key; write auth.dpop: "
       "{token: {secret: $NAME}, key: {secret: $NAME}}; the key is a JWK of the curve P-256"},
      {"command: [a]\naffordances: {tool.slow: sleep}",
       "t.yaml:2:26: affordance 'tool.slow' must be a mapping; write tool.slow: {name: sleep, "
       "arguments: {seconds: 2}}"},
      {"url: tcp://a:1\nheaders: {A: b}",
       "t.yaml:2:10: 'headers' do not go with tcp; leave them out: only http and WebSocket have "
       "headers"},
      {"url: http://a/\nheaders: {'A B': b}",
       "t.yaml:2:11: 'A B' is not a header name; write X-Name: value"},
      {"url: http://a/\nheaders: {A: \"b\\r\\nC: d\"}",
       "t.yaml:2:11: the value of the header A has a line break; write it on one line"},
      {"url: http://a/\ntransport: {type: http, port: 1}",
       "t.yaml:2:31: both 'url' and 'transport' give the address; leave out host, port, path and "
       "secure"},
      {"transport: {type: stdio, port: 1}",
       "t.yaml:1:32: host, port, path and secure do not go with this transport; write type: http "
       "or "
       "type: websocket beside them, or a url"},
      {"transport: {type: http, port: 0}",
       "t.yaml:1:31: 'port' is '0'; write a number from 1 to 65535"},
      {"transport: {type: http, path: rpc}", "t.yaml:1:31: 'path' is 'rpc'; begin it with a slash"},
      {"transport: {type: http, host: a, auth: {type: bearer}}",
       "t.yaml:1:40: auth of type bearer needs 'token'; write {type: bearer, token: $NAME}, {type: "
       "basic, login: $NAME}, {type: "
       "api_key, header: X-API-Key, value: $NAME} or {type: custom, headers: {NAME: VALUE}}"},
      {"url: http://a/\nrestart: each-case",
       "t.yaml:2:10: rpcspec can restart only what it started; add the command that starts the "
       "server, or write reset"},
      {"command: [a]\nrestart: always",
       "t.yaml:2:10: 'restart' is 'always'; write never or each-case"},
      {"command: [a]\nreset: ./reset.sh",
       "t.yaml:2:8: 'reset' is neither a command nor a request; write reset: [./reset.sh], or "
       "reset: {method: state/reset}"},
      {"command: [a]\nreset: {methd: x}",
       "t.yaml:2:9: unknown key 'methd' in 'reset'; did you mean 'method'?"},
      {"[]", "t.yaml:1:1: a target description is a mapping; write command: [./my-server]"},
  };
  for (const auto& row : table) EXPECT_EQ(complaint(row.text), row.complaint) << row.text;
}

TEST_F(Description, ReadsHeadersRestartAndReset) {
  const auto web = load(
      "url: http://a/\nheaders: {X-Key: $RPCSPEC_TEST_TOKEN}\nreset: {method: reset, params: [1]}");
  const std::vector<std::pair<std::string, std::string>> headers = {{"X-Key", "s3cret"}};
  EXPECT_EQ(web.headers, headers);
  EXPECT_EQ(web.reset.method, "reset");
  EXPECT_EQ(json::write(web.reset.params), "[1]");
  EXPECT_FALSE(web.restart_each_case);
  const auto own = load("command: [a]\nrestart: each-case\nreset: [./reset.sh, 1]");
  EXPECT_TRUE(own.restart_each_case);
  EXPECT_EQ(own.reset.command, (std::vector<std::string>{beside("reset.sh"), "1"}));
  EXPECT_FALSE(load("command: [a]\nrestart: never").restart_each_case);
}

TEST_F(Description, ReadsTheConfigurationOfTheTutorials) {
  const auto http = load(R"({"transport": {"type": "http", "host": "localhost", "port": 8080,
    "path": "/rpc", "secure": true, "headers": {"X-A": "b"}}, "logging": {"level": "info"}})",
                         "c.json");
  EXPECT_EQ(http.url, "https://localhost:8080/rpc");
  EXPECT_EQ(http.headers.front().second, "b");
  EXPECT_EQ(load("transport: {type: websocket, host: '::1', port: 1}").url, "ws://[::1]:1/");
  EXPECT_EQ(load("transport: {type: http, host: a}").url, "http://a/");
  const auto stdio =
      load_target(write(R"({"transport": {"type": "stdio", "encoding": "utf-8", "bufferSize": 8192},
                            "logging": {}})",
                        "s.json"),
                  {"node", "server.js"});
  ASSERT_TRUE(stdio) << stdio.error().text();
  EXPECT_TRUE(stdio->stdio());
  EXPECT_EQ(stdio->buffer_size, 8192u);
  EXPECT_EQ(stdio->command, (std::vector<std::string>{"node", "server.js"}));
}

TEST_F(Description, ACommandBehindTheFileFillsWhatItLeavesOpen) {
  const auto both = load_target(write("command: [a]"), {"b"});
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().what, "both the description and the command line name a command");
}

TEST_F(Description, AnAddressBesideTheFileTakesThePlaceOfItsOwn) {
  const Beside beside{{}, "http://127.0.0.1:9/mcp"};
  for (const char* text : {"affordances: {tool.slow: {name: nap}}", "command: [./a]",
                           "url: ws://127.0.0.1:1/", "transport: {type: http, host: a, port: 1}",
                           R"({"mcpServers": {"one": {"url": "http://127.0.0.1:1/"}}})"}) {
    const auto target = read_target(write(text), beside);
    ASSERT_TRUE(target) << text << ": " << target.error().text();
    EXPECT_EQ(target->url, beside.url) << text;
  }
  const auto other = read_target(write("transport: {type: websocket}"), beside);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().what, "transport websocket does not go with 'http://127.0.0.1:9/mcp'");
}

TEST_F(Description, KeepsATokenOfSomebodyElseSecret) {
  const auto one = load(
      "url: http://a/\naffordances: {auth.other_user: {token: {secret: "
      "$RPCSPEC_TEST_TOKEN}, name: x}}",
      "t.yaml");
  EXPECT_EQ(json::write(*one.affordances.find("auth.other_user")),
            R"({"token":"s3cret","name":"x"})");
  EXPECT_EQ(one.secrets.masked("s3cret"), "«secret RPCSPEC_TEST_TOKEN»");
}

TEST_F(Description, FillsInWhatAClientWouldFillIn) {
  const auto one = load(R"({"servers": {"one": {"type": "stdio", "command": "node",
    "args": ["${workspaceFolder}/a.js", "$HOME", "${RPCSPEC_TEST_UNSET:-x}"],
    "cwd": "${workspaceFolder}", "env": {"T": "${env:RPCSPEC_TEST_TOKEN}"}}}})",
                        "mcp.json");
  EXPECT_EQ(one.command, (std::vector<std::string>{"node", beside("a.js"), "$HOME", "x"}));
  EXPECT_EQ(one.cwd + "/", beside("."));
  EXPECT_EQ(one.env.front().second, "s3cret");
  const auto web = load(R"({"mcpServers": {"one": {"type": "streamable-http",
    "url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer ${RPCSPEC_TEST_TOKEN}"}}}})",
                        "mcp.json");
  ASSERT_EQ(web.auth.credentials.size(), 1u);
  EXPECT_EQ(web.auth.credentials.front().value, "Bearer s3cret");
  EXPECT_EQ(web.secrets.masked("Bearer s3cret"), "Bearer «secret RPCSPEC_TEST_TOKEN»");
  EXPECT_EQ(
      load(R"({"mcpServers": {"a": {"type": "ws", "url": "ws://127.0.0.1:9/"}}})", "m.json").url,
      "ws://127.0.0.1:9/");
  const std::pair<const char*, const char*> kWrong[] = {
      {R"({"servers": {"a": {"command": "x", "env": {"K": "${input:key}"}}}})",
       "m.json:1:49: '${input:key}' is a question of the editor; write ${NAME}, and set that in "
       "the "
       "environment"},
      {R"({"mcpServers": {"a": {"type": "http", "command": "x"}}})",
       "m.json:1:31: transport 'http' does not go with a command; leave out 'type': the entry is "
       "clear without it"},
      {R"({"mcpServers": {"a": {"type": "pigeon", "command": "x"}}})",
       "m.json:1:31: transport 'pigeon' is not supported; write stdio, http, streamable-http, "
       "sse or ws"},
      {R"({"mcpServers": {"a": {"args": []}}})",
       "m.json:1:22: server 'a' has neither a command nor a url; add one of them"},
  };
  for (const auto& [text, said] : kWrong) EXPECT_EQ(complaint(text, "m.json"), said);
}

TEST_F(Description, SaysWhenTheFileIsNotThere) {
  const auto target = load_target(beside("nowhere.yaml"));
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().what, "the file cannot be opened");
  EXPECT_EQ(load_target(folder_).error().what, "the file cannot be read");
}

TEST_F(Description, NamesTheDocumentThatTheServerIsHeldTo) {
  write(R"({"methods":[]})", "shop.json");
  Target target = load(
      "command: [a]\nopenrpc: shop.json\nexamples: exact\n"
      "allow: {methods: [get*, add]}\n");
  EXPECT_EQ(target.openrpc, (folder_ / "shop.json").string());
  EXPECT_EQ(target.openrpc_text, R"({"methods":[]})");
  EXPECT_EQ(target.call_methods, (std::vector<std::string>{"get*", "add"}));
  EXPECT_TRUE(target.exact_examples);
  target = load("command: [a]\nopenrpc: {method: getopenrpcinfo}\nallow: {methods: any}\n");
  EXPECT_EQ(target.openrpc, "discover:getopenrpcinfo");
  EXPECT_EQ(target.call_methods, std::vector<std::string>{"any"});
  EXPECT_EQ(load("command: [a]\nopenrpc: none\n").openrpc, "none");
  EXPECT_EQ(complaint("command: [a]\nopenrpc: [a]\n"),
            "t.yaml:2:10: 'openrpc' names no document; write openrpc: FILE, URL, discover, none, "
            "{method: getopenrpcinfo} or {command: [./server, --openrpc]}");
  target = load("command: [a]\nopenrpc: {command: [echo, '{\"methods\":[]}']}\n");
  EXPECT_EQ(target.openrpc_text, R"({"methods":[]})");
  EXPECT_EQ(complaint("command: [a]\nopenrpc: {command: ['false']}\n"),
            "t.yaml:2:10: the command false ended with 1; run it by hand: it must print what is "
            "wanted, and exit with 0");
  EXPECT_EQ(load("command: [a]\nopenrpc: https://example.com/a.json\n").openrpc,
            "https://example.com/a.json");
  EXPECT_EQ(complaint("command: [a]\nexamples: true\n"),
            "t.yaml:2:11: 'examples' is something else than exact; write examples: exact, or leave "
            "it out");
}

}  // namespace
}  // namespace harness::target
