// SPDX-License-Identifier: Apache-2.0
// Profile jsonrpc-2.0: the methods of the specification's examples, an echo, one that is slow and
// one that always fails.

#include "harness/reference/arithmetic.h"
#include "harness/reference/inject.h"
#include "harness/reference/plain_shop.h"
#include "harness/reference/session.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr int kApplicationError = 1001;
constexpr double kLongestSleepMs = 10000;

Outcome subtract(const Value& params) {
  const Value* minuend = nullptr;
  const Value* subtrahend = nullptr;
  if (params.is_array() && params.items.size() == 2) {
    minuend = &params.items[0];
    subtrahend = &params.items[1];
  } else if (params.is_object() && params.members.size() == 2) {
    minuend = params.find("minuend");
    subtrahend = params.find("subtrahend");
  }
  if (minuend == nullptr || subtrahend == nullptr || !minuend->is_number() ||
      !subtrahend->is_number()) {
    return bad_params("minuend and subtrahend, two numbers, were expected");
  }
  auto difference = computed(*minuend, '-', *subtrahend);
  if (!difference) return bad_params("the result is not a number");
  return std::move(*difference);
}

Outcome sum(const Value& params) {
  if (!params.is_array()) return bad_params("an array of numbers was expected");
  Value total = json::number(0);
  for (const Value& item : params.items) {
    if (!item.is_number()) return bad_params("an array of numbers was expected");
    auto next = computed(total, '+', item);
    if (!next) return bad_params("the result is not a number");
    total = std::move(*next);
  }
  return total;
}

class PlainDialect final : public Dialect {
 public:
  bool allows_id(const Value& id) const override {
    return id.is_string() || id.is_number() || id.is_null();
  }
  bool takes_batches(const Session&) const override { return true; }
  bool allows_in_batch(std::string_view) const override { return true; }
  bool ignores_stray_responses() const override { return false; }

  Outcome answer(Session& session, const CallPtr& call) override {
    const std::string& method = call->method;
    if (method == "echo") return inject_echo(session.server.faults, call->params);
    if (method == "subtract") {
      if (call->params.is_object() && session.server.faults.has("named-params-refused"))
        return bad_params("a list was expected");
      return subtract(call->params);
    }
    if (method == "sum") return sum(call->params);
    if (method == "get_data") return json::array({json::string("hello"), json::number(5)});
    if (method == "sleep") return sleep(session, call);
    if (method == "fail") {
      return RpcError{kApplicationError, "This method always fails",
                      json::object({{"reason", json::string("it was asked to")}})};
    }
    if (method == "notify_sum") return sum(call->params);
    if (method == "update" || method == "notify_hello") return json::boolean(true);
    if (method == "rpc.discover") return discover(session, call->params);
    if (std::optional<Outcome> own = shop_answer(session, method, call->params))
      return std::move(*own);
    return RpcError{kMethodNotFound, "Method not found"};
  }

  void dress(const Call&, Value&) override {}
  void hear(Session&, const std::string&, const Value&) override {}

 private:
  static Outcome discover(Session& session, const Value& params) {
    const Faults& faults = session.server.faults;
    if (!params.items.empty() || !params.members.empty()) return bad_params("none were expected");
    if (params.is_object() && faults.has("discover-refuses-object"))
      return bad_params("a list was expected");
    const bool again = session.server.memory.tally["described"]++ > 0;
    if (again && faults.has("discover-once")) return RpcError{kInternalError, "It was said before"};
    Value document = shop_document();
    if (again && faults.has("discover-wrapped"))
      return json::object({{"schema", std::move(document)}});
    if (again && faults.has("discover-drifts")) document.find("methods")->items.pop_back();
    return document;
  }

  static Outcome sleep(Session& session, const CallPtr& call) {
    const Value& params = call->params;
    const Value* ms = params.is_array() && params.items.size() == 1 ? &params.items[0]
                      : params.is_object()                          ? params.find("ms")
                                                                    : nullptr;
    const double wait = ms != nullptr && ms->is_number() ? json::as_double(*ms) : -1;
    if (wait < 0 || wait > kLongestSleepMs) return bad_params("ms from 0 to 10000 was expected");
    session.after(call, static_cast<Micros>(wait * 1000),
                  [](Session& s, const CallPtr& done) { s.finish(done, json::string("slept")); });
    return Later{};
  }
};

}  // namespace

std::unique_ptr<Dialect> make_plain_dialect() { return std::make_unique<PlainDialect>(); }

}  // namespace harness::reference
