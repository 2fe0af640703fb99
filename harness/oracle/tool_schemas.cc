// SPDX-License-Identifier: Apache-2.0
// The schemas of the tools that the server lists: each is a JSON Schema of the dialect it names,
// and the marks in it that make HTTP headers of arguments (x-mcp-header, 2026-07-28) are where and
// what they may be. That a schema is there and an object is for the oracle `shapes`. Two catalogues
// speak of the marks; where both apply, the one about tools is cited.
#include "harness/oracle/tool_schemas.h"

#include <algorithm>
#include <set>

#include "harness/base/ascii.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/schema/schema_check.h"

namespace harness::oracle {
namespace {

using json::Value;
using schema::Dialect;
using schema::SchemaMistake;
using schema::SchemaPlace;

constexpr const char* kHeaderMark = "x-mcp-header";

// Names of arguments nobody wants in a header, without case, `_` and `-`.
constexpr std::string_view kSecretNames[] = {
    "password",  "passwd",       "passphrase",  "secret", "token", "apikey",     "accesstoken",
    "authtoken", "refreshtoken", "bearertoken", "ssn",    "email", "privatekey", "clientsecret"};
constexpr std::int64_t kSafe = 9007199254740991;  // 2^53 - 1

bool is_secret(const std::string& name) {
  std::string plain;
  for (const char c : ascii::lower(name))
    if (c != '_' && c != '-') plain += c;
  return std::find(std::begin(kSecretNames), std::end(kSecretNames), plain) !=
         std::end(kSecretNames);
}

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
  });
}

// A type that is no string, integer or boolean. Where none is named it may be each of them.
bool is_of_other_type(const Value& schema) {
  const Value* type = schema.find("type");
  if (type == nullptr) return false;
  const auto other = [](const Value& one) {
    return one.is_string() && (one.text == "number" || one.text == "object" || one.text == "array");
  };
  return other(*type) || std::any_of(type->items.begin(), type->items.end(), other);
}

// An integer whose limits lie beyond what a double tells apart.
bool is_wide(const Value& schema) {
  const Value* least = schema.find("minimum");
  const Value* most = schema.find("maximum");
  return is_text(schema.find("type"), "integer") &&
         ((least != nullptr && json::as_double(*least) < -static_cast<double>(kSafe)) ||
          (most != nullptr && json::as_double(*most) > static_cast<double>(kSafe)));
}

// References into the schema itself that lead nowhere. Where a part has a name of its own, pointers
// may count from there.
std::vector<SchemaMistake> dangling_in(const Value& schema) {
  std::vector<SchemaMistake> out;
  for (const SchemaPlace& place : schema::places_in(schema)) {
    if (place.schema.find("$id") || place.schema.find("id")) return {};
    const Value* to = place.schema.find("$ref");
    if (!to || !to->text.starts_with("#/") || to->text.find('%') != std::string::npos) continue;
    if (!json::at(schema, std::string_view(to->text).substr(1)))
      out.push_back({place.path + "/$ref", "a reference that leads somewhere"});
  }
  return out;
}

class ToolSchemaJudge {
 public:
  ToolSchemaJudge(const Evidence& evidence, Sink& sink)
      : evidence_(evidence), sink_(sink), requests_(sent_requests(evidence)) {}

  void judge() {
    const bool stateless = evidence_.profile.era == spec::Era::kStateless;
    // A server of both eras may treat a client that sent initialize as an old one.
    if (!evidence_.profile.mcp || (stateless && has_sent(evidence_, "initialize"))) return;
    for (const Item& item : evidence_.items) {
      if (item.sent || !is_reply(item) || item.member("result") == nullptr) continue;
      const Item* request = request_of(requests_, item);
      if (request == nullptr || method_of(*request) != "tools/list") continue;
      if (!is_proper(evidence_, *request)) continue;
      const Value* tools = item.member("result")->find("tools");
      if (tools == nullptr || !tools->is_array()) continue;
      frames_ = {item.seq, request->seq};
      for (const Value& tool : tools->items)
        if (tool.is_object()) judge_tool(tool);
    }
  }

 private:
  void judge_tool(const Value& tool) {
    const Value* name = tool.find("name");
    tool_ = name != nullptr ? shown(*name) : "a tool without a name";
    const Value* input = tool.find("inputSchema");
    if (input != nullptr && input->is_object()) {
      judge_schema("inputSchema", *input);
      if (from_revision(evidence_, "2026-07-28")) judge_marks(*input);
    }
    const Value* output = tool.find("outputSchema");
    if (output != nullptr && output->is_object() && from_revision(evidence_, "2025-11-25"))
      judge_schema("outputSchema", *output);
  }

  void judge_schema(const char* member, const Value& schema) {
    const Value* named = schema.find("$schema");
    std::vector<SchemaMistake> mistakes;
    if (named != nullptr) {
      const auto dialect = schema::dialect_named(named->text);
      if (dialect) mistakes = mistakes_in(schema, *dialect);
    } else {
      mistakes = mistakes_in(schema, Dialect::k2020);
      // No dialect was agreed on: what is sound in an older one is sound.
      if (!from_revision(evidence_, "2025-11-25") && mistakes_in(schema, Dialect::kDraft7).empty())
        return;
    }
    if (mistakes.empty()) mistakes = dangling_in(schema);
    if (mistakes.empty()) return;
    const SchemaMistake& first = mistakes.front();
    const Value* seen = json::at(schema, first.path);
    const bool input = member == std::string_view("inputSchema");
    report_best(evidence_, sink_,
                {input ? "mcp.tools.input-schema-valid" : "mcp.tools.output-schema-valid",
                 "mcp.jsonschema.published-schemas-valid", "mcp.tools.input-schema-valid-early"},
                {first.expected + " at /" + member + first.path + " of " + tool_,
                 seen != nullptr ? shown(*seen) : "nothing", frames_, first.path});
  }

  // ---- x-mcp-header

  void judge_marks(const Value& schema) {
    std::set<std::string> used;
    for (const SchemaPlace& place : schema::places_in(schema)) {
      const Value* mark = place.schema.find(kHeaderMark);
      if (mark == nullptr) continue;
      judge_text(place, *mark);
      if (mark->is_string() && !used.insert(ascii::lower(mark->text)).second)
        breach({"mcp.tools.x-mcp-header-unique", "mcp.http26.xmcp-unique"},
               "a different x-mcp-header for each argument", place, *mark);
      if (!place.properties_only || place.path.empty()) {
        breach({"mcp.tools.x-mcp-header-reachable", "mcp.http26.xmcp-static-path"},
               "an x-mcp-header only at a place that only `properties` lead to", place, *mark);
      } else if (is_of_other_type(place.schema)) {
        breach({"mcp.tools.x-mcp-header-primitive", "mcp.http26.xmcp-primitive-only"},
               "an x-mcp-header only for a string, an integer or a boolean", place,
               *place.schema.find("type"));
      }
      if (is_wide(place.schema))
        breach({"mcp.tools.x-mcp-header-integer-range", "mcp.http26.xmcp-safe-integer"},
               "limits within 2^53-1 beside an x-mcp-header", place, place.schema,
               Severity::kWarn);  // the values of calls count, and may be kept within
      if (is_secret(place.property))
        breach({"mcp.tools.x-mcp-header-no-secrets", "mcp.http26.xmcp-not-sensitive"},
               "no x-mcp-header for a secret", place, *mark);
    }
  }

  void judge_text(const SchemaPlace& place, const Value& mark) {
    if (mark.is_string() && mark.text.empty()) {
      breach({"mcp.tools.x-mcp-header-not-empty", "mcp.http26.xmcp-not-empty"},
             "an x-mcp-header that is not empty", place, mark);
    } else if (mark.is_string() && has_control(mark.text)) {
      breach({"mcp.tools.x-mcp-header-no-control", "mcp.http26.xmcp-token"},
             "an x-mcp-header without control characters", place, mark);
    } else if (!mark.is_string() || !ascii::is_token(mark.text)) {
      breach({"mcp.tools.x-mcp-header-token", "mcp.http26.xmcp-token"},
             "an x-mcp-header of token characters", place, mark);
    }
  }

  void breach(std::initializer_list<const char*> clauses, const std::string& expected,
              const SchemaPlace& place, const Value& seen, Severity at_most = Severity::kFail) {
    report_best(evidence_, sink_, clauses,
                {expected, shown(seen) + " at /inputSchema" + place.path + " of " + tool_, frames_,
                 place.path, at_most});
  }

  const Evidence& evidence_;
  Sink& sink_;
  const Requests& requests_;
  std::vector<std::uint64_t> frames_;
  std::string tool_;
};

}  // namespace

void judge_tool_schemas(const Evidence& evidence, Sink& sink) {
  ToolSchemaJudge(evidence, sink).judge();
}

}  // namespace harness::oracle
