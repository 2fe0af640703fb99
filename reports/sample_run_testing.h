// SPDX-License-Identifier: Apache-2.0
// For the tests: a run with one case of every kind a reporter has to show, made by hand so that
// goldens are the same everywhere, and a run in which everything the target says is hostile.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/test_folders.h"
#include "harness/results/event.h"
#include "reports/options.h"
#include "reports/record.h"

namespace reports {

namespace oracle = harness::oracle;
namespace run = harness::run;
namespace spec = harness::spec;
namespace wire = harness::wire;

namespace sample {

inline wire::Frame frame(std::uint64_t seq, wire::Channel channel, std::string bytes) {
  wire::Frame out;
  out.seq = seq;
  out.time_us = static_cast<std::int64_t>(seq) * 100;
  out.channel = channel;
  out.direction =
      channel == wire::Channel::kStdin ? wire::Direction::kSent : wire::Direction::kReceived;
  out.size = bytes.size();
  out.bytes = std::move(bytes);
  return out;
}

inline std::shared_ptr<const wire::Transcript> transcript(std::vector<wire::Frame> frames) {
  auto out = std::make_shared<wire::Transcript>();
  out->frames = std::move(frames);
  return out;
}

inline run::CaseResult result(const std::string& id, const std::string& title,
                              run::Verdict verdict) {
  run::CaseResult out;
  out.id = id;
  out.title = title;
  out.verdict = verdict;
  out.level = "MUST";
  out.duration_ms = 3;
  out.replay = "rpcspec run --select " + id + " -- ./server";
  return out;
}

inline oracle::Finding finding(const std::string& requirement, const std::string& expected,
                               const std::string& seen, std::vector<std::uint64_t> frames = {}) {
  oracle::Finding out;
  out.requirement = requirement;
  out.expected = expected;
  out.seen = seen;
  out.frames = std::move(frames);
  return out;
}

// A registry of three clauses.
inline ReportOptions options() {
  static const std::map<std::string, spec::Requirement> kClauses = [] {
    std::map<std::string, spec::Requirement> out;
    const auto add = [&](const char* id, spec::Level level, const char* revision,
                         const char* statement, const char* source) {
      spec::Requirement entry;
      entry.id = id;
      entry.level = level;
      entry.revisions = {revision};
      entry.transports = wire::TransportSet::all();
      entry.statement = statement;
      entry.source = source;
      out.emplace(id, std::move(entry));
    };
    add("jsonrpc.id.string-echo", spec::Level::kMust, "jsonrpc-2.0",
        "A response to a request with a string id carries the same string.", "JSON-RPC 2.0 §5");
    add("jsonrpc.parse.code", spec::Level::kMust, "jsonrpc-2.0",
        "Text that is not JSON is answered with the error code -32700.", "JSON-RPC 2.0 §5.1");
    add("jsonrpc.error.message-short", spec::Level::kShould, "jsonrpc-2.0",
        "The message of an error is a short sentence.", "JSON-RPC 2.0 §5.1");
    return out;
  }();
  ReportOptions out;
  out.width = 90;
  out.requirement = [](const std::string& id) -> const spec::Requirement* {
    const auto found = kClauses.find(id);
    return found == kClauses.end() ? nullptr : &found->second;
  };
  return out;
}

inline void count_verdicts(Record& record) {
  for (const run::CaseResult& one : record.cases) {
    ++record.finished.summary[run::verdict_name(one.verdict)];
  }
  record.started.cases = record.cases.size();
}

inline Record started() {
  Record record;
  record.started.version = "1.2.3";
  record.started.target = "./server --stdio";
  record.started.profile = "jsonrpc-2.0";
  record.started.transport = "stdio";
  record.started.seed = 42;
  record.finished.duration_ms = 4200;
  return record;
}

// A cause whose findings share only the clause of the first one.
inline run::Cause cause(const std::string& title, const std::string& requirement,
                        run::Verdict verdict, std::vector<run::FindingRef> findings) {
  run::Cause out;
  out.requirement = requirement;
  out.level = verdict == run::Verdict::kFail ? "MUST" : "SHOULD";
  out.verdict = verdict;
  out.title = title;
  out.replay = "rpcspec run --select " + findings.front().case_id + " -- ./server";
  out.findings = std::move(findings);
  out.by_clause = true;
  return out;
}

// One case of every kind.
inline Record every_kind() {
  using run::Verdict;
  using wire::Channel;
  Record record = started();

  run::CaseResult fail =
      result("jsonrpc/id/string-echo", "A string id comes back as the same string", Verdict::kFail);
  fail.requirements = {"jsonrpc.id.string-echo"};
  fail.transcript = transcript(
      {frame(1, Channel::kStdin, R"({"jsonrpc":"2.0","id":"abc","method":"x"})"),
       frame(2, Channel::kStdout, R"({"jsonrpc":"2.0","id":"ABC","error":{"code":-32601}})"),
       frame(3, Channel::kStderr, "unknown method")});
  fail.findings = {finding("jsonrpc.id.string-echo", R"(a reply with id "abc")",
                           R"(a reply with id "ABC")", {1, 2})};
  fail.findings[0].row = "lower case";
  fail.findings[0].wanted.id = R"("abc")";
  fail.findings[0].came.came = oracle::ErrorCame{"-32601"};
  fail.findings.push_back(fail.findings[0]);
  fail.findings[1].row = "uuid";
  oracle::Finding wordy =
      finding("jsonrpc.error.message-short", "a short message", "a message of 4,000 characters");
  wordy.severity = oracle::Severity::kWarn;
  wordy.oracle = "error-objects";
  fail.findings.push_back(wordy);
  add_case(record, fail);

  for (const char* slug : {"garbage", "half-object", "lone-bracket"}) {
    run::CaseResult silent =
        result(std::string("jsonrpc/parse/") + slug,
               std::string("Answers ") + slug + " with -32700", Verdict::kFail);
    silent.requirements = {"jsonrpc.parse.code"};
    silent.transcript = transcript({frame(7, Channel::kStdin, "[")});
    silent.findings = {finding(
        "jsonrpc.parse.code", "error -32700 with id null",
        "silence: the canary {\"id\":" + std::to_string(record.cases.size()) + "} was answered",
        {7})};
    add_case(record, silent);
  }

  run::CaseResult warn = result("jsonrpc/error/short", "Error messages are short", Verdict::kWarn);
  warn.level = "SHOULD";
  warn.requirements = {"jsonrpc.error.message-short"};
  warn.findings = {finding("jsonrpc.error.message-short", "a sentence", "twelve paragraphs")};
  warn.findings[0].severity = oracle::Severity::kWarn;
  add_case(record, warn);

  run::CaseResult flaky = result("jsonrpc/order/many", "Keeps up", Verdict::kFlaky);
  flaky.reason = "failed in a shared session, passed twice alone";
  add_case(record, flaky);

  run::CaseResult error = result("jsonrpc/order/ours", "Is judged", Verdict::kError);
  error.reason = "rpcspec itself is wrong: a row without steps";
  add_case(record, error);

  run::CaseResult slow = result("mcp/cancel/slow", "Stops when told", Verdict::kInconclusive);
  slow.reason = "no tool is known to be slow";
  slow.remedy = "affordances: {tool.slow: {name: …, arguments: {…}}}";
  add_case(record, slow);
  slow.id = "mcp/cancel/twice";
  add_case(record, slow);

  run::CaseResult absent = result("mcp/tools/list", "Lists tools", Verdict::kNotApplicable);
  absent.reason = "the target does not declare the capability tools";
  add_case(record, absent);

  run::CaseResult known = result("jsonrpc/batch/empty", "Refuses []", Verdict::kFail);
  known.baselined = true;
  known.findings = {finding("jsonrpc.batch.empty", "error -32600", "[]")};
  add_case(record, known);

  run::CaseResult pass = result("jsonrpc/id/number-echo", "A number comes back", Verdict::kPass);
  pass.notes = {"members come in an unusual order"};
  add_case(record, pass);

  count_verdicts(record);
  run::RunFinished finished = record.finished;
  finished.coverage = {
      {"jsonrpc.id.string-echo", "MUST", "fail", {"jsonrpc/id/string-echo", "oracle:ids"}},
      {"jsonrpc.batch.order", "MAY", "not_covered", {}}};
  run::Cause silent =
      cause("Text that is not JSON is never answered", "jsonrpc.parse.code", Verdict::kFail,
            {{"jsonrpc/parse/garbage", 0},
             {"jsonrpc/parse/half-object", 0},
             {"jsonrpc/parse/lone-bracket", 0}});
  silent.by_clause = false;
  silent.sentence = "Nothing comes for text that is not JSON, and later requests are answered";
  finished.causes = {
      silent,
      cause("A string id comes back as the same string", "jsonrpc.id.string-echo", Verdict::kFail,
            {{"jsonrpc/id/string-echo", 0}, {"jsonrpc/id/string-echo", 1}}),
      cause("Error messages are short", "jsonrpc.error.message-short", Verdict::kWarn,
            {{"jsonrpc/error/short", 0}, {"jsonrpc/id/string-echo", 2}})};
  finished.stale = {"jsonrpc/version/missing"};
  finished.not_called = {{"erase", "not annotated readOnlyHint"}};
  finished.gate = "failed: 4 cases broke a MUST, 1 baseline entry is stale";
  finished.gate_passed = false;
  finish(record, finished);
  return record;
}

// Everything that a hostile target might send, in every place that a reporter shows. In one string:
// escape sequences, markup, the end of a CDATA section, NUL, bytes that are not UTF-8,
// bidirectional controls, C1, line separators, code points that XML forbids.
inline std::string hostile_text() {
  std::string out = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>]]>&lt;\"'\r\n";
  out += '\0';
  out +=
      "\xff\xc0\xaf\xed\xa0\x80 \xe2\x80\xae"
      "gnp.exe\xe2\x81\xa6 \xc2\x9b"
      "31m \xe2\x80\xa8";
  out += "\xef\xbf\xbe\xef\xbf\xbf\x7f \xf3\xa0\x81\x81";
  return out;
}

inline Record hostile() {
  Record record = started();
  const std::string bad = hostile_text();
  record.started.target = bad;
  record.started.version = bad;
  for (const run::Verdict verdict :
       {run::Verdict::kPass, run::Verdict::kFail, run::Verdict::kWarn, run::Verdict::kInconclusive,
        run::Verdict::kNotApplicable, run::Verdict::kFlaky, run::Verdict::kError}) {
    run::CaseResult one =
        result(std::string("a/") + run::verdict_name(verdict) + bad, bad, verdict);
    one.level = bad;
    one.reason = one.remedy = one.replay = bad;
    one.requirements = one.notes = {bad};
    wire::Frame http = frame(2, wire::Channel::kHttp, bad);
    http.head = wire::HttpHead{200, "", "", {{"content-type", bad}}};
    wire::Frame huge = frame(3, wire::Channel::kStdout, std::string(1 << 20, 'x') + bad);
    one.transcript = transcript({frame(1, wire::Channel::kStdin, bad), http, huge});
    one.findings = {finding(bad, bad, bad, {1, 2, 3}), finding("r", bad + std::string(1 << 20, 'y'),
                                                               std::string(1 << 20, '\x1b'), {3})};
    one.findings[0].row = one.findings[0].oracle = bad;
    add_case(record, one);
  }
  count_verdicts(record);
  run::RunFinished finished = record.finished;
  finished.coverage = {{bad, bad, bad, {bad}}};
  for (const run::Verdict verdict : {run::Verdict::kFail, run::Verdict::kWarn}) {
    const std::string id = std::string("a/") + run::verdict_name(verdict) + bad;
    run::Cause one = cause(bad, bad, verdict, {{id, 0}, {id, 1}});
    one.sentence = one.replay = one.level = bad;
    one.by_clause = verdict == run::Verdict::kWarn;
    finished.causes.push_back(one);
  }
  finished.stale = {bad};
  finished.not_called = {{bad, bad}};
  finished.gate = bad;
  finished.gate_passed = false;
  finish(record, finished);
  return record;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text of reports/golden/NAME. With RPCSPEC_BLESS=1 in the environment the file is rewritten
// first; review the diff.
inline std::string golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path =
      std::filesystem::path(harness::source_dir()) / "reports/golden" / name;
  const char* bless = std::getenv("RPCSPEC_BLESS");
  if (bless != nullptr && std::string(bless) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
  }
  return read_file(path);
}

}  // namespace sample
}  // namespace reports
