// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST_F(Causes, TellErrorsWithoutACodeBeforeWhatTheyRefuse) {
  for (const char* clause : {"json.invalid.bad-escape", "jsonrpc.message.primitive-top-level",
                             "jsonrpc.error.parse-error-code"}) {
    Clue& bad = clue(clause);
    bad.trigger.seq = 1;
    bad.answered = true;
    bad.came.text = "Expecting value";
  }
  about("tools/list", "mcp.tools.list-answered").came.text = "no such list";
  clues_.all.back().answered = true;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2)) << "a sound request that is refused is another matter";
  EXPECT_EQ(causes[0].requirement, "mcp.base.error-code-and-message");
  EXPECT_THAT(causes[0].findings, SizeIs(3));
  EXPECT_THAT(causes[0].sentence, HasSubstr("Expecting value"));
  for (Clue& one : clues_.all) one.came.code = "-32700";
  EXPECT_THAT(found()[0].sentence, Not(HasSubstr("Expecting value"))) << "there is a code";
}

TEST_F(Causes, TellMessagesWithoutAnAnswerByTheStatusThatCame) {
  for (const char* clause : {"jsonrpc.message.empty-object", "jsonrpc.request.method-missing",
                             "jsonrpc.message.primitive-top-level"}) {
    Clue& bad = clue(clause);
    bad.trigger.seq = 1;
    bad.trigger.is_json = true;
    bad.answered = true;
    bad.came.status = 204;
  }
  clue("jsonrpc.message.empty-object", oracle::Symptom::kSilence).oracle = "model";
  clues_.all.back().trigger = clues_.all[0].trigger;
  clues_.all.back().came.status = 204;
  clue("jsonrpc.message.empty-object").trigger = clues_.all[0].trigger;
  clues_.all.back().trigger.kind = wire::MessageKind::kBatch;
  clues_.all.back().answered = true;
  clues_.all.back().came.status = 204;
  const auto told = [&] { return found("jsonrpc-2.0", wire::TransportKind::kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "JSON that is not a valid message is answered with HTTP 204");
  clues_.all.back().requirement = "jsonrpc.batch.response-per-request";
  EXPECT_THAT(told(), SizeIs(2)) << "a batch that breaks its own clause";
}

TEST_F(Causes, TellUnderOneHeadlineWhatOnlyWarnsBesideIt) {
  lose_ids_of_errors(-32602);
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2));
  clues_.all.back().verdict = Verdict::kWarn;
  clues_.all.back().severity = oracle::Severity::kWarn;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1));
}

TEST_F(Causes, TellOnceOfTextInAnotherEncodingAndOfIdsThatAreMixedUp) {
  for (const char* clause : {"json.valid.raw-utf8", "json.valid.surrogate-pair"}) {
    Clue& other = about("ping", clause);
    other.trigger.odd = other.answered = other.came.message = true;
    clues_.ids[other.ref.case_id].altered[trace::Change::kRecoded] = 1;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Characters beyond ASCII come back as others");
  EXPECT_EQ(found()[0].requirement, "mcp.base.utf8");

  about("ping", "jsonrpc.request.pipelined", oracle::Symptom::kSilence).together = true;
  Clue& result = clue("mcp.base.unknown-method");
  result.oracle = "model";
  result.row = clues_.all[2].ref.case_id;
  for (const Cause& cause : found())
    EXPECT_NE(cause.title, "Responses carry the id of another request");
  clues_.mixes_ids = true;
  ASSERT_THAT(found(), SizeIs(2));
  EXPECT_EQ(found()[0].title, "Responses carry the id of another request");
}

}  // namespace
}  // namespace harness::run
