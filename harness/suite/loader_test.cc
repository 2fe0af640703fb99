// SPDX-License-Identifier: Apache-2.0
// Every feature of the grammar loads, every kind of mistake is told with its place, and the cases
// that ship fit both the loader and the schema for editors.
#include "harness/suite/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/base/file.h"
#include "harness/base/test_folders.h"
#include "harness/json/read.h"
#include "harness/json/schema_testing.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/spec/testing.h"
#include "harness/suite/actions.h"
#include "harness/suite/check.h"
#include "harness/suite/own_clauses.h"

namespace harness::suite {
namespace {

const spec::Registry& registry() { return spec::own_registry(); }

const std::vector<SourceFile>& surroundings() {
  static const std::vector<SourceFile> kFiles = {
      {"shapes/s.yaml", "Tool: {name: $string}\n"},
      {"outcomes.yaml",
       "parse-error:\n  pass: [{error: {code: -32700}}, {http: 4xx}]\n  warn: [silence]\n"}};
  return kFiles;
}

Result<Suite> load_case(const std::string& text) {
  auto files = surroundings();
  files.push_back({"suite/a/x.yaml", text});
  return load(files, registry(), "");
}

// The head every case needs, then `rest`.
std::string with(const std::string& rest) {
  return "title: t\ncovers: [jsonrpc.id.string-echo]\n" + rest;
}

std::string complaint(const std::string& text) {
  const auto suite = load_case(text);
  return suite ? "" : suite.error().text();
}

// Each feature of the grammar in a case of its own.
constexpr const char* kFeatures[] = {
    "steps: [{call: {method: ping, params: {a: 1}, id: 5, meta: none}, reply: normal}]",
    "steps: [{call: {method: ping, meta: {x: null}}, reply: [normal, silence]}]",
    "requires: [{affordance: tool.slow}]\nsteps: [{call: {tool: slow, id: 5}, reply: normal}, "
    "{call: "
    "{tool: slow, arguments: {a: 1}, meta: {x: 1}}}]",
    "steps: [{frame: {id: '\"a\"', params: ~}, reply: normal}, {frame: {params: [{text: '{'}, "
    "{hex: "
    "ff}]}}]",
    "steps: [{notify: {method: x}, reply: silence}]",
    "steps: [{send: [{jsonrpc: '2.0'}], reply: {message: $array}}]",
    "steps: [{frame: '{', reply: parse-error}]",
    "steps: [{bytes: [{text: a}, {hex: 'ff fe'}, {repeat: '[', count: 50}], reply: {is: "
    "parse-error, because: b}}]",
    "steps: [{frame: [{repeat: 'k${n}', count: 3}], write: {chunks: [3, 1], eol: \"\\r\\n\"}, "
    "reply: silence}]",
    "steps: [{frame: 'x', write: {each_byte: true}, headers: {A: b, C: null}, reply: {silence: "
    "true}}]",
    "steps: [{pipelined: [{call: {method: a}, as: one, reply: normal}, {call: {method: b}, as: "
    "two}], "
    "repeat: 2, order: [one, two]}]",
    "steps: [{call: {method: a}, as: one, reply: later}, {await: {one: normal}}]",
    "steps: [{call: {method: a}, reply: later}, {silence: true}]",
    "steps: [{expect: {message: {method: x}}}, {expect: {message: $any, optional: true}}]",
    "steps: [{expect: {message: {method: x}, absent: true}}]",
    "steps: [{call: {method: a}, capture: {all: /result}}, {call: {method: '${one}'}, each: {one: "
    "'${all}'}, when: {value: '${one}', is: b}, reply: normal}]",
    "steps: [{canary: true}]",
    "session: bare\nsteps: [{handshake: {version: '1', capabilities: {}, initialized: false}, "
    "reply: {error: {}}}]",
    "steps: [{reconnect: bare}, {handshake: {}}]",
    "transports: [stdio]\nsession: fresh\nsteps: [{close: stdin}, {signal: TERM}, {exit: {within: "
    "5, status: 'exit 0'}, reply: exited}]",
    "steps: [{close: stdin, when: {transports: [stdio]}}, {canary: true}]",
    "transports: [http]\nsteps: [{http: {method: GET, path: /, headers: {Accept: a}, body: ''}, "
    "reply: {http: [405, 4xx], body: empty}}]",
    "transports: [websocket]\nsteps: [{upgrade: {path: /x, headers: {Upgrade: null}}, reply: "
    "{http: "
    "[101, 4xx]}}]",
    "transports: [websocket]\nsteps: [{ping: hi, within: 2}, {ping: [{hex: 'ff 00'}]}]",
    "transports: [http]\nsteps: [{call: {method: a}, client: other, reply: normal}]",
    "transports: [websocket]\nsteps: [{call: {method: a}, client: other, reply: normal}]",
    "transports: [http]\nrequires: [{http: sessions}, {http: loopback}]\nsteps: [{http: {method: "
    "GET, keep_open: true, expect_continue: false, answers: 2}, as: s, write: {chunked: 5}, "
    "capture: {sid: "
    "{header: Mcp-Session-Id}}, reply: [{http: none}, {http: 405, skip_rest: true, because: b}]}, "
    "{stream: {of: s, until: {message: {id: '${sid}'}}, optional: true, because: c}, capture: {e: "
    "/last_id}}, {stream: {of: [s], until: end, to: {ids: {$unique: ''}}}}, {disconnect: s}]",
    "transports: [http]\nsteps: [{call: {method: a}, headers: {A: [{repeat: x, count: 9}]}, reply: "
    "normal}]",
    "transports: [http]\nrequires: [{auth: bearer}, {auth: demanded}, {auth: none}]\ntable: "
    "[{shown: cut}]\n"
    "steps: [{call: {method: a}, auth: none, reply: normal}, {http: {method: GET, path: "
    "'${auth.path}'}, auth: '${shown}', reply: {http: 401}}]",
    "steps: [{call: {method: a}, capture: {x: /result/y}}, {compare: {value: '${x.0}', to: "
    "$string}}]",
    "steps: [{call: {method: a}, capture: {x: /result}}, {canary: true, when: {value: '${x}', is: "
    "{$not: $absent}, profiles: [mcp]}}]",
    "steps: [{call: {method: a}, capture: {x: /result}}, {compare: {values: ['${x}'], to: "
    "{$unique: ''}}}]",
    "steps: [{walk: {call: {method: tools/list}, items: /result/tools, pages: 9}, capture: {all: "
    "/items}}]",
    "table: [{clause: jsonrpc.id.type-preserved, at: /result/all, when: {declared: tools}}, "
    "{clause: "
    "jsonrpc.id.string-echo, at: /result/more, when: {declared: tools.listChanged}}]\n"
    "steps: [{walk: {call: {method: a}, items: '${at}'}, covers: '${clause}', reply: "
    "{fail: [{error: {}, breaks: '${clause}'}]}}]",
    "steps: [{call: {method: a}, reply: {pass: [{all: [normal, {headers: {A: $string}}]}], note: "
    "[silence], warn: [{error: {}}], fail: [{result: $any, breaks: jsonrpc.id.type-preserved}]}}]",
    "steps: [{call: {method: a}, reply: {separate: [{id: 1}, {id: 2}]}}]",
    "steps: [{call: {method: a}, reply: {error: {}, id: own, when: {profiles: [mcp>=2025-06-18], "
    "transports: [http]}}}]",
    "steps: [{call: {method: a}, label: 1e400, covers: jsonrpc.id.string-echo, within: 5, reply: "
    "normal}]",
    "steps: [{call: {method: a}, reply: {result: {tools: {$each: {$shape: Tool}}}}}]",
    "table: [{own: 1, want: {error: {code: $integer}}}, {own: 2, want: normal, row: two, when: "
    "{transports: [stdio]}}]\n"
    "steps: [{frame: '{\"id\":${own}}', reply: '${want}'}]",
    "for_each: {tool: tools}\nsteps: [{call: {method: tools/call, params: {name: '${tool.name}'}}, "
    "reply: any-reply}]",
    "for_each: {call: {arguments: broken, of: [required, maximum]}}\nsteps: [{call: {method: "
    "tools/call, params: {name: '${call.name}', arguments: '${call.arguments}'}}, reply: "
    "any-reply}]",
    "for_each: {get: {arguments: valid, from: prompts, values: [5, true]}}\nsteps: [{call: "
    "{method: "
    "prompts/get, params: {name: '${get.name}', arguments: '${get.arguments}'}}, reply: "
    "any-reply}]",
    "for_each: {made: {uris: expanded, values: [a%20b]}}\nsteps: [{call: {method: resources/read, "
    "params: {uri: '${made.uri}'}}, reply: any-reply}]",
    "requires: [{capability: tools}, {affordance: tool.slow}, {era: dual}]\nfalsified_by: "
    "[a-fault]\nprofiles: [mcp, jsonrpc-2.0]\n"
    "client_capabilities: {roots: {}}\nanswers: {roots/list: {result: {}}, a: none, b: {raw: "
    "'${request.id}'}, c: {error: {code: 1}}, d: late, '*': twice}\n"
    "steps: [{call: {method: a}, reply: normal}]",
    "steps: [{send: ['${canary.request}', '${id}', '${id.x}', '${meta}', '${profile.name}', "
    "'${session.result.a}', '${target.tool.echo.name}', '${random}', '${json:id}', '$${x}'], "
    "reply: silence}]",
};

// Whether a case that covers these clauses has to say which an outcome breaks.
bool asks_for_clause(const std::string& covers, const std::string& step) {
  const std::string text = "title: t\ncovers: [" + covers + "]\nsteps: [{" + step + "}]";
  return complaint(text).find("break one of several clauses") != std::string::npos;
}

TEST(Loader, WantsToKnowWhichOfSeveralClausesAnOutcomeBreaks) {
  const std::string two = "jsonrpc.id.string-echo, jsonrpc.id.type-preserved";
  const std::string open = "send: 1, reply: {pass: [normal], warn: [{error: $any}]}";
  EXPECT_TRUE(asks_for_clause(two, open));
  EXPECT_TRUE(asks_for_clause(two, "send: 1, reply: parse-error"));  // whose silence warns
  EXPECT_TRUE(asks_for_clause(two, "pipelined: [{" + open + "}]"));
  EXPECT_FALSE(asks_for_clause(two, open + ", covers: jsonrpc.id.string-echo"));
  EXPECT_FALSE(asks_for_clause(
      two, "send: 1, reply: {warn: [{error: $any, breaks: jsonrpc.id.string-echo}]}"));
  EXPECT_FALSE(asks_for_clause(two, "send: 1, reply: normal"));
  EXPECT_FALSE(asks_for_clause("jsonrpc.id.string-echo", open));
  // MCP has the one of JSON-RPC as its own.
  EXPECT_FALSE(asks_for_clause("jsonrpc.id.string-echo, mcp.base.response-same-id", open));
}

TEST(Loader, TakesEveryFeatureOfTheGrammar) {
  for (const char* feature : kFeatures) EXPECT_EQ(complaint(with(feature)), "") << feature;
}

// The example of an action in a case where it can be played.
std::string example_of(const ActionRow& row) {
  std::string head = row.on == On::kStdio       ? "transports: [stdio]\n"
                     : row.on == On::kHttp      ? "transports: [http]\n"
                     : row.on == On::kWebsocket ? "transports: [websocket]\n"
                                                : "";
  return with(head + "steps:\n" + row.example + "- canary: true\n");
}

TEST(Actions, HaveAnExampleThatLoadsAndUsesThem) {
  for (const ActionRow& row : actions()) {
    EXPECT_EQ(complaint(example_of(row)), "") << row.name;
    const auto value = json::read_yaml(row.example, row.name);
    ASSERT_TRUE(value) << row.name;
    EXPECT_TRUE(std::any_of(value->items.begin(), value->items.end(), [&](const json::Value& step) {
      return step.find(row.name) != nullptr;
    })) << row.name;
  }
}

const Pieces& text_of(const Step& step) { return std::get<Frame>(step.action).text; }

TEST(Loader, WritesAFrameOfMembersOut) {
  const auto suite = load_case(
      with("steps: [{frame: {}}, {frame: {id: '${id.x}', params: '[${id}]'}}, {frame: {params: ~, "
           "method: "
           "'1'}}, {frame: {params: [{text: '[\"'}, {hex: ff}, {text: '\"]'}]}}, {canary: true}]"));
  ASSERT_TRUE(suite) << suite.error().text();
  const auto& steps = suite->cases.front().steps;
  EXPECT_EQ(
      text_of(steps[0]).whole.text,
      R"({"jsonrpc":"2.0","id":${id},"method":"${canary.method}","params":${canary.params}})");
  EXPECT_EQ(text_of(steps[1]).whole.text,
            R"({"jsonrpc":"2.0","id":${id.x},"method":"${canary.method}","params":[${id}]})");
  EXPECT_EQ(text_of(steps[2]).whole.text, R"({"jsonrpc":"2.0","id":${id},"method":1})");
  const auto& list = text_of(steps[3]).list;
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(std::get<TextPiece>(list[0].what).text.text,
            R"({"jsonrpc":"2.0","id":${id},"method":"${canary.method}","params":[")");
  EXPECT_EQ(std::get<TextPiece>(list[2].what).text.text, "\"]}");
}

TEST(Loader, WritesACallByAffordanceOut) {
  const auto suite = load_case(with(
      "requires: [{affordance: tool.slow}]\nsteps: [{call: {tool: slow, id: 5}}, {call: {tool: "
      "slow, arguments: {a: 1}}}, {canary: true}]"));
  ASSERT_TRUE(suite) << suite.error().text();
  const auto& item = suite->cases.front();
  const auto& first = std::get<Call>(item.steps[0].action);
  EXPECT_EQ(first.method.text, "tools/call");
  EXPECT_EQ(json::write(*first.params),
            R"({"name":"${target.tool.slow.name}","arguments":"${target.tool.slow.arguments}"})");
  EXPECT_EQ(json::write(*first.id), "5");
  EXPECT_EQ(json::write(*std::get<Call>(item.steps[1].action).params),
            R"({"name":"${target.tool.slow.name}","arguments":{"a":1}})");
  EXPECT_TRUE(item.references.contains("target.tool.slow.arguments"));
}

TEST(Loader, MakesACase) {
  const auto suite = load_case(
      with("profiles: [mcp]\ntransports: [http]\nsession: fresh\nrequires: [{capability: tools}]\n"
           "falsified_by: [f]\nfor_each: {t: tools}\ntable: [{a: 1}, {a: 2}]\nsteps: [{canary: "
           "true}]\n"));
  ASSERT_TRUE(suite) << suite.error().text();
  ASSERT_EQ(suite->cases.size(), 1u);
  const auto& item = suite->cases.front();
  EXPECT_EQ(item.id, "a/x");
  EXPECT_EQ(item.file, "suite/a/x.yaml");
  EXPECT_EQ(item.covers, std::vector<std::string>{"jsonrpc.id.string-echo"});
  EXPECT_EQ(item.profiles, std::vector<std::string>{"mcp"});
  EXPECT_EQ(item.transports, wire::TransportSet{wire::TransportKind::kHttp});
  EXPECT_EQ(item.need, Need::kFresh);
  EXPECT_EQ(item.gates.front().kind + "=" + item.gates.front().name, "capability=tools");
  EXPECT_EQ(item.for_each_name + ":" + item.for_each_list, "t:tools");
  EXPECT_EQ(item.table.size(), 2u);
  EXPECT_EQ(item.steps.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Canary>(item.steps.front().action));
  EXPECT_EQ(json::place("x", item.steps.front().mark), "x:10:9");
  EXPECT_NE(suite->outcomes.find("parse-error"), nullptr);
  EXPECT_TRUE(suite->shapes.knows("Tool"));
}

struct Mistake {
  const char* rest;
  const char* text;
};
constexpr Mistake kMistakes[] = {
    {"stepz: []\nsteps: [{canary: true}]",
     "3:1: unknown key in the case 'stepz'; did you mean 'steps'?"},
    {"session: freshh\nsteps: [{canary: true}]",
     "3:10: unknown session 'freshh'; did you mean 'fresh'?"},
    {"profiles: [mcp>=2025-06-19]\nsteps: [{canary: true}]",
     "3:12: unknown profile 'mcp>=2025-06-19'; did you mean 'mcp>=2025-06-18'?"},
    {"transports: [htp]\nsteps: [{canary: true}]",
     "3:14: unknown transport 'htp'; did you mean 'http'?"},
    {"requires: [{capabilty: tools}]\nsteps: [{canary: true}]",
     "3:13: unknown requirement of the target 'capabilty'; did you mean 'capability'?"},
    {"requires: [{http: tls}]\nsteps: [{canary: true}]",
     "3:19: unknown use of HTTP 'tls'; use sessions, loopback"},
    {"transports: [http]\nsteps: [{stream: {of: s, until: end}}]",
     "4:23: unknown step with an 'as' 's'"},
    {"transports: [http]\nsteps: [{disconnect: s}, {canary: true}]",
     "4:22: unknown step with an 'as' 's'"},
    {"steps: [{call: {method: a}, reply: {silence: true, skip_rest: false}}]",
     "3:63: 'skip_rest' takes no value but true; write true"},
    {"requires: [{era: new}]\nsteps: [{canary: true}]",
     "3:18: unknown era 'new'; use modern-only, dual"},
    {"for_each: {tool: tool}\nsteps: [{canary: true}]",
     "3:18: unknown list 'tool'; did you mean 'tools'?"},
    {"for_each: {call: {arguments: good}}\nsteps: [{canary: true}]",
     "3:30: unknown kind of arguments 'good'; use valid, minimal, boundary, broken"},
    {"for_each: {call: {of: [type]}}\nsteps: [{canary: true}]",
     "3:18: the list does not say which arguments or URIs to make; write {arguments: valid} or "
     "{uris: "
     "unknown}"},
    {"for_each: {made: {uris: known}}\nsteps: [{canary: true}]",
     "3:25: unknown kind of URIs 'known'; use unknown, expanded, escaping"},
    {"for_each: {made: {uris: unknown, values: [1]}}\nsteps: [{canary: true}]",
     "3:42: 'values' goes with expanded URIs and valid arguments of prompts"},
    {"for_each: {made: {uris: unknown, from: prompts}}\nsteps: [{canary: true}]",
     "3:40: 'from' goes with arguments"},
    {"for_each: {get: {arguments: broken, from: prompts, of: [type]}}\nsteps: [{canary: true}]",
     "3:56: 'of' goes with arguments of tools"},
    {"for_each: {call: {arguments: valid, of: [type]}}\nsteps: [{canary: true}]",
     "3:41: 'of' goes with boundary and broken arguments"},
    {"table: []\nsteps: [{canary: true}]", "3:8: 'table' has no rows; remove it, or add a row"},
    {"table: [{id: 1}]\nsteps: [{canary: true}]",
     "3:10: the column 'id' hides the built-in ${id}; choose another name"},
    {"answers: {a: [no]}\nsteps: [{canary: true}]",
     "3:14: the answer to 'a' cannot be read; write {result: …}, {error: {code: …, message: …}}, "
     "{accept: valid}, {raw: text} or none"},
    {"answers: {roots/list: {accept: valid}}\nsteps: [{canary: true}]",
     "3:32: only elicitation/create is accepted; write {result: …}"},
    {"answers: {a: twise}\nsteps: [{canary: true}]",
     "3:14: unknown answer 'twise'; did you mean 'twice'?"},
    {"steps: [{call: {method: a}}]",
     "3:8: the case judges nothing; add a reply, expect, silence, compare, or canary: true"},
    {"steps: [{reply: silence}]",
     "3:9: the step has no action; add call, send, frame or another one"},
    {"steps: [{call: {method: a}, send: 1}]",
     "3:29: a step must have one action; this one has 'call' and 'send'; make it two steps"},
    {"steps: [{call: {method: a}, expect: {message: 1}}]",
     "3:29: a step must have one action; this one has 'call' and 'expect'; write 'reply' for what "
     "is expected of it"},
    {"steps: [{cal: {method: a}}]", "3:10: unknown key in a step 'cal'; did you mean 'call'?"},
    {"steps: [{expects: 1, reply: silense, call: {method: a}}]",
     "3:10: unknown key in a step 'expects'; write 'reply' for what is expected of "
     "it\nsuite/a/x.yaml:3:29: unknown outcome 'silense'; did you mean 'silence'?"},
    {"steps: [{expects: {message: 1}}]",
     "3:10: unknown key in a step 'expects'; did you mean 'expect'?"},
    {"steps: [{call: {tool: slow}, reply: normal}]",
     "3:23: the case does not require the affordance 'tool.slow'; add requires: [{affordance: "
     "tool.slow}]"},
    {"requires: [{affordance: tool.slow}]\nsteps: [{call: {tool: slow, method: a}, reply: normal}]",
     "4:29: 'method' does not go with 'tool'; remove one of them"},
    {"steps: [{call: {method: a, arguments: {}}, reply: normal}]",
     "3:39: 'arguments' goes with 'tool'; write params: {arguments: …}"},
    {"steps: [{frame: {parms: '{}'}, reply: normal}]",
     "3:18: unknown key in 'frame' 'parms'; did you mean 'params'?"},
    {"steps: [{call: {methd: a}, reply: normal}]",
     "3:17: unknown key in 'call' 'methd'; did you mean 'method'?\nsuite/a/x.yaml:3:16: 'call' has "
     "no 'method'; add 'method'"},
    {"steps: [{call: {method: a}, reply: silense}]",
     "3:36: unknown outcome 'silense'; did you mean 'silence'?"},
    {"steps: [{call: {method: a}, reply: {pass: [parse-eror]}}]",
     "3:44: unknown outcome 'parse-eror'; did you mean 'parse-error'?"},
    {"steps: [{call: {method: a}, reply: {because: x}}]",
     "3:36: the outcome does not say what it matches; add silence: true, result, error, message, "
     "separate, http or all"},
    {"steps: [{call: {method: a}, reply: {http: 4x}}]",
     "3:43: 'http' must be a status; write 400, 4xx, [400, 404] or none"},
    {"steps: [{call: {method: a}, reply: {result: $strng}}]",
     "3:45: unknown matcher '$strng'; did you mean '$string'? ($$ is a literal $)"},
    {"steps: [{call: {method: a}, reply: {result: {$shape: Tol}}}]",
     "3:54: unknown shape 'Tol'; did you mean 'Tool'?"},
    {"steps: [{call: {method: a}, reply: {error: {}, breaks: jsonrpc.id.string-ecko}}]",
     "3:56: unknown requirement 'jsonrpc.id.string-ecko'; did you mean 'jsonrpc.id.string-echo'?"},
    {"table: [{clause: jsonrpc.id.string-ecko}]\nsteps: [{call: {method: a}, covers: '${clause}', "
     "reply: normal}]",
     "3:18: unknown requirement 'jsonrpc.id.string-ecko'; did you mean 'jsonrpc.id.string-echo'?"},
    {"table: [{when: {declared: [tools]}}]\nsteps: [{call: {method: a}, reply: normal}]",
     "3:27: 'declared' must be a string"},
    {"table: [{when: {declares: tools}}]\nsteps: [{call: {method: a}, reply: normal}]",
     "3:17: unknown key in 'when' 'declares'; did you mean 'declared'?"},
    {"steps: [{call: {method: '${canry.method}'}, reply: normal}]",
     "3:25: unknown reference '${canry}'; did you mean '${canary}'?"},
    {"steps: [{call: {method: '${canary.methd}'}, reply: normal}]",
     "3:25: unknown member of ${canary} 'methd'; did you mean 'method'?"},
    {"steps: [{call: {method: '${x'}, reply: normal}]",
     "3:25: a reference is not closed: ${x; write ${name}, or $${ for a literal ${"},
    {"steps: [{compare: {value: '${x}', to: 1}}, {call: {method: a}, capture: {x: /r}}]",
     "3:27: unknown reference '${x}'; it is not a column, capture, step name or built-in; write "
     "$${ for a literal ${"},
    {"table: [{own: 1}, {other: 1}]\nsteps: [{frame: '${own}', reply: silence}]",
     "3:19: this row has no 'own', which the case refers to; give every row a value for it"},
    {"table: [{want: $strng}]\nsteps: [{frame: a, reply: {result: '${want}'}}]",
     "3:16: unknown matcher '$strng'; did you mean '$string'? ($$ is a literal $)"},
    {"steps: [{expect: {message: 1}, reply: normal}]", "3:32: 'reply' does not go with 'expect'"},
    {"steps: [{call: {method: a}, capture: {x: result}}, {canary: true}]",
     "3:42: capture 'x' must be a JSON Pointer; write /result/tools, or \"\" for the whole"},
    {"steps: [{await: {one: normal}}]", "3:18: unknown step with 'reply: later' 'one'"},
    {"steps: [{handshake: {}}]",
     "3:21: the handshake of this session is already done; give the case 'session: bare', or "
     "reconnect: bare before"},
    {"steps: [{close: stdin}, {canary: true}]",
     "3:10: 'close' can be played over stdio only; give the case transports: [stdio], or the step "
     "when: {transports: [stdio]}"},
    {"steps: [{upgrade: {}, reply: {http: 101}}]",
     "3:10: 'upgrade' can be played over websocket only; give the case transports: [websocket], or "
     "the step when: {transports: [websocket]}"},
    {"steps: [{ping: hi}]",
     "3:10: 'ping' can be played over websocket only; give the case transports: [websocket], or "
     "the step when: {transports: [websocket]}"},
    {"steps: [{http: {method: GET}, reply: {http: 405}}]",
     "3:10: 'http' can be played over http only; give the case transports: [http], or the step "
     "when: {transports: [http]}"},
    {"transports: [http]\nsteps: [{call: {method: a}, auth: wron, reply: normal}]",
     "4:35: unknown value of 'auth' 'wron'; did you mean 'wrong'?"},
    {"steps: [{call: {method: a}, auth: none, reply: normal}]",
     "3:29: 'auth' can be played over http only; give the case transports: [http], or the step "
     "when: {transports: [http]}"},
    {"requires: [{auth: baerer}]\nsteps: [{canary: true}]",
     "3:19: unknown kind of credentials 'baerer'; did you mean 'bearer'?"},
    {"steps: [{call: {method: a}, each: {one: [1]}}, {call: {method: '${one}'}}]",
     "3:64: unknown reference '${one}'; it is not a column, capture, step name or built-in; "
     "write $${ for a literal ${"},
    {"steps: [{call: {method: a}, as: b, each: {one: [1]}}]",
     "3:42: 'each' goes neither with 'as' and 'client' nor into 'pipelined'; make it a "
     "separate step"},
    {"steps: [{call: {method: a}, each: one}]",
     "3:35: 'each' binds one name to a list; write {one: \"${all}\"}"},
    {"steps: [{pipelined: [{canary: true}]}, {canary: true}]",
     "3:23: 'canary' cannot be part of 'pipelined'; use call, notify, send, frame or bytes"},
    {"steps: [{frame: [{hex: 'f'}], reply: silence}]",
     "3:24: 'hex' must be pairs of hexadecimal digits; write \"ff fe\""},
    {"steps: [{frame: [{text: a, hex: ff}], reply: silence}]",
     "3:18: a piece is one of text, hex, ws, or repeat with count; write {text: …}, {hex: \"ff "
     "fe\"} "
     "or {repeat: \"[\", count: 5000}"},
    {"steps: [{silence: false}]", "3:19: this action takes no value but true; write true"},
    {"steps: [{canary: true, when: {value: 1}}]",
     "3:30: 'when' has no 'is'; write {value: \"${name}\", is: MATCHER}"},
    {"steps: [{canary: true, when: {is: $strng, value: 1}}]",
     "3:35: unknown matcher '$strng'; did you mean '$string'? ($$ is a literal $)"},
    {"table: [{when: {value: 1}}]\nsteps: [{canary: true}]",
     "3:17: unknown key in 'when' 'value'; use profiles, transports, declared"},
    {"steps: [{signal: TREM}, {canary: true}]\ntransports: [stdio]",
     "3:18: unknown value of 'signal' 'TREM'; did you mean 'TERM'?"},
    {"steps: [{call: {method: a}, within: soon, reply: normal}]",
     "3:37: 'within' must be a number"},
    {"steps: [{compare: {to: 1}}]", "3:19: 'compare' takes either 'value' or 'values'"},
    {"profiles: [mcp-2025-06-18]\ntransports: []\nsteps: 5", "5:8: 'steps' must be a list"},
};

TEST(Loader, TellsEveryMistakeWithItsPlaceAndARemedy) {
  for (const auto& mistake : kMistakes) {
    EXPECT_EQ(complaint(with(mistake.rest)), std::string("suite/a/x.yaml:") + mistake.text)
        << mistake.rest;
  }
}

TEST(Loader, RefusesOutcomesThatBreakAMay) {
  const std::string at = "title: t\ncovers: [mcp.progress.optional]\nsteps: [{call: {method: a}, ";
  EXPECT_EQ(complaint(at + "reply: {pass: [{result: {}}], warn: [{error: $any}]}}]"),
            "suite/a/x.yaml:3:9: an outcome fails or warns, and a MAY cannot be broken; give the "
            "outcome 'breaks', or make it a note");
  EXPECT_EQ(complaint(at + "reply: {warn: [{error: $any, breaks: mcp.ping.result}]}}]"), "");
}

TEST(Loader, RefusesCoversThatDoNotExistOrNeverCount) {
  EXPECT_EQ(complaint("title: t\ncovers: [jsonrpc.id.string-ecko]\nsteps: [{canary: true}]"),
            "suite/a/x.yaml:2:10: unknown requirement 'jsonrpc.id.string-ecko'; did you mean "
            "'jsonrpc.id.string-echo'?");
  EXPECT_EQ(
      complaint(
          "title: t\ncovers: [tutorial.jsonrpc.id-null]\nprofiles: [mcp]\nsteps: [{canary: true}]"),
      "suite/a/x.yaml:2:9: no clause of 'covers' applies in any of the case's profiles and "
      "transports; change 'covers', 'profiles' or 'transports'");
}

TEST(Loader, TellsTenMistakesAndCountsTheRest) {
  std::string steps = "steps:\n";
  for (int i = 0; i < 12; ++i) steps += "  - {cal: 1}\n";
  const auto text = complaint(with(steps));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_NE(text.find("… and 2 more"), std::string::npos);
}

TEST(Loader, ChecksOutcomeSetsAndShapes) {
  const auto outcomes = load({{"outcomes.yaml", "a: {pass: [{http: 9}]}\n"}}, registry());
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(
      outcomes.error().text(),
      "cases/outcomes.yaml:1:19: 'http' must be a status; write 400, 4xx, [400, 404] or none");
  const auto shapes = load({{"shapes/a.yaml", "A: [{when: [mpc], is: $any}]\n"}}, registry());
  ASSERT_FALSE(shapes);
  EXPECT_EQ(shapes.error().where, "cases/shapes/a.yaml:1:13");
}

TEST(Outcomes, PutWhatASetExtendsBehindItsOwnGradeByGrade) {
  const auto suite = load({{"outcomes.yaml",
                            "a: {pass: [{http: 4xx}], fail: silence}\n"
                            "b: {extends: a, pass: {result: $any}, warn: [{error: {}}]}\n"
                            "c: {extends: b, fail: [{http: 5xx}]}\n"}},
                          registry());
  ASSERT_TRUE(suite) << suite.error().text();
  EXPECT_EQ(
      json::write(*suite->outcomes.find("b")),
      R"({"pass":[{"result":"$any"},{"http":"4xx"}],"warn":[{"error":{}}],"fail":["silence"]})");
  EXPECT_EQ(json::write(*suite->outcomes.find("c")->find("fail")), R"([{"http":"5xx"},"silence"])");
}

TEST(Outcomes, ExtendOnlyWhatStandsAboveThem) {
  const auto text = [](const char* yaml) {
    const auto suite = load({{"outcomes.yaml", yaml}}, registry(), "");
    return suite ? "" : suite.error().text();
  };
  EXPECT_EQ(text("b: {extends: a}\na: {pass: silence}\n"),
            "outcomes.yaml:1:14: unknown outcome set above this one 'a'");
  EXPECT_EQ(text("a: {pass: silence}\nb: {extends: a, pss: silence}\n"),
            "outcomes.yaml:2:17: unknown key in the set 'pss'; did you mean 'pass'?");
}

TEST(CheckCases, TellsAllMistakesOfAllFilesAndKeepsTheSoundOnes) {
  const auto suite = load(surroundings(), registry(), "");
  std::string bad = "steps:\n";
  for (int i = 0; i < 12; ++i) bad += "  - {cal: 1}\n";
  const Checked checked = check_cases({{"my/bad.yaml", with(bad)},
                                       {"good.yaml", with("steps: [{canary: true}]")},
                                       {"worse.yaml", "title: T\nsteps: [\n"}},
                                      *suite, registry());
  ASSERT_EQ(checked.cases.size(), 1u);
  EXPECT_EQ(checked.cases.front().id, "good");
  ASSERT_EQ(checked.errors.size(), 13u);
  EXPECT_EQ(checked.errors[11].where, "my/bad.yaml:15:6");
  EXPECT_TRUE(checked.errors[12].where.starts_with("worse.yaml:3:")) << checked.errors[12].where;
}

TEST(Loader, WantsEachMarkOfATextForLanguageServers) {
  const auto mistake = [](const std::string& text) {
    std::vector<SourceFile> files = surroundings();
    files.push_back({"languages/own.yaml", text});
    const auto suite = load(files, registry(), "");
    return suite ? std::string() : suite.error().text();
  };
  const std::string text = *read_file(harness::source_dir() + "/cases/languages/c.yaml");
  EXPECT_EQ(mistake(text), "");
  const std::size_t used = text.find("used:");
  const std::string without = text.substr(0, used) + text.substr(text.find('\n', used) + 1);
  EXPECT_THAT(mistake(without), testing::HasSubstr("languages/own.yaml:"));
  EXPECT_THAT(mistake(without), testing::HasSubstr("'used'"));
  std::string half = text;
  half.replace(used, half.find('\n', used) - used, "used: {line: 5}");
  EXPECT_THAT(mistake(half), testing::HasSubstr("'character'"));
}

TEST(NewCase, LoadsAndQuotesTheClause) {
  const spec::Requirement* clause = registry().find("jsonrpc.id.string-echo");
  const std::string text = new_case(clause);
  EXPECT_TRUE(text.starts_with("# MUST: ")) << text;
  const auto suite = load(surroundings(), registry(), "");
  const Checked checked = check_cases({{"n.yaml", text}}, *suite, registry());
  ASSERT_TRUE(checked.errors.empty()) << checked.errors.front().text();
  EXPECT_EQ(checked.cases.front().covers, std::vector<std::string>{clause->id});
  // Without one it has a rule of its own.
  const std::vector<SourceFile> open = {{"a/n.yaml", new_case(nullptr)}};
  spec::Registry with_own = registry();
  ASSERT_TRUE(add_own_clauses(open, with_own));
  const Checked own = check_cases(open, *suite, with_own);
  ASSERT_TRUE(own.errors.empty()) << own.errors.front().text();
  EXPECT_EQ(own.cases.front().covers, std::vector<std::string>{"own.a.n"});
  EXPECT_EQ(with_own.find("own.a.n")->statement, "What the server has to do.");
}

TEST(OwnClauses, AreCheckedBesideEverythingElse) {
  const auto suite = load(surroundings(), registry(), "");
  const std::vector<SourceFile> files = {
      {"n.yaml",
       "title: t\nclause: {level: WILL, statment: x}\nsteps:\n  - call: {metod: ping}\n"}};
  spec::Registry with_own = registry();
  ASSERT_TRUE(add_own_clauses(files, with_own));
  std::string told;
  for (const Error& error : check_cases(files, *suite, with_own).errors)
    told += error.text() + "\n";
  for (const char* part : {"unknown level 'WILL'", "did you mean 'statement'?", "'metod'"})
    EXPECT_NE(told.find(part), std::string::npos) << part << " is not in " << told;
  ASSERT_TRUE(
      add_own_clauses({{"a.yaml", "clause: {id: x.y, level: MAY, statement: s}\n"}}, with_own));
  EXPECT_FALSE(
      add_own_clauses({{"b.yaml", "clause: {id: x.y, level: MAY, statement: s}\n"}}, with_own))
      << "two rules of one id";
}

std::vector<SourceFile> shipped() {
  auto files = read_folder(harness::source_dir() + "/cases");
  if (!files) throw std::runtime_error(files.error().text());
  return *files;
}

json::Value schema() {
  auto schema = json::read_yaml_file(harness::source_dir() + "/cases/case.schema.json");
  if (!schema) throw std::runtime_error(schema.error().text());
  return *schema;
}

TEST(Cases, FitTheSchemaForEditors) {
  const auto rules = schema();
  for (const auto& file : shipped()) {
    if (file.name.substr(0, 6) != "suite/") continue;
    const auto cases = cases_of(file);
    ASSERT_TRUE(cases) << cases.error().text();
    for (const CaseText& one : *cases) {
      const auto status = json::validate(rules, one.said);
      EXPECT_TRUE(status) << one.path << ": " << status.error().text();
    }
  }
}

TEST(Schema, TakesEveryFeatureOfTheGrammar) {
  const auto rules = schema();
  for (const char* feature : kFeatures) {
    const auto status = json::validate(rules, *json::read_yaml(with(feature), "t.yaml"));
    EXPECT_TRUE(status) << feature << ": " << status.error().text();
  }
}

TEST(Schema, NamesTheTransportsThatCasesMay) {
  const json::Value rules = schema();
  const json::Value* names = json::at(rules, "/$defs/transports/items/enum");
  ASSERT_NE(names, nullptr);
  std::vector<std::string> words;
  for (const json::Value& name : names->items) words.push_back(name.text);
  EXPECT_EQ(words, wire::transport_selectors());
}

TEST(Schema, RefusesWhatHasNoPlaceInACase) {
  const auto rules = schema();
  for (const char* bad :
       {"stepz: []\nsteps: [{canary: true}]", "steps: [{call: {method: a}, send: 1}]",
        "steps: [{cal: 1}]", "steps: []", "session: freshh\nsteps: [{canary: true}]"}) {
    EXPECT_FALSE(json::validate(rules, *json::read_yaml(with(bad), "t.yaml"))) << bad;
  }
}

}  // namespace
}  // namespace harness::suite
