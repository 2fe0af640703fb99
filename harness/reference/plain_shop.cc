// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/plain_shop.h"

#include <algorithm>

#include "harness/base/embed.h"
#include "harness/json/read.h"
#include "harness/reference/argument_check.h"
#include "harness/reference/arithmetic.h"
#include "harness/reference/edits.h"

RPCSPEC_EMBEDDED(shop);

namespace harness::reference {
namespace {

using json::Value;

constexpr const char* kIsbn = "978-3-16-148410-0";

// Params by their names; nothing if the document does not take them.
std::optional<Value> named_params(const Value& document, const Value& method, const Value& params) {
  const Value* structure = method.find("paramStructure");
  if (params.is_array() && structure != nullptr && structure->text == "by-name")
    return std::nullopt;
  Value out = json::object();
  const std::vector<Value>& listed = method.find("params")->items;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Value* reference = listed[i].find("$ref");
    const Value& param =
        reference != nullptr ? *json::at(document, reference->text.substr(1)) : listed[i];
    const std::string& name = param.find("name")->text;
    const Value* value = i < params.items.size() ? &params.items[i] : params.find(name);
    const Value* required = param.find("required");
    if (value == nullptr && required != nullptr && required->boolean) return std::nullopt;
    if (value == nullptr) continue;
    if (!problems_of(*param.find("schema"), *value, document).empty()) return std::nullopt;
    out.set(name, *value);
  }
  if (out.members.size() != params.items.size() + params.members.size()) return std::nullopt;
  return out;
}

Value book() {
  return json::parse(R"({"isbn":"978-3-16-148410-0","title":"On Frames","authors":["ada"],
                         "price":{"amount":12.5,"currency":"EUR"}})");
}

Outcome price_total(const Value& items) {
  Value total = json::object({{"amount", json::number(0)}});
  for (const Value& item : items.items) {
    const Value *price = item.find("price"), *count = item.find("count");
    const Value* currency = total.find("currency");
    if (currency != nullptr && !json::equal(*currency, *price->find("currency")))
      return RpcError{1003, "More than one currency"};
    total.set("currency", *price->find("currency"));
    const auto own = computed(*price->find("amount"), '*', count ? *count : json::number(1));
    const auto sum = own ? computed(*total.find("amount"), '+', *own) : std::nullopt;
    if (!sum) return bad_params("the total is too large");
    total.set("amount", *sum);
  }
  return total;
}

Value shelf(const char* label) {
  return json::object({{"label", json::string(label)}, {"inside", json::array()}});
}

std::optional<Outcome> answer_of_shop(Session& session, const std::string& method,
                                      const Value& params) {
  const Faults& faults = session.server.faults;
  Value document = shop_document();
  edit(faults, "shop", document);
  const std::vector<Value>& methods = document.find("methods")->items;
  const auto row = std::ranges::find(methods, method, [](const Value& one) -> const std::string& {
    return one.find("name")->text;
  });
  if (row == methods.end()) return std::nullopt;
  if (method == "author.books" && params.is_object() && faults.has("other-form-fails"))
    return RpcError{kInternalError, "no list"};
  const std::optional<Value> given = named_params(document, *row, params);
  if (!given) return bad_params("see rpc.discover");
  const auto is = [&](const char* pointer, const char* text) {
    const Value* found = json::at(*given, pointer);
    return found != nullptr && found->text == text;
  };
  if (method == "book.get") {
    if (!is("/isbn", kIsbn)) return RpcError{1001, "No such book"};
    return book();
  }
  if (method == "author.books")
    return is("/author", "ada") ? json::array({json::string(kIsbn)}) : json::array();
  if (method == "book.search")
    return json::object(
        {{"books", is("/query/author", "ada") ? json::array({book()}) : json::array()}});
  if (method == "price.total") return price_total(*given->find("items"));
  if (method == "shelf.tree") {
    const bool touched =
        session.server.memory.tally["refused"] > 0 && faults.has("refused-call-has-effect");
    Value out = shelf(touched ? "none" : "all");
    const Value* depth = given->find("depth");
    if (depth == nullptr || json::as_double(*depth) > 0)
      out.find("inside")->items.push_back(shelf("a"));
    return out;
  }
  if (method == "stock.level") return is("/isbn", kIsbn) ? json::number(3) : json::null();
  if (method == "book.touched" && faults.has("described-notification-silent-with-id"))
    return Silent{};
  return method == "admin.reset" ? json::boolean(true) : json::null();
}

}  // namespace

Value shop_document() { return json::parse(shop()); }

std::optional<Outcome> shop_answer(Session& session, const std::string& method,
                                   const Value& params) {
  std::optional<Outcome> out = answer_of_shop(session, method, params);
  if (out && std::holds_alternative<RpcError>(*out)) ++session.server.memory.tally["refused"];
  return out;
}

}  // namespace harness::reference
