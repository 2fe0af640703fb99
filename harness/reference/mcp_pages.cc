// SPDX-License-Identifier: Apache-2.0
// Pages of lists, their cursors, and how long they may be kept.
#include <algorithm>

#include "harness/base/base64.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_inputs.h"

namespace harness::reference {
namespace {

using json::Value;

// Opaque, and only what was given out is taken back.
std::string cursor_for(const Faults& faults, std::string_view kind, std::size_t at) {
  if (faults.has("cursor-offset-unchecked")) return to_base64("{\"o\":" + std::to_string(at) + "}");
  return sealed(std::string(kind) + ":" + std::to_string(at));
}

// Where the page of a cursor begins; nothing when no page has it.
std::optional<std::size_t> page_begin(const Faults& faults, std::string_view kind,
                                      const Value& cursor, std::size_t items, std::size_t size) {
  if (!cursor.is_string()) return std::nullopt;
  for (std::size_t begin = size; begin < items; begin += size)
    if (cursor.text == cursor_for(faults, kind, begin)) return begin;
  return std::nullopt;
}

// Faults': whether such a cursor is taken for that of the first page.
bool takes_any(const Faults& faults, const Value& cursor) {
  if (!cursor.is_string()) return faults.has("cursor-type-unchecked");
  return faults.has("unknown-cursor-first-page") || faults.has("pages-go-round");
}

// Faults': whether the cursors of this list lead nowhere.
bool ignores_cursors(const Faults& faults, std::string_view list) {
  return faults.has("cursor-ignored") ||
         (list == "tools" && faults.has("cursor-ignored-by-tools")) ||
         (list == "resources" && faults.has("cursor-ignored-by-resources")) ||
         (list == "templates" && faults.has("cursor-ignored-by-templates")) ||
         (list == "prompts" && faults.has("cursor-ignored-by-prompts"));
}

}  // namespace

void Mcp::cacheable(const Call& call, Value& result, int ttl_ms, const char* scope) {
  if (!call.stateless) return;
  result.set("ttlMs", json::number(ttl_ms));
  result.set("cacheScope", json::string(scope));
}

Outcome Mcp::page(const Call& call, const char* kind, const char* member, std::vector<Value> items,
                  std::size_t size) {
  if (!call.stateless && std::string_view(kind) != "tools") {
    if (!call.has_params && faults().has("list-params-demanded"))
      return bad_params("params are missing");
    if (call.has_params && call.params.members.empty() && faults().has("list-empty-params-refused"))
      return bad_params("params are empty");
  }
  auto& tally = server_.memory.tally;
  if (faults().has("lists-reordered") && !items.empty()) {
    const int turns = ++tally["order of " + std::string(kind)];
    std::rotate(items.begin(), items.begin() + turns % static_cast<int>(items.size()), items.end());
  }
  if (faults().has("public-list-by-user") && (call.user == "other" || call.user == "somebody") &&
      !items.empty())
    items.erase(items.begin());
  const bool round = faults().has("pages-go-round");
  std::size_t begin = 0;
  const Value* cursor = call.params.find("cursor");
  Value unnumbered;
  if (cursor != nullptr && round) {
    unnumbered = *cursor;
    unnumbered.text = cursor->text.substr(0, cursor->text.find('~'));
    cursor = &unnumbered;
  }
  if (cursor != nullptr) {
    const auto found = page_begin(faults(), kind, *cursor, items.size(), size);
    if (!found && !takes_any(faults(), *cursor)) return bad_params("no such cursor");
    const bool again = found && faults().any() && ++tally["use of " + cursor->text] > 1;
    if (found && faults().has("cursor-refused")) return bad_params("no such cursor");
    if (again && faults().has("cursor-used-up")) return bad_params("no such cursor");
    begin = found.value_or(0);
    if ((again && faults().has("cursor-moves-on")) || ignores_cursors(faults(), kind)) begin = 0;
  }
  const std::size_t end = std::min(items.size(), begin + size);
  const std::size_t first = begin - (begin > 0 && faults().has("pages-overlap") ? 1 : 0);
  Value slice = json::array();
  for (std::size_t i = first; i < end; ++i) slice.items.push_back(std::move(items[i]));
  Value result = json::object();
  result.set(member, std::move(slice));
  if (end < items.size())
    result.set("nextCursor", json::string(cursor_for(faults(), kind, end)));
  else if (cursor != nullptr && round)
    result.set("nextCursor", json::string(cursor_for(faults(), kind, 0)));
  if (Value* next = result.find("nextCursor"); next != nullptr && round)
    next->text += "~" + std::to_string(++tally["rounds"]);
  const bool other_scope = begin > 0 && faults().has("cache-scope-differs-by-page");
  if (begin > 0 && faults().has("cache-hints-on-first-page-only")) return result;
  cacheable(call, result, 300000, other_scope ? "private" : "public");
  return result;
}

}  // namespace harness::reference
