// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/revisions.h"

#include <algorithm>
#include <chrono>

#include "harness/json/write.h"
#include "harness/session/patience.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;

std::string short_answer(const json::Value& reply) {
  const json::Value* error = wire::error_in(reply);
  const json::Value* message = error ? error->find("message") : nullptr;
  return message && message->is_string() ? message->text : json::write(reply);
}

std::string instead(const spec::Profile& profile, const json::Value& reply) {
  if (profile.era == spec::Era::kStateless) {
    const json::Value* versions = json::at(reply, "/result/supportedVersions");
    return versions ? "it supports " + json::write(*versions) : short_answer(reply);
  }
  const json::Value* version = json::at(reply, "/result/protocolVersion");
  return version ? "it answers with " + version->text : short_answer(reply);
}

bool agrees(const spec::Profile& profile, const json::Value& reply) {
  const bool stateless = profile.era == spec::Era::kStateless;
  const json::Value* named =
      json::at(reply, stateless ? "/result/supportedVersions" : "/result/protocolVersion");
  if (!named) return false;
  if (!stateless) return named->is_string() && named->text == profile.revision;
  return std::any_of(named->items.begin(), named->items.end(),
                     [&](const json::Value& version) { return version.text == profile.revision; });
}

}  // namespace

awaitable<Spoken> try_revision(const spec::Profile& profile, Session& session) {
  Spoken out{&profile, false, "no answer"};
  json::Value reply;
  if (profile.era == spec::Era::kStateless) {
    const session::Sent sent = co_await session.send_canary();
    // It is known how long the target takes to start.
    const session::Pace& pace = session.pace();
    const auto enough = std::min(pace.to_begin(), pace.first() + pace.grace(true));
    const session::Deadline deadline = Clock::now() + enough;
    if (const session::Inbound* heard = co_await session.reply_to(sent, deadline))
      reply = heard->message->value;
  } else {
    session::Handshake shaken = co_await session.handshake();
    if (shaken.answered) reply = std::move(shaken.reply);
  }
  if (reply.is_null()) co_return out;
  out.yes = agrees(profile, reply);
  out.answer = out.yes ? "" : instead(profile, reply);
  co_return out;
}

bool refuses_version(const json::Value& reply) {
  const json::Value* code = json::at(reply, "/error/code");
  const std::optional<std::int64_t> number = code ? json::as_integer(*code) : std::nullopt;
  return number && *number != -32601;
}

awaitable<const spec::Profile*> newest_spoken(const spec::Profile& asked,
                                              const spec::Profile* offered, const Opener& open) {
  const std::vector<spec::Profile>& all = spec::profiles();
  for (auto one = all.rbegin(); one != all.rend() && &*one != offered; ++one) {
    const bool other = one->mcp && one->era == spec::Era::kHandshake && !one->tutorial;
    if (!other || one->name == asked.name) continue;
    Result<std::unique_ptr<Session>> opened = co_await open(*one);
    if (!opened) break;
    const Spoken tried = co_await try_revision(*one, **opened);
    co_await (*opened)->shutdown(patience::kFarewellByItself);
    if (tried.yes) co_return &*one;
  }
  co_return offered;
}

awaitable<std::vector<const spec::Profile*>> other_revisions(const spec::Profile& judged,
                                                             const Opener& open,
                                                             session::Deadline until,
                                                             bool stateless) {
  std::vector<const spec::Profile*> out;
  const std::vector<spec::Profile>& all = spec::profiles();
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (!one->mcp || one->name == judged.name || Clock::now() >= until) continue;
    if (one->era == spec::Era::kStateless && !stateless) continue;
    Result<std::unique_ptr<Session>> opened = co_await open(*one);
    if (!opened) break;
    const Spoken tried = co_await try_revision(*one, **opened);
    co_await (*opened)->shutdown(patience::kFarewellByItself);
    if (tried.yes) out.push_back(&*one);
  }
  co_return out;
}

}  // namespace harness::run
