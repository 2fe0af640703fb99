// SPDX-License-Identifier: Apache-2.0
// What editors are told by target.schema.json and what the loader takes are the same, as far as a
// schema can say it.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "harness/base/test_folders.h"
#include "harness/json/schema_testing.h"
#include "harness/json/yaml.h"
#include "harness/target/target.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

const json::Value& schema() {
  static const json::Value kSchema = [] {
    auto read = json::read_yaml_file(harness::source_dir() + "/harness/target/target.schema.json");
    EXPECT_TRUE(read) << read.error().text();
    return read ? *read : json::Value();
  }();
  return kSchema;
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string complaint_of_schema(const std::string& text, const std::string& name) {
  const auto value = json::read_yaml(text, name);
  if (!value) return value.error().text();
  const Status fits = json::validate(schema(), *value);
  return fits ? "" : fits.error().text();
}

std::string complaint_of_loader(const std::string& text, const std::string& entry = "") {
  const fs::path path = fs::path(testing::TempDir()) /
                        ("rpcspec-target-schema-" + std::to_string(getpid()) + ".yaml");
  std::ofstream(path) << text;
  const auto loaded = load_target(path.string() + entry);
  fs::remove(path);
  return loaded ? "" : loaded.error().text();
}

TEST(TargetSchema, TakesEveryDescriptionOfARealServer) {
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(harness::source_dir() + "/corpus/servers")) {
    const fs::path path = entry.path() / "target.yaml";
    if (!fs::exists(path)) continue;
    ++seen;
    EXPECT_EQ(complaint_of_schema(text_of(path), path.string()), "");
    // Its document is fetched with the server.
    if (text_of(path).find("\nopenrpc:") != std::string::npos) continue;
    const auto loaded = load_target(path.string());
    EXPECT_TRUE(loaded) << loaded.error().text();
  }
  EXPECT_GE(seen, 10u);
}

TEST(TargetSchema, TakesTheExamplesOfTheReadme) {
  setenv("MY_TOKEN", "t", 1);
  const std::string readme = text_of(harness::source_dir() + "/harness/target/README.md");
  const std::regex block("```(?:yaml|json)\n([^`]*)```");
  std::size_t seen = 0;
  for (auto it = std::sregex_iterator(readme.begin(), readme.end(), block);
       it != std::sregex_iterator(); ++it, ++seen) {
    const std::string text = (*it)[1];
    EXPECT_EQ(complaint_of_schema(text, "README.md"), "") << text;
    const bool list = text.find("mcpServers") != std::string::npos;
    EXPECT_EQ(complaint_of_loader(text, list ? "#files" : ""), "") << text;
    if (list) {
      EXPECT_EQ(complaint_of_loader(text, "#remote"), "") << text;
    }
  }
  EXPECT_GE(seen, 3u);
}

TEST(TargetSchema, AgreesWithTheLoader) {
  const char* const kGood[] = {
      "command: [a]",
      "command: [a, 1, true]\nenv: {A: 1, B: x}",
      "name: x\nurl: http://a/",
      "url: WSS://a/\ntls: {insecure: true}\ntransport: {type: websocket, subprotocol: mcp}",
      "url: unix:/a\ntransport: {type: unix, framing: content-length, bufferSize: 1}",
      "url: https://a/\ntls: {cert: a, key: b, ca: c}\nheaders: {A: b}",
      "command: [a]\nallow: {call_tools: listed, tools: [a]}",
      "command: [a]\naffordances: {tool.slow: {name: a}}\nprofile: auto",
      "command: [a]\nrestart: each-case\nreset: [b]",
      "command: [a]\nreset: {method: a, params: {}}",
      "transport: {type: http, host: a, port: 80, path: /a, secure: false, headers: {A: b}}",
      "command: [a]\nlogging: {level: debug}",
      "command: [a]\nopenrpc: discover\nexamples: exact\nallow: {methods: [get*]}",
      "command: [a]\nopenrpc: {method: describe}\nallow: {methods: any}",
      "command: [a]\nopenrpc: {command: [echo, a]}\naffordances: {chain: execution-apis}",
      R"({"mcpServers": {"a": {"type": "sse", "url": "http://a/sse"}}})",
      R"({"mcpServers": {"a": {"command": "x", "args": ["y", 1], "disabled": true}}})",
      R"({"servers": {"a": {"type": "http", "url": "http://a/", "headers": {"A": "b"}}}})",
  };
  for (const char* text : kGood) {
    EXPECT_EQ(complaint_of_schema(text, "t"), "") << text;
    EXPECT_EQ(complaint_of_loader(text), "") << text;
  }
  const char* const kBad[] = {
      "name: x",
      "comand: [a]",
      "command: a b",
      "command: []",
      "command: [[a]]",
      "command: [a]\ncwd: 1",
      "command: [a]\nenv: {A: [1]}",
      "command: [a]\nenv: A=1",
      "url: gopher://a/",
      "url: 8080",
      "url: http://a/\nheaders: {A: [b]}",
      "url: https://a/\ntls: {cafile: x}",
      "url: https://a/\ntls: {cert: x}",
      "url: https://a/\ntls: {insecure: 1}",
      "command: [a]\ntransport: carrier-pigeon",
      "command: [a]\ntransport: {framing: lsp}",
      "command: [a]\ntransport: {encoding: latin1}",
      "command: [a]\ntransport: {bufferSize: 0}",
      "command: [a]\ntransport: {buffersize: 1}",
      "transport: {type: http, port: 65536}",
      "transport: {type: http, host: ''}",
      "transport: {type: http, path: a}",
      "transport: {type: http, secure: 1}",
      "command: [a]\nallow: {call_tools: all}",
      "command: [a]\nallow: {methods: {a: 1}}",
      "command: [a]\nopenrpc: [a]",
      "command: [a]\nexamples: loose",
      "command: [a]\nallow: {tools: echo}",
      "command: [a]\nallow: {tool: [echo]}",
      "command: [a]\naffordances: {tool.slow: sleep}",
      "command: [a]\nrestart: always",
      "command: [a]\nreset: ./reset.sh",
      "command: [a]\nreset: []",
      "command: [a]\nreset: {params: {}}",
      "command: [a]\nreset: {method: a, params: 1}",
      R"({"mcpServers": {}})",
      R"({"mcpServers": {"a": {}}})",
      R"({"mcpServers": {"a": {"command": ["x"]}}})",
      R"({"mcpServers": {"a": {"command": "x", "args": "y"}}})",
      R"({"servers": {"a": {"url": "http://a/", "headers": []}}})",
      "[]",
  };
  for (const char* text : kBad) {
    EXPECT_NE(complaint_of_schema(text, "t"), "") << text;
    EXPECT_NE(complaint_of_loader(text), "") << text;
  }
}

}  // namespace
}  // namespace harness::target
