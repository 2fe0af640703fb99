// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/attribution.h"
#include "harness/trace/stories_testing.h"
#include "harness/trace/story_testing.h"
#include "harness/trace/traffic.h"

namespace harness::trace {
namespace {

Question question(const std::string& text, std::uint64_t seq = 1) {
  const wire::Message message = wire::read_message(text);
  Question out;
  out.seq = seq;
  if (is_usable_id(message.id())) out.id_key = message.key;
  out.is_json = message.is_json;
  out.is_batch = message.kind == wire::MessageKind::kBatch;
  return out;
}

Incoming incoming(const std::string& text, int exchange = 0) {
  Incoming out;
  out.message = wire::read_shared(text);
  if (out.message->is_reply()) out.key = out.message->id() ? out.message->key : "null";
  out.exchange = exchange;
  return out;
}

std::string call(const std::string& id) { return R"({"id":)" + id + R"(,"method":"a"})"; }
std::string ok(const std::string& id) { return R"({"id":)" + id + R"(,"result":1})"; }

TEST(LiveAttribution, GivesWhatAnswersOurResponseToNothingElse) {
  LiveAttribution live;
  const Incoming reply = incoming(R"({"id":2,"error":{"code":-32601,"message":"no"}})");
  const Question note = question(R"({"method":"notifications/a"})");
  EXPECT_EQ(live.fit(reply, note), Fit::kPerhaps);
  live.sent(wire::read_message(ok("2")), ok("2"), false);
  EXPECT_EQ(live.fit(reply, note), Fit::kNo);
  EXPECT_EQ(live.fit(reply, question(ok("2"))), Fit::kOwn) << "nobody asked for that response";
  live.begin_slice();
  EXPECT_EQ(live.fit(reply, note), Fit::kNo);
}

// A server that fills in the id it read last where it can read none.
TEST(LiveAttribution, TakesAParseErrorUnderAnAnsweredIdForTheReplyToWhatIsNoJson) {
  LiveAttribution live;
  const auto comes = [&](const std::string& text) {
    Incoming reply = incoming(text);
    reply.second = live.is_second(reply.key);
    return reply;
  };
  live.sent(wire::read_message(call("1")), call("1"), false);
  live.begin_slice();
  comes(ok("1"));
  const std::string error = R"({"id":1,"error":{"code":-32700,"message":"no"}})";
  EXPECT_EQ(live.fit(comes(error), question("{oops")), Fit::kPerhaps);
  EXPECT_EQ(live.fit(comes(error), question(call("2"))), Fit::kNo) << "that can be read";
  EXPECT_EQ(live.fit(comes(ok("1")), question("{oops")), Fit::kNo) << "no parse error";
  live.sent(wire::read_message(call("3")), call("3"), false);
  live.reserve(wire::read_message(call("3")).key);
  EXPECT_EQ(
      live.fit(comes(R"({"id":3,"error":{"code":-32700,"message":"no"}})"), question("{oops")),
      Fit::kNo)
      << "the first reply to that request";
}

TEST(LiveAttribution, FitsWhatNamesTheMessage) {
  struct Row {
    std::string asked, came;
    Fit fit;
  };
  const Row rows[] = {
      {call("1"), ok("1"), Fit::kOwn},
      {call("1"), ok("1.0"), Fit::kOwn},
      {call("1"), ok("\"1\""), Fit::kPerhaps},
      {call("1"), ok("null"), Fit::kPerhaps},
      {call("1"), ok("7"), Fit::kNo},
      {call("1"), ok("8"), Fit::kNo},
      {call("1"), ok("9"), Fit::kNo},
      {call("1"), ok("10"), Fit::kPerhaps},
      {call("7"), ok("7"), Fit::kOwn},
      {"{oops", ok("null"), Fit::kPerhaps},
      {"[1]", "[" + ok("4") + "]", Fit::kOwn},
      {call("1"), "[1]", Fit::kPerhaps},
      {call("1"), R"({"method":"n"})", Fit::kNo},
      {call("1"), "banner", Fit::kNo},
  };
  LiveAttribution live;
  live.sent(wire::read_message(call("7")), call("7"), false);
  live.begin_slice();
  const std::string broken = R"({"id":10,)";
  live.sent(wire::read_message(broken), broken, false);
  live.reserve(wire::id_key(json::number(8)));
  live.give_up(wire::id_key(json::number(9)));
  for (const Row& row : rows)
    EXPECT_EQ(live.fit(incoming(row.came), question(row.asked)), row.fit) << row.asked << row.came;
  live.release(wire::id_key(json::number(8)));
  EXPECT_EQ(live.fit(incoming(ok("8")), question(call("1"))), Fit::kPerhaps);
}

TEST(LiveAttribution, TakesNoSecondAnswerForThatToALaterRequest) {
  LiveAttribution live;
  for (const char* id : {"1", "2"}) live.sent(wire::read_message(call(id)), call(id), false);
  const auto comes = [&](const std::string& text) {
    Incoming reply = incoming(text);
    reply.again = live.came_again(reply.key, text);
    return reply;
  };
  const Question later = question(call("2"));
  EXPECT_EQ(live.fit(comes(ok("1")), later), Fit::kPerhaps) << "every id may be altered";
  EXPECT_EQ(live.fit(comes(ok("1")), later), Fit::kNo);
  EXPECT_EQ(live.fit(comes(ok("9")), later), Fit::kPerhaps);
  EXPECT_EQ(live.fit(comes(ok("9")), later), Fit::kPerhaps)
      << "an id for all that nobody asked with";
  EXPECT_EQ(live.fit(comes(ok("2")), later), Fit::kOwn);
  EXPECT_EQ(live.fit(comes(ok("2")), later), Fit::kOwn);
  live.begin_slice();
  EXPECT_FALSE(comes(ok("1")).again) << "asked_before() tells";
}

TEST(LiveAttribution, TakesTheIdOfAllThatNamesNoRequestForNobodys) {
  LiveAttribution live;
  live.sent(wire::read_message(call("0")), call("0"), false);
  live.begin_slice();
  const Question text = question("no JSON");
  EXPECT_EQ(live.fit(incoming(ok("0")), text), Fit::kNo) << "a late reply";
  live.expect_stand_in(wire::id_key(json::number(0)));
  EXPECT_EQ(live.fit(incoming(ok("0")), text), Fit::kPerhaps);
  EXPECT_EQ(live.fit(incoming(ok("0")), question(call("0"))), Fit::kOwn);
}

TEST(LiveAttribution, KnowsAnArrayForOneOfAnEarlierCase) {
  LiveAttribution attribution;
  const auto asks = [&](const std::string& text) {
    attribution.sent(wire::read_message(text), text, false);
    return question(text);
  };
  asks("[" + call("1") + "," + call("2") + "]");
  attribution.begin_slice();
  const Question later = asks("[" + call("3") + "]");
  EXPECT_EQ(attribution.fit(incoming("[" + ok("2") + "," + ok("1") + "]"), later), Fit::kNo);
  EXPECT_EQ(attribution.fit(incoming("[" + ok("3") + "]"), later), Fit::kOwn);
  EXPECT_EQ(attribution.fit(incoming("[" + ok("1") + "," + ok("3") + "]"), later), Fit::kOwn);
  EXPECT_EQ(attribution.fit(incoming("[" + ok("9") + "]"), later), Fit::kOwn)
      << "it may be altered";
}

TEST(LiveAttribution, FitsWhatComesInTheExchange) {
  LiveAttribution live;
  Question posted = question(call("1"));
  posted.exchange = 3;
  EXPECT_EQ(live.fit(incoming(ok("9"), 3), posted), Fit::kOwn);
  EXPECT_EQ(live.fit(incoming("{}", 3), posted), Fit::kOwn);
  EXPECT_EQ(live.fit(incoming(ok("1"), 4), posted), Fit::kNo);
  Question shared = question(call("1"));
  shared.post = 3;
  EXPECT_EQ(live.fit(incoming("{}", 3), shared), Fit::kOwn);
  EXPECT_EQ(live.fit(incoming("{}", 4), shared), Fit::kNo);
  EXPECT_EQ(live.fit(incoming(ok("1")), shared), Fit::kOwn);
}

TEST(LiveAttribution, TakesWhatNamesNobodyUntilAnIdWasKept) {
  const auto both = [](bool kept) {
    LiveAttribution live;
    for (const char* id : {"1", "2"}) live.sent(wire::read_message(call(id)), call(id), false);
    if (kept) {
      EXPECT_TRUE(live.takes(incoming(ok("1")), question(call("1"))));
    }
    EXPECT_FALSE(live.takes(incoming(ok("2")), question(call("1")))) << "it was asked";
    return live.takes(incoming(ok("\"lost\"")), question(call("2"))) && live.alters_ids();
  };
  EXPECT_TRUE(both(false));
  EXPECT_FALSE(both(true));
  LiveAttribution live;
  EXPECT_FALSE(live.takes(incoming(ok("null")), question("{oops")));
  EXPECT_FALSE(live.alters_ids());
}

TEST(LiveAttribution, LeavesAResultWithoutAnIdToTheNotificationsOfWhoAnswersThem) {
  LiveAttribution live;
  const Question one = question(call("1"));
  live.sent(wire::read_message(call("1")), call("1"), false);
  live.saw_notes_answered();
  EXPECT_EQ(live.fit(incoming(ok("null")), one), Fit::kPerhaps) << "nothing was notified";
  const char* const note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  live.sent(wire::read_message(note), note, false);
  live.saw_notes_answered();
  EXPECT_EQ(live.fit(incoming(ok("null")), one), Fit::kNo);
  EXPECT_EQ(live.fit(incoming(R"({"jsonrpc":"2.0","id":null,"error":{"code":1}})"), one),
            Fit::kPerhaps);
}

TEST(LiveAttribution, TellsWhoseAnIdOfAnotherTypeIs) {
  LiveAttribution live;
  for (const char* id : {"100010", "100020", "\"7\""})
    live.sent(wire::read_message(call(id)), call(id), false);
  const Question ten = question(call("100010"));
  EXPECT_EQ(live.fit(incoming(ok("\"100010\"")), ten), Fit::kPerhaps);
  EXPECT_TRUE(reads_as_own(incoming(ok("\"100010\"")), ten));
  EXPECT_EQ(live.fit(incoming(ok("\"100020\"")), ten), Fit::kNo) << "it is another's";
  EXPECT_EQ(live.fit(incoming(ok("\"100030\"")), ten), Fit::kPerhaps);
  EXPECT_FALSE(reads_as_own(incoming(ok("\"100030\"")), ten));
  EXPECT_TRUE(reads_as_own(incoming(ok("7")), question(call("\"7\""))));
  EXPECT_TRUE(live.takes(incoming(ok("\"100010\"")), ten));
  EXPECT_TRUE(live.retypes_ids());
}

TEST(LiveAttribution, LetsTheReplyToWhatWasCancelledComeWhenever) {
  LiveAttribution live;
  const auto ask = [&](const std::string& text) {
    live.sent(wire::read_message(text), text, false);
  };
  ask(call("1"));
  ask(call("2"));
  ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  EXPECT_TRUE(live.may_come("n:1"));
  live.begin_slice();
  EXPECT_FALSE(live.may_come("n:1"));
  EXPECT_TRUE(live.may_come("n:2"));
  EXPECT_FALSE(live.may_come("s:2"));
}

TEST(LiveAttribution, KnowsTheRowThatAskedByWhatAMessageNames) {
  const auto note = [](const std::string& params) {
    return R"({"method":"n","params":)" + params + "}";
  };
  const auto tagged = [&](const std::string& id) {
    return note(R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}}");
  };
  const auto ask = [](LiveAttribution& live, const std::string& text) {
    live.sent(wire::read_message(text), text, false);
  };
  const std::string other = R"({"id":"b","method":"a","params":{"_meta":{"progressToken":"t)";
  LiveAttribution live;
  ask(live, call("1"));
  live.begin_slice();
  ask(live, other + R"(2"}}})");
  ask(live, call("2"));
  ask(live, call("4"));
  live.began_exchange(5);
  live.begin_row();
  ask(live, other + R"(3"}}})");
  ask(live, "[" + call("3") + "]");
  ask(live, call("4"));
  live.began_exchange(6);
  struct Row {
    std::string came;
    int exchange;
    RowOf row;
  };
  const Row rows[] = {
      {ok("1"), 0, RowOf::kEarlier},
      {ok("2"), 0, RowOf::kEarlier},
      {ok("3"), 0, RowOf::kThis},
      {ok("4"), 0, RowOf::kThis},
      {ok("5"), 0, RowOf::kUnsaid},
      {ok("null"), 0, RowOf::kUnsaid},
      {ok("2"), 6, RowOf::kThis},
      {ok("3"), 5, RowOf::kEarlier},
      {ok("3"), 7, RowOf::kThis},
      {tagged("2"), 0, RowOf::kEarlier},
      {tagged("3"), 0, RowOf::kThis},
      {tagged("\"3\""), 0, RowOf::kUnsaid},
      {tagged("[3]"), 0, RowOf::kUnsaid},
      {note(R"({"progressToken":"t2"})"), 0, RowOf::kEarlier},
      {note(R"({"progressToken":"t3"})"), 0, RowOf::kThis},
      {note(R"({"progressToken":"t4"})"), 0, RowOf::kUnsaid},
      {note("[]"), 0, RowOf::kUnsaid},
      {note("[]"), 5, RowOf::kEarlier},
      {call("2"), 0, RowOf::kUnsaid},
      {"banner", 0, RowOf::kUnsaid},
  };
  for (const Row& row : rows)
    EXPECT_EQ(live.row_of(incoming(row.came, row.exchange)), row.row) << row.came << row.exchange;
}

// The question a reply names, of those that have no reply; null where none is sure.
const Question* named(const LiveAttribution& live, const Incoming& reply,
                      const std::vector<Question>& open) {
  for (const Question& one : open) {
    const bool by_id = !one.id_key.empty() && one.id_key == reply.key;
    if (live.fit(reply, one) == Fit::kOwn && (one.exchange == 0 || by_id)) return &one;
  }
  return nullptr;
}

// Message by message it says the same, or leaves it open.
TEST(LiveAttribution, AgreesWithWhatIsKnownInTheEnd) {
  int sure = 0;
  for (const Told& told : kStories) {
    const Story story(told.text);
    const Trace trace(story.slice, story.spoken());
    const Attribution& attribution = attribution_of(trace);
    LiveAttribution live;
    for (const char* earlier : {"7"})
      if (story.slice.earlier_ids.contains(wire::id_key(json::parse(earlier))))
        live.sent(wire::read_message(call(earlier)), call(earlier), false);
    live.begin_slice();
    std::vector<Question> open;
    std::set<std::string_view> server_ids;  // what answers those is no question
    for (const Item& item : trace.items) {
      if (item.array != 0) continue;
      if (!item.sent && item.kind == wire::MessageKind::kRequest) server_ids.insert(item.key);
      if (item.sent && is_reply(item) && server_ids.contains(item.key)) continue;
      const std::string text(item.text);
      const int exchange = trace.transcript.frames[item.frame].exchange;
      if (item.sent) {
        live.sent(*item.text_message, text, false);
        open.push_back(question(text, item.seq));
        open.back().exchange = exchange;
        continue;
      }
      const Answer& answer = attribution.of(item);
      const Incoming reply = incoming(text, exchange);
      const Question* own = named(live, reply, open);
      const std::string context = std::string(told.what) + ": " + text;
      if (own == nullptr) {
        // Over HTTP who waits looks at the exchange of the question alone.
        const bool here =
            answer.to != nullptr && trace.transcript.frames[answer.to->frame].exchange == exchange;
        const bool by_id = answer.whose == Whose::kRequest && answer.to->key == item.key &&
                           answer.to->kind == wire::MessageKind::kRequest && item.key != "null";
        EXPECT_FALSE(by_id && here) << context;
        if (answer.whose == Whose::kEarlier && reply.key != "null") {
          for (const Question& one : open) EXPECT_EQ(live.fit(reply, one), Fit::kNo) << context;
        }
        continue;
      }
      ++sure;
      ASSERT_NE(answer.to, nullptr) << context;
      // What is said later may only add that an id was that of the request before.
      if (answer.change == Change::kPrevious || answer.whose == Whose::kStale) continue;
      std::vector<std::uint64_t> seqs = {answer.to->seq};
      for (const Item* one : answer.candidates) seqs.push_back(one->seq);
      EXPECT_THAT(seqs, testing::Contains(own->seq)) << context;
      std::erase_if(open, [&](const Question& one) { return one.seq == answer.to->seq; });
    }
  }
  EXPECT_GT(sure, 30);
}

}  // namespace
}  // namespace harness::trace
