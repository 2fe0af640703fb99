// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/connections.h"

#include <algorithm>

#include "harness/contact/questions.h"
#include "harness/session/patience.h"

namespace harness::run {

using session::Clock;
using session::Inbound;
using session::Sent;
using session::Session;
using std::chrono::milliseconds;

namespace {

const Inbound* named_by(Session& session, const Sent& sent) {
  const auto& inbox = session.inbox();
  const auto found = std::find_if(inbox.begin(), inbox.end(), [&](const Inbound& one) {
    return one.message->is_reply() && one.key == sent.id_key;
  });
  return found == inbox.end() ? nullptr : &*found;
}

awaitable<Sent> ask_first(Session& session) {
  const spec::Profile& profile = session.profile();
  if (profile.era != spec::Era::kHandshake) co_return co_await session.send_canary();
  const session::Handshake said =
      co_await session.say_initialize(session.opening_params(), nullptr);
  co_return said.sent;
}

// Takes in what comes on both until the question has its reply on one of them.
awaitable<bool> hears(Session& asking, Session& other, const Sent& sent) {
  const session::Deadline until = Clock::now() + patience::kFirstQuestions;
  bool answered = false;
  while (!answered && Clock::now() < until && !asking.closed()) {
    co_await asking.pump(Clock::now() + patience::kBrief.least);
    co_await other.pump(Clock::now() + patience::kBrief.least);
    answered = named_by(asking, sent) || named_by(other, sent);
  }
  co_return answered;
}

// The server may not have taken the second connection when it answers on the first: so the first is
// asked again.
// `seen`: it waited once already. On a busy machine once is no rule.
awaitable<void> learn(const spec::Profile& profile, Search& search, bool seen) {
  Result<std::unique_ptr<Session>> first = co_await search.open(profile);
  if (!first) co_return;
  Result<std::unique_ptr<Session>> second = co_await search.open(profile);
  if (!second) co_return;
  Session& one = **first;
  Session& other = **second;
  const Sent begun = co_await ask_first(one);
  const bool served = co_await hears(one, other, begun);
  if (!served) co_return;
  const Sent next = co_await ask_first(other);
  const bool beside = co_await hears(other, one, next);
  if (!beside && !one.closed() && !other.closed()) {
    // Is it the first connection that it waits for?
    co_await one.hang_up();
    const bool waited = co_await other.reply_to(next, Clock::now() + patience::kFirstQuestions);
    search.one_by_one = waited && seen;
    if (search.one_by_one) search.odd.push_back(serves_one_by_one(other));
    if (!waited || seen) co_return;
    co_await other.hang_up();
    co_return co_await learn(profile, search, true);
  }
  const Sent again = co_await one.send_canary();
  const bool heard = co_await hears(one, other, again);
  // What goes to all goes to one after the other.
  for (Session* each : {&one, &other}) {
    const session::Deadline soon = Clock::now() + patience::kGrace.least;
    for (bool more = heard; more;) more = co_await each->pump(soon);
  }
  struct Asked {
    Session& by;
    Session& beside;
    const Sent& sent;
    const Sent& beside_sent;
  };
  for (const Asked& asked : {Asked{one, other, begun, next}, Asked{other, one, next, begun},
                             Asked{one, other, again, next}}) {
    // Who got nothing under an id of its own may have got its own response with a wrong one.
    const Inbound* elsewhere = named_by(asked.beside, asked.sent);
    if (!elsewhere || !named_by(asked.beside, asked.beside_sent)) continue;
    search.one_by_one = true;
    const bool own = named_by(asked.by, asked.sent) != nullptr;
    search.odd.push_back(answers_elsewhere(asked.beside, elsewhere->message->value, own));
    co_return;
  }
}

}  // namespace

awaitable<bool> waits_for_other(Session& silent, Session& other, const Opener& open) {
  if (silent.wire().process() || silent.closed()) co_return false;
  co_await other.shutdown(milliseconds(0));
  const session::Handshake again = co_await silent.handshake();
  if (!again.answered) co_return false;
  Result<std::unique_ptr<Session>> next = co_await open(other.profile());
  if (!next) co_return false;
  const json::Value params = spec::canary_of(other.profile()).params;
  const milliseconds patience = silent.pace().to_begin();
  const json::Value* reply = co_await ask(**next, "server/discover", params, patience);
  co_await silent.shutdown(milliseconds(0));
  co_return reply == nullptr;
}

awaitable<void> learn_connections(const spec::Profile& profile, Search& search) {
  co_await learn(profile, search, false);
}

}  // namespace harness::run
