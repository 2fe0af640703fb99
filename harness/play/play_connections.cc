// SPDX-License-Identifier: Apache-2.0
// Actions on connections and processes.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <map>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/play/case_player.h"
#include "harness/session/dialect.h"
#include "harness/session/patience.h"

namespace harness::run {
namespace {

constexpr std::size_t kMostPongs = 4;  // shown of those that were not asked for

using session::Clock;
using session::Deadline;
using session::Inbound;
using session::Sent;
using std::chrono::milliseconds;

int signal_number(const std::string& name) {
  static const std::map<std::string, int> kSignals = {
      {"TERM", SIGTERM}, {"INT", SIGINT}, {"HUP", SIGHUP}, {"KILL", SIGKILL}, {"PIPE", SIGPIPE}};
  const auto found = kSignals.find(name.starts_with("SIG") ? name.substr(3) : name);
  return found == kSignals.end() ? SIGTERM : found->second;
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Handshake& changes) {
  const auto filled = [&](const std::optional<json::Value>& written) {
    return written ? std::optional<json::Value>(player.expanded(*written)) : std::nullopt;
  };
  const std::optional<json::Value> version = filled(changes.version);
  json::Value params = player.session().opening_params();
  if (version) params.set("protocolVersion", *version);
  const bool agent = player.session().profile().acp;
  if (const auto given = filled(changes.capabilities))
    params.set(agent ? "clientCapabilities" : "capabilities", *given);
  if (const auto given = filled(changes.client_info)) params.set("clientInfo", *given);
  if (const auto given = filled(changes.params)) params = *given;
  const std::optional<json::Value> id = filled(changes.id);
  const std::optional<json::Value> initialized = filled(changes.initialized);
  const session::Handshake shaken = co_await player.session().handshake(
      std::move(params), id ? &*id : nullptr, !initialized || initialized->boolean);
  Reply reply;
  reply.own_id = shaken.sent.id_key;
  reply.valid_request = true;
  reply.readable = true;
  reply.http = player.listener().http_of(shaken.sent);
  Inbound inbound;
  std::vector<std::uint64_t> frames{shaken.sent.seq};
  if (shaken.answered) {
    wire::Message message;
    message.is_json = true;
    message.value = shaken.reply;
    message.kind = wire::kind_of(shaken.reply);
    inbound.message = std::make_shared<const wire::Message>(std::move(message));
    reply.messages.push_back(&inbound);
    for (const Inbound& arrived : player.session().inbox())
      if (arrived.claimed && arrived.message->id() &&
          wire::id_key(*arrived.message->id()) == shaken.sent.id_key)
        frames.push_back(arrived.seq);
  }
  player.listener().fill_ending(reply);
  const std::uint64_t last = frames.back();
  const suite::Outcomes outcomes = step.reply ? player.outcomes(*step.reply) : suite::any_result();
  const Graded graded = grade(outcomes, reply, player.judging());
  player.conclude(graded, player.seen(reply), &step, std::move(frames));
  if (graded.skip_rest) player.skip_rest(graded.because);
  if (shaken.answered) player.capture(step, shaken.reply, last);
  if (player.session().closed()) {
    if (player.ended_on_purpose())
      player.end_case();
    else
      co_await player.ended(&step, shaken.sent.seq);
  } else if (!shaken.answered && !player.session().has_exchanges()) {
    player.end_row();
    co_await player.demand_canary(&step);
  }
}

awaitable<void> act(CasePlayer& player, const suite::Step&, const suite::Reconnect& wanted) {
  return player.reconnect(wanted.need, CasePlayer::Leaving::kSilently);
}

awaitable<void> act(CasePlayer& player, const suite::Step&, const suite::Close& close) {
  if (close.channel == suite::Channel::kStdout)
    player.session().close_output();
  else
    player.session().close_input();
  player.ends_target();
  co_return;
}

awaitable<void> act(CasePlayer& player, const suite::Step&, const suite::Pause& pause) {
  const Deadline until = session::Clock::now() +
                         std::min<milliseconds>(player.seconds(pause.seconds), patience::kPause);
  while (co_await player.session().pump(until)) {
  }
}

awaitable<void> act(CasePlayer& player, const suite::Step&, const suite::Signal& signal) {
  player.session().send_signal(signal_number(signal.name));
  player.ends_target();
  co_return;
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Exit& wanted) {
  const milliseconds time =
      wanted.within ? player.seconds(*wanted.within) : player.session().reply_time();
  player.ends_target();
  const Deadline deadline = Clock::now() + time;
  for (bool more = true; more && !player.session().exited();)
    more = co_await player.session().pump(deadline);
  Reply reply;
  player.listener().fill_ending(reply);
  reply.closed = player.session().exited();
  suite::Outcome ended = suite::outcome_of(suite::OutcomeWord::kExited);
  if (wanted.status) ended.status = player.pattern(*wanted.status);
  const suite::Outcomes lawful =
      step.reply ? player.outcomes(*step.reply) : suite::only(std::move(ended));
  const std::uint64_t last = player.last_seq();
  oracle::Observation came = observed(reply);
  came.detail = player.session().exited() ? "ended with " + player.session().exit_status()
                                          : fmt::format("still running after {} ms", time.count());
  player.conclude(grade(lawful, reply, player.judging()), std::move(came), &step, {last});
  player.session().retire();
}

awaitable<void> act(CasePlayer& player, const suite::Step&, const suite::Disconnect& disconnect) {
  player.session().disconnect(player.named_exchange(disconnect.of));
  co_return;
}

// `pongs`: those with another payload.
bool heard_pong(const CasePlayer& player, std::uint64_t after, const std::string& payload,
                std::vector<std::uint64_t>& pongs) {
  pongs.clear();
  for (const wire::Frame& frame : player.session().transcript().frames) {
    if (frame.channel != wire::Channel::kPong || frame.seq <= after) continue;
    if (frame.bytes == payload) return true;
    if (pongs.size() < kMostPongs) pongs.push_back(frame.seq);
  }
  return false;
}

// RFC 6455 lets pongs come unasked: only one with the payload of the ping answers it.
awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Ping&) {
  Prepared prepared = player.prepare(step);
  const std::string payload = prepared.text;
  const Sent sent = co_await player.session().send_ping(std::move(prepared.text),
                                                        std::move(prepared.writes.front()));
  const Deadline deadline = player.reply_deadline(&step);
  std::vector<std::uint64_t> pongs;
  bool answered = heard_pong(player, sent.seq, payload, pongs);
  for (bool more = true; more && !answered;) {
    more = co_await player.session().pump(deadline);
    answered = heard_pong(player, sent.seq, payload, pongs);
  }
  if (answered) co_return;
  Graded graded;
  graded.expected = "a pong with the payload " + printable(json::write(json::string(payload)), 80);
  std::vector<std::uint64_t> frames{sent.seq};
  frames.insert(frames.end(), pongs.begin(), pongs.end());
  player.conclude(graded, oracle::told(pongs.empty() ? "no pong" : "pongs with another payload"),
                  &step, std::move(frames));
  if (player.session().closed()) co_await player.ended(&step, sent.seq);
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Http&) {
  return send_step(player, step);
}

awaitable<void> act(CasePlayer& player, const suite::Step& step, const suite::Upgrade&) {
  return send_step(player, step);
}

}  // namespace

awaitable<void> play_connection(CasePlayer& player, const suite::Step& step) {
  return play_topic<suite::Topic::kConnection>(
      step, [&](const auto& action) { return act(player, step, action); });
}

}  // namespace harness::run
