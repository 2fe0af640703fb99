// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/server_card.h"

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr const char* kTag = "\"card-1\"";
constexpr const char* kCardType = "application/mcp-server-card+json";

HttpReply card(const HttpRequest& request, const Faults& faults) {
  const std::string host = request.header("Host").value_or("");
  Value card = json::parse(
      R"({"$schema":"https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",)"
      R"("name":"io.example/reference","description":"A sound server to test testers with.",)"
      R"("title":"Reference","websiteUrl":"https://example.com/reference"})");
  card.set("version", json::string(RPCSPEC_VERSION));
  Value remote = json::object({{"type", json::string("streamable-http")},
                               {"url", json::string("http://" + host + "/mcp")}});
  card.set("remotes", json::array({std::move(remote)}));
  edit(faults, "card", card);
  if (faults.has("card-description-long"))
    card.set("description", json::string(std::string(101, 'x')));
  std::string body = json::write(card);
  if (faults.has("card-is-a-list")) body = "[" + body + "]";
  const char* type = faults.has("card-as-json") ? "application/json" : kCardType;
  HttpReply reply{200, {{"Content-Type", type}, {"Access-Control-Allow-Origin", "*"}}, body};
  if (faults.has("card-for-one-origin")) reply.headers.pop_back();
  reply.headers.emplace_back("ETag", faults.has("card-tag-bare") ? "card-1" : kTag);
  reply.headers.emplace_back("Cache-Control", "max-age=3600");
  return reply;
}

HttpReply catalog(const HttpRequest& request, const Faults& faults) {
  const std::string host = request.header("Host").value_or("");
  Value entry = json::object({{"identifier", json::string("urn:air:example.com:mcp:reference")},
                              {"type", json::string(kCardType)},
                              {"url", json::string("http://" + host + "/mcp/server-card")}});
  Value catalog = json::object(
      {{"specVersion", json::string("1.0")}, {"entries", json::array({std::move(entry)})}});
  edit(faults, "catalog", catalog);
  return {200, {{"Content-Type", "application/ai-catalog+json"}}, json::write(catalog)};
}

}  // namespace

std::optional<HttpReply> server_card(const HttpRequest& request, const Faults& faults) {
  if (request.method != "GET") return std::nullopt;
  const std::string path = request.path();
  if (path == "/.well-known/ai-catalog.json") return catalog(request, faults);
  if (path == "/mcp" && faults.has("card-at-the-endpoint")) return card(request, faults);
  if (path != "/mcp/server-card") return std::nullopt;
  if (faults.has("card-for-members"))
    return HttpReply{401, {{"WWW-Authenticate", "Bearer realm=\"card\""}}, ""};
  const std::string accept = request.header("Accept").value_or("*/*");
  if (accept == kCardType && faults.has("card-refused-as-such")) return HttpReply{406, {}, ""};
  if (request.header("If-None-Match").value_or("") == kTag) {
    const bool fails = faults.has("card-condition-fails");
    return HttpReply{fails ? 500 : 304, {{"ETag", kTag}}, ""};
  }
  return card(request, faults);
}

}  // namespace harness::reference
