// SPDX-License-Identifier: Apache-2.0
// Several findings laid to valid text that the target does not read.
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST_F(Causes, TellOnceThatASCIIAloneIsRead) {
  for (const char* clause : {"json.valid.raw-utf8", "json.valid.delete-char", "jsonrpc.id.echo"}) {
    Clue& refused = about("ping", clause);
    refused.came = {0, "-32700", "Parse error", true};
    refused.trigger.odd = true;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Characters beyond ASCII are refused as invalid JSON");
  clues_.all[2].came.code = "-32602";  // it was read
  EXPECT_THAT(found(), SizeIs(3));
}

TEST_F(Causes, LayLongMessagesThatAreNoJsonToTheirLength) {
  for (const std::uint64_t bytes : {6500, 71760}) {
    Clue& cut = about("tools/call", "json.output.string-fidelity");
    cut.trigger.bytes = bytes;
    cut.came = {0, "-32700", "Parse error", true};
  }
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.stdio.long-line");
  EXPECT_THAT(causes[0].sentence, HasSubstr("6 KiB"));
  clues_.all[1].trigger.bytes = 60;  // a short one, too: it is not the length
  EXPECT_EQ(found()[0].requirement, "json.output.string-fidelity");
}

TEST_F(Causes, TellThatCallsAsATaskAreRefusedNotForWhichArguments) {
  clues_.served.insert("method=\"tools/call\"");  // without a task
  for (const char* clause : {"mcp.tasks.create-result", "mcp.tasks.create-without-ttl",
                             "mcp.tasks.tool-optional-both"}) {
    Clue& refused = about("tools/call", clause);
    refused.answered = refused.trigger.valid = true;
    refused.trigger.members = {{"params.arguments.durationMs", "50"}, {"params.task.ttl", "1"}};
    refused.came = {.code = "-32602", .message = true};
  }
  const auto told = [&] {
    const std::vector<Cause> causes = found();
    return std::count_if(causes.begin(), causes.end(), [](const Cause& cause) {
      return cause.title == "Calls as a task are refused" && cause.findings.size() == 3;
    });
  };
  EXPECT_EQ(told(), 1);
  for (Clue& one : clues_.all) one.wants_error = true;
  EXPECT_EQ(told(), 0) << "an error is due";
  for (Clue& one : clues_.all)
    one.wants_error = false, one.trigger.members.erase("params.task.ttl");
  EXPECT_EQ(told(), 0) << "no task";
}

TEST_F(Causes, TellInAReplayWhatTheWholeRunTold) {
  Clue& bad = clue("jsonrpc.request.method-not-string");
  bad.trigger.seq = 1;
  bad.trigger.is_json = bad.answered = bad.came.message = true;
  bad.trigger.flaw = "a message whose method is not a string";
  bad.came.code = "-32601";
  EXPECT_EQ(found("jsonrpc-2.0")[0].title,
            "A method that is not a string is not answered as an invalid request");
  few_ = true;
  EXPECT_EQ(found("jsonrpc-2.0")[0].title,
            "Some JSON that is not a valid message is answered with error -32601");
  EXPECT_EQ(found("jsonrpc-2.0")[0].sentence, "Seen with a message whose method is not a string");
}

}  // namespace
}  // namespace harness::run
