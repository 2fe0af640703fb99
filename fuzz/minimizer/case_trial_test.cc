// SPDX-License-Identifier: Apache-2.0
// Drafts of scripts that show a bug of the reference server fail with the bug, and pass without it:
// one for each thing that a script says beside its frames.
#include "fuzz/minimizer/case_trial.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/minimizer/case_draft.h"
#include "harness/base/test_folders.h"
#include "harness/contact/served.h"
#include "harness/suite/testing.h"
#include "harness/transport/testing.h"
#include "harness/transport/unread.h"

namespace fuzz {
namespace {

using harness::transport::told;
namespace suite = harness::suite;

// The reference server, perhaps with a fault.
class Ground {
 public:
  Ground(const std::string& profile, const std::string& transport, const std::string& fault) {
    target_.name = "server";
    target_.command = {harness::binary_dir() + "/rpcspec-reference-server", "--profile", profile,
                       "--transport", transport};
    if (transport != "stdio") {
      target_.command.insert(target_.command.end(), {"--port", "{port}"});
      target_.url = transport + "://127.0.0.1:{port}" + (transport == "tcp" ? "" : "/mcp");
    }
    if (!fault.empty()) target_.command.insert(target_.command.end(), {"--fault", fault});
    const harness::Status started = served_.start(io_, target_);
    if (!started) throw std::runtime_error(started.error().text());
    fuzz_target_.emplace(io_.get_executor(), target_, suite::own_suite(),
                         served_.service(io_.get_executor()), std::chrono::milliseconds(1000));
    const auto met = told<harness::Status>(io_, [&] { return fuzz_target_->meet(profile); });
    if (!met) throw std::runtime_error(met.error().text());
    executor_ = fuzz_target_->executor({});
  }
  ~Ground() {
    executor_.reset();
    io_.restart();
    io_.run_for(std::chrono::milliseconds(100));
  }

  // What the script shows, if anything: the worst of it.
  std::optional<Reduced> shown(const std::string& text) {
    Reduced out;
    out.script = read_script(text);
    executor_->set_care(Care::kPatient);
    out.execution = std::move(
        *told<harness::Result<Execution>>(io_, [&]() { return executor_->play(out.script); }));
    std::vector<Problem> problems =
        judge(out.execution, fuzz_target_->profile(), suite::own_registry(), nullptr);
    executor_->forget_process();
    if (problems.empty()) return std::nullopt;
    out.problem = std::move(problems.front());
    return out;
  }

  std::string draft(const Reduced& reduced) {
    return case_draft(reduced, fuzz_target_->profile(), target_);
  }

  bool fails(const std::string& case_text, const Problem& problem) {
    executor_->forget_process();
    const CaseTrial trial{target_,
                          suite::own_suite(),
                          suite::own_registry(),
                          fuzz_target_->profile(),
                          served_.service(io_.get_executor()),
                          io_};
    return shows(case_text, problem, trial);
  }

 private:
  boost::asio::io_context io_{1};
  harness::target::Target target_;
  harness::run::Served served_;
  std::optional<FuzzTarget> fuzz_target_;
  std::unique_ptr<ScriptExecutor> executor_;
};

struct Row {
  const char* fault;
  const char* profile;
  const char* transport;
  std::string script;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.fault; }

const std::string kCall = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":)";

std::vector<Row> rows() {
  return {
      // headers
      {"planted-long-header", "mcp-2025-06-18", "http",
       "!header a: " + std::string(4000, 'x') + "\n0\n"},
      {"planted-list-of-versions", "mcp-2025-06-18", "http",
       "!header MCP-Protocol-Version: 2025-06-18, 2025-06-18\n0\n"},
      // pieces and ends of lines
      {"planted-return-comes-first", "mcp-2025-06-18", "stdio",
       "!chunks 44\n!eol crlf\n{\"jsonrpc\":\"2.0\",\"id\":1000,\"method\":\"ping\"}\n"},
      {"planted-three-pieces", "jsonrpc-2.0", "tcp", "!chunks 1 1\n{\"id\":1}\n"},
      {"planted-empty-fragment", "jsonrpc-2.0", "ws", "!fragments 0\n{\"id\":1}\n"},
      // what an earlier reply held
      {"planted-state-elsewhere", "mcp-2026-07-28", "stdio",
       kCall + R"("test_input_required_result_request_state","_meta":{)"
               R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}})"
               "\n"
               R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":)"
               R"({"name":"","requestState":"${1/result/requestState}"}})"
               "\n"},
      // several in one write
      {"planted-cancel-race", "mcp-2025-06-18", "stdio",
       kCall + "\"test_tool_with_progress\"}}\n"
               R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"
               "\n"},
      {"planted-mixed-after-batch", "mcp-2025-03-26", "stdio",
       "!sync\n[]\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n"
       "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"\"}\n"},
      // what the server may hang up after
      {"notification-answered", "mcp-2025-06-18", "ws", "!frame \"\\xdb\\x01\"\n"},
      // one after the other
      {"planted-unsubscribe-twice", "mcp-2025-06-18", "stdio",
       R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
       R"("params":{"uri":"test://static-text"}})"
       "\n!sync\n"
       R"({"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe",)"
       R"("params":{"uri":"test://static-text"}})"
       "\n!sync\n"
       R"({"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe",)"
       R"("params":{"uri":"test://static-text"}})"
       "\n"},
  };
}

class Drafts : public ::testing::TestWithParam<Row> {};

// Only Linux tells what the other end has not read, by which pieces come apart for sure.
bool pieces_come_apart() {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const bool known = harness::transport::unread_of(ends[1]) >= 0;
  for (const int end : ends) ::close(end);
  return known;
}

TEST_P(Drafts, FailWithTheBugAndPassWithout) {
  const Row& row = GetParam();
  if (row.script.starts_with("!chunks") && !pieces_come_apart())
    GTEST_SKIP() << "whether a piece was read is unknown here";
  Ground bug(row.profile, row.transport, row.fault);
  const std::optional<Reduced> reduced = bug.shown(row.script);
  ASSERT_TRUE(reduced.has_value()) << "the script shows nothing";
  const std::string draft = bug.draft(*reduced);
  EXPECT_TRUE(bug.fails(draft, reduced->problem)) << draft;
  Ground sound(row.profile, row.transport, "");
  EXPECT_FALSE(sound.fails(draft, reduced->problem)) << draft;
  Problem any;
  any.signature = "silent|";  // whatever fails
  any.finding.severity = harness::oracle::Severity::kInfo;
  EXPECT_FALSE(sound.fails(draft, any)) << draft;
}

INSTANTIATE_TEST_SUITE_P(Planted, Drafts, ::testing::ValuesIn(rows()));

TEST(CaseTrial, IsOfOneClause) {
  Ground bug("jsonrpc-2.0", "stdio", "planted-escape-in-method");
  const std::string script = R"({"jsonrpc":"2.0","id":1,"method":"\u0061"})";
  const std::optional<Reduced> reduced = bug.shown(script + "\n");
  ASSERT_TRUE(reduced.has_value());
  const std::string draft = bug.draft(*reduced);
  EXPECT_TRUE(bug.fails(draft, reduced->problem)) << draft;
  Problem other = reduced->problem;
  other.finding.requirement = "jsonrpc.id.fractional";
  EXPECT_FALSE(bug.fails(draft, other));
  EXPECT_FALSE(bug.fails("steps: nonsense", reduced->problem));
}

}  // namespace
}  // namespace fuzz
