// SPDX-License-Identifier: Apache-2.0
// Resources, templates of them, subscriptions.
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
  const char* blob = nullptr;
  bool by_template = false;
};

// What a careless server finds outside of the folder it offers, and by which spelling.
struct Escape {
  FaultName fault;
  std::string_view trick;
  std::string_view file;
};
constexpr std::string_view kPasswords = "root:x:0:0:root:/root:/bin/sh\n";
constexpr std::string_view kSettings = "; for 16-bit app support\r\n[fonts]\r\n";
constexpr Escape kEscapes[] = {
    {"traversal-followed", "docs/../", kPasswords},
    {"traversal-percent-dots", "%2e%2e/", kPasswords},
    {"traversal-percent-slash", "..%2f", kPasswords},
    {"traversal-decoded-twice", "%252e%252e%252f", kPasswords},
    {"traversal-backslash", "..%5c", kSettings},
    {"traversal-stripped-once", "....//", kPasswords},
    {"absolute-file-read", "file:///etc/passwd", kPasswords},
};

std::optional<Found> find_carelessly(const Faults& faults, const std::string& uri) {
  const auto text = [](std::string_view said) { return Found{"text/plain", std::string(said)}; };
  for (const Escape& one : kEscapes)
    if (uri.find(one.trick) != uri.npos && faults.has(one.fault)) return text(one.file);
  // It is there for others; to this caller it is unknown.
  if (uri == "test://restricted" && faults.has("restricted-resource-read"))
    return text("For the staff.");
  const bool odd =
      uri.empty() || uri.find(':') == uri.npos || uri.find(' ') != uri.npos || uri.front() == ':';
  if (uri.empty() && faults.has("empty-uri-served")) return text("The first of all.");
  if (!uri.empty() && odd && faults.has("invalid-uri-served")) return text("Something.");
  if (!odd && faults.has("unknown-resource-invented")) return text("Something.");
  if (uri.starts_with("test://") && faults.has("unknown-resource-beside-invented"))
    return text("Something.");
  return std::nullopt;
}

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
    return Found{one.mime_type, one.text == nullptr ? "" : one.text, one.blob};
  }
  if (!mcp.faults().has("template-unreadable")) {
    if (const auto id = template_argument(uri, "test://template/", "/data")) {
      return Found{"application/json", "{\"id\":" + json::quoted(*id) + ",\"templateTest\":true}",
                   nullptr, true};
    }
    if (const auto text = template_argument(uri, "test://echo/", ""))
      return Found{"text/plain", *text, nullptr, true};
  }
  return find_carelessly(mcp.faults(), uri);
}

RpcError resource_not_found(const Mcp& mcp, const Call& call, const std::string& uri) {
  RpcError error{call.stateless ? kInvalidParams : kResourceNotFound, "Resource not found",
                 json::object({{"uri", json::string(uri)}})};
  if (mcp.faults().has("resource-not-found-code-zero")) error.code = 0;
  if (mcp.faults().has("listed-resource-other-code")) error.code = kInternalError;
  if (mcp.faults().has("resource-not-found-without-uri")) error.data.reset();
  if (mcp.faults().has("resource-not-found-other-uri"))
    error.data = json::object({{"uri", json::string("test://static-text")}});
  return error;
}

// How many bytes it is read as; nothing where that changes.
std::optional<std::size_t> resource_size(const Resource& one, const Faults& faults) {
  if (one.uri == kWatched) return std::nullopt;
  if (one.text != nullptr)
    return std::string_view(one.text).size() / (faults.has("resource-size-too-small") ? 2 : 1);
  const std::string_view blob = one.blob;
  return faults.has("resource-size-of-base64") ? blob.size() : from_base64(blob)->size();
}

}  // namespace

Outcome Mcp::resources_list(Session&, const CallPtr& call) {
  if (faults().has("resources-list-refused")) return RpcError{kInternalError, "Out of order"};
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
  if (faults().has("templates-list-refused")) return RpcError{kInternalError, "Out of order"};
  std::vector<Value> items;
  for (const ResourceTemplate& one : resource_templates()) {
    Value item = json::object({{"uriTemplate", json::string(one.uri_template)},
                               {"name", json::string(one.name)},
                               {"description", json::string(one.description)},
                               {"mimeType", json::string(one.mime_type)}});
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  if (call->stateless && server_.memory.tally["resources read"] == 0 &&
      faults().has("templates-by-connection"))
    items.pop_back();
  return page(*call, "templates", "resourceTemplates", std::move(items), kTemplatesAPage);
}

// What Faults make of a read without a uri, or with one that is no string.
std::optional<Outcome> Mcp::read_without_uri(const Call& call) {
  const bool missing = call.params.find("uri") == nullptr;
  if (faults().has(missing ? FaultName("resource-uri-missing-other-code")
                           : FaultName("resource-uri-kind-other-code")))
    return Outcome(RpcError{kInternalError, "uri.startsWith is not a function"});
  if (!faults().has(missing ? FaultName("resource-uri-missing-served")
                            : FaultName("resource-uri-kind-unchecked")))
    return std::nullopt;
  const Resource& first = resources().front();
  return Outcome(contents_of(call, json::string(first.uri), first.mime_type,
                             json::string(first.text), "text"));
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
  if (faults().has("resource-fails")) return RpcError{kInternalError, "Out of order"};
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) {
    if (auto instead = read_without_uri(*call)) return std::move(*instead);
    return bad_params("uri has to be a string");
  }
  if (auto error = check_inputs(*call)) return *error;
  if (uri->text.find('\0') != std::string::npos && faults().has("invalid-uri-unanswered"))
    return Silent{};
  if (uri->text == kFailing && !faults().has("failing-resource-empty"))
    return RpcError{
        faults().has("failing-resource-other-code") ? kResourceNotFound : kInternalError,
        "The disk is gone"};
  const auto found = uri->text == kFailing ? std::optional(Found{"text/plain", ""})
                                           : find_resource(*this, uri->text, call->version);
  if (!found) return resource_not_found(*this, *call, uri->text);
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
  if (found->blob != nullptr) {
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

// Params of subscribe and unsubscribe that have no uri.
Outcome Mcp::subscribe_nothing() {
  if (faults().has("subscribe-uri-unchecked")) return json::object();
  if (faults().has("subscribe-uri-other-code")) return RpcError{kInternalError, "No uri"};
  return bad_params("uri has to be a string");
}

Outcome Mcp::subscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return subscribe_nothing();
  if (faults().has("subscribe-refused")) return bad_params("nothing can be subscribed to");
  if (!find_resource(*this, uri->text, call->version)) {
    if (faults().has("subscribe-unknown-silent")) return Silent{};
    return resource_not_found(*this, *call, uri->text);
  }
  if (session.subscriptions.count(uri->text) > 0 && faults().has("subscribe-again-kills"))
    session.exit_status = 1;
  session.subscriptions.insert(uri->text);
  return json::object();
}

Outcome Mcp::unsubscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return subscribe_nothing();
  if (faults().has("unsubscribe-refused")) return bad_params("nothing can be unsubscribed from");
  if (session.subscriptions.count(uri->text) == 0 && faults().has("unsubscribe-unknown-kills"))
    session.exit_status = 1;
  if (!faults().has("unsubscribe-ignored")) session.subscriptions.erase(uri->text);
  return json::object();
}

}  // namespace harness::reference
