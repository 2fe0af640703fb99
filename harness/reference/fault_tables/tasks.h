// SPDX-License-Identifier: Apache-2.0
// Faults of tasks, of 2025-11-25 and of the extension.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kTasksFaults[] = {
    {"task-unknown-other-code", "2025-11-25: an unknown task is refused with -32603"},
    {"task-cancelled-twice", "2025-11-25: a task that is over can be cancelled"},
    {"task-capability-undeclared", "2025-11-25: tools run as tasks, but tasks are not declared"},
    {"task-list-and-cancel-undeclared",
     "2025-11-25: tasks/list and tasks/cancel are served, but not declared"},
    {"task-of-any-request", "2025-11-25: prompts/get with a task is answered with a task"},
    {"task-of-any-tool", "2025-11-25: a tool without task support runs as a task"},
    {"task-param-ignored",
     "2025-11-25: a tool without task support takes no notice of a task param"},
    {"task-not-required", "2025-11-25: a tool that has to run as a task runs without one"},
    {"task-optional-tool-demands-task",
     "2025-11-25: a tool that may run as a task runs in no other way"},
    {"task-ttl-demanded", "2025-11-25: a task param without ttl is refused"},
    {"task-param-unchecked", "2025-11-25: a task param of any kind makes a task"},
    {"task-id-of-client",
     "2025-11-25: a task has the id that the client puts into the task param"},
    {"task-ids-repeated", "2025-11-25: all tasks of a client have one id"},
    {"task-ids-counted", "2025-11-25: task ids are 1, 2, 3 …"},
    {"task-works-again", "2025-11-25: a task that was shown as over is working again"},
    {"task-result-early", "2025-11-25: tasks/result is answered while the task is working"},
    {"task-get-waits-for-result", "2025-11-25: tasks/get waits while tasks/result does"},
    {"task-result-wrapped",
     "2025-11-25: tasks/result puts the result of the tool into a member result"},
    {"task-result-once", "2025-11-25: the second tasks/result of a task is an error"},
    {"task-dropped-when-fetched", "2025-11-25: a task is forgotten once its result was fetched"},
    {"task-named-by-meta", "2025-11-25: related-task metadata decides which task is meant"},
    {"task-request-untied", "2025-11-25: a request that belongs to a task does not say so"},
    {"task-input-unsaid", "2025-11-25: a task that waits for the client stays working"},
    {"task-failure-completed", "2025-11-25: a tool that fails as a task completes it"},
    {"task-failure-unexplained", "2025-11-25: a failed task has no statusMessage"},
    {"task-cancelled-completes", "2025-11-25: a cancelled task is completed when its work ends"},
    {"task-list-without-finished", "2025-11-25: tasks/list leaves out tasks that are over"},
    {"task-list-cut", "2025-11-25: tasks/list ends after the first page"},
    {"task-list-cursor-unchecked", "2025-11-25: tasks/list takes any cursor"},
    {"task-error-without-words", "2025-11-25: an unknown task is refused with an empty message"},
    {"task-progress-other-token",
     "2025-11-25: progress of a task has the id of the task as its token"},
    {"task-for-client-undeclared", "Asks the client for a task that it has not declared"},
};

}  // namespace harness::reference
