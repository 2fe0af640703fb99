// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/questions.h"

#include <fmt/ranges.h>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/session/patience.h"
#include "harness/spec/protocol.h"
#include "harness/target/own_methods.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Sent;
using session::Session;
using std::chrono::milliseconds;

constexpr const char* kNobodys = "rpcspec/no_such_method";

// A list that a client shows first.
struct List {
  const char* method;
  const char* member;
};
constexpr List kLists[] = {
    {"tools/list", "tools"}, {"resources/list", "resources"}, {"prompts/list", "prompts"}};

json::Value usual_params(const Session& session) {
  return session::with_meta(session.profile(), json::null(), json::null(),
                            session.options().client_capabilities);
}

awaitable<bool> serves(Session& session, const List& list) {
  const json::Value* reply =
      co_await ask(session, list.method, usual_params(session), patience::kFirstQuestions);
  const json::Value* result = reply ? reply->find("result") : nullptr;
  const json::Value* items = result && result->is_object() ? result->find(list.member) : nullptr;
  co_return items && items->is_array();
}

// Names of methods in what a server answers who asks for them; a few.
std::vector<std::string> names_in(const json::Value& result) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> out;
  const json::Value* within = result.is_object() ? result.find("methods") : nullptr;
  if (within == nullptr && result.is_object()) within = result.find("procs");
  if (within == nullptr) within = &result;
  for (const json::Value& item : within->items) {
    const json::Value* name = item.is_object() ? item.find("name") : &item;
    const bool own = name && name->is_string() && !name->text.starts_with("rpc.") &&
                     !name->text.starts_with("system.") && out.size() < kMost;
    if (own) out.push_back(name->text);
  }
  return out;
}

bool declares(const Session& session, const List& list) {
  return spec::is_declared(std::string("server.") + list.member, session.capabilities());
}

}  // namespace

awaitable<const json::Value*> ask(Session& session, std::string_view method, json::Value params,
                                  milliseconds patience) {
  const json::Value id = json::number(session.next_id());
  const json::Value request = session::message(&id, method, params);
  const Sent sent = co_await session.send(request);
  const session::Inbound* reply = co_await session.reply_to(sent, Clock::now() + patience);
  co_return reply ? &reply->message->value : nullptr;
}

awaitable<json::Value> served_features(Session& session) {
  json::Value capabilities = json::object();
  for (const List& list : kLists) {
    if (session.closed()) break;
    const bool served = co_await serves(session, list);
    if (served) capabilities.set(list.member, json::object());
    // Who does not answer the first does not get to be asked for as long again.
    if (!served && &list == kLists) break;
  }
  co_return capabilities.members.empty() ? json::null() : capabilities;
}

awaitable<void> choose_canary(Session& session, Offer& offer) {
  const spec::Canary usual = spec::canary_of(session.profile());
  // The operator's, or that of a protocol in which no method is known to be there.
  if (usual.answered_by_error || session.canary().method != usual.method) co_return;
  // server/discover has been asked already.
  if (session.profile().era == spec::Era::kStateless && session.agreed().is_object()) co_return;
  const milliseconds soon = std::min(patience::kFirstQuestions, session.pace().grace(true));
  const json::Value* reply = co_await ask(session, usual.method, usual.params, soon);
  const json::Value* result = reply ? reply->find("result") : nullptr;
  if (result && result->is_object()) co_return;
  const bool served_oddly = result != nullptr;  // one of another type is told by the case about it
  for (const bool declared : {true, false}) {
    for (const List& list : kLists) {
      if (session.closed()) co_return;
      if (declares(session, list) != declared) continue;
      const bool served = co_await serves(session, list);
      if (served) co_return session.set_canary({list.method, usual_params(session)});
    }
  }
  if (served_oddly) co_return;
  // With params, or their absence may be what is refused.
  json::Value params = usual_params(session);
  if (params.is_null()) params = json::object();
  reply = co_await ask(session, kNobodys, params, patience::kFirstQuestions);
  const json::Value* code = reply ? json::at(*reply, "/error/code") : nullptr;
  offer.unanswered = !code;
  if (!code) co_return;
  offer.usual_error = json::as_integer(*code);
  session.set_canary({kNobodys, std::move(params), true});
}

awaitable<void> spare_slow_method(Session& session, Offer& offer) {
  if (session.canary().answered_by_error) co_return;
  const auto began = Clock::now();
  const json::Value* reply = co_await ask(session, session.canary().method, session.canary().params,
                                          session.pace().to_begin());
  const auto took = std::chrono::ceil<milliseconds>(Clock::now() - began);
  if (!reply || took < patience::kSlowMethod) co_return;
  session.pace().slow_method = session.canary().method;
  session.pace().slow_for = took;
  const spec::Canary usual = spec::canary_of(session.profile());
  const auto again = Clock::now();
  reply = co_await ask(session, usual.method, usual.params, took);
  const json::Value* code = reply ? json::at(*reply, "/error/code") : nullptr;
  if (!code || (Clock::now() - again) * 2 > took) co_return;
  offer.usual_error = json::as_integer(*code);
  session.set_canary(usual);
}

awaitable<bool> answers_canaries(Session& session, int how_many) {
  std::vector<Session::Written> together;
  for (int i = 0; i < how_many; ++i) {
    std::string text = json::write(session.next_canary());
    std::string bytes = session.wire().frame(text);
    together.push_back({std::move(text), std::move(bytes)});
  }
  const std::vector<Sent> sent = co_await session.send_together(std::move(together));
  const session::Deadline until = Clock::now() + session.pace().reply();
  json::Value before = json::null();
  for (const Sent& one : sent) {
    const session::Inbound* reply = co_await session.reply_to(one, until);
    if (reply == nullptr) co_return false;
    spec::Canary canary = session.canary();
    // Without an id, or with the same for each.
    const json::Value& value = reply->message->value;
    if (!reply->message->id() || json::equal(value, before)) canary.unnamed = value;
    before = value;
    session.set_canary(std::move(canary));
  }
  co_return true;
}

bool may_be_agent(const json::Value& reply) {
  const json::Value* result = reply.find("result");
  const json::Value* code = json::at(reply, "/error/code");
  return result ? spec::opens_session(*spec::find_profile("acp-1"), *result)
                : code && json::as_integer(*code) != -32601;
}

bool is_agent(const json::Value& agreed) {
  return agreed.find("clientCapabilities") == nullptr &&
         (agreed.find("agentCapabilities") || agreed.find("authMethods") ||
          agreed.find("agentInfo"));
}

awaitable<bool> choose_listing(Session& session) {
  for (const char* method : {"system.listMethods", "rpc.discover"}) {
    const json::Value* reply =
        co_await ask(session, method, json::null(), patience::kFirstQuestions);
    if (!reply || !reply->find("result")) continue;
    session.set_canary({method, json::null()});
    co_return true;
  }
  co_return false;
}

awaitable<std::vector<std::string>> listed_methods(Session& session, const json::Value& described) {
  std::vector<std::string> out = names_in(described);
  for (const char* method : {"system.listMethods", "system.describe", "rpc_methods"}) {
    if (session.closed() || !out.empty()) break;
    const milliseconds soon = std::min(patience::kFirstQuestions, session.pace().grace(true));
    const json::Value* reply = co_await ask(session, method, json::array(), soon);
    if (!reply) break;  // who is silent to a method that nobody has may be so to all
    if (const json::Value* result = reply->find("result")) out = names_in(*result);
  }
  co_return out;
}

awaitable<std::vector<std::string>> served_examples(Session& session, json::Value& affordances) {
  struct Example {
    const char *method, *params, *result;
  };
  static constexpr Example kExamples[] = {{"sum", "[1,2,4]", "7"},
                                          {"subtract", "[42,23]", "19"},
                                          {"subtract", R"({"subtrahend":23,"minuend":42})", "19"},
                                          {"get_data", "[]", R"(["hello",5])"}};
  std::vector<std::string> out;
  for (const auto& [method, params, result] : kExamples) {
    if (session.closed()) break;
    const milliseconds soon = std::min(patience::kFirstQuestions, session.pace().grace(true));
    json::Value given = json::parse(params);
    const json::Value* reply = co_await ask(session, method, given, soon);
    if (!reply) break;
    const json::Value* came = reply->find("result");
    if (!came || !json::equal(*came, json::parse(result))) continue;
    if (out.empty() || out.back() != method) out.emplace_back(method);
    target::name_method(affordances, method, std::move(given));
  }
  co_return out;
}

std::string request_for_methods(const Offer& offer) {
  std::string listed;
  for (const std::string& name : offer.methods)
    listed += (listed.empty() ? "" : ", ") + printable(name, 60);
  const std::string called =
      offer.examples.empty()
          ? "No method of the server was called: only error paths were judged"
          : fmt::format("The only methods called are examples of JSON-RPC 2.0: {}",
                        fmt::join(offer.examples, ", "));
  return called + ". Add --method NAME:PARAMS, such as --method 'add:[1, 2]'" +
         (listed.empty() ? "" : " (the server lists " + listed + ")");
}

}  // namespace harness::run
