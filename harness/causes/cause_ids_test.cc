// SPDX-License-Identifier: Apache-2.0
// Ids that come back as others, and batches that are answered otherwise than by one array.
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using testing::HasSubstr;
using testing::SizeIs;
using wire::MessageKind;

TEST_F(Causes, KnowIdsThatAllComeBackAsOne) {
  for (int i = 0; i < 4; ++i) {
    clues_.ids[clue("json.valid.long-string").ref.case_id].altered[trace::Change::kConstant] = 2;
    clue("mcp.base.unknown-method", Symptom::kSilence);
  }
  clues_.ids["a/1"].example = "0";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.response-same-id");
  EXPECT_THAT(causes[0].sentence, HasSubstr("0 comes back for every request"));
  EXPECT_FALSE(causes[0].by_clause);
  clues_.ids["a/1"].kept_numbers = 2;
  EXPECT_THAT(found()[0].sentence, HasSubstr("Most replies do not carry the id of their request: 0 "
                                             "comes back instead"));
  Clue& mixed = clue("mcp.lifecycle.initialize-result");
  mixed.oracle = "shapes";
  mixed.trigger.members[kIdValue] = "0";
  EXPECT_THAT(found(), SizeIs(1)) << "a reply to another request has the same id";
  clues_.all.back().trigger.members[kIdValue] = "5";
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, KnowThatSomeMethodsAlterIds) {
  for (const char* method : {"ping", "initialize", "resources/list", "ping"}) {
    Clue& one = about(method, "mcp.ping.result");
    one.altered = true;
    IdTally& tally = clues_.ids[one.ref.case_id];
    tally.altered[trace::Change::kType] = 1;
    tally.kept_numbers = 9;  // by tools/list
    tally.example = "\"7\"";
  }
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.response-same-id");
  EXPECT_THAT(causes[0].sentence,
              HasSubstr("Replies to 3 methods, such as initialize, do not carry "
                        "the id of their request: it comes back as another "
                        "type, such as \"7\""));
  clues_.served = {"method=\"ping\""};
  EXPECT_TRUE(found()[0].by_clause) << "a ping elsewhere keeps its id";
}

TEST_F(Causes, KnowThatStringsAloneAreAltered) {
  for (int i = 0; i < 4; ++i) {
    IdTally& tally = clues_.ids[clue("jsonrpc.id.unicode-echo").ref.case_id];
    tally.altered[trace::Change::kText] = tally.altered_strings = 1;
    tally.example = "\"ABC\"";
    tally.kept_numbers = 9;
  }
  const std::vector<Cause> causes = found("jsonrpc-2.0");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "jsonrpc.id.string-echo");
  clues_.ids["a/1"].kept_strings = 30;  // most come back as they were
  EXPECT_TRUE(found("jsonrpc-2.0")[0].by_clause);
}

TEST_F(Causes, KnowThatStringsAreLostWhereNumbersAreKept) {
  for (int i = 0; i < 4; ++i) {
    IdTally& tally = clues_.ids[clue("jsonrpc.id.unicode-echo").ref.case_id];
    tally.altered[trace::Change::kConstant] = tally.altered_strings = 2;
    tally.kept_numbers = 9;
  }
  EXPECT_EQ(found()[0].title, "Replies do not carry the string ids of their requests");
  clue("jsonrpc.id.invalid-type");
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1)) << "what is no number is read as the same one";
  clues_.all.pop_back();
  for (auto& [id, tally] : clues_.ids) tally.altered_strings = 1;
  clues_.ids["a/1"].kept_strings = 9;
  EXPECT_TRUE(found()[0].by_clause) << "most strings are kept";
}

TEST_F(Causes, DoNotBlameAllIdsForThoseOfOneKind) {
  for (int i = 0; i < 4; ++i) {
    IdTally& tally = clues_.ids[clue("jsonrpc.id.fractional").ref.case_id];
    tally.altered[trace::Change::kFraction] = 1;
    tally.kept_numbers = 9;
  }
  EXPECT_EQ(found()[0].requirement, "jsonrpc.id.fractional");
  for (auto& [id, tally] : clues_.ids) tally.kept_numbers = 0;
  EXPECT_EQ(found()[0].requirement, "jsonrpc.id.fractional") << "nothing else was asked there";
}

TEST_F(Causes, TellABatchThatIsAnsweredInPiecesUnderItsOwnClause) {
  for (const char* clause :
       {"jsonrpc.batch.invalid-elements", "jsonrpc.batch.array-response", "jsonrpc.batch.mixed"}) {
    Clue& batch = clue(clause);
    batch.trigger.seq = 1;
    batch.trigger.kind = MessageKind::kBatch;
    batch.answered = true;
  }
  std::vector<Cause> causes = found("jsonrpc-2.0");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "jsonrpc.batch.array-response");
  for (Clue& batch : clues_.all) batch.came.array = true;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(3)) << "what came was an array";
  clues_.all[2].requirement = "jsonrpc.batch.response-per-request";
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.batch.response-per-request");
}

TEST_F(Causes, KnowThatOneElementHasItsBatchRefused) {
  for (const char* clause : {"jsonrpc.batch.invalid-elements", "jsonrpc.batch.failure-isolated",
                             "jsonrpc.batch.mixed"}) {
    Clue& batch = clue(clause);
    batch.trigger.seq = 1;
    batch.trigger.kind = MessageKind::kBatch;
    batch.trigger.is_json = batch.trigger.valid = batch.answered = batch.came.message = true;
    batch.came.code = "-32600";
  }
  CaseResult sound;
  sound.id = "a/sound";
  sound.verdict = Verdict::kPass;
  sound.requirements = {"jsonrpc.batch.response-per-request"};
  results_.push_back(sound);
  const std::vector<Cause> causes = found("jsonrpc-2.0");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "jsonrpc.batch.invalid-elements");
  EXPECT_THAT(causes[0].title, HasSubstr("One invalid element"));
  results_.back().verdict = Verdict::kWarn;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(3)) << "sound ones may be refused, too";
}

TEST_F(Causes, KnowIdsThatAreTakenForNone) {
  for (const char* clause : {"mcp.base.error-readable-id-required", "mcp.base.unknown-method"}) {
    Clue& lost = about("ping", clause, oracle::Symptom::kSilence);
    lost.trigger.members[kIdValue] = "0";
  }
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.request-id.string-and-integer-accepted");
  EXPECT_THAT(causes[0].sentence, HasSubstr("whose id is 0 gets no response"));
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.id.zero-echo");
  clues_.all.back().symptom = oracle::Symptom::kAnswer;
  clues_.all.back().answered = true;
  clues_.all.back().came.status = 204;
  EXPECT_THAT(found("mcp-2025-11-25", wire::TransportKind::kHttp), SizeIs(1))
      << "nor by an empty 2xx";
  clues_.served.insert(std::string(kIdValue) + "=0");  // it is the method
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, KnowSeveralIdsThatAreTakenForNone) {
  for (const char* id : {"0", "\"\""})
    about("ping", "mcp.base.response-same-id", oracle::Symptom::kSilence)
        .trigger.members[kIdValue] = id;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "A request whose id is 0 or \"\" is not answered");
  Clue& mark = about("ping", "mcp.base.response-same-id", oracle::Symptom::kSilence);
  mark.trigger.valid = mark.trigger.is_json = false;
  EXPECT_EQ(found()[0].title, "A request whose id is 0 or \"\" is not answered")
      << "text is another matter";
  clues_.served.insert(std::string(kIdValue) + "=\"\"");
  EXPECT_NE(found()[0].title, "A request whose id is 0 or \"\" is not answered");
}

TEST_F(Causes, DoNotSayThatErrorsLoseTheirIdsWhereTheCaseAboutItPasses) {
  lose_ids_of_errors(-32601);
  const auto title = [&] { return found("jsonrpc-2.0")[0].title; };
  EXPECT_EQ(title(), "Errors do not carry the id of their request");
  clue("jsonrpc.id.echo-on-error");
  clues_.all.pop_back();
  results_.back().verdict = Verdict::kPass;
  Clue& altered = about("ping", "jsonrpc.id.unicode-echo");
  altered.answered = true;
  clues_.ids[altered.ref.case_id].altered[trace::Change::kRecoded] = 1;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "an id in another encoding is another matter";
}

TEST_F(Causes, TellBatchesOfOneWithoutAnArrayAsOne) {
  for (const char* clause : {"jsonrpc.batch.single-element", "jsonrpc.batch.nested-array"}) {
    Clue& bare = clue(clause);
    bare.trigger.seq = 1;
    bare.trigger.kind = wire::MessageKind::kBatch;
    bare.answered = bare.came.message = true;
    bare.came.code = "-32600";
  }
  EXPECT_NE(found("jsonrpc-2.0")[0].title, "Some batches of one are answered without an array");
  for (const char* clause :
       {"jsonrpc.batch.response-per-request", "jsonrpc.batch.invalid-elements"}) {
    CaseResult passed;
    passed.id = clause;
    passed.verdict = Verdict::kPass;
    passed.requirements = {clause};
    results_.push_back(passed);
  }
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Some batches of one are answered without an array");
}

TEST_F(Causes, TellUnansweredBatchesAsOne) {
  for (const char* clause : {"jsonrpc.batch.invalid-elements", "jsonrpc.batch.empty-array",
                             "jsonrpc.request.reply-exactly-one"}) {
    Clue& silent = clue(clause, oracle::Symptom::kSilence);
    silent.trigger.seq = 1;
    silent.trigger.kind = wire::MessageKind::kBatch;
  }
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Batches are not answered");
  clues_.all[0].trigger.kind = wire::MessageKind::kRequest;
  EXPECT_NE(found("jsonrpc-2.0")[0].title, "Batches are not answered");
}

TEST_F(Causes, TellErrorsUnderAnotherIdWithTheRepliesThatComeUnderOne) {
  for (const char* method : {"ping", "tools/list", "tools/call", "rpcspec/none"}) {
    Clue& other =
        about(method, method[0] == 'r' ? "jsonrpc.id.echo-on-error" : "mcp.base.response-same-id");
    other.answered = other.altered = other.came.message = true;
    other.trigger.valid = true;
    other.trigger.kind = wire::MessageKind::kRequest;
    IdTally& tally = clues_.ids[other.ref.case_id];
    tally.altered[trace::Change::kConstant] = 1;
    tally.example = "0";
    if (method[0] != 'r') continue;
    other.came.code = "-32601";
    tally.altered.clear();  // an error may be meant for another request
    tally.altered_by_errors = 1;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Replies do not carry the id of their request");
}

TEST_F(Causes, SayThatBatchesGetNoResponseWhereOthersDo) {
  for (const char* clause : {"jsonrpc.batch.array-response", "jsonrpc.batch.mixed"}) {
    Clue& open = clue(clause, oracle::Symptom::kHang);
    open.trigger.seq = 1;
    open.trigger.is_json = open.left_open = true;
    open.trigger.kind = wire::MessageKind::kBatch;
  }
  const auto told = [&] { return found("jsonrpc-2.0", wire::TransportKind::kHttp)[0].title; };
  EXPECT_EQ(told(), "Batches get no response");
  clues_.all[1].trigger.flaw = "a batch with an invalid element";
  EXPECT_EQ(told(), "Batches get no response");
  clues_.all[0].trigger.flaw = clues_.all[1].trigger.flaw;
  EXPECT_EQ(told(), "A batch with an invalid element gets no response") << "sound ones may get one";
  for (Clue& one : clues_.all) one.left_open = false;
  EXPECT_EQ(told(), "After a batch with an invalid element nothing more is answered");
}

}  // namespace
}  // namespace harness::run
