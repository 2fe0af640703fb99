// SPDX-License-Identifier: Apache-2.0
// Actions that send messages, alone or several at a time.
#include <fmt/format.h>

#include <algorithm>

#include "harness/play/case_player.h"

namespace harness::run {
namespace {

using session::Deadline;
using session::Inbound;
using session::Sent;
using session::Session;

// What is asked by the step, before it is sent. Its name stands for the request from here on.
Asked asked_of(CasePlayer& player, const suite::Step& step, const Prepared& prepared) {
  Asked asked;
  asked.step = &step;
  asked.valid_request = prepared.valid_request;
  if (step.reply)
    asked.reply = player.outcomes(*step.reply);
  else if (!step.later && prepared.valid_request)
    asked.reply = suite::only(suite::outcome_of(suite::OutcomeWord::kAnyReply));
  if (!step.as.empty()) player.scope().set(step.as, request_of(prepared));
  if (step.rounds) asked.request = request_of(prepared);
  return asked;
}

// Whether the case has its own mind about a server that wants to be left alone for a while.
bool speaks_of_refusal(const std::vector<suite::Outcome>& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const suite::Outcome& one) {
    return std::any_of(one.http.begin(), one.http.end(),
                       [](const auto& status) { return status == "429" || status == "503"; }) ||
           speaks_of_refusal(one.all);
  });
}
bool speaks_of_refusal(const suite::Outcomes& outcomes) {
  bool speaks = false;
  suite::each_grade(outcomes, [&](const auto& list) { speaks |= speaks_of_refusal(list); });
  return speaks;
}

// For steps that refer to what was sent by its name.
void remember(CasePlayer& player, const Asked& asked) {
  const suite::Step& step = *asked.step;
  if (step.as.empty()) return;
  player.name_exchange(step.as, asked.sent.exchange);
  if (step.later) player.listener().put_off(step.as, asked);
}

void judge_order(CasePlayer& player, const suite::Step& step, const std::vector<std::string>& order,
                 const std::vector<std::uint64_t>& answered, const std::vector<Asked>& all) {
  std::uint64_t last = 0;
  std::vector<std::uint64_t> frames;
  bool kept = true;
  for (const std::string& name : order) {
    const auto asked = std::find_if(all.rbegin(), all.rend(),
                                    [&](const Asked& one) { return one.step->as == name; });
    if (asked == all.rend()) continue;
    const std::uint64_t seq = answered[static_cast<std::size_t>(all.rend() - asked) - 1];
    frames.push_back(asked->sent.seq);
    if (!seq) continue;
    frames.push_back(seq);
    kept &= seq > last;
    last = seq;
  }
  if (kept) return;
  Graded graded;
  graded.expected = fmt::format("replies in the order {}", fmt::join(order, ", then "));
  player.conclude(graded, oracle::told("another order"), &step, std::move(frames));
}

awaitable<void> send_pipelined(CasePlayer& player, const suite::Step& step,
                               std::vector<const suite::Step*> steps,
                               std::vector<std::string> order) {
  std::vector<Asked> all;
  std::vector<Session::Written> messages;
  for (const suite::Step* inner : steps) {
    player.scope().next_step();
    Prepared prepared = player.prepare(*inner);
    all.push_back(asked_of(player, *inner, prepared));
    all.back().silence_foreseen = player.listener().silence_foreseen();
    messages.push_back({std::move(prepared.text), fmt::format("{}", fmt::join(prepared.writes, "")),
                        prepared.unframed, std::move(prepared.http)});
  }
  const std::vector<Sent> sent = co_await player.session().send_together(std::move(messages));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].sent = sent[i];
    remember(player, all[i]);
  }
  const Deadline deadline = player.reply_deadline(&step);
  const std::vector<Reply> replies = co_await player.listener().gather_flight(all, deadline);
  std::vector<std::uint64_t> answered(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].reply) continue;
    const Reply& reply = replies[i];
    std::vector<std::uint64_t> seqs{all[i].sent.seq};
    for (const std::uint64_t seq : frames_of(reply)) seqs.push_back(seq);
    if (!reply.messages.empty()) answered[i] = seqs.back();
    const Graded graded = grade(*all[i].reply, reply, player.judging());
    player.findings().note_missed(graded, reply);
    player.conclude(graded, player.seen(reply), all[i].step, std::move(seqs));
    if (!reply.messages.empty())
      player.capture(*all[i].step, reply.messages.front()->message->value,
                     reply.messages.front()->seq);
  }
  judge_order(player, step, order, answered, all);
  if (player.session().closed()) {
    if (!player.ended_on_purpose())
      co_await player.ended(&step, all.empty() ? 0 : all.front().sent.seq);
    else
      player.end_case();
  } else if (player.listener().canary_failed()) {
    co_await player.unanswered(&step, all.empty() ? 0 : all.front().sent.seq);
  }
}

awaitable<void> act(CasePlayer& player, const suite::Step& step,
                    const suite::Pipelined& pipelined) {
  const std::int64_t repeat = player.integer(pipelined.repeat, 1);
  std::vector<const suite::Step*> all;
  for (std::int64_t round = 0; round < repeat; ++round)
    for (const suite::Step& inner : pipelined.steps) all.push_back(&inner);
  return send_pipelined(player, step, std::move(all), pipelined.order);
}

// Of the actions that send one message each.
template <class T>
awaitable<void> act(CasePlayer& player, const suite::Step& step, const T&) {
  return send_step(player, step);
}

}  // namespace

awaitable<void> send_step(CasePlayer& player, const suite::Step& step) {
  const std::int64_t times = player.integer(step.write.times, 1);
  if (times > 1) {
    std::vector<const suite::Step*> same(static_cast<std::size_t>(times), &step);
    std::vector<std::string> any_order;
    co_return co_await send_pipelined(player, step, std::move(same), std::move(any_order));
  }
  Prepared prepared = player.prepare(step);
  Asked asked = asked_of(player, step, prepared);
  asked.head_will_do = prepared.manner.keep_open;
  asked.to_the_end = prepared.manner.answers > 1;
  prepared.manner.takes_refusal = asked.reply && speaks_of_refusal(*asked.reply);
  // Whoever awaits the reply later has a deadline of his own.
  if (!step.as.empty() && step.later) prepared.manner.keep_open = true;
  // Moved on: a frame of megabytes is not kept twice.
  const bool unframed = prepared.unframed;
  if (std::holds_alternative<suite::Upgrade>(step.action))
    asked.sent = co_await player.session().send_upgrade(prepared.http);
  else
    asked.sent =
        co_await player.session().send_text(std::move(prepared.text), std::move(prepared.writes),
                                            unframed, prepared.http, prepared.manner);
  remember(player, asked);
  if (step.later) co_return;
  if (!step.reply && !asked.valid_request) {
    // Nothing to judge; but HTTP messages must not overtake each other.
    const int number = asked.sent.exchange + asked.sent.post;
    if (number) co_await player.listener().finish_exchange(number);
    player.note_broken_off(player.listener().http_of(asked.sent), asked.sent.seq);
    co_return;
  }
  co_await player.judge(asked);
}

awaitable<void> play_message(CasePlayer& player, const suite::Step& step) {
  return play_topic<suite::Topic::kMessage>(
      step, [&](const auto& action) { return act(player, step, action); });
}

}  // namespace harness::run
