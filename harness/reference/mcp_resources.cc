// SPDX-License-Identifier: Apache-2.0
// Resources, templates of them, subscriptions; skills, which are resources.
#include "harness/json/write.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kResourcesAPage = 4;
constexpr std::size_t kTemplatesAPage = 2;
constexpr std::size_t kSkillsAPage = 3;

RpcError resource_not_found(const Call& call, const std::string& uri) {
  return {call.stateless ? kInvalidParams : kResourceNotFound, "Resource not found",
          json::object({{"uri", json::string(uri)}})};
}

struct Found {
  std::string mime_type;
  std::string text;
  const char* blob = nullptr;
};

std::optional<Found> find_resource(const Mcp& mcp, const std::string& uri,
                                   const std::string& version) {
  for (const Resource& one : resources()) {
    if (uri != one.uri || version < one.since) continue;
    if (uri == "test://watched-resource") {
      return Found{one.mime_type,
                   "Revision " + std::to_string(mcp.watched_revision) + " of the resource."};
    }
    return Found{one.mime_type, one.text == nullptr ? "" : one.text, one.blob};
  }
  if (const auto id = template_argument(uri, "test://template/", "/data")) {
    return Found{"application/json", "{\"id\":" + json::quoted(*id) + ",\"templateTest\":true}"};
  }
  if (const auto text = template_argument(uri, "test://echo/", "")) {
    return Found{"text/plain", *text};
  }
  return std::nullopt;
}

}  // namespace

Outcome Mcp::resources_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Resource& one : resources()) {
    if (call->version < one.since) continue;
    Value item = json::object({{"uri", json::string(one.uri)},
                               {"name", json::string(one.name)},
                               {"description", json::string(one.description)},
                               {"mimeType", json::string(one.mime_type)}});
    if (one.text != nullptr && one.text[0] != 0) {
      item.set("size", json::number(static_cast<int>(std::string_view(one.text).size())));
    }
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  return page(*call, "resources", "resources", std::move(items), kResourcesAPage);
}

Outcome Mcp::templates_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const ResourceTemplate& one : resource_templates()) {
    Value item = json::object({{"uriTemplate", json::string(one.uri_template)},
                               {"name", json::string(one.name)},
                               {"description", json::string(one.description)},
                               {"mimeType", json::string(one.mime_type)}});
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  return page(*call, "templates", "resourceTemplates", std::move(items), kTemplatesAPage);
}

Outcome Mcp::resources_read(Session&, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (auto error = check_inputs(*call)) return *error;
  const auto found = find_resource(*this, uri->text, call->version);
  if (!found) return resource_not_found(*call, uri->text);
  Value contents = json::object({{"uri", *uri}, {"mimeType", json::string(found->mime_type)}});
  if (found->blob != nullptr) {
    contents.set("blob", json::string(found->blob));
  } else {
    contents.set("text", json::string(found->text));
  }
  Value result = json::object({{"contents", json::array({std::move(contents)})}});
  cacheable(*call, result, 60000, "private");
  return result;
}

Outcome Mcp::subscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (!find_resource(*this, uri->text, call->version)) {
    return resource_not_found(*call, uri->text);
  }
  session.subscriptions.insert(uri->text);
  return json::object();
}

Outcome Mcp::unsubscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  session.subscriptions.erase(uri->text);
  return json::object();
}

// A skill is a resource of that name; its front matter says what it is called.
Outcome Mcp::skills_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Resource& one : resources()) {
    if (!std::string_view(one.uri).ends_with("/SKILL.md")) continue;
    items.push_back(json::object(
        {{"uri", json::string(one.uri)},
         {"frontmatter", json::object({{"name", json::string(one.name)},
                                       {"description", json::string(one.description)}})}}));
  }
  return page(*call, "skills", "skills", std::move(items), kSkillsAPage);
}

}  // namespace harness::reference
