// SPDX-License-Identifier: Apache-2.0
// A small target for the tests of mutators: what it offers, and what it has said.
#pragma once

#include <string>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "harness/json/read.h"

namespace fuzz::testing {

inline Vocabulary vocabulary(const char* profile = "mcp-2025-06-18",
                             std::string_view transport = "") {
  Vocabulary vocabulary(*harness::spec::find_profile(profile),
                        harness::wire::transport_named(transport).value());
  Surface surface;
  surface.tools = harness::json::parse(R"([
    {"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string","maxLength":5}},"required":["text"]}},
    {"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer","minimum":0},"b":{"type":"integer"}},"required":["a","b"]}},
    {"name":"rm","inputSchema":{"type":"object"}}])");
  surface.resources = harness::json::parse(R"([{"uri":"test://a","name":"a"}])");
  surface.templates = harness::json::parse(R"([{"uriTemplate":"test://{x}","name":"x"}])");
  surface.prompts = harness::json::parse(R"([{"name":"greet","arguments":[{"name":"who"}]}])");
  surface.forbidden = {"rm"};
  vocabulary.offer(surface);
  vocabulary.learn(
      R"({"jsonrpc":"2.0","id":3,"result":{"nextCursor":"c2","taskId":"t-1","uri":"file:///b","size":77}})");
  return vocabulary;
}

// Scripts as people write them, five frames each.
inline std::vector<Script> seeds() {
  const char* texts[] = {
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}
!sync
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}
{"jsonrpc":"2.0","id":"4","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"progressToken":"p"}}}
)",
      R"({"jsonrpc":"2.0","id":1,"method":"subtract","params":[42,23]}
{"jsonrpc":"2.0","method":"update","params":[1,2,3,4,5]}
[{"jsonrpc":"2.0","id":2,"method":"sum","params":[1,2,4]},{"jsonrpc":"2.0","method":"notify"}]
!chunks 3 1
{"jsonrpc":"2.0","id":"s","method":"get","params":{"name":"\u0061","deep":{"list":[1,{"a":null},true]}}}
{"jsonrpc":"2.0","id":3,"method":"more","params":{"cursor":"${4/result/nextCursor}"}}
{"jsonrpc":"2.0","id":4,"method":"more","params":{"inputResponses":{"who":{"action":"decline"}}}}
!answer roots/list {"roots":[]}
)",
      R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://a"}}
!pause 1
{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"greet","arguments":{"who":"é😀"}}}
!eol crlf
{"jsonrpc":"2.0","id":3,"method":"ping"}
not JSON
!close
{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"a"}}}
)"};
  std::vector<Script> scripts;
  for (const char* text : texts) scripts.push_back(read_script(text));
  return scripts;
}

}  // namespace fuzz::testing
