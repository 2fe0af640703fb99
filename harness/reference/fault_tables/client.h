// SPDX-License-Identifier: Apache-2.0
// Faults of what is asked of the client (sampling, roots, elicitation, inputs), and of logging.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kClientFaults[] = {
    {"log-without-level",
     "2026-07-28: the logging tool sends its messages without logLevel in _meta, too"},
    {"client-capabilities-remembered",
     "2026-07-28: client capabilities declared once on the connection (HTTP: to the server) hold "
     "for later requests"},
    {"missing-capability-other-code",
     "2026-07-28: a missing client capability is answered with -32602"},
    {"missing-capability-without-data", "2026-07-28: the error -32021 has no data"},
    {"missing-capability-http-200", "2026-07-28: the error -32021 comes with HTTP status 200"},
    {"missing-capability-retry-refused",
     "2026-07-28: the tool that needs a capability is refused with -32021 even when the capability "
     "is declared"},
    {"logging-level-unknown", "Tutorial: the level in the logging capability is \"loud\""},
    {"input-required-for-list", "2026-07-28: answers tools/list with resultType input_required"},
    {"server-elicits-url-undeclared",
     "2025-11-25: sends elicitation/create in url mode to a client with elicitation {}"},
    {"log-unknown-level", "Sends notifications/message with level \"INFO\""},
    {"log-without-data", "Sends notifications/message without data"},
    {"log-logger-number", "Sends notifications/message with a number as logger"},
    {"log-undeclared", "Sends notifications/message without declaring logging"},
    {"log-without-log-level", "2026-07-28: logs for a request without logLevel"},
    {"input-required-typed-complete", "Input requests come in a result of type complete"},
    {"input-required-empty", "An input_required result has neither requests nor state"},
    {"input-request-unknown-kind", "An input request has the method x/ask"},
    {"input-request-without-params", "An elicitation among the input requests has no params"},
    {"input-request-is-a-message", "An input request has an id"},
    {"input-requests-array", "The input requests are a list"},
    {"input-state-number", "A requestState is a number"},
    {"input-state-unchecked", "A requestState is taken whatever its seal says"},
    {"input-retry-refused", "A call with inputResponses is refused"},
    {"input-extra-answers-refused", "The answer nobody-asked is refused"},
    {"input-missing-answers-fail", "A call with some answers missing is refused"},
    {"input-answers-unchecked", "Answers are taken whatever they hold"},
    {"input-responses-internal-error", "inputResponses of a wrong type are answered with -32603"},
    {"input-state-for-any-tool", "A requestState is taken with whatever tool"},
    {"input-state-of-one-connection",
     "HTTP: a requestState is taken on the connection only that it was given on"},
    {"input-waits-for-retry",
     "2026-07-28: after some questions that no retry has answered, a retry is refused"},
    {"input-decline-asks-again", "Who declines is asked again"},
    {"input-state-kills", "The process exits with 1 at a requestState it cannot read"},
};

}  // namespace harness::reference
