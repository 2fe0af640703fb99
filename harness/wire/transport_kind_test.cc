// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/transport_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "harness/base/test_folders.h"

namespace harness::wire {
namespace {

using ::testing::ElementsAre;
using enum TransportKind;

TEST(TransportKind, IsKnownByItsNameAndNoOther) {
  for (const TransportTraits& row : kTransports) {
    EXPECT_EQ(traits_of(row.kind).name, row.name);
    EXPECT_EQ(transport_named(row.name), row.kind) << row.name;
  }
  EXPECT_EQ(transport_named("stdio+content-length"), kStdioContentLength);
  EXPECT_EQ(transport_named("HTTP"), std::nullopt);
  EXPECT_EQ(transport_named("stream"), std::nullopt);
}

TEST(TransportKind, HasTraitsThatGoTogether) {
  for (const TransportTraits& row : kTransports) {
    EXPECT_LE(row.exchanges, row.http) << row.name << ": an exchange is one of HTTP";
    EXPECT_LE(row.http, row.headers) << row.name << ": a request has headers";
    EXPECT_FALSE(row.http && row.byte_stream) << row.name << ": HTTP frames its messages itself";
  }
}

TEST(TransportSet, IsWhatWordsSelect) {
  EXPECT_TRUE(transports_selected("stream")->has(kStdio));
  EXPECT_TRUE(transports_selected("stream")->has(kHttpSse));
  EXPECT_TRUE(transports_selected("stream")->has(kHandler));
  EXPECT_FALSE(transports_selected("stream")->has(kHttp));
  EXPECT_FALSE(transports_selected("stdio")->has(kStdioContentLength));
  EXPECT_TRUE(transports_selected("all")->has(kUnknown));
  EXPECT_EQ(transports_selected("htp"), std::nullopt);
  EXPECT_EQ(transports_selected(""), std::nullopt);
  for (const std::string& word : transport_selectors())
    EXPECT_THAT(transports_selected(word)->words(), ElementsAre(word));
}

TEST(TransportSet, IsWrittenAsPeopleWriteIt) {
  EXPECT_THAT(TransportSet().words(), ElementsAre());
  EXPECT_THAT(TransportSet({kWebSocket, kHttp}).words(), ElementsAre("http", "websocket"));
  EXPECT_THAT(TransportSet::all().words(), ElementsAre("all"));
  TransportSet set = *transports_selected("stream");
  set.add(kStdio);
  EXPECT_THAT(set.words(), ElementsAre("stream"));
  set.add(kHttp);
  EXPECT_TRUE(set.is_all());
}

// --- nobody asks for a transport by its name

// A comparison with the name of a transport. "http" and "sse" are words of the case language too:
// there the line has to speak of a transport.
bool compares_with_a_name(const std::string& line) {
  static const std::string kNames = R"((stdio|tcp|unix|websocket|http\+sse|stdio\+content-length))";
  static const std::regex kName("[=!]= *\"" + kNames + "\"|\"" + kNames + "\" *[=!]=");
  static const std::regex kBeginning(R"re(starts_with\("(stdio|http|tcp|unix|websocket)"\))re");
  static const std::regex kHttp(R"re((transport|wire|name\(\)).*[=!]= *"(http|sse)")re");
  if (line.find('"') == std::string::npos) return false;
  return std::regex_search(line, kName) || std::regex_search(line, kBeginning) ||
         std::regex_search(line, kHttp);
}

TEST(TransportNames, AreSeenWhereTheyAreCompared) {
  for (const char* line :
       {R"(if (transport == "http") return;)",
        R"(return std::string_view(t.name()) == "websocket";)",
        R"(return judging.transport.starts_with("stdio");)", R"(if ("tcp" != kind) return;)",
        R"(at_.transport != "http" && is_blank(text))"})
    EXPECT_TRUE(compares_with_a_name(line)) << line;
  for (const char* line :
       {R"(} else if (need.kind == "http") {)", R"({"Upgrade", "websocket"},)",
        R"(if (scheme == "https" || scheme == "http") return;)", R"(row("tcp", loop, bare);)"})
    EXPECT_FALSE(compares_with_a_name(line)) << line;
}

TEST(TransportNames, AreComparedByReadersOfUserTextOnly) {
  namespace fs = std::filesystem;
  // Transports themselves, the reference server, which has options of its own, and --transport.
  const std::vector<std::string> readers = {"harness/transport/", "harness/reference/",
                                            "harness/cli/target_options.cc"};
  const fs::path top = harness::source_dir();
  std::vector<std::string> found;
  std::size_t files = 0;
  for (const char* folder : {"harness", "fuzz", "reports", "bench"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top / folder)) {
      const std::string name = entry.path().lexically_relative(top).generic_string();
      const bool source = name.ends_with(".cc") || name.ends_with(".h");
      const auto is_reader = [&](const std::string& reader) { return name.starts_with(reader); };
      if (!source || name.ends_with("_test.cc") ||
          std::any_of(readers.begin(), readers.end(), is_reader))
        continue;
      ++files;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        if (compares_with_a_name(line))
          found.push_back(name + ":" + std::to_string(number) + ": " + line);
      }
    }
  }
  EXPECT_GT(files, 200u);
  EXPECT_THAT(found, ElementsAre()) << "ask for a trait or an interface of the transport instead";
}

}  // namespace
}  // namespace harness::wire
