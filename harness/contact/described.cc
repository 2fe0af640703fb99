// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/described.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/contact/questions.h"
#include "harness/contract/offered.h"
#include "harness/contract/openrpc.h"
#include "harness/session/patience.h"

namespace harness::run {
namespace {

using session::awaitable;
using session::Session;

constexpr std::size_t kMostTried = 6;  // calls, until one is served

std::chrono::milliseconds soon(const Session& session) {
  return std::min(patience::kFirstQuestions, session.pace().grace(true));
}

awaitable<const json::Value*> ask_for(Session& session, const json::Value& call,
                                      json::Value params) {
  co_return co_await ask(session, call.find("method")->text, std::move(params), soon(session));
}

json::Value call_of(const json::Value& call, const char* params) {
  return json::object({{"method", *call.find("method")}, {params, *call.find("params")}});
}

// The first calls that the server answers with a result.
awaitable<void> know_methods(Session& session, json::Value& affordances) {
  const json::Value calls = *json::at(affordances, "/openrpc/calls/sound");
  for (std::size_t i = 0; i < calls.items.size() && i < kMostTried; ++i) {
    const json::Value& call = calls.items[i];
    const bool named = call.find("params")->is_object();
    const char* form = named ? "method.named" : "method.positional";
    const bool wanted = !affordances.find("known_method") || !affordances.find(form);
    if (!wanted || session.closed()) continue;
    const json::Value* reply = co_await ask_for(session, call, *call.find("params"));
    if (!reply || !reply->find("result")) continue;
    for (const char* use : {"known_method", form})
      if (!affordances.find(use)) affordances.set(use, call_of(call, "params"));
  }
}

// A call that the server refuses with the code for wrong params, also without any.
awaitable<void> know_refusal(Session& session, json::Value& affordances) {
  if (affordances.find("method.required_params")) co_return;
  const json::Value calls = *json::at(affordances, "/openrpc/calls/missing");
  for (std::size_t i = 0; i < calls.items.size() && i < kMostTried; ++i) {
    const json::Value& call = calls.items[i];
    bool refused = true;
    const std::vector<json::Value> forms = {*call.find("params"), json::array(), json::null()};
    for (const json::Value& params : forms) {
      if (!refused || session.closed()) break;
      const json::Value* reply = co_await ask_for(session, call, params);
      const json::Value* code = reply ? json::at(*reply, "/error/code") : nullptr;
      refused = code && json::as_integer(*code) == -32602;
    }
    if (session.closed() || !refused) continue;
    affordances.set("method.required_params", call_of(call, "wrong"));
    co_return;
  }
}

}  // namespace

awaitable<void> take_description(Session& session, Offer& offer) {
  contract::Told told = contract::told_by(offer.affordances);
  std::erase_if(offer.affordances.members,
                [](const json::Member& one) { return one.name == "openrpc"; });
  if (told.none) co_return;
  const bool served = told.document.is_null();
  if (served) {
    const json::Value* reply = co_await ask(session, "rpc.discover", json::array(), soon(session));
    const json::Value* result = reply ? reply->find("result") : nullptr;
    if (!result || !contract::is_openrpc(*result)) co_return;
    told.document = *result;
  }
  // What the operator names for a purpose may be called for others too.
  const json::Value* listed = json::at(offer.affordances, "/methods/list");
  for (const json::Value& call : listed ? listed->items : std::vector<json::Value>{})
    told.allowed.push_back(call.find("method")->text);
  for (const json::Member& named : offer.affordances.members)
    if (const json::Value* method = named.value.find("method"); method && method->is_string())
      told.allowed.push_back(method->text);
  offer.affordances.set("openrpc", contract::offered(told.document, told.allowed, served));
  co_await know_methods(session, offer.affordances);
  co_await know_refusal(session, offer.affordances);
}

}  // namespace harness::run
