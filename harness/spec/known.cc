// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/known.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/base/uri_template.h"
#include "harness/wire/message.h"

namespace harness::spec {
namespace {

using json::Value;

// How the names begin that cases and the fuzzer make up.
constexpr std::string_view kNobodys[] = {"rpcspec",  "no-such-", "no_such_",
                                         "no such ", "nosuch:",  "none-"};
constexpr std::size_t kMostItems = 20'000;  // of a list; a longer one is never whole

std::string_view text_at(const Value& value, std::string_view member) {
  const Value* found = value.is_object() ? value.find(member) : nullptr;
  return found != nullptr && found->is_string() ? std::string_view(found->text)
                                                : std::string_view();
}

// 2026-07-28: what the client declares with each request.
const Value* declared_by(const Value& request) {
  return json::at(request, "/params/_meta/io.modelcontextprotocol~1clientCapabilities");
}

bool are_alike(const Value* a, const Value* b) {
  return a == nullptr || b == nullptr ? a == b : json::equal(*a, *b);
}

const Value* param(const Value& request, std::string_view name) {
  const Value* params = request.find("params");
  return params != nullptr && params->is_object() ? params->find(name) : nullptr;
}

// The items of some lists are templates, from which names are made.
bool lists_templates(const MessageRow& list) { return list.key.ends_with("Template"); }

bool may_come_from(std::string_view pattern, std::string_view name) {
  const auto parsed = UriTemplate::parse(pattern);
  return !parsed || parsed->may_give(name);
}

// The list of arguments that a prompt has, as a schema: some are required, and that is all.
Value schema_of(const Value& wanted) {
  if (!wanted.is_array()) return wanted;
  Value required = json::array();
  for (const Value& one : wanted.items) {
    const Value* name = one.is_object() ? one.find("name") : nullptr;
    const Value* needed = one.is_object() ? one.find("required") : nullptr;
    if (name != nullptr && name->is_string() && needed != nullptr && needed->is_boolean() &&
        needed->boolean)
      required.items.push_back(*name);
  }
  return json::object({{"type", json::string("object")}, {"required", std::move(required)}});
}

}  // namespace

bool is_nobodys_name(std::string_view name) {
  return std::any_of(std::begin(kNobodys), std::end(kNobodys), [&](std::string_view one) {
    return name.find(one) != std::string_view::npos;
  });
}

// --- what was heard

void Known::declared(const Value& capabilities) {
  if (!capabilities.is_object()) return;
  if (capabilities_ != nullptr && !json::equal(*capabilities_, capabilities)) contradicted_ = true;
  capabilities_ = &capabilities;
}

void Known::replied(const MessageRow& row, const Value& request, const Value& reply) {
  const Value* result = wire::result_in(reply);
  if (result != nullptr && result->is_object()) {
    if (const Value* own = declared_in(*result)) declared(*own);
    if (!row.lists.empty()) page(row, request, *result);
    note_states(*result);
  } else if (const Value* error = wire::error_in(reply); error != nullptr && !row.lists.empty()) {
    const Value* code = error->is_object() ? error->find("code") : nullptr;
    // Without the method there is nothing to list.
    if (code == nullptr || json::as_integer(*code) != -32601) return;
    lists_[row.name].whole = true;
    lists_[row.name].declared = declared_by(request);
  }
  // What was asked for may have changed what there is.
  if (!row.safe && row.lists.empty() && result != nullptr && !row.names.empty()) {
    const Value* name = param(request, row.names.front().member);
    const Found named = name != nullptr && name->is_string()
                            ? find(row.names.front(), name->text, request)
                            : Found{};
    const Value* harmless =
        named.item != nullptr ? json::at(*named.item, "/annotations/readOnlyHint") : nullptr;
    if (harmless == nullptr || !harmless->is_boolean() || !harmless->boolean) doubt_lists();
  }
}

void Known::notified(const Value& notification) {
  const std::string_view method = text_at(notification, "method");
  const MessageRow* row = profile_->protocol().find(method, *profile_);
  if (row == nullptr) return;
  if (const Value* params = notification.find("params"); params && params->is_object())
    note_state(*params);
  // server.tools.listChanged: of all lists that need server.tools.
  const std::string_view needs = row->capability_in(*profile_);
  const std::size_t end = needs.rfind('.');
  if (!needs.ends_with(".listChanged")) return;
  for (const MessageRow* one : profile_->protocol().lists_of(*profile_))
    if (one->capability_in(*profile_) == needs.substr(0, end)) lists_[one->name] = {};
}

void Known::listed(const MessageRow& row, Value items) {
  List& list = lists_[row.name];
  list = {};
  list.whole = items.items.size() <= kMostItems;
  const Value& kept = kept_.emplace_back(std::move(items));
  for (const Value& item : kept.items) owned_.insert(&item);
  add(row, kept, list.items);
}

void Known::add(const MessageRow& row, const Value& items, Items& to) const {
  for (const Value& item : items.items) {
    const std::string_view key = text_at(item, row.key);
    if (key.data() != nullptr && to.size() <= kMostItems) to.insert_or_assign(key, &item);
  }
}

void Known::page(const MessageRow& row, const Value& request, const Value& result) {
  const Value* items = result.find(row.lists);
  if (items == nullptr || !items->is_array()) return;
  List& list = lists_[row.name];
  const Value* asked = param(request, "cursor");
  const bool goes_on = asked != nullptr && asked->is_string() && list.walking &&
                       list.cursor.data() != nullptr && asked->text == list.cursor;
  if (asked == nullptr) {
    list.walk.clear();
    list.declared = declared_by(request);
  }
  list.walking = asked == nullptr || goes_on;
  const std::string_view next = text_at(result, "nextCursor");
  list.cursor = next;
  list.paged |= next.data() != nullptr;
  add(row, *items, list.items);
  if (!list.walking) return;
  add(row, *items, list.walk);
  if (next.data() != nullptr || result.find("nextCursor") != nullptr) return;
  list.items = std::move(list.walk);
  list.walk.clear();
  list.walking = false;
  list.whole = list.items.size() <= kMostItems;
}

void Known::note_states(const Value& holder) {
  note_state(holder);
  for (const json::Member& member : holder.members) {
    if (member.value.is_object()) note_state(member.value);
    for (const Value& one : member.value.items) note_state(one);
  }
}

void Known::note_state(const Value& one) {
  static const std::vector<const NamingRow*> kRows = [] {
    std::vector<const NamingRow*> rows;
    for (const MessageRow& row : protocol().messages())
      for (const NamingRow& naming : row.names)
        if (!naming.state.empty()) rows.push_back(&naming);
    return rows;
  }();
  for (const NamingRow* row : kRows) {
    const std::string_view name = text_at(one, row->member);
    const std::string_view state = text_at(one, row->state);
    const bool final = std::find(row->final_states.begin(), row->final_states.end(), state) !=
                       row->final_states.end();
    if (name.data() != nullptr && final) states_.emplace(name, state);
  }
}

void Known::doubt_lists() {
  for (const MessageRow* one : profile_->protocol().lists_of(*profile_)) {
    List& own = lists_[one->name];
    if (before_ != nullptr && own.items.empty())
      if (const List* earlier = before_->list(one->name)) own.items = earlier->items;
    own.whole = own.walking = false;
    own.cursor = {};
  }
}

// --- what is known by it

const Value* Known::capabilities() const {
  if (contradicted_) return nullptr;
  return capabilities_ != nullptr ? capabilities_ : before_ ? before_->capabilities() : nullptr;
}

const Known::List* Known::list(std::string_view method) const {
  const auto own = lists_.find(method);
  if (own != lists_.end()) return &own->second;
  return before_ != nullptr ? before_->list(method) : nullptr;
}

Known::Found Known::find(const NamingRow& naming, std::string_view name,
                         const Value& request) const {
  bool whole = true, templates_unclear = false;
  for (const std::string& method : naming.lists) {
    const MessageRow* row = profile_->protocol().find(method, *profile_);
    if (row == nullptr) continue;
    const List* heard = list(method);
    whole &= heard != nullptr && heard->whole && lists_.contains(method) &&
             are_alike(heard->declared, declared_by(request));
    if (lists_templates(*row)) {
      templates_unclear |= heard == nullptr || !heard->whole;
      whole = false;  // what templates make, and what results link to, need not be listed
      if (heard == nullptr) continue;
      const bool may_be = std::any_of(
          heard->items.begin(), heard->items.end(),
          [&](const auto& one) { return one.first == name || may_come_from(one.first, name); });
      if (may_be) return {};
    } else if (heard != nullptr) {
      const auto item = heard->items.find(name);
      if (item != heard->items.end()) return {Presence::kThere, item->second};
    }
  }
  if (!naming.state.empty() && states_.contains(name)) return {Presence::kThere, nullptr};
  const bool nobodys = is_nobodys_name(name) && !templates_unclear;
  if (naming.lists.empty()) return {nobodys ? Presence::kNot : Presence::kUnclear, nullptr};
  return {whole || nobodys ? Presence::kNot : Presence::kUnclear, nullptr};
}

bool Known::has_pages(const MessageRow& row) const {
  const List* heard = list(row.name);
  return heard != nullptr && heard->paged;
}

Known::Presence Known::cursor(const MessageRow& row, std::string_view text) const {
  const List* heard = list(row.name);
  if (heard == nullptr || !heard->paged) return Presence::kUnclear;
  if (heard->cursor.data() != nullptr && heard->cursor == text) return Presence::kThere;
  return is_nobodys_name(text) ? Presence::kNot : Presence::kUnclear;
}

// No clause of the tutorials promises ping, and none of MCP a request that was chosen in place of
// it: that such a canary is not answered breaks the layer below.
std::string canary_requirement(const Profile& profile, const Canary& asked) {
  const bool layered = profile.mcp || profile.tutorial;
  if (layered && asked.method != canary_of(profile).method)
    return "jsonrpc.request.reply-exactly-one";
  return canary_requirement(profile);
}

std::string canary_requirement(const Profile& profile, const Known* known) {
  return known != nullptr ? canary_requirement(profile, known->canary())
                          : canary_requirement(profile);
}

const schema::InstanceCheck& Known::check_of(const Value& item, const std::string& by) const {
  // What another object keeps it may keep the check of; all else may be gone before it is.
  if (before_ != nullptr && before_->owned_.contains(&item)) return before_->check_of(item, by);
  const Value& wanted = *item.find(by);
  std::unique_ptr<schema::InstanceCheck>& check = checks_[&wanted];
  if (!check) check = std::make_unique<schema::InstanceCheck>(schema_of(wanted));
  return *check;
}

std::string_view Known::final_state(const NamingRow& naming, std::string_view id) const {
  const auto found = states_.find(id);
  if (naming.state.empty() || found == states_.end()) return {};
  return found->second;
}

}  // namespace harness::spec
