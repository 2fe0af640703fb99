// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seeds/seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "fuzz/mutate/vocabulary.h"
#include "harness/json/read.h"
#include "harness/suite/testing.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace spec = harness::spec;
namespace suite = harness::suite;
using testing::Contains;
using testing::ElementsAre;

// The scripts of one case.
std::vector<std::string> scripts_of(const std::string& case_text,
                                    const char* profile = "mcp-2025-06-18") {
  const std::vector<suite::SourceFile> files = {{"suite/a/b.yaml", case_text}};
  const suite::Suite suite = suite::expected(suite::load(files, suite::own_registry()));
  std::vector<std::string> out;
  for (const Scenario& scenario :
       scenarios(suite, suite::own_registry(), *spec::find_profile(profile)))
    out.push_back(write_script(scenario.script));
  return out;
}

const std::string kHead = "title: T\ncovers: [jsonrpc.id.string-echo]\n";

TEST(Scenarios, SendWhatTheStepsSend) {
  EXPECT_THAT(
      scripts_of(kHead + R"(
steps:
  - call: {method: tools/list, params: {}}
    capture: {cursor: /result/nextCursor}
    reply: {result: $any}
  - call: {method: tools/list, params: {cursor: "${cursor}"}}
    reply: {result: $any}
  - pipelined:
      - call: {method: ping}
      - notify: {method: notifications/x}
  - send: {id: "${id.a}", again: "${id.a}"}
  - frame: [{text: "{"}, {hex: "FF 0a"}, {repeat: "[${n}", count: 2}]
  - bytes: "raw\n"
    reply: {result: $any}
  - canary: true
)"),
      ElementsAre(
          "#! profile: mcp-2025-06-18\n"
          R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})"
          "\n!sync\n"
          R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"${1/result/nextCursor}"}})"
          "\n!sync\n"
          R"({"jsonrpc":"2.0","id":3,"method":"ping"})"
          "\n"
          R"({"jsonrpc":"2.0","method":"notifications/x"})"
          "\n!sync\n"
          R"({"id":4,"again":4})"
          "\n!sync\n"
          R"(!frame "{\xff\n[0[1")"
          "\n!sync\n"
          R"(!raw "raw\n")"
          "\n"
          R"({"jsonrpc":"2.0","id":5,"method":"ping","params":{}})"
          "\n"));
}

TEST(Scenarios, ComeOneARow) {
  EXPECT_THAT(scripts_of(kHead + R"(
table:
  - {row: one, own: '"a"'}
  - {row: two, own: '1', when: {profiles: [mcp-2024-11-05]}}
  - {row: three, own: '"${canary.method}"'}
steps:
  - frame: '{"id":${own}}'
    reply: normal
)"),
              ElementsAre("#! profile: mcp-2025-06-18\n{\"id\":\"a\"}\n",
                          "#! profile: mcp-2025-06-18\n{\"id\":\"ping\"}\n"));
}

TEST(Scenarios, CarryWhatAStatelessRevisionWants) {
  const auto scripts = scripts_of(kHead + R"(
steps:
  - call: {method: tools/list}
    reply: {result: $any}
)",
                                  "mcp-2026-07-28");
  ASSERT_EQ(scripts.size(), 1u);
  EXPECT_THAT(scripts[0], testing::HasSubstr("io.modelcontextprotocol/protocolVersion"));
}

TEST(Scenarios, KeepDeliveryAndAnswers) {
  EXPECT_THAT(
      scripts_of(kHead + R"(
client_capabilities: {roots: {}}
answers: {roots/list: {result: {roots: []}}, x: none, y: {error: {code: 1, message: no}}}
transports: [http]
steps:
  - frame: '{}'
    headers: {Accept: null, X: y}
    write: {chunks: [3, 1]}
    reply: {result: $any}
  - http: {method: GET, headers: {Mcp-Session-Id: "${session.id}", A: b}}
    reply: {http: 200}
)"),
      ElementsAre(
          "#! profile: mcp-2025-06-18\n#! transport: http\n"
          "!answer roots/list {\"roots\":[]}\n!answer x none\n!answer y error\n"
          R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"rpcspec","version":")" RPCSPEC_VERSION
          R"("}}})"
          "\n!sync\n"
          R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
          "\n!chunks 3 1\n!header Accept\n!header X: y\n{}\n!sync\n"
          "!http-method GET\n!header A: b\n!frame \"\"\n"));
}

TEST(Scenarios, LeaveOutWhatOnlyASessionKnows) {
  EXPECT_TRUE(scripts_of(kHead + R"(
steps:
  - call: {method: a, params: {b: "${session.protocolVersion}"}}
    reply: {result: $any}
)")
                  .empty());
}

TEST(Seeds, AreFewAndSmallAndCoverEveryMethodAndKind) {
  for (const spec::Profile& profile : spec::profiles()) {
    const std::vector<Scenario> chosen = seeds(suite::own_suite(), suite::own_registry(), profile);
    EXPECT_LE(chosen.size(), kMostSeeds);
    EXPECT_GE(chosen.size(), 20u);
    std::set<std::string> has;
    std::set<std::string> names;
    for (const Scenario& seed : chosen) {
      EXPECT_TRUE(names.insert(seed.name).second) << seed.name;
      const std::string text = write_script(seed.script);
      EXPECT_LE(text.size(), kLargestSeed + 8192) << seed.name;
      EXPECT_EQ(read_script(text), seed.script) << seed.name;
      for (const std::string& feature : features(seed)) has.insert(feature);
    }
    const Vocabulary vocabulary(profile);
    for (const Method& method : vocabulary.methods())
      EXPECT_TRUE(has.count("method:" + method.name)) << profile.name << " " << method.name;
    for (const Method& method : vocabulary.notifications())
      EXPECT_TRUE(has.count("method:" + method.name)) << profile.name << " " << method.name;
    for (const char* feature : {"id:number", "id:string", "id:zero", "id:absent", "id:empty",
                                "text:no-json", "text:escape", "params:absent", "shape:result"})
      EXPECT_TRUE(has.count(feature)) << profile.name << " " << feature;
  }
}

// As libFuzzer and AFL++ have it: NAME="VALUE" or "VALUE", with \\ \" \xNN.
bool is_dictionary_line(const std::string& line) {
  if (line.empty() || line[0] == '#') return true;
  if (line.size() < 3 || line.front() != '"' || line.back() != '"') return false;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' || static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E)
      return false;
    if (c != '\\') continue;
    ++i;
    if (line[i] == 'x') {
      if (!isxdigit(line[i + 1]) || !isxdigit(line[i + 2])) return false;
      i += 2;
    } else if (line[i] != '\\' && line[i] != '"') {
      return false;
    }
    if (i + 1 >= line.size()) return false;
  }
  return true;
}

TEST(Dictionary, IsWhatEnginesRead) {
  for (const spec::Profile& profile : spec::profiles()) {
    std::istringstream lines(dictionary(profile));
    std::set<std::string> seen;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(is_dictionary_line(line)) << line;
      EXPECT_TRUE(seen.insert(line).second) << line;
      EXPECT_LE(line.size(), 130u) << line;  // AFL++ takes 128 bytes
    }
    EXPECT_GT(seen.size(), 100u);
  }
  EXPECT_THAT(dictionary(*spec::find_profile("mcp-2025-06-18")),
              testing::HasSubstr("\n\"\\\"inputSchema\\\":\"\n"));
}

TEST(SeedFiles, AreADictionaryAndSeedsForEachProfile) {
  std::set<std::string> paths;
  std::map<std::string, std::size_t> seeds_in;
  for (const SeedFile& file : seed_files(suite::own_suite(), suite::own_registry())) {
    EXPECT_TRUE(paths.insert(file.path).second) << file.path;
    EXPECT_FALSE(file.content.empty()) << file.path;
    ++seeds_in[fs::path(file.path).parent_path().filename().string()];
  }
  for (const spec::Profile& profile : spec::profiles()) {
    EXPECT_TRUE(paths.count("dictionaries/" + profile.name + ".dict")) << profile.name;
    EXPECT_GT(seeds_in[profile.name], 20u) << profile.name;
    EXPECT_LE(seeds_in[profile.name], kMostSeeds) << profile.name;
  }
}

}  // namespace
}  // namespace fuzz
