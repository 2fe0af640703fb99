// SPDX-License-Identifier: Apache-2.0
// What may be wrong with a message, or only unusual, and what may then come back: a row each, to be
// held against the clause it names. L: lawful, T: tolerated with a warning, W: wrong.
#include <algorithm>
#include <array>

#include "harness/spec/model.h"

namespace harness::spec {
namespace {

constexpr Grade L = Grade::kLawful;
constexpr Grade T = Grade::kTolerated;
constexpr Grade W = Grade::kWrong;

constexpr Grade grade_of(char letter) { return letter == 'L' ? L : letter == 'T' ? T : W; }

// `grades` has a letter each for a result, silence and any other error: in plain JSON-RPC, then
// under MCP and the tutorial dialect.
constexpr ModelRule rule(const char* name, std::array<const char*, 4> clauses, const char* says,
                         std::array<int, 3> codes, std::array<int, 2> nearly,
                         const char (&grades)[8]) {
  const auto three = [&](int first) {
    return ModelRule::Grades{grade_of(grades[first]), grade_of(grades[first + 1]),
                             grade_of(grades[first + 2])};
  };
  return {name, clauses, says, codes, nearly, three(0), three(4)};
}

constexpr ModelRule kModelRules[] = {
    // --- the text
    rule("not-json", {"jsonrpc.error.parse-error-code"},
         "The text is not JSON; a parser may accept extensions, and MCP servers drop what they "
         "cannot read.",
         {-32700}, {}, "TWT TTT"),
    rule("blank-line", {"mcp.stdio.blank-line", "jsonrpc.error.parse-error-code"},
         "The line is blank, so there may be no message on it.", {-32700, -32600}, {}, "TLL TLL"),
    rule("byte-order-mark", {"json.open.bom"},
         "A byte order mark precedes the text; it may be skipped or refused.", {-32700}, {},
         "LWT LTT"),
    rule("strenuous", {"json.limit.text-size"},
         "Its size, depth or numbers exceed what every parser accepts.", {}, {}, "LLL LLL"),
    rule("duplicate-names", {"json.open.duplicate-names"},
         "A member name is repeated: the first or the last counts, or the message is refused.", {},
         {}, "LWL LTL"),
    rule("lone-surrogate", {"json.open.lone-surrogate-escape"},
         "An escape is half of a surrogate pair: it is echoed, replaced or refused.", {}, {},
         "LWL LTL"),
    // --- no message
    rule("primitive", {"jsonrpc.message.primitive-top-level"},
         "A bare string, number, boolean or null is an invalid request.", {-32600}, {}, "WWT WTT"),
    rule("empty-object", {"jsonrpc.message.empty-object"}, "An empty object is an invalid request.",
         {-32600}, {}, "WWT WTT"),
    rule("method-missing", {"jsonrpc.request.method-missing"},
         "It has an id but no method, result or error.", {-32600}, {}, "WWT WTT"),
    rule("no-message", {"jsonrpc.error.invalid-request-code"}, "It has no method, result or error.",
         {-32600}, {}, "WWT WTT"),
    rule("names-in-other-case", {"jsonrpc.request.member-names-case-sensitive"},
         "It would be a message if JSON were case-insensitive.", {-32600}, {}, "TLT TLT"),
    rule("method-not-string",
         {"jsonrpc.request.method-not-string", "tutorial.jsonrpc.method-string"},
         "The method is not a string.", {-32600}, {}, "WWT WTT"),
    rule("malformed-notification", {"jsonrpc.notification.malformed-envelope"},
         "It has no id and a mistake in its envelope, so it is not a valid notification: it is "
         "dropped or refused as an invalid request.",
         {-32600}, {}, "TLT TLT"),
    rule("stray-response",
         {"jsonrpc.message.unsolicited-response", "mcp.base.unexpected-response-ignored",
          "mcp.base.client-response-modern"},
         "It is a response, but there was no request.", {-32600}, {}, "WLT WLT"),
    rule("stray-response-to-client",
         {"jsonrpc.message.unsolicited-response", "mcp.base.unexpected-response-ignored"},
         "It is a response to a request that was never sent, and must be ignored.", {}, {},
         "WLT WLT"),
    rule("malformed-response",
         {"jsonrpc.message.unsolicited-response", "jsonrpc.error.invalid-request-code"},
         "It looks like a response but is not a valid one, so it is dropped or refused as an "
         "invalid request.",
         {-32600}, {}, "WLT WLT"),
    rule("hybrid", {"jsonrpc.message.hybrid-object"},
         "It has a method and a result or error, so it may be read as either.", {}, {}, "LLL LLL"),
    // --- the envelope of a request
    rule("version-missing",
         {"jsonrpc.request.version-missing", "mcp.base.jsonrpc-conformance",
          "tutorial.jsonrpc.version-missing-rejected"},
         "The jsonrpc member is missing; serving it anyway is a known leniency.", {-32600}, {},
         "TTT TTT"),
    rule("version-wrong-type",
         {"jsonrpc.request.version-wrong-type", "mcp.base.jsonrpc-conformance",
          "tutorial.jsonrpc.version-missing-rejected"},
         "The jsonrpc member is not a string; serving it anyway is a known leniency.", {-32600}, {},
         "TTT TTT"),
    rule("version-wrong-value",
         {"jsonrpc.request.version-wrong-value", "mcp.base.jsonrpc-conformance",
          "tutorial.jsonrpc.version-missing-rejected"},
         "The jsonrpc member is a string other than 2.0; serving it anyway is a known leniency.",
         {-32600}, {}, "TTT TTT"),
    rule("member-unknown", {"jsonrpc.request.extra-envelope-members"},
         "The envelope has an undefined member: it is ignored or refused.", {-32600}, {},
         "LWT LTT"),
    // --- the id
    rule("id-type", {"jsonrpc.id.invalid-type", "mcp.base.request-id.not-string-or-integer"},
         "The id is a boolean, an object or an array.", {-32600}, {}, "WWT WTT"),
    rule("id-null", {"jsonrpc.id.null-request"},
         "A null id is an id, although JSON-RPC 1.0 used it for notifications.", {}, {}, "LTL LTL"),
    rule("id-null-to-mcp", {"mcp.base.request-id.null"}, "MCP forbids null ids.", {-32600}, {},
         "TLT TLT"),
    rule("id-null-to-stateless", {"mcp.base.request-id.null"}, "MCP forbids null ids.", {-32600},
         {}, "TTT TTT"),
    rule("id-null-to-tutorial", {"tutorial.jsonrpc.id-null"},
         "The tutorials contradict each other on null ids.", {-32600}, {}, "LLT LLT"),
    rule("id-fraction", {"jsonrpc.id.fractional"},
         "The id is a fraction, which JSON-RPC advises against.", {-32600}, {}, "LWL LTL"),
    rule("id-fraction-to-mcp", {"mcp.base.request-id.not-string-or-integer"},
         "The id is a fraction, which is not an id in MCP.", {-32600}, {}, "TTT TTT"),
    rule("id-spelling", {"jsonrpc.id.number-lexical-form"},
         "The id is a whole number in an unusual spelling.", {-32600}, {}, "LWL LLL"),
    rule("id-minus-zero", {"json.open.minus-zero"},
         "The id is -0: it comes back as zero or is refused.", {}, {}, "LWL LTL"),
    rule("id-huge", {"jsonrpc.id.beyond-safe-integer"},
         "The id is a number beyond the safe integers of a double: it comes back unchanged or is "
         "refused, but it is JSON.",
         {}, {-32700}, "LWL LTL"),
    rule("id-long", {"jsonrpc.id.long-string-echo"},
         "The id is a very long string: it comes back in full or is refused.", {}, {}, "LWL LTL"),
    // --- the method
    rule("method-empty", {"jsonrpc.request.method-empty-string"}, "No method has an empty name.",
         {-32601, -32600}, {}, "WWT WTT"),
    rule("method-unknown",
         {"jsonrpc.error.method-not-found-code", "mcp.base.unknown-method",
          "mcp.base.unknown-method-modern", "lsp.requests.unknown-method"},
         "No server has this method.", {-32601}, {}, "WWW WWW"),
    rule("method-hostile", {"jsonrpc.request.hostile-method-names", "lsp.requests.unknown-method"},
         "Only an accident of the implementation would find a method of this name.", {-32601},
         {-32600}, "WWW WWW"),
    rule("method-long", {"jsonrpc.request.hostile-method-names"},
         "The method has a very long name.", {-32601, -32600}, {}, "WWW WWW"),
    rule("method-reserved",
         {"jsonrpc.request.reserved-rpc-prefix", "tutorial.jsonrpc.internal-methods-reserved"},
         "Names that begin with rpc. are reserved for extensions of JSON-RPC.", {-32601}, {},
         "TWT TWT"),
    rule("method-in-other-case", {"jsonrpc.request.method-case-sensitive"},
         "It is the name of a method in other letter case.", {-32601}, {}, "TWW TWW"),
    rule("notification-with-id", {"mcp.base.request-as-notification-name"},
         "The name is that of a notification, but there is an id.", {-32601, -32600}, {},
         "TTT TTT"),
    // --- params
    rule("params-primitive",
         {"jsonrpc.request.params-primitive", "tutorial.jsonrpc.params-object-or-array"},
         "Params are neither an object nor an array.", {-32600, -32602}, {}, "TWT TTT"),
    rule("params-null", {"jsonrpc.request.params-null"},
         "Null params are refused or treated as omitted.", {-32600, -32602}, {}, "LWT LTT"),
    rule("params-array", {"mcp.base.params-object-only"}, "MCP params must be an object.",
         {-32600, -32602}, {}, "LLL TTW"),
    rule("params-by-position", {"tutorial.jsonrpc.params-object-or-array"},
         "An array of params is allowed, but no method accepts one.", {}, {}, "LLL LWL"),
    rule("meta-type", {"mcp.meta.wrong-type-in-request"}, "_meta is not an object.",
         {-32602, -32600}, {}, "LLL TTT"),
    rule("progress-token-type", {"jsonrpc.request.reply-exactly-one"},
         "A reply: a progressToken that is neither a string nor an integer is refused or ignored.",
         {}, {}, "LLL LTL"),
    rule("method-optional", {"jsonrpc.error.method-not-found-code"},
         "Not every server has the method, and a server may check the method before its params.",
         {-32601}, {}, "LWW LWW"),
    rule("meta-required", {"mcp.meta.required-meta-missing"},
         "It lacks the _meta of this revision, or has it in another shape, so a server that also "
         "speaks older revisions may treat it as a request of one of those.",
         {}, {}, "LLL LLL"),
    // --- the session
    rule("before-handshake", {"mcp.lifecycle.initialize-first"},
         "Before the handshake nothing says how a request is refused, or whether it is.", {}, {},
         "LLL LLL"),
    // --- arrays
    rule("batch-empty",
         {"jsonrpc.batch.empty-array", "mcp.base.batch.empty", "mcp.base.batch.removed"},
         "An empty array is one invalid request.", {-32600}, {}, "WWT WTT"),
    rule("nested-array", {"jsonrpc.batch.nested-array"},
         "An array inside an array is not a request.", {-32600}, {}, "WWT WTT"),
    rule("batch-removed", {"mcp.base.batch.removed"},
         "This revision has no batches: an array is not a message.", {-32600}, {}, "TTT TTT"),
    rule("batch-undefined", {"mcp.base.batch.2024-11-05-undefined"},
         "This revision does not mention batches.", {}, {}, "LTL LTL"),
    rule("batch-of-requests",
         {"jsonrpc.batch.response-per-request", "mcp.base.batch.receive",
          "tutorial.jsonrpc.batch-accepted"},
         "Each request of an array has its response in one array.", {}, {}, "WLW WLW"),
    rule("batch-to-tutorial", {"tutorial.jsonrpc.batch-accepted"},
         "An array of requests should be answered with an array of responses.", {}, {}, "TLT TLT"),
    rule("batch-with-invalid", {"jsonrpc.batch.failure-isolated", "mcp.base.batch.receive"},
         "Each element is answered separately, whether or not the others are requests.", {}, {},
         "WLT WLT"),
    rule("batch-of-notifications", {"jsonrpc.batch.all-notifications"},
         "An array of notifications gets no reply.", {}, {}, "WLW WLT"),
};

}  // namespace

std::span<const ModelRule> model_rules() { return kModelRules; }

bool can_be_broken(const ModelRule& rule) {
  const auto any = [](const ModelRule::Grades& grades) {
    return grades.result != L || grades.silence != L || grades.error != L;
  };
  return any(rule.plain) || any(rule.layered);
}

const ModelRule* find_model_rule(std::string_view name) {
  const auto row = std::find_if(std::begin(kModelRules), std::end(kModelRules),
                                [&](const ModelRule& o) { return o.name == name; });
  return row == std::end(kModelRules) ? nullptr : row;
}

}  // namespace harness::spec
