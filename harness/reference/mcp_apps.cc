// SPDX-License-Identifier: Apache-2.0
// MCP Apps: the extension io.modelcontextprotocol/ui, from 2025-11-25. Two tools have an interface,
// a resource of HTML, and say so to clients that declare that they show such. One of the two is for
// the interface alone.
#include <algorithm>
#include <cstdlib>

#include "harness/json/read.h"
#include "harness/reference/edits.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_tools.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::string_view kShow = "show_card";
constexpr std::string_view kRedraw = "redraw_card";  // for the interface alone

constexpr const char* kAppSettings =
    R"({"csp":{"connectDomains":["https://api.example.com"],"resourceDomains":[]},)"
    R"("permissions":{"clipboardWrite":{}},"prefersBorder":true,"domain":"cards.example.com"})";

bool has_interface(std::string_view tool) { return tool == kShow || tool == kRedraw; }

// What the client said of the extension; null where it said nothing.
const Value* settings_of(const Session& session, const Call& call) {
  const Value& declared = call.stateless ? call.client_capabilities : session.client_capabilities;
  const Value* extensions = declared.find("extensions");
  return extensions == nullptr ? nullptr : extensions->find(kAppsExtension);
}

bool shows_interfaces(const Session& session, const Call& call) {
  const Value* settings = settings_of(session, call);
  const Value* types = settings == nullptr ? nullptr : settings->find("mimeTypes");
  return types != nullptr && types->is_array() &&
         std::any_of(types->items.begin(), types->items.end(),
                     [](const Value& type) { return type.text == kAppType; });
}

}  // namespace

bool is_interface(std::string_view uri) { return uri.starts_with("ui://"); }

// Faults of a server that trusts what a client says of itself.
std::optional<RpcError> Mcp::odd_app_settings(const Session& session, const Call& call) const {
  const Value* settings = settings_of(session, call);
  if (settings == nullptr) return std::nullopt;
  const Value* types = settings->find("mimeTypes");
  if (types == nullptr && faults().has("app-client-settings-kill")) std::abort();
  if (types != nullptr && !types->is_array() && faults().has("app-client-settings-unchecked"))
    return RpcError{kInternalError, "mimeTypes.includes is not a function"};
  return std::nullopt;
}

void Mcp::add_interface(const Session& session, const Call& call, Value& tool) const {
  const std::string& name = tool.find("name")->text;
  const bool shown = shows_interfaces(session, call) || faults().has("app-shown-to-all");
  if (call.version < kAppsSince || !has_interface(name) || !shown) return;
  Value ui = json::object({{"resourceUri", json::string("ui://cards/welcome")}});
  if (name == kRedraw) ui.set("visibility", json::array({json::string("app")}));
  tool.set("_meta", json::object({{"ui", std::move(ui)}}));
  if (name == kShow) edit(faults(), "app-tool", tool);
}

void Mcp::describe_listed_interface(Value& item) const {
  item.set("_meta", json::object({{"ui", json::parse(kAppSettings)}}));
  edit(faults(), "listed-interface", item);
}

Outcome Mcp::interface_contents(const Call& call, const Value& uri, const std::string& text) {
  if (faults().has("app-interface-missing"))
    return RpcError{call.stateless ? kInvalidParams : kResourceNotFound, "Resource not found"};
  Value result = contents_of(call, uri, std::string(kAppType), json::string(text), "text");
  Value& item = result.find("contents")->items.front();
  item.set("_meta", json::object({{"ui", json::parse(kAppSettings)}}));
  edit(faults(), "interface", item);
  if (faults().has("app-interface-without-contents")) result.set("contents", json::array());
  return result;
}

Outcome show_card(Mcp& mcp, Session& session, const CallPtr& call, const Value&) {
  const Faults& faults = mcp.faults();
  const std::string& tool = call->params.find("name")->text;
  if (faults.has("app-tool-demands-extension") && !shows_interfaces(session, *call))
    return RpcError{kMissingCapability, "The client has to show interfaces"};
  if (tool == kRedraw && faults.has("app-only-tool-refused"))
    return bad_params("the tool is for the interface alone");
  if (faults.has("app-sends-ui-messages"))
    session.notify("ui/notifications/tool-result", std::nullopt, call.get());
  Value result = tool_text(faults.has("app-content-blank") ? " " : "Welcome, guest!");
  if (call->version >= "2025-06-18")
    result.set("structuredContent", json::object({{"guest", json::string("guest")}}));
  edit(faults, "app-result", result);
  return result;
}

}  // namespace harness::reference
