// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/plain_shop.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "harness/json/read.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr const char* kIsbn = "978-3-16-148410-0";

constexpr const char* kDocument = R"json({
"openrpc": "1.3.2",
"info": {"title": "Reference server", "version": "1.0.0"},
"methods": [
 {"name": "subtract", "paramStructure": "either", "x-deterministic": true,
  "params": [{"name": "minuend", "required": true, "schema": {"type": "number"}},
             {"name": "subtrahend", "required": true, "schema": {"type": "number"}}],
  "result": {"name": "difference", "schema": {"type": "number"}},
  "examples": [{"name": "of the specification", "params": [{"name": "minuend", "value": 42},
    {"name": "subtrahend", "value": 23}], "result": {"name": "difference", "value": 19}}]},
 {"name": "get_data", "params": [], "paramStructure": "by-position",
  "result": {"name": "data", "schema": {"type": "array"}},
  "examples": [{"name": "all", "params": [], "result": {"name": "data", "value": ["hello", 5]}}]},
 {"name": "echo", "paramStructure": "by-name", "params": [{"name": "text", "schema": true}],
  "result": {"name": "same", "schema": {}}},
 {"name": "sleep", "paramStructure": "by-position",
  "params": [{"name": "ms", "required": true,
              "schema": {"type": "integer", "minimum": 0, "maximum": 10000, "default": 0}}],
  "result": {"name": "done", "schema": {"const": "slept"}}},
 {"name": "fail", "params": [], "paramStructure": "by-position",
  "result": {"name": "never", "schema": true},
  "errors": [{"code": 1001, "message": "This method always fails"}],
  "examples": [{"name": "always", "params": [],
    "error": {"name": "failure", "value": {"code": 1001, "message": "This method always fails"}}}]},
 {"name": "book.get",
  "params": [{"$ref": "#/components/contentDescriptors/Isbn"},
             {"name": "fields", "schema": {"type": "array", "minItems": 1, "uniqueItems": true,
              "items": {"enum": ["isbn", "title", "authors", "price"]}}}],
  "result": {"name": "book", "schema": {"$ref": "#/components/schemas/Book"}},
  "errors": [{"$ref": "#/components/errors/NotFound"}],
  "links": [{"$ref": "#/components/links/BooksOfAuthor"}],
  "examples": [
   {"name": "a book", "params": [{"name": "isbn", "value": "978-3-16-148410-0"}],
    "result": {"name": "book", "value": {"isbn": "978-3-16-148410-0", "title": "On Frames",
               "authors": ["ada"], "price": {"amount": 12.5, "currency": "EUR"}}}},
   {"name": "no such book", "params": [{"name": "isbn", "value": "979-0-00-000000-0"}],
    "error": {"name": "error", "value": {"code": 1001, "message": "No such book"}}}]},
 {"name": "author.books", "paramStructure": "by-position",
  "params": [{"name": "author", "required": true, "schema": {"$ref": "#/components/schemas/Author"}},
             {"name": "verbose", "deprecated": true, "schema": {"type": "boolean"}}],
  "result": {"name": "isbns", "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Isbn"}}},
  "examples": [{"name": "ada", "params": [{"name": "author", "value": "ada"}],
    "result": {"name": "isbns", "value": ["978-3-16-148410-0"]}}]},
 {"name": "book.search", "paramStructure": "by-name",
  "params": [{"name": "query", "required": true, "schema": {"type": "object", "required": ["author"],
               "properties": {"author": {"$ref": "#/components/schemas/Author"}},
               "additionalProperties": false}},
             {"name": "limit", "schema": {"type": "integer", "minimum": 1, "maximum": 100}}],
  "result": {"name": "page", "schema": {"type": "object", "required": ["books"],
   "properties": {"books": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}},
  "examples": [{"name": "by author", "params": [{"name": "query", "value": {"author": "ada"}},
                                                {"name": "limit", "value": 5}]}]},
 {"name": "price.total", "paramStructure": "by-position", "x-deterministic": true,
  "params": [{"name": "items", "required": true, "schema": {"type": "array", "minItems": 1,
   "items": {"type": "object", "required": ["price", "count"], "additionalProperties": false,
    "properties": {"price": {"$ref": "#/components/schemas/Money"},
                   "count": {"type": "integer", "exclusiveMinimum": 0}}}}}],
  "result": {"name": "total", "schema": {"$ref": "#/components/schemas/Money"}},
  "errors": [{"code": 1003, "message": "More than one currency"}],
  "examples": [{"name": "two of one", "params": [{"name": "items", "value":
     [{"price": {"amount": 12.5, "currency": "EUR"}, "count": 2}]}],
    "result": {"name": "total", "value": {"amount": 25, "currency": "EUR"}}}]},
 {"name": "shelf.tree", "paramStructure": "by-position",
  "params": [{"name": "depth", "schema": {"type": "integer", "minimum": 0, "maximum": 5}}],
  "result": {"name": "shelf", "schema": {"$ref": "#/components/schemas/Shelf"}},
  "examples": [{"name": "one level", "params": [{"name": "depth", "value": 0}],
    "result": {"name": "shelf", "value": {"label": "all", "inside": []}}}]},
 {"name": "stock.level", "deprecated": true, "paramStructure": "by-position",
  "params": [{"$ref": "#/components/contentDescriptors/Isbn"}],
  "result": {"name": "level", "schema": {"type": ["integer", "null"], "minimum": 0}},
  "examples": [{"name": "three", "params": [{"name": "isbn", "value": "978-3-16-148410-0"}],
    "result": {"name": "level", "value": 3}}]},
 {"name": "book.touched", "paramStructure": "by-name",
  "params": [{"$ref": "#/components/contentDescriptors/Isbn"}],
  "examples": [{"name": "touched", "params": [{"name": "isbn", "value": "978-3-16-148410-0"}]}]},
 {"name": "admin.reset", "params": [], "result": {"name": "done", "schema": {"const": true}}}
],
"components": {
 "schemas": {
  "Isbn": {"type": "string", "pattern": "^97[89]-[0-9-]{13}$"},
  "Author": {"type": "string", "pattern": "^[a-z]{1,20}$"},
  "Money": {"type": "object", "required": ["amount", "currency"], "additionalProperties": false,
   "properties": {"amount": {"type": "number", "minimum": 0}, "currency": {"enum": ["EUR", "USD"]}}},
  "Book": {"type": "object", "required": ["isbn", "title"],
   "properties": {"isbn": {"$ref": "#/components/schemas/Isbn"}, "title": {"type": "string", "minLength": 1},
    "authors": {"type": "array", "items": {"$ref": "#/components/schemas/Author"}},
    "price": {"$ref": "#/components/schemas/Money"}}},
  "Shelf": {"type": "object", "required": ["label", "inside"],
   "properties": {"label": {"type": "string"},
    "inside": {"type": "array", "items": {"$ref": "#/components/schemas/Shelf"}}}}},
 "contentDescriptors": {"Isbn": {"name": "isbn", "required": true,
                                 "schema": {"$ref": "#/components/schemas/Isbn"}}},
 "errors": {"NotFound": {"code": 1001, "message": "No such book"}},
 "links": {"BooksOfAuthor": {"name": "books of the author", "method": "author.books",
                             "params": {"author": "${result.authors[0]}"}}}
}})json";

// Params by their names, as one method takes them.
class Given {
 public:
  Given(const Value& params, std::initializer_list<const char*> names) {
    std::size_t at = 0;
    if (params.is_array()) {
      sound = params.items.size() <= names.size();
      for (const char* name : names)
        if (at < params.items.size()) values_.set(name, params.items[at++]);
    } else if (params.is_object()) {
      for (const json::Member& one : params.members)
        sound &= std::find(names.begin(), names.end(), one.name) != names.end();
      values_ = params;
    }
  }
  bool sound = true;
  const Value* operator[](const char* name) const { return values_.find(name); }

 private:
  Value values_ = json::object();
};

bool is_isbn(const Value* value) {
  if (value == nullptr || !value->is_string() || value->text.size() != 17) return false;
  const std::string& text = value->text;
  return (text.starts_with("978-") || text.starts_with("979-")) &&
         text.find_first_not_of("0123456789-") == std::string::npos;
}

bool is_author(const Value* value) {
  return value != nullptr && value->is_string() && !value->text.empty() &&
         value->text.size() <= 20 &&
         std::all_of(value->text.begin(), value->text.end(),
                     [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_whole(const Value* value, double least, double most) {
  return value != nullptr && json::is_integer(*value) && json::as_double(*value) >= least &&
         json::as_double(*value) <= most;
}

bool is_money(const Value* value) {
  if (value == nullptr || !value->is_object() || value->members.size() != 2) return false;
  const Value *amount = value->find("amount"), *currency = value->find("currency");
  return amount != nullptr && currency != nullptr && amount->is_number() &&
         json::as_double(*amount) >= 0 && currency->is_string() &&
         (currency->text == "EUR" || currency->text == "USD");
}

bool are_fields(const Value* fields) {
  if (fields == nullptr) return true;
  if (!fields->is_array() || fields->items.empty()) return false;
  std::vector<std::string> seen;
  for (const Value& one : fields->items) {
    if (!one.is_string() || std::find(seen.begin(), seen.end(), one.text) != seen.end())
      return false;
    if (one.text != "isbn" && one.text != "title" && one.text != "authors" && one.text != "price")
      return false;
    seen.push_back(one.text);
  }
  return true;
}

Value book() {
  return json::parse(R"({"isbn":"978-3-16-148410-0","title":"On Frames","authors":["ada"],
                         "price":{"amount":12.5,"currency":"EUR"}})");
}

Outcome book_get(const Given& given) {
  if (!is_isbn(given["isbn"]) || !are_fields(given["fields"])) return bad_params("isbn, fields");
  if (given["isbn"]->text != kIsbn) return RpcError{1001, "No such book"};
  return book();
}

Outcome author_books(const Faults& faults, const Given& given) {
  if (faults.has("described-call-refused")) return bad_params("author");
  const Value* verbose = given["verbose"];
  if (!is_author(given["author"]) || (verbose != nullptr && !verbose->is_boolean()))
    return bad_params("author, verbose");
  if (verbose == nullptr && faults.has("optional-param-required"))
    return bad_params("verbose is missing");
  Value out = json::array();
  if (given["author"]->text == "ada") out.items.push_back(json::string(kIsbn));
  return out;
}

Outcome book_search(const Faults& faults, const Given& given) {
  const Value *query = given["query"], *limit = given["limit"];
  const bool bounds = !faults.has("bounds-unchecked");
  if (query == nullptr || !query->is_object() || !is_author(query->find("author")) ||
      query->members.size() != 1 ||
      (limit != nullptr && !is_whole(limit, bounds ? 1 : -1e9, bounds ? 100 : 1e9)))
    return bad_params("query, limit");
  Value page = json::object({{"books", json::array()}});
  if (query->find("author")->text == "ada") page.find("books")->items.push_back(book());
  return page;
}

Outcome price_total(const Faults& faults, const Given& given) {
  const Value* items = given["items"];
  if (items == nullptr || !items->is_array() || items->items.empty()) return bad_params("items");
  double total = 0;
  std::string currency;
  for (const Value& item : items->items) {
    const Value *price = item.is_object() ? item.find("price") : nullptr,
                *count = item.is_object() ? item.find("count") : nullptr;
    const bool lax = faults.has("inner-member-unchecked") && count == nullptr;
    if (!is_money(price) || (!lax && !is_whole(count, 1, 1e9)) ||
        (!lax && item.members.size() != 2))
      return bad_params("an item is a price and a count");
    if (!currency.empty() && currency != price->find("currency")->text)
      return RpcError{1003, "More than one currency"};
    currency = price->find("currency")->text;
    total +=
        json::as_double(*price->find("amount")) * (count != nullptr ? json::as_double(*count) : 1);
  }
  if (!std::isfinite(total)) return bad_params("the total is too large");
  std::string spelled = std::to_string(total);
  spelled.erase(spelled.find_last_not_of('0') + 1);
  if (spelled.back() == '.') spelled.pop_back();
  return json::object(
      {{"amount", json::number_spelled(spelled)}, {"currency", json::string(currency)}});
}

Outcome shelf_tree(Session& session, const Given& given) {
  const Value* depth = given["depth"];
  if (depth != nullptr && !is_whole(depth, 0, 5)) return bad_params("depth");
  const bool touched = session.server.memory.tally["refused"] > 0 &&
                       session.server.faults.has("refused-call-has-effect");
  Value shelf =
      json::object({{"label", json::string(touched ? "none" : "all")}, {"inside", json::array()}});
  if (depth == nullptr || json::as_double(*depth) > 0)
    shelf.find("inside")->items.push_back(
        json::object({{"label", json::string("a")}, {"inside", json::array()}}));
  return shelf;
}

std::optional<Outcome> answer_of_shop(Session& session, const std::string& method,
                                      const Value& params) {
  const Faults& faults = session.server.faults;
  const auto given = [&](std::initializer_list<const char*> names) { return Given(params, names); };
  if (method == "book.get") {
    const Given own = given({"isbn", "fields"});
    return own.sound ? book_get(own) : bad_params("isbn, fields");
  }
  if (method == "author.books") {
    if (params.is_object() && faults.has("other-form-fails"))
      return RpcError{kInternalError, "no list"};
    const Given own = given({"author", "verbose"});
    return own.sound ? author_books(faults, own) : bad_params("author, verbose");
  }
  if (method == "book.search") {
    const Given own = given({"query", "limit"});
    return own.sound && !params.is_array() ? book_search(faults, own) : bad_params("query, limit");
  }
  if (method == "price.total") {
    const Given own = given({"items"});
    return own.sound ? price_total(faults, own) : bad_params("items");
  }
  if (method == "shelf.tree") {
    if (faults.has("described-method-missing"))
      return RpcError{kMethodNotFound, "Method not found"};
    const Given own = given({"depth"});
    return own.sound ? shelf_tree(session, own) : bad_params("depth");
  }
  if (method == "stock.level") {
    if (faults.has("deprecated-method-missing"))
      return RpcError{kMethodNotFound, "Method not found"};
    const Given own = given({"isbn"});
    if (!own.sound || !is_isbn(own["isbn"])) return bad_params("isbn");
    return own["isbn"]->text == kIsbn ? json::number(3) : json::null();
  }
  if (method == "book.touched") {
    if (faults.has("described-notification-silent-with-id")) return Silent{};
    return json::null();
  }
  if (method == "admin.reset") return json::boolean(true);
  return std::nullopt;
}

}  // namespace

Value shop_document() { return json::parse(kDocument); }

std::optional<Outcome> shop_answer(Session& session, const std::string& method,
                                   const Value& params) {
  std::optional<Outcome> out = answer_of_shop(session, method, params);
  if (out && std::holds_alternative<RpcError>(*out)) ++session.server.memory.tally["refused"];
  return out;
}

}  // namespace harness::reference
