// SPDX-License-Identifier: Apache-2.0
// Resources, templates of them, subscriptions.
#include <utility>

#include "harness/base/base64.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kResourcesAPage = 4;
constexpr std::size_t kTemplatesAPage = 2;

constexpr std::string_view kWatched = "test://watched-resource";
constexpr std::string_view kFailing = "test://failing";  // not listed
constexpr std::string_view kAsking = "test://input-required";

struct Found {
  std::string mime_type;
  std::string text;
  std::string blob = {};
  bool by_template = false;
};

std::optional<Found> find_resource(const Mcp& mcp, const std::string& uri,
                                   const std::string& version) {
  for (const Resource& one : resources()) {
    const bool longer = mcp.faults().has("resource-uri-by-prefix") && uri.starts_with(one.uri);
    if ((uri != one.uri && !longer) || version < one.since) continue;
    const bool lost = mcp.faults().has("listed-resource-unreadable") ||
                      mcp.faults().has("listed-resource-other-code");
    if (lost && uri == "file:///docs/guide.md") continue;
    if (uri == kWatched) {
      return Found{one.mime_type,
                   "Revision " + std::to_string(mcp.watched_revision) + " of the resource."};
    }
    return Found{one.mime_type, one.text, one.blob};
  }
  if (!mcp.faults().has("template-unreadable")) {
    if (const auto id = template_argument(uri, "test://template/", "/data")) {
      return Found{"application/json", "{\"id\":" + json::quoted(*id) + ",\"templateTest\":true}",
                   "", true};
    }
    if (const auto text = template_argument(uri, "test://echo/", ""))
      return Found{"text/plain", *text, "", true};
  }
  return std::nullopt;
}

RpcError resource_not_found(const Call& call, const std::string& uri) {
  return {call.stateless ? kInvalidParams : kResourceNotFound, "Resource not found",
          json::object({{"uri", json::string(uri)}})};
}

// How many bytes it is read as; nothing where that changes.
std::optional<std::size_t> resource_size(const Resource& one, const Faults& faults) {
  if (one.uri == kWatched) return std::nullopt;
  if (one.blob.empty()) return one.text.size() / (faults.has("resource-size-too-small") ? 2 : 1);
  return faults.has("resource-size-of-base64") ? one.blob.size() : from_base64(one.blob)->size();
}

}  // namespace

Outcome Mcp::resources_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Resource& one : resources()) {
    if (call->version < one.since || !one.listed) continue;
    Value item = json::object({{"uri", json::string(one.uri)},
                               {"name", json::string(one.name)},
                               {"description", json::string(one.description)},
                               {"mimeType", json::string(one.mime_type)}});
    if (is_skill(one)) edit(faults(), "listed-skill", item);
    if (is_interface(one.uri)) describe_listed_interface(item);
    if (const auto size = resource_size(one, faults()))
      item.set("size", json::number(static_cast<std::int64_t>(*size)));
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  if (faults().has("resource-on-two-pages")) items.push_back(items.front());
  if (call->stateless && server_.memory.tally["resources read"] == 0 &&
      faults().has("resources-by-connection"))
    items.pop_back();
  return page(*call, "resources", "resources", std::move(items), kResourcesAPage);
}

Outcome Mcp::templates_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (Value item : resource_templates()) {
    if (call->version >= "2025-06-18")
      item.set("title", json::string(title_of(text_in(item, "name"))));
    items.push_back(std::move(item));
  }
  if (call->stateless && server_.memory.tally["resources read"] == 0 &&
      faults().has("templates-by-connection"))
    items.pop_back();
  return page(*call, "templates", "resourceTemplates", std::move(items), kTemplatesAPage);
}

Value Mcp::contents_of(const Call& call, const Value& uri, const std::string& mime_type,
                       Value content, const char* member) {
  Value item = json::object({{"uri", uri}, {"mimeType", json::string(mime_type)}});
  item.set(member, std::move(content));
  Value result = json::object({{"contents", json::array({std::move(item)})}});
  cacheable(call, result, 60000, "private");
  return result;
}

Outcome Mcp::resources_read(Session&, const CallPtr& call) {
  ++server_.memory.tally["resources read"];
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (auto error = check_inputs(*call)) return *error;
  if (uri->text == kFailing) return RpcError{kInternalError, "The disk is gone"};
  const auto found = find_resource(*this, uri->text, call->version);
  int& lost = server_.memory.tally["resource lost"];
  if (!found || (std::exchange(lost, 0) > 0 && faults().has("resource-lost-after-unknown"))) {
    lost = found ? 0 : 1;
    return resource_not_found(*call, uri->text);
  }
  if (uri->text == kAsking) {
    if (auto instead =
            unanswered(*call, {elicitation("reader", "Who wants to read this?", "name", "string")}))
      return std::move(*instead);
    return contents_of(*call, *uri, found->mime_type,
                       json::string("For " + said_by_user(*call, "reader", "name") + " only."),
                       "text");
  }
  std::string mime_type = found->mime_type;
  if (is_interface(uri->text)) return interface_contents(*call, *uri, found->text);
  if (uri->text.starts_with("skill://")) {
    if (auto instead = odd_skill_file(*call, uri->text, mime_type)) return std::move(*instead);
  }
  if (found->by_template && faults().has("template-mime-type-other")) mime_type = "text/html";
  const Value unfilled = json::string("test://template/{id}/data");
  if (found->by_template && faults().has("template-not-filled-in")) uri = &unfilled;
  if (!found->blob.empty()) {
    if (faults().has("binary-read-as-text"))
      return contents_of(*call, *uri, mime_type, json::string("\xEF\xBF\xBDPNG\xEF\xBF\xBD"),
                         "text");
    return contents_of(*call, *uri, mime_type, json::string(found->blob), "blob");
  }
  if (faults().has("text-read-as-bytes"))
    return contents_of(*call, *uri, mime_type, json::string(to_base64(found->text)), "blob");
  Value result = contents_of(*call, *uri, mime_type, json::string(found->text), "text");
  if (found->text.empty() && faults().has("empty-resource-without-contents"))
    result.set("contents", json::array());
  return result;
}

Outcome Mcp::subscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (faults().has("subscribe-refused")) return bad_params("nothing can be subscribed to");
  if (!find_resource(*this, uri->text, call->version)) return resource_not_found(*call, uri->text);
  if (session.subscriptions.count(uri->text) > 0 && faults().has("subscribe-again-kills"))
    session.exit_status = 1;
  session.subscriptions.insert(uri->text);
  return json::object();
}

Outcome Mcp::unsubscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (faults().has("unsubscribe-refused")) return bad_params("nothing can be unsubscribed from");
  if (session.subscriptions.count(uri->text) == 0 && faults().has("unsubscribe-unknown-kills"))
    session.exit_status = 1;
  if (!faults().has("unsubscribe-ignored")) session.subscriptions.erase(uri->text);
  return json::object();
}

}  // namespace harness::reference
