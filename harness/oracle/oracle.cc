// SPDX-License-Identifier: Apache-2.0
// The table of oracles, and how a breach gets its severity: the level of the clause under the
// profile, with bounds where the catalogue gives a milder or a harsher one.
#include "harness/oracle/oracle.h"

#include <algorithm>
#include <utility>

#include "harness/oracle/families.h"
#include "harness/oracle/tool_schemas.h"

namespace harness::oracle {
namespace {

Severity severity_of(spec::Level level) {
  if (spec::is_must(level)) return Severity::kFail;
  return spec::is_may(level) ? Severity::kInfo : Severity::kWarn;
}

std::vector<Oracle> make_oracles() {
  return {
      {"replies",
       "each request answered once, under its own id, and nothing else answered",
       {"jsonrpc.request.reply-exactly-one", "jsonrpc.id.never-invented",
        "jsonrpc.id.type-preserved", "jsonrpc.id.string-echo", "jsonrpc.id.long-string-echo",
        "jsonrpc.id.fractional", "jsonrpc.id.beyond-safe-integer", "jsonrpc.id.echo-on-error",
        "jsonrpc.notification.no-reply", "jsonrpc.batch.nothing-after-array",
        "mcp.base.response-same-id", "mcp.base.error-readable-id-required",
        "mcp.base.notification-no-response", "mcp.base.request-id.not-string-or-integer",
        "mcp.base.jsonrpc-conformance", "tutorial.jsonrpc.concurrent-requests",
        "tutorial.jsonrpc.response-id-matches", "tutorial.jsonrpc.id-string-or-number",
        "tutorial.jsonrpc.notification-no-response"},
       judge_replies,
       {"reply-twice", "reply-id-invented", "id-number-as-string", "id-string-as-number",
        "id-string-uppercased", "id-long-string-cut", "id-fraction-truncated", "id-big-rounded",
        "error-id-null-always", "notification-answered", "batch-reply-repeated-alone"}},
      {"batches",
       "arrays only where the revision has them and only in answer to an array",
       {"jsonrpc.response.single-object", "jsonrpc.batch.empty-array",
        "jsonrpc.batch.all-notifications", "jsonrpc.batch.no-response-for-notification",
        "mcp.base.batch.not-sent", "mcp.base.batch.empty", "tutorial.jsonrpc.message-is-object",
        "tutorial.jsonrpc.batch-notifications-unanswered"},
       judge_batches,
       {"reply-in-array", "batch-empty-reply", "batch-notification-answered"}},
      {"envelope",
       "version, id, result or error, and the shape of errors in every message",
       {"jsonrpc.response.version-member",
        "jsonrpc.response.id-member-present",
        "jsonrpc.response.result-or-error",
        "jsonrpc.response.not-both",
        "jsonrpc.response.no-null-error-on-success",
        "jsonrpc.response.no-null-result-on-error",
        "jsonrpc.response.extra-members-tolerated",
        "jsonrpc.id.invalid-type",
        "jsonrpc.error.is-object",
        "jsonrpc.error.code-integer",
        "jsonrpc.error.message-string",
        "jsonrpc.error.message-concise",
        "mcp.base.jsonrpc-conformance",
        "mcp.base.response-same-id",
        "mcp.base.result-or-error",
        "mcp.base.error-code-and-message",
        "mcp.base.error-message-concise",
        "mcp.stdio.stdout-only-messages",
        "tutorial.jsonrpc.version-member",
        "tutorial.jsonrpc.message-is-object",
        "tutorial.jsonrpc.response-result-xor-error",
        "tutorial.jsonrpc.response-id-matches",
        "tutorial.jsonrpc.response-id-null-if-unreadable",
        "tutorial.jsonrpc.error-object",
        "tutorial.jsonrpc.error-message-concise"},
       judge_envelope,
       {"version-member-missing", "reply-id-missing", "reply-without-outcome", "result-and-error",
        "error-null-beside-result", "result-null-beside-error", "reply-with-method",
        "id-invalid-echoed", "error-as-string", "error-code-string", "error-message-missing",
        "error-message-long", "json-log-on-stdout"}},
      {"model",
       "each message gets one of the replies it may get: result, error code, or silence",
       model_clauses(),
       judge_model,
       {"unknown-method-empty-result", "unknown-method-code-32603", "parse-error-code-32603",
        "parse-error-id-guessed", "invalid-request-code-32603",
        "malformed-notification-answered-ok", "method-type-unchecked", "batch-of-one-unwrapped",
        "batch-answered-one-by-one"}},
      {"shapes",
       "what the server says has the shape of its method, notification or error in the revision",
       shape_clauses(),
       judge_shapes,
       {"result-not-object",
        "result-type-missing",
        "result-type-unknown",
        "input-required-for-list",
        "next-cursor-null",
        "tool-description-null",
        "icons-object",
        "icon-without-src",
        "icon-mime-type-number",
        "icon-sizes-text",
        "icon-theme-other",
        "icon-src-javascript",
        "icon-data-plain",
        "server-request-unknown-method",
        "server-request-later-revision",
        "notification-array-params",
        "notification-of-other-revision",
        "resource-updated-without-uri",
        "log-unknown-level",
        "log-without-data",
        "log-logger-number",
        "progress-as-string",
        "progress-message-empty",
        "cancel-request-id-object",
        "cancel-reason-number",
        "meta-server-info-shape"},
       unproved_shape_clauses()},
      {"tool-schemas",
       "the schemas of listed tools are JSON Schemas, and what they mirror in headers may be",
       {"mcp.tools.input-schema-valid", "mcp.tools.input-schema-valid-early",
        "mcp.tools.output-schema-valid", "mcp.jsonschema.published-schemas-valid",
        "mcp.tools.x-mcp-header-not-empty", "mcp.tools.x-mcp-header-token",
        "mcp.tools.x-mcp-header-no-control", "mcp.tools.x-mcp-header-unique",
        "mcp.tools.x-mcp-header-primitive", "mcp.tools.x-mcp-header-reachable",
        "mcp.tools.x-mcp-header-integer-range", "mcp.tools.x-mcp-header-no-secrets",
        "mcp.http26.xmcp-not-empty", "mcp.http26.xmcp-token", "mcp.http26.xmcp-primitive-only",
        "mcp.http26.xmcp-static-path", "mcp.http26.xmcp-safe-integer",
        "mcp.http26.xmcp-not-sensitive", "mcp.http26.xmcp-unique"},
       judge_tool_schemas,
       {"input-schema-required-flag", "input-schema-items-list", "output-schema-type-unknown",
        "xmcp-empty", "xmcp-no-token", "xmcp-line-break", "xmcp-repeated",
        "xmcp-repeated-in-capitals", "xmcp-on-number", "xmcp-in-items", "xmcp-below-choice",
        "xmcp-deep-and-empty", "xmcp-wide-integer", "xmcp-on-password"}},
      {"error-codes",
       "no reserved, retired or impossible error codes",
       {"jsonrpc.error.reserved-range", "mcp.errors.own-codes-outside-reserved",
        "mcp.errors.retired-32002", "mcp.errors.retired-32042", "mcp.errors.defined-meaning",
        "mcp.errors.reserved-band", "mcp.errors.legacy-band-avoid",
        "tutorial.jsonrpc.reserved-code-range"},
       judge_error_codes,
       {"error-code-reserved", "error-code-legacy-band", "error-code-mcp-band",
        "error-code-retired-32002", "error-code-retired-32042", "error-code-header-on-stdio",
        "error-code-version-misused"}},
      {"json-output",
       "what the server writes is sound JSON in UTF-8",
       {"json.output.grammar", "json.output.utf8", "json.output.no-bom", "json.output.no-nan",
        "json.output.control-chars-escaped", "json.output.unique-names",
        "json.output.no-lone-surrogates", "json.output.safe-integers", "mcp.base.utf8",
        "mcp.base.jsonrpc-conformance", "tutorial.stdio.line-delimited", "tutorial.stdio.utf8",
        "tutorial.websocket.one-message-per-frame"},
       judge_json_output,
       {"output-trailing-comma", "output-invalid-utf8", "output-bom", "output-nan",
        "output-raw-control", "output-duplicate-member", "output-lone-surrogate",
        "output-unsafe-integer"}},
      {"stdout",
       "one message a line, or behind a header, and nothing else on stdout or a socket",
       {"mcp.stdio.stdout-only-messages", "mcp.stdio.no-startup-output",
        "mcp.stdio.no-embedded-newlines", "mcp.stdio.newline-delimited",
        "tutorial.stdio.line-delimited", "json.output.grammar"},
       judge_stdout,
       {"stdout-banner", "stdout-log-line", "stdout-content-length", "stdout-escape-codes",
        "stdout-pretty-printed", "stdout-two-on-a-line", "stdout-blank-lines", "stdout-crlf",
        "stdout-last-line-unterminated", "content-length-in-characters", "content-length-banner"}},
      {"meta",
       "_meta is an object with lawful keys and values",
       {"mcp.meta.is-object", "mcp.shape.meta-is-object", "mcp.shape.notification-meta-is-object",
        "mcp.shape.item-meta-is-object", "mcp.meta.key-prefix-format", "mcp.meta.key-name-format",
        "mcp.meta.reserved-prefix-any-label", "mcp.meta.reserved-prefix-second-label",
        "mcp.meta.server-info-in-result", "mcp.result.server-info-meta",
        "mcp.discover.server-info-in-meta", "mcp.meta.trace-context-format"},
       judge_meta,
       {"meta-not-object", "notification-meta-list", "meta-item-not-object", "meta-key-bad-prefix",
        "meta-key-bad-name", "meta-key-reserved", "meta-server-info-missing",
        "meta-traceparent-malformed"}},
      {"server-requests",
       "requests of the server: own ids and tokens, declared capabilities",
       {"mcp.base.server-request-id",
        "mcp.base.server-request-id-unique",
        "mcp.lifecycle.only-negotiated-capabilities",
        "mcp.lifecycle.only-negotiated-capabilities-strict",
        "mcp.capabilities.only-negotiated-used",
        "mcp.capabilities.only-negotiated-used-should",
        "mcp.lifecycle.no-server-requests-before-initialized",
        "mcp.elicitation.empty-capability-is-form-only",
        "mcp.sampling.needs-capability",
        "mcp.sampling.needs-capability-early",
        "mcp.roots.needs-capability",
        "mcp.roots.needs-capability-early",
        "mcp.elicitation.needs-capability",
        "mcp.sampling.tools-need-capability",
        "mcp.sampling.include-context-needs-capability",
        "mcp.sampling.tool-use-balanced",
        "mcp.sampling.tool-result-only-message",
        "mcp.sampling.tool-result-id-known",
        "mcp.progress.server-token-valid",
        "mcp.stateless.no-server-requests",
        "mcp.requester.no-requests-at-all",
        "tutorial.jsonrpc.id-unique"},
       judge_server_requests,
       {"server-request-id-null", "server-request-id-repeated", "server-request-undeclared",
        "server-request-too-early", "server-elicits-url-undeclared", "server-request-token-object",
        "server-request-token-repeated", "server-request-stateless"}},
      {"server-notifications",
       "notifications of the server: no id, declared or asked for",
       {"mcp.base.server-notification-no-id", "mcp.cancel.server-sent-own-requests-only",
        "mcp.lifecycle.only-own-capabilities", "mcp.lifecycle.only-own-capabilities-strict",
        "mcp.capabilities.logging-declared", "mcp.tools.list-changed-needs-declaration",
        "mcp.prompts.list-changed-needs-declaration",
        "mcp.resources.list-changed-needs-declaration", "mcp.logging.no-message-without-log-level",
        "mcp.meta.log-level-absent", "mcp.tools.list-changed-needs-listen",
        "mcp.prompts.list-changed-needs-listen", "mcp.resources.list-changed-needs-listen",
        "mcp.cancel.server-sent-listen-only", "tutorial.jsonrpc.server-notification-no-id"},
       judge_server_notifications,
       {"notification-with-id", "cancels-request-of-client", "list-changed-undeclared",
        "log-undeclared", "log-without-log-level", "list-changed-without-listen",
        "cancels-ordinary-request"}},
      {"progress",
       "progress with our token in its type, growing, and over with the response",
       {"mcp.progress.only-with-token", "mcp.progress.token-type-preserved",
        "mcp.progress.increasing", "mcp.progress.stops-after-completion",
        "mcp.progress.only-while-running", "tutorial.progress.increasing",
        "tutorial.progress.before-result"},
       judge_progress,
       {"progress-without-token", "progress-token-as-string", "progress-falls",
        "progress-after-reply", "tool-progress-falls", "tool-progress-after-result"}},
      {"http",
       "HTTP bodies and events hold one JSON-RPC message",
       {"json.output.grammar", "json.output.utf8", "json.output.no-bom", "json.output.no-nan",
        "json.output.control-chars-escaped", "mcp.base.utf8", "mcp.base.jsonrpc-conformance",
        "mcp.http.json-one-object", "mcp.http.sse-event-data-is-message",
        "tutorial.stdio.line-delimited", "tutorial.stdio.utf8"},
       judge_http,
       {"http-body-not-json", "sse-data-not-message"}},
      {"sse",
       "HTTP+SSE: the endpoint event, message events, and no response in a POST's body",
       {"json.output.grammar", "json.output.utf8", "json.output.no-bom", "json.output.no-nan",
        "json.output.control-chars-escaped", "mcp.base.utf8", "mcp.base.jsonrpc-conformance",
        "tutorial.stdio.line-delimited", "tutorial.stdio.utf8", "mcp.sse.content-type",
        "mcp.sse.endpoint-event", "mcp.sse.endpoint-same-origin", "mcp.sse.message-events",
        "mcp.sse.response-on-stream"},
       judge_sse,
       {"sse-type-text-plain", "sse-endpoint-as-json", "sse-endpoint-late",
        "sse-endpoint-other-host", "sse-messages-of-other-type", "sse-text-on-stream",
        "sse-reply-in-body-too"}},
      {"websocket",
       "messages over WebSocket are text and not masked",
       {"ws.frame.server-unmasked", "ws.message.json-text",
        "tutorial.websocket.one-message-per-frame"},
       judge_websocket,
       {"ws-replies-binary", "ws-replies-masked", "ws-two-in-a-message"}},
      {"credentials",
       "the credentials of the client do not come back in anything the server says",
       {"mcp.auth.oauth-security-practice", "tutorial.auth.no-credential-echo"},
       judge_credentials,
       {"auth-echoes-token"}},
      {"process",
       "no crash, no exit at a bad line or with a request unanswered",
       {"jsonrpc.request.reply-exactly-one", "jsonrpc.robust.survives-parse-error",
        "jsonrpc.robust.survives-invalid-request", "mcp.stdio.invalid-line-survival",
        "mcp.ping.result", "mcp.versioning.discover-implemented"},
       judge_process,
       {"exits-on-parse-error", "exits-on-invalid-request", "exits-instead-of-reply",
        "crashes-on-request"}},
      {"connection",
       "no connection is closed with a request unanswered, after messages beyond objection",
       {"jsonrpc.request.reply-exactly-one", "mcp.ping.result",
        "mcp.versioning.discover-implemented"},
       judge_connection,
       {"exits-instead-of-reply", "crashes-on-request"}},
  };
}

}  // namespace

const std::vector<Oracle>& oracles() {
  static const std::vector<Oracle> kOracles = make_oracles();
  return kOracles;
}

std::vector<Finding> judge(const Evidence& evidence) {
  Sink all;
  for (const Oracle& oracle : oracles()) {
    Sink sink;
    oracle.judge(evidence, sink);
    for (Finding& finding : sink) {
      finding.oracle = oracle.name;
      all.push_back(std::move(finding));
    }
  }
  return all;
}

void report_best(const Evidence& evidence, Sink& sink, std::span<const char* const> requirements,
                 Breach breach) {
  const spec::Requirement* best = spec::strongest(requirements, evidence.registry, evidence.profile,
                                                  evidence.transcript.transport);
  if (best == nullptr) return;
  const Severity severity = severity_of(spec::level_in(*best, evidence.profile));
  Finding finding;
  finding.requirement = best->id;
  finding.severity = std::max(std::min(severity, breach.at_most), breach.at_least);
  finding.expected = std::move(breach.expected);
  finding.seen = std::move(breach.seen);
  finding.frames = std::move(breach.frames);
  finding.sure = breach.sure;
  std::sort(finding.frames.begin(), finding.frames.end());
  finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()),
                       finding.frames.end());
  sink.push_back(std::move(finding));
}

void report(const Evidence& evidence, Sink& sink, const char* requirement, std::string expected,
            std::string seen, std::vector<std::uint64_t> frames, Severity at_most) {
  report_best(evidence, sink, {requirement},
              {std::move(expected), std::move(seen), std::move(frames), at_most});
}

}  // namespace harness::oracle
