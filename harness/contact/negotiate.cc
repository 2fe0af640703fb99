// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/negotiate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/base/text.h"
#include "harness/contact/connections.h"
#include "harness/contact/descriptions.h"
#include "harness/contact/diagnose_failure.h"
#include "harness/contact/first_look.h"
#include "harness/contact/questions.h"
#include "harness/contact/recognise.h"
#include "harness/contact/revisions.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/session/patience.h"
#include "harness/spec/known.h"
#include "harness/spec/protocol.h"
#include "harness/target/made_arguments.h"
#include "harness/target/permission.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Sent;
using session::Session;
using std::chrono::milliseconds;

// A response to server/discover that names the version, in a list or alone. `only`: without a
// handshake, a result with capabilities is enough; what is wrong with it is for the cases.
bool serves_stateless(const json::Value* reply, bool only) {
  const json::Value* result = reply ? reply->find("result") : nullptr;
  const json::Value* versions = result ? result->find("supportedVersions") : nullptr;
  if (versions && versions->is_array())
    return std::any_of(
        versions->items.begin(), versions->items.end(),
        [](const json::Value& version) { return version.text == session::kStateless; });
  if (versions && versions->text == session::kStateless) return true;
  const json::Value* capabilities = only && result ? result->find("capabilities") : nullptr;
  return capabilities && capabilities->is_object();
}

// All items of a list method, over all its pages, or up to one that comes again; `whole`: there are
// no more.
awaitable<json::Value> list_all(Session& session, std::string method, std::string member,
                                bool& whole) {
  json::Value all = json::array();
  json::Value cursor, before;
  for (int page = 0; page < 20; ++page) {
    json::Value params = cursor.is_null() ? json::null() : json::object({{"cursor", cursor}});
    params = session::with_meta(session.profile(), std::move(params), json::null(),
                                session.options().client_capabilities);
    const json::Value* reply = co_await ask(session, method, params, session.pace().reply());
    const json::Value* result = reply ? reply->find("result") : nullptr;
    const json::Value* items = result && result->is_object() ? result->find(member) : nullptr;
    if (!items || !items->is_array()) break;
    if (!items->items.empty() && json::equal(*items, before)) break;
    before = *items;
    for (const json::Value& item : items->items)
      if (item.is_object()) all.items.push_back(item);
    const json::Value* next = result->find("nextCursor");
    whole = !next && all.items.size() <= 1000;
    if (!next || !next->is_string() || all.items.size() > 1000) break;
    cursor = *next;
  }
  co_return all;
}

constexpr std::size_t kMostCompleted = 32;

// What the server itself completes, for arguments of its prompts: it may refuse any other value.
awaitable<void> learn_completions(Session& session, Offer& offer) {
  const spec::MessageRow* row =
      session.profile().protocol().find("completion/complete", session.profile());
  if (!row || !spec::is_declared(row->capability_in(session.profile()), session.capabilities()))
    co_return;
  for (const target::Completable& one : target::completables(offer, kMostCompleted)) {
    const json::Value* prompt = one.ref.find("name");
    if (!prompt) continue;
    json::Value params = json::object({{"ref", one.ref},
                                       {"argument", json::object({{"name", json::string(one.name)},
                                                                  {"value", json::string("")}})}});
    // What one argument may be can depend on those before it.
    json::Value before = json::object();
    for (const json::Member& other : one.context.members) {
      const auto found = offer.completed.find({prompt->text, other.name});
      if (found != offer.completed.end()) before.set(other.name, json::string(found->second));
    }
    if (!before.members.empty() && session.profile().revision >= "2025-06-18")
      params.set("context", json::object({{"arguments", std::move(before)}}));
    params = session::with_meta(session.profile(), std::move(params), json::null(),
                                session.options().client_capabilities);
    const json::Value* reply =
        co_await ask(session, row->name, std::move(params), session.pace().reply());
    if (!reply) co_return;  // it is for the cases to say so
    const json::Value* first = json::at(*reply, "/result/completion/values/0");
    if (first && first->is_string() && !first->text.empty())
      offer.completed[{prompt->text, one.name}] = first->text;
  }
}

// The name that a language server gives, or "".
std::optional<std::string> language_server(const Negotiated& met) {
  if (!met.profile->lsp) return std::nullopt;
  const json::Value* name = met.ready ? json::at(met.ready->agreed(), "/serverInfo/name") : nullptr;
  return name && name->is_string() ? name->text : "";
}

bool is_loopback(std::string_view authority) {
  return authority.starts_with("127.") || authority.starts_with("localhost") ||
         authority.starts_with("[::1]");
}

// What is held back in a buffer, or is no whole line, comes when the input ends, or is pushed out
// by what answers another message.
awaitable<void> hear_out(Session& session) {
  if (!session.wire().process() || session.closed()) co_return;
  const json::Value id = json::number(session.next_id());
  const json::Value ping = session::message(&id, "ping", json::null());
  co_await session.send(ping);
  const session::Deadline soon = Clock::now() + patience::kPushedOut;
  while (!session.exited() && co_await session.pump(soon)) {
  }
  session.close_input();
  const session::Deadline until = Clock::now() + patience::kEndOfInput;
  while (!session.exited() && co_await session.pump(until)) {
  }
}

// Whether both have ended. What ends one of two processes of a command ends the other as well, each
// in its own time.
awaitable<bool> both_end(Session& one, Session& other) {
  Session& open = one.closed() ? other : one;
  const session::Deadline soon = Clock::now() + patience::kBothEnd;
  const bool waits = one.wire().process() && one.closed() != other.closed();
  while (waits && !open.closed() && co_await open.pump(soon)) {
  }
  co_return one.closed() && other.closed();
}

// Who refuses initialize in another way than what nobody has knows it, and wants other params.
awaitable<bool> refuses_knowingly(Session& session, std::int64_t refusal) {
  const spec::Canary unknown = spec::canary_of(*spec::find_profile("lsp"));
  const json::Value* reply =
      co_await ask(session, unknown.method, unknown.params, session.pace().reply());
  const json::Value* code = reply ? json::at(*reply, "/error/code") : nullptr;
  co_return !code || json::as_integer(*code) != refusal;
}

// Who is silent to what it does not know, against its protocol, may still refuse a second
// initialize: then that is the canary.
awaitable<bool> refuses_second_handshake(Session& session, Offer& offer) {
  json::Value params = session.opening_params();
  const json::Value* reply = co_await ask(session, "initialize", params, patience::kFirstQuestions);
  const json::Value* code = reply ? json::at(*reply, "/error/code") : nullptr;
  if (!code) co_return false;
  offer.usual_error = json::as_integer(*code);
  session.set_canary({"initialize", std::move(params), true});
  co_return true;
}

// How it answers a method that nobody has; an Error with text where it does not. True in `other`
// where it is to be asked in another way.
awaitable<Error> learn_usual_error(Session& session, milliseconds patience, Search& search,
                                   Offer& offer, bool& other) {
  const auto began = Clock::now();
  const Sent canary = co_await session.send_canary();
  const session::Inbound* reply =
      co_await session.reply_to(canary, began + std::min(patience::kFraming, patience));
  other = !reply && writes_no_lines(session, search);
  if (other) co_return Error{};
  if (!reply) reply = co_await session.reply_to(canary, began + patience);
  const session::Exchange* http = session.exchange(canary.exchange);
  const int status = http && http->ended ? http->status : 0;
  if (!reply && status >= 400) {
    const bool listed = co_await choose_listing(session);
    if (listed) co_return Error{};
  }
  const spec::Canary& asked = session.canary();
  const json::Value* named = search.target.affordances.find("known_method");
  const json::Value* with = named && named->is_object() ? named->find("params") : nullptr;
  const bool layered = session.profile().lsp || session.profile().acp;
  const bool params =
      !named || layered || (with && !(with->items.empty() && with->members.empty()));
  if (!reply && status >= 400 && named)
    co_return refused_method(asked.method, fmt::format("HTTP {}", status), params);
  if (!reply && layered && !named) {
    const bool again = co_await refuses_second_handshake(session, offer);
    if (again) co_return Error{};
  }
  if (!reply)
    co_return unreachable(session, search.target,
                          "the target does not answer a plain JSON-RPC request");
  const json::Value* code = json::at(reply->message->value, "/error/code");
  if (!code) co_return Error{};
  if (!params && !asked.answered_by_error && json::as_integer(*code) != -32601)
    co_return refused_method(
        asked.method, printable(json::write(*json::at(reply->message->value, "/error")), 200),
        params);
  if (asked.answered_by_error)
    offer.usual_error = json::as_integer(*code);
  else if (json::as_integer(*code) == -32601)
    co_return unknown_method(asked.method);
  co_return Error{};
}

// Something was said that only a server of MCP says, if not as it should.
bool speaks_mcp(const Session& session) {
  for (const wire::Frame& frame : session.transcript().frames) {
    if (frame.direction != wire::Direction::kReceived || frame.channel == wire::Channel::kStderr)
      continue;
    for (const char* word : {"\"serverInfo\"", "\"protocolVersion\""})
      if (frame.bytes.find(word) != std::string::npos) return true;
  }
  return false;
}

bool has_handshake(const spec::Profile* profile) {
  return profile && profile->mcp && profile->era == spec::Era::kHandshake;
}

// A version of MCP that servers with a handshake have; null where there is none of that name.
const spec::Profile* revision_named(const json::Value& version) {
  const spec::Profile* profile = spec::find_profile("mcp-" + version.text);
  return has_handshake(profile) ? profile : nullptr;
}

// What else it speaks than the version that was not agreed on `met`; see newest_spoken().
awaitable<const spec::Profile*> other_version(const spec::Profile& asked,
                                              const spec::Profile* offered, Session& met,
                                              Search& search) {
  if (search.one_by_one) co_await met.hang_up();
  if (met.has_exchanges()) co_await met.shutdown(milliseconds(0));
  co_return co_await newest_spoken(asked, offered, search.open);
}

// Initialize was not accepted on `refused`. Whether the target serves what MCP has without it: then
// `met` has a session on which that is so.
awaitable<bool> serves_without_handshake(const Session& refused, const session::Handshake& shaken,
                                         Search& search, Negotiated& met) {
  const spec::Profile& profile = refused.profile();
  if (!has_handshake(&profile) || profile.tutorial) co_return false;
  Result<std::unique_ptr<Session>> opened = co_await search.open(profile);
  if (!opened) co_return false;
  Session& bare = **opened;
  json::Value features = co_await served_features(bare);
  if (features.is_null()) co_return false;
  search.odd.push_back(without_handshake(refused, shaken, features.members.front().name + "/list"));
  bare.begin_without_handshake(json::object({{"protocolVersion", json::string(profile.revision)},
                                             {"capabilities", std::move(features)}}));
  met.profile = &profile;
  met.handshake = false;
  met.ready = std::move(*opened);
  co_await discover(*met.ready, met.offer);
  co_return true;
}

// Opens a session and performs the handshake, or the discovery, of the profile. `named`: the target
// has named its version itself. Nothing where the framing turned out to be another.
awaitable<Result<Negotiated>> enter(const spec::Profile& profile, bool named, Search& search,
                                    Negotiated& negotiated) {
  const target::Target& target = search.target;
  negotiated.profile = &profile;
  Result<std::unique_ptr<Session>> opened = co_await search.open(profile);
  if (!opened) co_return opened.error();
  Session& session = **opened;
  const milliseconds patience = session.pace().to_begin();
  if (profile.era == spec::Era::kHandshake) {
    session::Handshake shaken;
    const bool other = co_await shake(session, search, shaken);
    if (other) co_return Error{};
    if (!shaken.accepted) {
      if (search.one_by_one) co_await session.hang_up();
      const bool served = co_await serves_without_handshake(session, shaken, search, negotiated);
      if (served) co_return std::move(negotiated);
    }
    if (!shaken.answered) {
      const Error why = unreachable(session, target, "the target does not answer initialize");
      co_await hear_out(session);
      co_return why;
    }
    const bool by_error = profile.lsp || profile.acp;  // no method is known to be there
    if (by_error && !shaken.accepted) {
      const json::Value* code = json::at(shaken.reply, "/error/code");
      if (code) negotiated.refusal = json::as_integer(*code);
      co_return no_such_server(profile, shaken.reply);
    }
    if (by_error) {
      bool unread = false;
      const Error why =
          co_await learn_usual_error(session, patience, search, negotiated.offer, unread);
      if (!why.what.empty()) co_return why;
    }
    const json::Value* version = json::at(shaken.reply, "/result/protocolVersion");
    if (!version && !profile.lsp) co_return unusable_answer(shaken.reply);
    if (version && version->text != profile.revision && !profile.tutorial) {
      if (named)
        search.odd.push_back(unsteady_version(session, shaken));
      else if (!profile.acp && !revision_named(*version))
        search.odd.push_back(unknown_version(session, shaken));
      else
        co_return Error{"",
                        fmt::format("the target does not speak {}: requested {}, it offers {}",
                                    profile.name, profile.revision, printable(version->text, 40)),
                        "choose another --profile"};
    }
  } else if (profile.era == spec::Era::kStateless) {
    const json::Value params = spec::canary_of(profile).params;
    const json::Value* reply = co_await ask(session, "server/discover", params, patience);
    if (!reply)
      co_return unreachable(session, target, "the target does not answer server/discover");
    // A refusal is a matter for the cases: the profile was asked for.
    if (const json::Value* result = reply->find("result")) session.set_agreed(*result);
  } else {
    bool other = false;
    const auto began = Clock::now();
    const Error why =
        co_await learn_usual_error(session, patience, search, negotiated.offer, other);
    const bool slow = Clock::now() - began > patience::kSlowMethod;
    if (other || !why.what.empty()) co_return why;
    if (slow) co_await spare_slow_method(session, negotiated.offer);
    // Once: who closes the connection at a method that it lacks does so again.
    bool listens = !named;
    if (listens) negotiated.described = co_await ask_description(session, target, listens);
    if (!negotiated.offer.affordances.find("known_method") && listens) {
      std::vector<std::string> listed = co_await listed_methods(session, negotiated.described);
      negotiated.offer.methods = std::move(listed);
      if (!negotiated.described.is_object())
        negotiated.offer.examples = co_await served_examples(session, negotiated.offer.affordances);
    }
  }
  co_await discover(session, negotiated.offer);
  negotiated.ready = std::move(*opened);
  co_return std::move(negotiated);
}

}  // namespace

awaitable<void> discover(Session& session, Offer& offer) {
  const json::Value* capabilities = session.capabilities();
  const auto declared = [&](const spec::MessageRow& list) {
    return session.profile().tutorial ||
           spec::is_declared(list.capability_in(session.profile()), capabilities);
  };
  if (const json::Value* versions =
          session.agreed().is_object() ? session.agreed().find("supportedVersions") : nullptr)
    offer.versions = *versions;
  offer.http_sessions = !session.http_session().empty();
  const transport::Exchanges* http = session.wire().exchanges();
  offer.http_loopback = http && is_loopback(http->authority());
  auto known = std::make_shared<spec::Known>(session.profile());
  for (const spec::MessageRow* list : session.profile().protocol().lists_of(session.profile())) {
    json::Value* place = offer.list(list->lists);
    if (!place || !declared(*list)) continue;
    bool whole = false;
    *place = co_await list_all(session, list->name, list->lists, whole);
    if (whole) known->listed(*list, *place);
  }
  co_await choose_canary(session, offer);
  known->set_canary(session.canary());
  offer.known = std::move(known);
  co_await learn_completions(session, offer);
}

namespace {

// Whether it is an agent, by its response to an initialize of MCP and then to one of its own.
awaitable<bool> is_met_as_agent(const json::Value& reply, Search& search, Negotiated& met) {
  if (search.target.has_exchanges() || !may_be_agent(reply)) co_return false;
  Negotiated as_agent;
  as_agent.offer = met.offer;
  Result<Negotiated> found = co_await enter(*spec::find_profile("acp-1"), false, search, as_agent);
  if (!found || !is_agent(found->ready->agreed())) co_return false;
  met = std::move(*found);
  co_return true;
}

// A method without params is called with none: an empty list says so in every message.
json::Value affordances_of(const target::Target& target) {
  json::Value out = target.affordances;
  json::Value* known = out.find("known_method");
  if (known && known->is_object() && !known->find("params")) known->set("params", json::array());
  return out;
}

// An Error without text where the framing turned out to be another: then all is begun again.
awaitable<Result<Negotiated>> look(const std::string& wanted, Search& search) {
  const target::Target& target = search.target;
  Negotiated negotiated;
  negotiated.offer.affordances = affordances_of(target);
  const spec::Profile& stateless = *spec::find_profile("mcp-2026-07-28");
  const spec::Profile& newest = *spec::find_profile("mcp-2025-11-25");
  const spec::Profile* asked = wanted == "auto" ? nullptr : spec::find_profile(wanted);
  if (asked && asked->era != spec::Era::kStateless && !(asked->mcp && target.has_exchanges())) {
    co_return co_await enter(*asked, false, search, negotiated);
  }

  // A language server is known by its answer to initialize; it speaks behind headers only.
  Negotiated as_lsp;
  as_lsp.offer = negotiated.offer;
  Error refusal;
  if (!asked && target.framing == target::Framing::kContentLength) {
    Result<Negotiated> met = co_await enter(*spec::find_profile("lsp"), false, search, as_lsp);
    if (met) co_return std::move(met);
    refusal = met.error();
  }

  BothEras eras;
  const Error failed = co_await ask_both_eras(search, eras);
  if (!failed.what.empty() || eras.other) co_return failed;
  const std::unique_ptr<Session>& legacy = eras.legacy;
  const std::unique_ptr<Session>& modern = eras.modern;
  const session::Handshake& shaken = eras.shaken;
  const std::optional<session::Inbound>& heard = eras.discovered;
  const json::Value* discovered = heard ? &heard->message->value : nullptr;
  const bool modern_too = serves_stateless(discovered, !shaken.accepted);
  negotiated.offer.dual_era = shaken.accepted && modern_too;
  negotiated.offer.refuses_stateless = heard && !modern_too;
  const json::Value* version =
      shaken.accepted ? json::at(shaken.reply, "/result/protocolVersion") : nullptr;
  const spec::Profile* older = version ? revision_named(*version) : nullptr;
  const bool stays = version && !modern_too && (!older || older == &newest);
  if (search.one_by_one && !stays) co_await legacy->hang_up();

  if (!shaken.answered && heard && !modern_too) {
    const bool waits = co_await waits_for_other(*legacy, *modern, search.open);
    if (waits && !search.one_by_one) {
      search.one_by_one = true;
      search.odd.push_back(serves_one_by_one(*legacy));
      co_return co_await look(wanted, search);
    }
  }
  if (modern_too && (!asked || asked->era == spec::Era::kStateless)) {
    if (search.one_by_one) co_return co_await enter(stateless, false, search, negotiated);
    modern->set_agreed(*json::at(*discovered, "/result"));
    negotiated.profile = &stateless;
    negotiated.ready = std::move(eras.modern);
    co_await discover(*negotiated.ready, negotiated.offer);
    co_return std::move(negotiated);
  }
  if (asked) {
    // A server that keeps sessions keeps no more of them than it needs.
    if (legacy->has_exchanges()) co_await legacy->shutdown(milliseconds(0));
    co_return co_await enter(*asked, false, search, negotiated);
  }
  if (shaken.accepted) {
    if (older && older != &newest) {
      const spec::Profile* spoken = co_await other_version(newest, older, *legacy, search);
      co_return co_await enter(*spoken, true, search, negotiated);
    }
    if (!older) search.odd.push_back(unknown_version(*legacy, shaken));
    negotiated.profile = &newest;
    negotiated.ready = std::move(eras.legacy);
    if (!modern->closed()) negotiated.spare = std::move(eras.modern);
    co_await discover(*negotiated.ready, negotiated.offer);
    co_return std::move(negotiated);
  }
  const bool agent = co_await is_met_as_agent(shaken.reply, search, negotiated);
  if (agent) co_return std::move(negotiated);
  const bool ended = !search.one_by_one && co_await both_end(*legacy, *modern);
  // Who ends at what it does not know may serve the method that the operator names.
  const spec::Profile& plain = *spec::find_profile("jsonrpc-2.0");
  if (ended && negotiated.offer.affordances.find("known_method"))
    co_return co_await enter(plain, false, search, negotiated);
  if (ended) co_return unreachable(*legacy, target, ends_at_first(*legacy));
  const spec::Profile* spoken = nullptr;
  if (refuses_version(shaken.reply))
    spoken = co_await other_version(newest, nullptr, *legacy, search);
  if (spoken) co_return co_await enter(*spoken, true, search, negotiated);
  const bool served = co_await serves_without_handshake(*legacy, shaken, search, negotiated);
  if (served) co_return std::move(negotiated);
  const Error why = unreachable(*legacy, target, "the target does not answer initialize");
  if (!shaken.answered) co_await hear_out(*legacy);
  if (speaks_mcp(*legacy)) co_return shaken.answered ? unusable_answer(shaken.reply) : why;
  // Nobody who keeps silent to both answers a method nobody has.
  if (says_nothing(*legacy) && says_nothing(*modern) &&
      !negotiated.offer.affordances.find("known_method"))
    co_return why;
  if (as_lsp.refusal) {
    const bool knowingly = co_await refuses_knowingly(*legacy, *as_lsp.refusal);
    if (knowingly) co_return refusal;
  }
  // Neither era: judged as plain JSON-RPC 2.0, when it answers at all.
  co_return co_await enter(plain, false, search, negotiated);
}

// A language server has its framing from its protocol, and plain JSON-RPC has none of its own:
// headers are odd in MCP alone.
bool is_odd_in(const spec::Profile& profile, const target::Target& target, const Oddity& oddity) {
  const bool headers = target.framing == target::Framing::kContentLength;
  return oddity.name != kOddFraming || !headers || profile.mcp;
}

// Whether the connection ends by then, without a message being sent.
awaitable<bool> closes(Session& session, session::Deadline until) {
  for (bool more = true; more && !session.closed();) more = co_await session.pump(until);
  co_return session.closed();
}

// Messages are sent apart from each other until it is known that the target takes two at once. If
// it does not, the session on which it was asked is left for another.
awaitable<void> learn_pace(Negotiated& met, Search& search) {
  if (!met.ready->wire().traits().byte_stream) co_return;
  if (met.offer.unanswered) {
    met.ready->pace().apart = {};
    co_return;
  }
  constexpr int kMostLives = 3;  // a process that ends may still accept a connection
  const auto begin_again = [&]() -> awaitable<bool> {
    Negotiated another;
    another.offer = met.offer;
    const std::vector<Oddity> odd = search.odd;
    if (search.one_by_one) co_await met.ready->hang_up();
    Result<Negotiated> again = co_await enter(*met.profile, true, search, another);
    search.odd = odd;
    if (again) met.ready = std::move(again->ready);
    co_return static_cast<bool>(again);
  };
  // A question before it may have ended the session.
  if (met.ready->closed()) co_await begin_again();
  bool apart = false;
  const std::size_t heard = met.ready->inbox().size();
  const bool both = !met.ready->closed() && co_await answers_canaries(*met.ready, 2);
  // It sent more than we keep: another session would get as much.
  if (!both && met.ready->unusable()) {
    met.ready->pace().apart = {};
    co_return;
  }
  // Two replies to one of them are a matter of ids; two on one line, of lines.
  const auto& inbox = met.ready->inbox();
  const bool as_one = !both && inbox.size() < heard + 2;
  const bool garbled = std::any_of(inbox.begin() + static_cast<std::ptrdiff_t>(heard), inbox.end(),
                                   [](const auto& one) { return !one.message->is_json; });
  int closed_behind = 0;  // the answers to what is asked of each
  for (int life = 0; !both && !apart && life < kMostLives; ++life) {
    const bool begun = co_await begin_again();
    if (!begun) continue;
    const bool process = met.ready->wire().traits().process;
    const bool closed =
        !process && co_await closes(*met.ready, Clock::now() + patience::kSeenToEnd);
    closed_behind += closed;
    if (closed) continue;
    apart = co_await answers_canaries(*met.ready, 1);
    if (apart && !met.ready->closed()) {
      // Who answers so many and no more did not read those two as one.
      const spec::Canary answered = met.ready->canary();
      const bool now = co_await answers_canaries(*met.ready, 2);
      apart = !now;
      if (apart) co_await begin_again();  // it may have ended at them
      if (apart) met.ready->set_canary(answered);
      break;
    }
    if (!met.ready->closed()) break;
  }
  if (closed_behind == kMostLives) {
    Oddity odd = closes_each(*met.ready);
    search.one_each = true;
    bool served = co_await begin_again();
    // A process that ends behind its first answer serves no second connection either.
    for (int i = 0; served && i < 2; ++i) served = co_await answers_canaries(*met.ready, 1);
    if (served)
      search.odd.push_back(std::move(odd));
    else
      search.one_each = false;
  }
  met.offer.reads_as_one = apart && as_one && !garbled;
  met.offer.mixes_ids = apart && !as_one && !garbled;
  met.ready->pace().apart = !apart   ? milliseconds(0)
                            : as_one ? patience::kApart
                                     : patience::kOneByOne;
  met.offer.known->set_canary(met.ready->canary());
}

const Reframe kNoReframe;

}  // namespace

awaitable<Result<Negotiated>> negotiate(const std::string& wanted, const target::Target& target,
                                        const suite::Suite& suite, const Opener& open) {
  std::vector<Contact> contacts;
  const Opener opener =
      [&](const spec::Profile& profile) -> awaitable<Result<std::unique_ptr<session::Session>>> {
    Result<std::unique_ptr<Session>> opened = co_await open(profile);
    if (opened) contacts.push_back({&profile, (*opened)->slice()});
    co_return std::move(opened);
  };
  Result<Negotiated> met = co_await negotiate(wanted, target, suite, opener, kNoReframe, false);
  std::optional<Error> obstacle;
  if (target.has_exchanges()) obstacle = diagnose_failure(contacts, target);
  if (obstacle) co_return *obstacle;
  co_return std::move(met);
}

awaitable<Result<Negotiated>> negotiate(const std::string& wanted, const target::Target& target,
                                        const suite::Suite& suite, const Opener& open,
                                        const Reframe& reframe, bool beside) {
  bool takes_cut_off = false, one_each = false;
  const Opener opener =
      [&](const spec::Profile& profile) -> awaitable<Result<std::unique_ptr<Session>>> {
    Result<std::unique_ptr<Session>> opened = co_await open(profile);
    if (opened) (*opened)->take_cut_off(takes_cut_off);
    if (opened && one_each) (*opened)->take_one_each();
    if (opened && (*opened)->wire().traits().byte_stream)
      (*opened)->pace().apart = patience::kApart;
    co_return std::move(opened);
  };
  Search search{target, opener, reframe, takes_cut_off, one_each};
  // A method that the operator names is surer to be answered than initialize.
  const char* likely = target.affordances.find("known_method") ? "jsonrpc-2.0" : "mcp-2025-11-25";
  const spec::Profile* asked = spec::find_profile(wanted == "auto" ? likely : wanted.c_str());
  const bool streams = !target.stdio() && !target.has_exchanges();
  const bool familiar = asked->mcp || asked->era == spec::Era::kPlain;
  if (beside && streams && familiar && target.framing == target::Framing::kLine)
    co_await learn_connections(*asked, search);
  Result<Negotiated> met = co_await look(wanted, search);
  if (!met && met.error().what.empty()) met = co_await look(wanted, search);
  if (met) {
    Offer& offer = met->offer;
    recognise(suite.fixtures, target, language_server(*met), offer);
    offer.forbidden = target::forbidden_tools(target, offer.tools, offer.affordances);
    co_await take_contract(*met, target, met->described);
    std::erase_if(search.odd,
                  [&](const Oddity& oddity) { return !is_odd_in(*met->profile, target, oddity); });
    if (met->ready) {
      co_await learn_pace(*met, search);
      const trace::LiveAttribution& ids = met->ready->attribution();
      offer.known->set_ids(ids.alters_ids(), ids.retypes_ids(), ids.answers_notes());
    }
    met->takes_cut_off = takes_cut_off;
    met->one_each = one_each;
    met->one_by_one = offer.one_by_one = search.one_by_one;
    offer.http = wire::traits_of(target.transport()).http;
    met->odd = std::move(search.odd);
  } else if (search.reframed) {
    reframe(target::Framing::kLine);
  }
  co_return std::move(met);
}

}  // namespace harness::run
