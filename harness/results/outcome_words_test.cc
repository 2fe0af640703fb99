// SPDX-License-Identifier: Apache-2.0
// What outcomes ask for, as a value. Their words are tested beside grades.
#include "harness/results/outcome_words.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/suite/testing.h"

namespace harness::run {
namespace {

oracle::Wanted wanted_here(const char* outcomes, const char* profile_name,
                           wire::TransportKind transport, std::optional<std::int64_t> usual_error) {
  const spec::Profile& profile = *spec::find_profile(profile_name);
  const match::MatchContext match{suite::own_suite().shapes, profile};
  const Judging judging{
      match, profile, transport, suite::own_suite().sets, spec::canary_of(profile), usual_error};
  return wanted_of(suite::outcomes_of(outcomes), judging);
}

// All that is wanted, in short: "result error silence end, -32600 -32602, 4xx 405, text/html".
std::string wanted(const char* outcomes, const char* profile, wire::TransportKind transport,
                   std::optional<std::int64_t> usual_error) {
  const oracle::Wanted all = wanted_here(outcomes, profile, transport, usual_error);
  std::string text;
  for (const auto& [word, is] : {std::pair{"result ", all.result}, std::pair{"error ", all.error},
                                 std::pair{"silence ", all.silence}, std::pair{"end ", all.end}})
    if (is) text += word;
  for (const std::int64_t code : all.codes) text += std::to_string(code) + ' ';
  for (const std::string& status : all.statuses) text += status + ' ';
  return text + all.media;
}

TEST(WantedOf, IsTheUnionOfWhatMayComeHere) {
  constexpr auto kStdio = wire::TransportKind::kStdio;
  constexpr auto kHttp = wire::TransportKind::kHttp;
  const char* const kModern = "mcp-2025-06-18";
  const struct {
    const char* outcomes;
    const char* wanted;
    wire::TransportKind transport = kStdio;
    const char* profile = "mcp-2025-06-18";
    std::optional<std::int64_t> usual_error = {};
  } kRows[] = {
      {"silence", "silence "},
      {"normal", "result "},
      {"normal", "error -32601 ", kStdio, "jsonrpc-2.0"},
      {"normal", "error -32000 ", kStdio, "jsonrpc-2.0", -32000},
      {"any-reply", ""},
      {"alive", ""},
      {"[exited, silence]", "silence end "},
      {"{closed: true, status: eof}", "end "},
      {"{result: {a: 1}}", "result "},
      {"{error: $any, id: own}", "error "},
      {"{error: {code: -32600}}", "error -32600 "},
      {"{error: {code: {$one_of: [-32602, -32600]}}}", "error -32602 -32600 "},
      {"[{error: {code: -32600}}, {error: {code: -32602}}, silence]",
       "error silence -32600 -32602 "},
      // An error is wanted only where nothing else was before.
      {"[{result: $any}, {error: {code: -32600}}]", "result -32600 "},
      {"[normal, {error: {code: -32600}}]", "result -32600 "},
      {"[{error: {code: {$not: -32601}}}]", "error "},
      // What is of another transport or profile is not wanted here.
      {"[{http: 4xx}, {error: {code: -32600}}]", "error -32600 "},
      {"[{http: 4xx}, {error: {code: -32600}}]", "error -32600 4xx ", kHttp},
      {"{all: [{http: 400}, {error: {code: -32020}}]}", "error -32020 400 ", kHttp},
      {"[{silence: true, when: {profiles: [lsp]}}, {result: $any}]", "result "},
      {"[{http: [405, 4xx]}, {http: 405}]", "405 4xx ", kHttp},
      {"[{http: 200, headers: {Content-Type: {$regex: '(?i)^text/event-stream'}}}, {http: 405}]",
       "200 405 text/event-stream", kHttp},
      {"{http: 200, headers: {content-type: {$media_type: application/json}}}",
       "200 application/json", kHttp},
      {"{http: 200, headers: {content-type: {$not: {$regex: ^text/event-stream}}}}", "200 ", kHttp},
      {"{pass: [{result: $any}], note: [silence], warn: [{error: {code: 1}}]}", "result "},
      {"{note: [silence], fail: [{result: $any}]}", ""},
      // Sets: their own grades when they are the whole, their lawful part in a list.
      {"parse-error", "error -32700 ", kStdio, kModern},
      {"parse-error", "error -32700 4xx ", kHttp, kModern},
      {"[parse-error, {error: {code: -32600}}]", "error -32700 -32600 "},
      {"[normal, http-refusal]", "result 4xx ", kHttp},
      {"notification-silence", "silence 4xx ", kHttp},
      {"no-such-set", ""},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(wanted(row.outcomes, row.profile, row.transport, row.usual_error), row.wanted)
        << row.outcomes;
}

TEST(WantedOf, NamesTheIdOfTheReplyWhereOneIsAskedFor) {
  const std::pair<const char*, const char*> kRows[] = {
      {"normal", "own"},
      {"{error: $any, id: own}", "own"},
      {"{error: $any, id: null}", "null"},
      {"{error: $any, id: $null}", "null"},
      {"{error: $any, id: 7}", "7"},
      {"{error: $any, id: 'a'}", R"("a")"},
      {"{error: $any, id: $absent}", ""},
      {"{result: $any}", ""},
      {"[{error: $any, id: null}, silence]", "null"},
      {"[{error: $any, id: null}, {error: $any, id: own}]", ""},
      {"parse-error", ""},
  };
  for (const auto& [outcomes, id] : kRows)
    EXPECT_EQ(wanted_here(outcomes, "mcp-2025-06-18", wire::TransportKind::kStdio, {}).id, id)
        << outcomes;
}

}  // namespace
}  // namespace harness::run
