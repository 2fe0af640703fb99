// SPDX-License-Identifier: Apache-2.0
// Looking things up in the protocol.
#include "harness/spec/protocol.h"

#include <algorithm>
#include <set>

#include "harness/json/write.h"
#include "harness/spec/profile.h"

namespace harness::spec {
namespace {

std::string_view in_force(const std::vector<Named>& words, const Profile& profile) {
  for (const Named& word : words)
    if (word.reach.has(profile)) return word.text;
  return {};
}

std::string joined(const std::vector<TypeExpr>& parts, const Profile* profile) {
  std::string out;
  for (const TypeExpr& part : parts) out += (out.empty() ? "" : " or ") + describe(part, profile);
  return out;
}

// Of literals that are names.
std::string joined_names(const std::vector<TypeExpr>& names) {
  std::string out;
  for (const TypeExpr& name : names) out += (out.empty() ? "" : " or ") + name.literal.text;
  return out;
}

std::string number(double value) {
  return json::write(json::number(static_cast<std::int64_t>(value)));
}

std::string span(const TypeExpr& expr) {
  const double none = std::numeric_limits<double>::infinity();
  if (expr.high == none) return number(expr.low) + " or more";
  if (expr.low == -none) return number(expr.high) + " or less";
  return number(expr.low) + " to " + number(expr.high);
}

void add(std::set<std::string>& all, const Clauses& some) { all.insert(some.begin(), some.end()); }

void add(std::set<std::string>& all, const Member& member) {
  add(all, member.outside);
  for (const Row& row : member.rows) {
    add(all, row.covers);
    add(all, row.missing);
    for (const AlsoRow& also : row.also) add(all, also.covers);
  }
}

}  // namespace

bool Reach::has(const Profile& profile) const {
  if (dialect == Dialect::kContract) return profile.contract != nullptr;
  if (!profile.layered() || profile.lsp != (dialect == Dialect::kLsp) ||
      profile.acp != (dialect == Dialect::kAcp))
    return false;
  if (profile.lsp || profile.acp) return true;
  if (dialect == Dialect::kMcp && !profile.mcp) return false;
  if (dialect == Dialect::kTutorial && !profile.tutorial) return false;
  return profile.revision >= since && (until.empty() || profile.revision <= until);
}

const Row* Member::under(const Profile& profile) const {
  for (const Row& row : rows)
    if (row.reach.has(profile)) return &row;
  return nullptr;
}

std::optional<json::Value> named_params(const MessageRow& row, const json::Value* params) {
  json::Value named = json::object();
  if (params == nullptr) return named;
  if (params->is_object()) return *params;
  if (!params->is_array() || params->items.size() > row.positions.size()) return std::nullopt;
  for (std::size_t i = 0; i < params->items.size(); ++i)
    named.set(row.positions[i], params->items[i]);
  return named;
}

const Member* TypeRow::find(std::string_view member) const {
  for (const Member& one : members)
    if (one.name == member) return &one;
  return nullptr;
}

std::string_view MessageRow::capability_in(const Profile& profile) const {
  return in_force(capability, profile);
}

std::string_view MessageRow::carried_in(const Profile& profile) const {
  return in_force(carried, profile);
}

bool is_declared(std::string_view capability, const json::Value* capabilities) {
  capability.remove_prefix(std::min(capability.find('.') + 1, capability.size()));  // whose it is
  const json::Value* here = capabilities;
  while (!capability.empty()) {
    // Some list what they can do.
    if (here != nullptr && here->is_array())
      return std::ranges::any_of(here->items,
                                 [&](const auto& one) { return one.text == capability; });
    if (here == nullptr || !here->is_object()) return false;
    // Names of extensions hold dots.
    const json::Value* whole = here->find(capability);
    const std::size_t dot = whole ? std::string_view::npos : capability.find('.');
    here = whole ? whole : here->find(capability.substr(0, dot));
    if (here == nullptr || here->is_null() || (here->is_boolean() && !here->boolean)) return false;
    capability.remove_prefix(std::min(dot, capability.size()));
    if (capability.starts_with('.')) capability.remove_prefix(1);
  }
  return true;
}

Protocol::Protocol() = default;
Protocol::Protocol(Protocol&&) noexcept = default;
Protocol& Protocol::operator=(Protocol&&) noexcept = default;
Protocol::~Protocol() = default;

const MessageRow* Protocol::find(std::string_view method) const {
  const auto found = std::lower_bound(
      messages_.begin(), messages_.end(), method,
      [](const MessageRow& row, std::string_view name) { return row.name < name; });
  return found != messages_.end() && found->name == method ? &*found : nullptr;
}

const MessageRow* Protocol::find(std::string_view method, const Profile& profile) const {
  const MessageRow* row = find(method);
  const MessageRow* end = messages_.data() + messages_.size();
  while (row != nullptr && row != end && row->name == method && !row->reach.has(profile)) ++row;
  return row != nullptr && row != end && row->name == method ? row : nullptr;
}

std::vector<const MessageRow*> Protocol::messages_of(const Profile& profile) const {
  std::vector<const MessageRow*> out;
  for (const MessageRow& row : messages_)
    if (row.reach.has(profile)) out.push_back(&row);
  return out;
}

std::vector<const MessageRow*> Protocol::lists_of(const Profile& profile) const {
  std::vector<const MessageRow*> out;
  for (const MessageRow& row : messages_)
    if (!row.lists.empty() && row.from_client() && row.reach.has(profile)) out.push_back(&row);
  return out;
}

const ErrorRow* Protocol::find_error(std::int64_t code, const Profile& profile) const {
  for (const ErrorRow& row : errors_)
    if (row.code == code && row.reach.has(profile)) return &row;
  return nullptr;
}

const TypeRow* Protocol::find_type(std::string_view name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : found->second.get();
}

std::vector<const TypeRow*> Protocol::types() const {
  std::vector<const TypeRow*> out;
  for (const auto& [name, row] : types_) out.push_back(row.get());
  return out;
}

std::vector<std::string> Protocol::answer_clauses() const {
  std::set<std::string> all;
  for (const MessageRow& row : messages_) {
    for (const AnswerRow& answer : row.answers) {
      add(all, answer.covers);
      add(all, answer.code);
    }
    for (const YieldRow& yield : row.yields) add(all, yield.covers);
    for (const CauseRow& cause : row.causes)
      for (const Clauses* some : {&cause.never, &cause.other, &cause.after}) add(all, *some);
  }
  for (const ErrorRow& row : errors_) add(all, row.status_covers);
  return {all.begin(), all.end()};
}

std::vector<std::string> Protocol::clauses() const {
  std::set<std::string> all;
  for (const auto& [name, type] : types_) {
    for (const Clauses* some :
         {&type->covers, &type->untagged, &type->unknown, &type->any_of_covers})
      add(all, *some);
    for (const Member& member : type->members) add(all, member);
    for (const Member& variant : type->variants) add(all, variant);
    for (const Member* one : {&type->is, &type->absent}) add(all, *one);
  }
  for (const MessageRow& row : messages_) {
    add(all, row.outside);
    for (const GateRow& gate : row.gates) add(all, gate.covers);
    for (const Member* one : {&row.params, &row.result}) add(all, *one);
    for (const Member& other : row.instead) add(all, other);
  }
  for (const ErrorRow& row : errors_) add(all, row.data);
  return {all.begin(), all.end()};
}

std::string describe(const TypeExpr& expr, const Profile* profile) {
  using Form = TypeExpr::Form;
  switch (expr.form) {
    case Form::kSchema: return "what its schema says";
    case Form::kAny: return "any value";
    case Form::kNull: return "null";
    case Form::kBoolean: return "a boolean";
    case Form::kNumber: return "a number";
    case Form::kInteger: return "an integer";
    case Form::kString: return "a string";
    case Form::kObject: return "an object";
    case Form::kArray: return "an array";
    case Form::kId: return "a string or an integer";
    case Form::kUri: return "a URI";
    case Form::kUriTemplate: return "a URI template";
    case Form::kBase64: return "Base64 with padding and without line breaks";
    case Form::kBase64Any: return "Base64 text";
    case Form::kDateTime: return "an ISO 8601 date or time";
    case Form::kMediaType:
      return expr.text.empty() ? "a media type" : "a media type of " + expr.text;
    case Form::kDataBase64: return "Base64 in a data: URI";
    case Form::kUriScheme: return "a scheme before ://";
    case Form::kCounts:
      return expr.inner[0].literal.text + " not below the number of " + expr.inner[1].literal.text;
    case Form::kOnly: return "an object with no member but " + joined_names(expr.inner);
    case Form::kHttpsUri: return "an https: URI";
    case Form::kPrefixedNames: return "names with a prefix, like com.example/name";
    case Form::kContains: return "a string with " + expr.text + " in it";
    case Form::kScheme: return "a URI with the scheme " + joined_names(expr.inner);
    case Form::kCharacters: return "a string of the usual characters";
    case Form::kLiteral: return json::write(expr.literal);
    case Form::kOneOf: return joined(expr.inner, profile);
    case Form::kArrayOf: return "an array";
    case Form::kMapOf: return "an object";
    case Form::kRange: return "a number, " + span(expr);
    case Form::kLength: return "a length of " + span(expr);
    case Form::kDistinct: return "elements that differ in " + expr.text;
    case Form::kType: {
      if (expr.type->kind != TypeRow::Kind::kExpression) return "an object";
      const std::vector<Row>& rows = expr.type->is.rows;
      const Row* row = profile            ? expr.type->is.under(*profile)
                       : rows.size() == 1 ? &rows.front()
                                          : nullptr;
      return row ? describe(row->is, profile) : "an object";
    }
  }
  return {};
}

}  // namespace harness::spec
