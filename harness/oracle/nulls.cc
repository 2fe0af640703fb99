// SPDX-License-Identifier: Apache-2.0
// null where a member should have been left out: no schema of MCP has null among the types of its
// optional members. Only members that the revision defines are looked at, since unknown ones may
// hold anything, and only where no user or tool put them.
#include <set>
#include <string>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

struct Place {
  std::string_view method;    // of the request whose result it is
  std::string_view path;      // in the result; * is every element
  std::string_view since;     // first revision
  std::string_view to = "9";  // last revision
};

constexpr std::string_view kFirst = "2024-11-05";
constexpr std::string_view kSecond = "2025-03-26";
constexpr std::string_view kThird = "2025-06-18";
constexpr std::string_view kFourth = "2025-11-25";

constexpr Place kPlaces[] = {
    {"tools/list", "nextCursor", kFirst},
    {"tools/list", "tools/*/description", kFirst},
    {"tools/list", "tools/*/title", kThird},
    {"tools/list", "tools/*/icons", kFourth},
    {"tools/list", "tools/*/execution", kFourth, kFourth},
    {"tools/list", "tools/*/outputSchema", kThird},
    {"tools/list", "tools/*/annotations", kSecond},
    {"tools/list", "tools/*/annotations/title", kSecond},
    {"tools/list", "tools/*/annotations/readOnlyHint", kSecond},
    {"tools/list", "tools/*/annotations/destructiveHint", kSecond},
    {"tools/list", "tools/*/annotations/idempotentHint", kSecond},
    {"tools/list", "tools/*/annotations/openWorldHint", kSecond},
    {"tools/call", "isError", kFirst},
    {"tools/call", "structuredContent", kThird, kFourth},
    {"tools/call", "content/*/annotations", kFirst},
    {"tools/call", "content/*/annotations/audience", kFirst},
    {"tools/call", "content/*/annotations/priority", kFirst},
    {"tools/call", "content/*/annotations/lastModified", kThird},
    {"tools/call", "content/*/resource/mimeType", kFirst},
    {"resources/list", "nextCursor", kFirst},
    {"resources/list", "resources/*/description", kFirst},
    {"resources/list", "resources/*/mimeType", kFirst},
    {"resources/list", "resources/*/size", kSecond},
    {"resources/list", "resources/*/title", kThird},
    {"resources/list", "resources/*/icons", kFourth},
    {"resources/list", "resources/*/annotations", kFirst},
    {"resources/list", "resources/*/annotations/audience", kFirst},
    {"resources/list", "resources/*/annotations/priority", kFirst},
    {"resources/list", "resources/*/annotations/lastModified", kThird},
    {"resources/templates/list", "nextCursor", kFirst},
    {"resources/templates/list", "resourceTemplates/*/description", kFirst},
    {"resources/templates/list", "resourceTemplates/*/mimeType", kFirst},
    {"resources/templates/list", "resourceTemplates/*/title", kThird},
    {"resources/templates/list", "resourceTemplates/*/icons", kFourth},
    {"resources/templates/list", "resourceTemplates/*/annotations", kFirst},
    {"resources/read", "contents/*/mimeType", kFirst},
    {"prompts/list", "nextCursor", kFirst},
    {"prompts/list", "prompts/*/description", kFirst},
    {"prompts/list", "prompts/*/title", kThird},
    {"prompts/list", "prompts/*/icons", kFourth},
    {"prompts/list", "prompts/*/arguments", kFirst},
    {"prompts/list", "prompts/*/arguments/*/description", kFirst},
    {"prompts/list", "prompts/*/arguments/*/required", kFirst},
    {"prompts/list", "prompts/*/arguments/*/title", kThird},
    {"prompts/get", "description", kFirst},
    {"prompts/get", "messages/*/content/annotations", kFirst},
    {"prompts/get", "messages/*/content/resource/mimeType", kFirst},
    {"completion/complete", "completion/total", kFirst},
    {"completion/complete", "completion/hasMore", kFirst},
};

bool has_null(const json::Value& value, std::string_view path) {
  const std::size_t slash = path.find('/');
  const std::string_view step = path.substr(0, slash);
  const std::string_view rest =
      slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  const auto reaches = [&](const json::Value& inner) {
    return rest.empty() ? inner.is_null() : has_null(inner, rest);
  };
  if (step == "*") {
    for (const json::Value& element : value.items) {
      if (reaches(element)) return true;
    }
    return false;
  }
  const json::Value* member = value.is_object() ? value.find(step) : nullptr;
  return member != nullptr && reaches(*member);
}

}  // namespace

void judge_nulls(const Evidence& evidence, Sink& sink) {
  const spec::Profile& profile = evidence.profile;
  if (!profile.mcp) return;
  const Requests& requests = sent_requests(evidence);
  std::set<const Place*> told;
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kResponse) continue;
    const Item* request = request_of(requests, item);
    const json::Value* result = item.member("result");
    if (request == nullptr || result == nullptr) continue;
    for (const Place& place : kPlaces) {
      if (place.method != method_of(*request) || profile.revision < place.since ||
          profile.revision > place.to || !has_null(*result, place.path) ||
          !told.insert(&place).second) {
        continue;
      }
      // A common slip of serializers that clients tolerate.
      report_best(evidence, sink, {"mcp.shape.optional-fields-not-null"},
                  {std::string(place.path) + " with a value, or left out",
                   "null in " + shown(item.text),
                   {request->seq, item.seq},
                   Severity::kWarn});
    }
  }
}

}  // namespace harness::oracle
