// SPDX-License-Identifier: Apache-2.0
// The table of profiles, and which requirements count under each of them and how much. Everything
// that differs between editions and is not a requirement's own `revisions` list stands here.
#include "harness/spec/profile.h"

#include <algorithm>

#include "harness/spec/protocol.h"

namespace harness::spec {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

Profile mcp(std::string revision, Era era, std::string title) {
  Profile profile;
  profile.name = "mcp-" + revision;
  profile.era = era;
  profile.mcp = true;
  profile.editions = {revision, "jsonrpc-2.0", "rfc8259", "rfc6455"};
  profile.title = std::move(title);
  profile.revision = std::move(revision);
  return profile;
}

std::vector<Profile> make_profiles() {
  std::vector<Profile> out;
  Profile plain;
  plain.name = "jsonrpc-2.0";
  plain.editions = {"jsonrpc-2.0", "rfc8259", "rfc6455"};
  plain.title = "any JSON-RPC 2.0 server; no handshake, batches required";
  out.push_back(plain);
  out.push_back(
      mcp("2024-11-05", Era::kHandshake, "MCP, first revision; does not mention batches"));
  out.push_back(mcp("2025-03-26", Era::kHandshake, "MCP with Streamable HTTP and batches"));
  out.push_back(mcp("2025-06-18", Era::kHandshake, "MCP with elicitation; batches removed"));
  out.push_back(mcp("2025-11-25", Era::kHandshake, "MCP with experimental tasks"));
  out.push_back(
      mcp("2026-07-28", Era::kStateless, "MCP without handshake: each request carries its _meta"));
  Profile tutorial;
  tutorial.name = "mcp-tutorial";
  tutorial.revision = "2024-11-05";
  tutorial.era = Era::kHandshake;
  tutorial.tutorial = true;
  tutorial.editions = {"tutorial", "jsonrpc-2.0", "rfc8259", "rfc6455"};
  tutorial.title = "the dialect of tutorials, with the codes -32000 … -32005";
  out.push_back(tutorial);
  Profile lsp;
  lsp.name = "lsp";
  lsp.revision = "3.17";
  lsp.era = Era::kHandshake;
  lsp.lsp = true;
  lsp.editions = {"lsp-3.17", "lsp-3.18", "jsonrpc-2.0", "rfc8259"};
  lsp.title = "any language server: base protocol and life cycle of LSP 3.17";
  out.push_back(lsp);
  Profile acp;
  acp.name = "acp-1";
  acp.revision = "1";
  acp.era = Era::kHandshake;
  acp.acp = true;
  acp.editions = {"acp-1", "jsonrpc-2.0", "rfc8259"};
  acp.title = "any agent of the Agent Client Protocol, version 1";
  out.push_back(acp);
  return out;
}

// Clauses of JSON-RPC that the layer above it takes back. `prefix` matches whole ids or, when it
// ends in a dot, a family; the profile must be within the revisions (ISO dates compare as text).
struct Override {
  const char* prefix;
  const char* from;  // first MCP revision under which the clause does not count
  bool tutorial;     // nor under the tutorial dialect
  const char* reason;
};
constexpr Override kOverrides[] = {
    {"jsonrpc.id.null-request", "2024-11-05", true,
     "MCP forbids null ids; the tutorials contradict each other on them"},
    {"jsonrpc.response.id-member-present", "2024-11-05", false,
     "error replies without a readable id: schemas that require one, null, or none have all been "
     "published, so its absence is not a breach"},
    {"jsonrpc.id.fractional", "2024-11-05", false,
     "an MCP id is a string or an integer; mcp.base.request-id.* says what a fraction gets"},
    {"jsonrpc.batch.", "2025-06-18", false,
     "this revision removed batches, without a duty to refuse them"},
};

// Clauses in whose place LSP, or its catalogue, has others. Prefixes as above.
constexpr const char* kOverridesOfLsp[] = {
    // no batches, and an array is content like any other
    "jsonrpc.batch.",
    "jsonrpc.response.single-object",
    // an id is a string or an integer of 32 bits
    "jsonrpc.id.null-request",
    "jsonrpc.id.fractional",
    "jsonrpc.id.number-lexical-form",
    "jsonrpc.id.beyond-safe-integer",
    "jsonrpc.id.safe-integer-edge",
    "jsonrpc.id.invalid-type",
    "json.limit.integer-precision",
    "json.output.safe-integers",
    // content that is no message may be dropped
    "jsonrpc.error.parse-error-code",
    "jsonrpc.error.invalid-request-code",
    "jsonrpc.id.null-on-parse-error",
    "jsonrpc.id.null-on-unreadable-invalid-request",
    "jsonrpc.id.readable-id-in-invalid-request",
    "jsonrpc.response.id-member-present",
    "jsonrpc.request.version-missing",
    "jsonrpc.request.version-wrong-value",
    "jsonrpc.request.version-wrong-type",
    "jsonrpc.request.method-missing",
    "jsonrpc.request.method-not-string",
    "jsonrpc.request.method-empty-string",
    "jsonrpc.request.member-names-case-sensitive",
    "jsonrpc.request.params-primitive",
    "jsonrpc.request.params-null",
    "jsonrpc.notification.malformed-envelope",
    "jsonrpc.message.",
    "jsonrpc.robust.survives-parse-error",
    "jsonrpc.robust.survives-invalid-request",
    "json.invalid.",
    "json.open.",
    // params are objects, and equal ids the client's fault
    "jsonrpc.request.params-by-position",
    "jsonrpc.request.duplicate-inflight-id",
    "jsonrpc.request.reserved-rpc-prefix",
};

// Likewise of ACP, whose messages are single ones and whose params are objects. Its schema has null
// among the ids, and whole numbers alone.
constexpr const char* kOverridesOfAcp[] = {"jsonrpc.batch.", "jsonrpc.response.single-object",
                                           "jsonrpc.id.fractional",
                                           "jsonrpc.request.params-by-position"};

bool matches(const Requirement& requirement, std::string_view prefix) {
  return prefix.back() == '.' ? begins_with(requirement.id, prefix) : requirement.id == prefix;
}

bool overridden(const Requirement& requirement, const Profile& profile) {
  const auto is_among = [&](const auto& prefixes) {
    return std::any_of(std::begin(prefixes), std::end(prefixes),
                       [&](const char* prefix) { return matches(requirement, prefix); });
  };
  if (profile.lsp) return is_among(kOverridesOfLsp);
  if (profile.acp) return is_among(kOverridesOfAcp);
  for (const auto& row : kOverrides) {
    if (!matches(requirement, row.prefix)) continue;
    if (profile.mcp && profile.revision >= row.from) return true;
    if (profile.tutorial && row.tutorial) return true;
  }
  return false;
}

bool is_revision(std::string_view text) {
  const auto& all = profiles();
  return std::any_of(all.begin(), all.end(),
                     [&](const Profile& p) { return p.mcp && p.revision == text; });
}

constexpr std::string_view kFrom = "mcp>=";
constexpr std::string_view kUpTo = "mcp<=";

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> kProfiles = make_profiles();
  return kProfiles;
}

const std::vector<Profile>& judged_profiles() {
  static const std::vector<Profile> kJudged = [] {
    std::vector<Profile> out = profiles();
    Profile own = out.front();
    own.editions.insert(own.editions.end(), std::begin(kContractEditions),
                        std::end(kContractEditions));
    out.push_back(own);
    return out;
  }();
  return kJudged;
}

const Protocol& Profile::protocol() const {
  return contract != nullptr ? *contract : spec::protocol();
}

const Profile* find_profile(std::string_view name) {
  for (const auto& profile : profiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

const std::vector<std::string>& profile_groups() {
  static const std::vector<std::string> kGroups = {"all", "mcp", "mcp-handshake", "mcp-stateless"};
  return kGroups;
}

bool is_profile_selector(std::string_view selector) {
  if (find_profile(selector) != nullptr || contains(profile_groups(), selector)) return true;
  return (begins_with(selector, kFrom) || begins_with(selector, kUpTo)) &&
         is_revision(selector.substr(kFrom.size()));
}

bool Profile::is(std::string_view selector) const {
  if (selector == name || selector == "all") return true;
  if (!mcp) return false;
  if (selector == "mcp") return true;
  if (selector == "mcp-handshake") return era == Era::kHandshake;
  if (selector == "mcp-stateless") return era == Era::kStateless;
  if (begins_with(selector, kFrom)) return revision >= selector.substr(kFrom.size());
  if (begins_with(selector, kUpTo)) return revision <= selector.substr(kUpTo.size());
  return false;
}

bool applies(const Requirement& requirement, const Profile& profile,
             wire::TransportKind transport) {
  if (!requirement.transports.has(transport)) return false;
  const bool edition =
      std::any_of(profile.editions.begin(), profile.editions.end(),
                  [&](const std::string& mark) { return contains(requirement.revisions, mark); });
  return edition && !overridden(requirement, profile);
}

namespace {

// That what is sent is JSON at all: a layer that says it of its messages says it of their text.
bool is_of_text(const std::string& id) {
  return id == "json.output.grammar" || id == "json.output.utf8" || id == "json.output.no-bom" ||
         id == "json.output.no-nan" || id == "json.output.control-chars-escaped";
}

}  // namespace

Level level_in(const Requirement& requirement, const Profile& profile) {
  if (!profile.layered()) return requirement.level;
  const bool lower_layer =
      (begins_with(requirement.id, "jsonrpc.") || begins_with(requirement.id, "json.") ||
       begins_with(requirement.id, "ws.")) &&
      !is_of_text(requirement.id);
  // The catalogues of LSP and ACP have the level of what is derived already.
  const bool derived = !begins_with(requirement.id, "lsp.") &&
                       !begins_with(requirement.id, "acp.") &&
                       requirement.source.find("(derived)") != std::string::npos;
  if (!lower_layer && !derived) return requirement.level;
  if (requirement.level == Level::kMust) return Level::kShould;
  if (requirement.level == Level::kMustNot) return Level::kShouldNot;
  return requirement.level;
}

const Requirement* strongest(std::span<const char* const> clauses, const Registry& registry,
                             const Profile& profile, wire::TransportKind transport) {
  const Requirement* best = nullptr;
  int most = 0;
  for (const char* id : clauses) {
    const Requirement* requirement = id == nullptr ? nullptr : registry.find(id);
    if (requirement == nullptr || !applies(*requirement, profile, transport)) continue;
    const Level level = level_in(*requirement, profile);
    const bool borrowed = profile.layered() && begins_with(requirement->id, "json");
    const int weight = (is_must(level) ? 4 : is_may(level) ? 0 : 2) + (borrowed ? 0 : 1);
    if (best != nullptr && weight <= most) continue;
    best = requirement;
    most = weight;
  }
  return best;
}

Canary canary_of(const Profile& profile) {
  if (profile.lsp) return {"rpcspec/noSuchMethod", json::object(), true};
  // The name of an extension, to which an agent has to respond.
  if (profile.acp) return {"_rpcspec/no_such_method", json::object(), true};
  switch (profile.era) {
    case Era::kHandshake: return {"ping", json::null(), false};
    case Era::kStateless:
      return {"server/discover", json::object({{"_meta", required_meta(profile)}}), false};
    case Era::kPlain: break;
  }
  return {"rpcspec.no_such_method", json::array(), true};
}

json::Value required_meta(const Profile& profile) {
  if (profile.era != Era::kStateless) return json::object();
  return json::object({{"io.modelcontextprotocol/protocolVersion", json::string(profile.revision)},
                       {"io.modelcontextprotocol/clientInfo",
                        json::object({{"name", json::string("rpcspec")},
                                      {"version", json::string(RPCSPEC_VERSION)}})},
                       {"io.modelcontextprotocol/clientCapabilities", json::object()}});
}

const char* initialized_method(const Profile& profile) {
  if (profile.acp) return "";
  return profile.lsp ? "initialized" : "notifications/initialized";
}

bool opens_session(const Profile& profile, const json::Value& result) {
  if (!result.is_object()) return false;
  const json::Value* version = result.find("protocolVersion");
  if (profile.acp) return version != nullptr && json::is_integer(*version);
  if (!profile.lsp) return version != nullptr && version->is_string();
  const json::Value* capabilities = result.find("capabilities");
  return version == nullptr && capabilities != nullptr && capabilities->is_object();
}

const json::Value* declared_in(const json::Value& opening) {
  if (!opening.is_object()) return nullptr;
  for (const char* name : {"capabilities", "agentCapabilities", "clientCapabilities"})
    if (const json::Value* found = opening.find(name)) return found;
  return nullptr;
}

const char* canary_requirement(const Profile& profile) {
  // No clause of the tutorials promises ping, so its dead canary breaks the layer below.
  if (profile.tutorial) return "jsonrpc.request.reply-exactly-one";
  if (profile.lsp) return "lsp.requests.answered-once";
  if (profile.acp) return "acp.extensions.request-answered";
  switch (profile.era) {
    case Era::kHandshake: return "mcp.ping.result";
    case Era::kStateless: return "mcp.versioning.discover-implemented";
    case Era::kPlain: break;
  }
  return "jsonrpc.request.reply-exactly-one";
}

}  // namespace harness::spec
