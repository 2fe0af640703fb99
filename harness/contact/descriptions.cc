// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/descriptions.h"

#include <set>
#include <utility>

#include "harness/contact/questions.h"
#include "harness/contract/in_use.h"
#include "harness/contract/meta_model.h"
#include "harness/session/patience.h"
#include "harness/spec/protocol.h"
#include "harness/target/permission.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using session::Session;

constexpr const char* kDiscover = "discover";
constexpr int kMostTried = 4;  // calls to find one that is answered

// Methods that the operator names are permitted.
contract::Terms terms_of(const target::Target& target) {
  contract::Terms out{target.call_methods, target.exact_examples};
  const auto add = [&](const json::Value* method) {
    if (method != nullptr && method->is_string()) out.words.push_back(method->text);
  };
  for (const json::Member& one : target.affordances.members) {
    add(one.value.find("method"));
    if (const json::Value* list = one.value.find("list"))
      for (const json::Value& call : list->items)
        if (call.is_object()) add(call.find("method"));
  }
  return out;
}

awaitable<const json::Value*> call(Session& session, const json::Value& call,
                                   const json::Value& params) {
  const json::Value* reply =
      co_await ask(session, call.find("method")->text, params, patience::kFirstQuestions);
  co_return reply;
}

void adopt(Session* session, const spec::Profile& profile) {
  if (session == nullptr) return;
  const spec::Canary canary = session->canary();
  session->adopt(profile);
  session->set_canary(canary);
}

// Calls that the server serves, for cases about calls in general.
awaitable<void> fill_affordances(Session& session, const contract::InUse& use,
                                 json::Value& affordances) {
  std::set<std::string> served;
  int tried = 0;
  for (const json::Value& one : contract::calls_of(use, "sound")) {
    if (!one.find("example")->boolean || one.find("deprecated")->boolean) continue;
    const json::Value& params = *one.find("params");
    const char* form = params.is_object() ? "method.named" : "method.positional";
    const bool useful =
        !affordances.find("known_method") ||
        (!affordances.find(form) && params.items.size() + params.members.size() > 0);
    if (!useful || session.closed() || ++tried > kMostTried) continue;
    const json::Value* reply = co_await call(session, one, params);
    if (reply == nullptr) co_return;
    if (reply->find("result") == nullptr) continue;
    served.insert(one.find("method")->text);
    const json::Value known = json::object({{"method", *one.find("method")}, {"params", params}});
    if (!affordances.find("known_method")) affordances.set("known_method", known);
    if (!affordances.find(form) && params.items.size() + params.members.size() > 0)
      affordances.set(form, known);
  }
  if (affordances.find("method.required_params")) co_return;
  for (const json::Value& one : contract::calls_of(use, "type")) {
    if (!served.contains(one.find("method")->text)) continue;
    const json::Value* refused = co_await call(session, one, *one.find("params"));
    if (refused == nullptr) co_return;
    if (wire::error_in(*refused) == nullptr) continue;
    const json::Value* empty = co_await call(session, one, json::array());
    if (empty == nullptr || wire::error_in(*empty) == nullptr) co_return;
    affordances.set("method.required_params", json::object({{"method", *one.find("method")},
                                                            {"params", *one.find("twin")},
                                                            {"wrong", *one.find("params")}}));
    co_return;
  }
}

}  // namespace

awaitable<json::Value> ask_description(Session& session, const target::Target& target,
                                       bool& listens) {
  if (!target.openrpc.empty() && !target.openrpc.starts_with(kDiscover)) co_return json::null();
  const std::size_t colon = target.openrpc.find(':');
  const std::string method =
      colon == std::string::npos ? "rpc.discover" : target.openrpc.substr(colon + 1);
  const auto soon =
      std::min<std::chrono::milliseconds>(patience::kFirstQuestions, session.pace().grace(true));
  const json::Value* reply = co_await ask(session, method, json::array(), soon);
  listens = reply != nullptr;
  const json::Value* result = reply != nullptr ? reply->find("result") : nullptr;
  co_return result != nullptr ? *result : json::null();
}

awaitable<void> take_contract(Negotiated& met, const target::Target& target,
                              const json::Value& described) {
  for (const spec::MessageRow* row : met.profile->protocol().messages_of(*met.profile))
    if (!row->only_with.empty() && !met.offer.affordances.find(row->only_with))
      met.offer.forbidden.emplace(std::string(target::kMethodMark) + row->name,
                                  "the target has no affordance " + row->only_with);
  if ((met.profile->lsp || met.profile->acp) && !target.openrpc_text.empty()) {
    const auto profile = contract::with_meta_model(target.openrpc_text, target.openrpc);
    // Whoever read the text has told that it is none; nothing of it is for another protocol.
    if (!profile || (*profile)->name != met.profile->name) co_return;
    met.profile = *profile;
    adopt(met.ready.get(), **profile);
    adopt(met.spare.get(), **profile);
  }
  if (met.profile->layered() || target.openrpc == "none") co_return;
  const json::Value* methods = described.is_object() ? described.find("methods") : nullptr;
  std::optional<contract::Document> document;
  if (!target.openrpc_text.empty()) {
    Result<contract::Document> read = contract::Document::read(target.openrpc_text, target.openrpc);
    if (read) document = std::move(*read);
  } else if (methods != nullptr && methods->is_array() && described.find("openrpc") != nullptr) {
    document.emplace(described, "rpc.discover");
  }
  if (!document) co_return;
  const contract::InUse& use = contract::put_to_use(*document, terms_of(target), *met.profile);
  if (use.contract.methods.empty()) co_return;
  met.profile = &use.profile;
  met.offer.contract = &use;
  met.offer.forbidden.merge(use.forbidden());
  adopt(met.ready.get(), use.profile);
  adopt(met.spare.get(), use.profile);
  if (met.ready) co_await fill_affordances(*met.ready, use, met.offer.affordances);
}

}  // namespace harness::run
