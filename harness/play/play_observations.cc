// SPDX-License-Identifier: Apache-2.0
// Actions that look at what came: later replies, messages of the server, streams, captured values.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/play/case_player.h"
#include "harness/session/patience.h"

namespace harness::run {
namespace {

using session::Deadline;
using session::Inbound;

// One wait is enough for all that are never answered; each answer begins another.
awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Await& await) {
  std::optional<Deadline> waited;
  for (const suite::Await::One& one : await.all) {
    std::optional<Asked> asked = player.listener().take_up(one.name);
    if (!asked) continue;
    asked->reply = player.outcomes(one.reply);
    asked->step = &step;
    const Deadline deadline = waited.value_or(player.reply_deadline(&step, asked->sent));
    asked->with_others = true;
    const bool replied = co_await player.judge(*asked, deadline);
    if (player.over()) co_return;
    waited = replied ? std::nullopt : std::optional(deadline);
  }
}

std::string text_of(const CasePlayer& player, const Inbound& inbound) {
  for (const wire::Frame& frame : player.session().transcript().frames)
    if (frame.seq == inbound.seq) return printable(frame.bytes, 300);
  return "";
}

// No such message may have come; a canary marks the moment, where one can still be asked.
awaitable<void> expect_absent(CasePlayer& player, const suite::Step& step,
                              const json::Value& unwanted) {
  if (!player.session().closed() && !player.ended_on_purpose()) {
    co_await player.demand_canary(&step);
    if (player.over()) co_return;
  }
  std::size_t heard = 0;
  while (const Inbound* came = player.server_messages().take(player.session(), unwanted, heard)) {
    Graded graded;
    graded.expected = unwanted.text == "$any" ? "nothing more from the server"
                                              : "no message that is " + match::describe(unwanted);
    oracle::Observation seen = oracle::observed(*came->message);
    if (!came->message->is_json)
      seen.detail = "text that is not a message: " + text_of(player, *came);
    player.conclude(graded, std::move(seen), &step, {came->seq});
  }
}

// All such messages that came before the answer to a canary.
awaitable<void> expect_all(CasePlayer& player, const suite::Step& step, const json::Value& wanted) {
  if (!player.session().closed() && !player.ended_on_purpose()) {
    co_await player.demand_canary(&step);
    if (player.over()) co_return;
  }
  json::Value all = json::array();
  std::uint64_t last = player.last_seq();
  std::size_t heard = 0;
  while (const Inbound* came = player.server_messages().take(player.session(), wanted, heard)) {
    if (came->message->is_json) all.items.push_back(came->message->value);
    last = came->seq;
  }
  player.capture(step, all, last);
}

// The method of a request that servers send when a tool needs something of the client, if the
// pattern is one of those: whether a tool asks is its own affair.
std::string request_of_server(const json::Value& pattern) {
  const json::Value* method = pattern.is_object() ? pattern.find("method") : nullptr;
  const bool asks =
      method && (method->text == "sampling/createMessage" || method->text == "roots/list" ||
                 method->text == "elicitation/create");
  return asks ? method->text : "";
}

// The method of a message that is waited for, or what stands for several; "" where any may do.
std::string method_in(const json::Value& pattern) {
  const json::Value* method = pattern.is_object() ? pattern.find("method") : nullptr;
  return method ? json::write(*method) : "";
}

// The same, where conditions stand side by side.
std::string method_within(const json::Value& pattern) {
  std::string method = method_in(pattern);
  for (std::size_t i = 0; i < pattern.members.size() && method.empty(); ++i)
    for (const json::Value& one : pattern.members[i].value.items)
      if (method.empty()) method = method_in(one);
  return method;
}

// What may stay away without failing is waited for no longer on a machine that is busy, or because
// the target is slow.
Deadline patience(const CasePlayer& player, const suite::Step& step, const suite::Expect& expect) {
  const Deadline until = player.reply_deadline(&step);
  const bool soon = expect.optional && !step.within;
  return soon ? std::min<Deadline>(until, session::Clock::now() + patience::kOptional) : until;
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Expect& expect) {
  const json::Value expected = player.pattern(expect.message);
  if (expect.all) co_return co_await expect_all(player, step, expected);
  if (expect.absent) co_return co_await expect_absent(player, step, expected);
  const Deadline until = patience(player, step, expect);
  ServerMessages& messages = player.server_messages();
  std::size_t heard = 0;
  for (bool more = true; more;) {
    if (const Inbound* came = messages.take(player.session(), expected, heard)) {
      const bool whole = player.capture(step, came->message->value, came->seq);
      if (!whole && expect.optional) player.skip_rest("");
      co_return;
    }
    more = co_await player.session().pump(until);
  }
  messages.missed(player.session(), expected);
  if (messages.in_doubt()) {
    player.skip_rest("what came may belong to an earlier row");
    co_return;
  }
  if (const std::string asked = request_of_server(expected); !asked.empty()) {
    if (!expect.optional || !step.captures.empty())
      player.not_exercised("the target did not send " + asked);
    co_return;
  }
  if (expect.optional) {
    if (!step.captures.empty()) player.skip_rest("");  // later steps would lack what it was to find
    co_return;
  }
  Graded graded;
  graded.expected = "a message that is " + match::describe(expected);
  graded.wanted.message = method_within(expected);
  player.conclude(graded, oracle::Observation{oracle::MissingMessage{}}, &step,
                  {player.last_seq()});
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Canary&) {
  return player.want_canary(step);
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Silence&) {
  if (player.session().closed()) co_return;
  if (!player.session().has_exchanges()) {
    const bool answered = co_await player.listener().ask_canary();
    if (!answered) {
      if (player.session().closed()) {
        co_await player.ended(&step, player.listener().last_canary().seq);
      } else {
        co_await player.unanswered(&step, player.listener().last_canary().seq);
      }
      co_return;
    }
  }
  for (Inbound& inbound : player.session().inbox()) {
    const json::Value* id = inbound.message->id();
    const bool reply =
        inbound.message->is_reply() || inbound.message->kind == wire::MessageKind::kBatch;
    if (inbound.claimed || !reply) continue;
    if (id && player.listener().awaited_elsewhere(wire::id_key(*id))) continue;
    inbound.claimed = true;
    if (player.listener().is_late(inbound)) continue;
    Graded graded;
    graded.expected = "no reply";
    graded.wanted.silence = true;
    player.conclude(graded, oracle::observed(*inbound.message), &step, {inbound.seq});
  }
}

json::Value event_of(const wire::Frame& frame, const wire::Message& message) {
  json::Value event = json::object(
      {{"data", json::string(frame.bytes)}, {"complete", json::boolean(!frame.unframed)}});
  if (message.is_json) event.set("message", message.value);
  for (const char* field : {"id", "event", "retry"})
    if (const std::string* value = frame.head ? frame.head->header(field) : nullptr)
      event.set(field, json::string(*value));
  return event;
}

bool is_get(const CasePlayer& player, int number) {
  const auto& frames = player.session().transcript().frames;
  return std::any_of(frames.begin(), frames.end(), [&](const wire::Frame& frame) {
    return frame.exchange == number && frame.direction == wire::Direction::kSent && frame.head &&
           frame.head->method == "GET";
  });
}

// What has come on exchanges, as a value to match and to capture from. The body that refuses a GET
// is no message on its stream.
json::Value account_of(const CasePlayer& player, const std::vector<int>& numbers) {
  json::Value account = json::object();
  bool ended = true;
  for (const int number : numbers) {
    const session::Exchange* exchange = player.session().exchange(number);
    ended &= !exchange || exchange->ended || exchange->paused;
    account.set("status", json::number(exchange ? exchange->status : 0));
  }
  account.set("ended", json::boolean(ended));
  json::Value events = json::array();
  json::Value messages = json::array();
  json::Value ids = json::array();
  for (const wire::Frame& frame : player.session().transcript().frames) {
    const bool among = std::find(numbers.begin(), numbers.end(), frame.exchange) != numbers.end();
    if (!among || frame.direction != wire::Direction::kReceived) continue;
    const bool is_event = frame.channel == wire::Channel::kSse;
    if (!is_event && (frame.channel != wire::Channel::kHttp || is_get(player, frame.exchange)))
      continue;
    const wire::Message message = wire::read_message(frame.bytes);
    if (message.is_json) messages.items.push_back(message.value);
    if (is_event) events.items.push_back(event_of(frame, message));
  }
  for (const json::Value& event : events.items) {
    if (const json::Value* id = event.find("id")) {
      ids.items.push_back(*id);
      account.set("last_id", *id);
    }
    if (const json::Value* retry = event.find("retry")) account.set("retry", *retry);
  }
  if (!events.items.empty()) account.set("first", events.items.front());
  if (!messages.items.empty()) account.set("last_message", messages.items.back());
  account.set("events", std::move(events));
  account.set("messages", std::move(messages));
  account.set("ids", std::move(ids));
  return account;
}

std::string describe_wait(bool to_its_end, const json::Value& event) {
  return to_its_end ? "the end of the stream" : "an event that is " + match::describe(event);
}

// `missing`: what was waited for and did not come.
void judge_account(CasePlayer& player, const suite::Step& step, const suite::Stream& wanted,
                   const json::Value& account, const std::string& missing) {
  const std::uint64_t last = player.last_seq();
  Graded graded;
  std::string found;
  if (!missing.empty()) {
    graded.expected = missing;
    found = fmt::format("a stream with {} events{}", account.find("events")->items.size(),
                        account.find("ended")->boolean ? " and an end" : "");
  } else if (wanted.to) {
    if (const auto mismatch =
            match::mismatch(player.pattern(*wanted.to), &account, player.judging().match)) {
      graded.expected =
          mismatch->expected + (mismatch->path.empty() ? "" : " at " + mismatch->path);
      found = "a stream with " + printable(mismatch->seen, 300);
    }
  }
  if (!graded.expected.empty()) {
    if (wanted.optional) {
      player.skip_rest(wanted.because);
    } else {
      player.conclude(graded, oracle::told(std::move(found)), &step, {last});
    }
  }
  player.capture(step, account, last);
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Stream& wanted) {
  std::vector<int> numbers;
  for (const std::string& name : wanted.of) numbers.push_back(player.named_exchange(name));
  const json::Value event = wanted.until ? player.pattern(*wanted.until) : json::null();
  const auto reached = [&](const json::Value& account) {
    if (wanted.to_its_end) return account.find("ended")->boolean;
    if (!wanted.until) return true;
    const auto& events = account.find("events")->items;
    return std::any_of(events.begin(), events.end(), [&](const json::Value& one) {
      return !match::mismatch(event, &one, player.judging().match);
    });
  };
  const Deadline deadline = player.reply_deadline(&step);
  json::Value account = account_of(player, numbers);
  for (bool more = true; more && !reached(account);) {
    more = !account.find("ended")->boolean;
    if (more) more = co_await player.session().pump(deadline);
    if (more) account = account_of(player, numbers);
  }
  judge_account(player, step, wanted, account,
                reached(account) ? "" : describe_wait(wanted.to_its_end, event));
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Compare& comparison) {
  const json::Value& written = comparison.values ? *comparison.values : *comparison.value;
  const json::Value value = player.expanded(written);
  const json::Value wanted = player.pattern(comparison.to);
  const auto mismatch = match::mismatch(wanted, &value, player.judging().match);
  if (!mismatch) co_return;
  if (comparison.optional) {
    player.skip_rest(comparison.because);
    co_return;
  }
  Graded graded;
  graded.expected = mismatch->expected + (mismatch->path.empty() ? "" : " at " + mismatch->path);
  graded.because = comparison.because;
  oracle::Observation seen = oracle::told(printable(mismatch->seen));
  if (const json::Value* exact = wanted.find("$exact")) {
    graded.wanted.value = json::write(*exact);
    seen.came = oracle::Detail{json::write(value)};
  }
  player.conclude(graded, std::move(seen), &step, player.frames_behind(written, comparison.to));
}

// What a walk over the pages of a list has seen.
struct Pages {
  json::Value items = json::array();    // of all pages
  json::Value results = json::array();  // one a page
  json::Value cursors = json::array();  // as they were given out
  json::Value last;                     // message
  const char* end = "bound";            // how it came to its end

  // Takes the next page in; false where there is nothing behind it that is worth asking for.
  bool take(const json::Value& message, const std::string& where) {
    last = message;
    const json::Value* result = message.find("result");
    end = "error";
    if (!result) return false;
    const json::Value* found = json::at(message, where);
    const json::Value page = found && found->is_array() ? *found : json::array();
    const bool again = came_before(page) && (!page.items.empty() || cursor_came_again());
    pages_.push_back(page);
    items.items.insert(items.items.end(), page.items.begin(), page.items.end());
    results.items.push_back(*result);
    const json::Value* next = result->find("nextCursor");
    const bool more = next && next->is_string();
    if (more) cursors.items.push_back(*next);
    end = again ? "page that came before" : more ? "bound" : "last page";
    return !again && more;
  }

  // What tells items apart, whatever else of them changes with the hour.
  json::Value keys() const {
    json::Value all = json::array();
    for (const json::Value& item : items.items) {
      for (const char* name : {"uriTemplate", "uri", "name"}) {
        const json::Value* key = item.is_object() ? item.find(name) : nullptr;
        if (!key) continue;
        all.items.push_back(*key);
        break;
      }
    }
    return all;
  }

 private:
  bool came_before(const json::Value& page) const {
    return std::any_of(pages_.begin(), pages_.end(),
                       [&](const json::Value& one) { return json::equal(one, page); });
  }
  // Whether the cursor that led to this page had led to another before.
  bool cursor_came_again() const {
    const auto& all = cursors.items;
    return std::count_if(all.begin(), all.end(),
                         [&](const json::Value& one) { return one.text == all.back().text; }) > 1;
  }

  std::vector<json::Value> pages_;  // their items
};

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Walk& walk) {
  Pages pages;
  const std::string where = player.expanded(json::string(walk.items)).text;
  const std::int64_t most = player.integer(walk.pages, 50);
  for (std::int64_t page = 0; page < most && !player.over(); ++page) {
    player.scope().next_step();
    suite::Call call = walk.call;
    if (page > 0) {
      if (!call.params) call.params = json::object();
      call.params->set("cursor", pages.cursors.items.back());
    }
    suite::Step inner;
    inner.action = std::move(call);
    Asked asked;
    asked.step = &step;
    Prepared prepared = player.prepare(inner);
    asked.valid_request = prepared.valid_request;
    asked.reply = step.reply ? player.outcomes(*step.reply) : suite::any_result();
    asked.sent = co_await player.session().send_text(
        std::move(prepared.text), std::move(prepared.writes), false, prepared.http);
    const Deadline deadline = player.reply_deadline(asked.step);
    const Reply reply = co_await player.listener().gather(asked, deadline);
    std::vector<std::uint64_t> frames{asked.sent.seq};
    for (const std::uint64_t seq : frames_of(reply)) frames.push_back(seq);
    player.conclude(grade(*asked.reply, reply, player.judging()), player.seen(reply), &step,
                    std::move(frames));
    if (reply.messages.empty() || !pages.take(reply.messages.front()->message->value, where)) break;
  }
  player.capture(step,
                 json::object({{"items", pages.items},
                               {"keys", pages.keys()},
                               {"pages", pages.results},
                               {"cursors", pages.cursors},
                               {"last", pages.last},
                               {"end", json::string(pages.end)}}),
                 player.last_seq());
}

}  // namespace

awaitable<void> play_observation(CasePlayer& player, const suite::Step& step) {
  return play_topic<suite::Topic::kObservation>(
      step, [&](const auto& action) { return act(player, step, action); });
}

}  // namespace harness::run
