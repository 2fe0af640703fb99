// SPDX-License-Identifier: Apache-2.0
// Faults of the tutorial dialect.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kTutorialFaults[] = {
    {"batch-call-results-object",
     "Tutorial: results of tools/batch_call is an object with the keys \"0\", \"1\" …"},
    {"batch-call-entry-without-content",
     "Tutorial: entries of results of tools/batch_call have no content"},
    {"batch-call-entry-without-is-error",
     "Tutorial: entries of results of tools/batch_call have no isError"},
    {"batch-call-drops-last",
     "Tutorial: tools/batch_call leaves out the last entry when there is more than one call"},
    {"batch-call-order-reversed", "Tutorial: results of tools/batch_call stand in reverse order"},
    {"batch-call-order-by-completion",
     "Tutorial: results of tools/batch_call stand in the order the calls were finished, slow ones "
     "last"},
    {"batch-call-fails-as-a-whole",
     "Tutorial: one failing call makes tools/batch_call be answered with -32603"},
    {"batch-call-failure-as-success",
     "Tutorial: a failing call in tools/batch_call yields an entry with isError false"},
    {"batch-call-unknown-tool-succeeds",
     "Tutorial: an unknown tool in tools/batch_call yields an entry with isError false"},
    {"batch-call-unknown-tool-silent",
     "Tutorial: tools/batch_call with an unknown tool is not answered"},
    {"batch-call-empty-silent", "Tutorial: tools/batch_call with empty calls is not answered"},
    {"batch-call-params-unchecked",
     "Tutorial: tools/batch_call with malformed calls is answered with empty results"},
    {"json-log-on-stdout", "Writes {\"level\":\"info\",\"msg\":\"…\"} lines to stdout"},
    {"tool-progress-id-as-string", "Tutorial: toolRequestId of tools/progress is always a string"},
    {"tool-progress-without-id", "Tutorial: tools/progress lacks toolRequestId"},
    {"tool-progress-over-100", "Tutorial: tools/progress goes beyond 100 percent"},
    {"tool-progress-falls", "Tutorial: tools/progress counts down"},
    {"tool-progress-after-result", "Tutorial: a tools/progress follows the result"},
    {"tool-progress-with-id", "Tutorial: tools/progress has an id"},
    {"tutorial-progress-as-string", "Tutorial: progress of notifications/progress is a string"},
    {"bad-level-notification-kills",
     "Tutorial: notifications/logging/setLevel without a known level ends the process"},
    {"set-level-notification-ignored", "Tutorial: notifications/logging/setLevel changes nothing"},
    {"set-level-notification-only-once",
     "Tutorial: notifications/logging/setLevel is obeyed twice and then no more"},
    {"stream-blocks", "Tutorial: tools/list waits for the end of a stream"},
    {"resource-permission-unchecked", "Tutorial: a forbidden resource is read"},
    {"resource-permission-for-all", "Tutorial: no resource may be read (-32002)"},
    {"permission-for-all", "Tutorial: no tool may be called (-32002)"},
    {"prompt-arguments-ignored", "Tutorial: a prompt is the same whatever its arguments"},
    {"rate-limit-never", "Tutorial: a tool with a rate limit is served however often it is called"},
    {"rate-limit-for-ever", "Tutorial: a rate limit is never over"},
    {"stream-part-id-of-first",
     "Tutorial: parts of streams side by side all carry the id of the first"},
    {"tool-progress-id-of-first",
     "Tutorial: progress of calls side by side all carries the id of the first"},
    {"validation-errors-first-only",
     "Tutorial: of several wrong arguments the first alone is named"},
    {"tutorial-broken-call-served",
     "Tutorial: a call without a name, or with arguments that are a list, is served"},
    {"tutorial-resource-without-uri-served",
     "Tutorial: resources/read without a uri gives empty contents"},
    {"tutorial-unknown-prompt-served", "Tutorial: a prompt that nobody has is given, empty"},
    {"tutorial-prompt-argument-unchecked",
     "Tutorial: a prompt is given, empty, without an argument that it requires"},
    {"log-level-notice-unknown", "logging/setLevel refuses the level notice"},
};

}  // namespace harness::reference
