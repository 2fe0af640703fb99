// SPDX-License-Identifier: Apache-2.0
// Faults of tools, of their content and their schemas.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kToolsFaults[] = {
    {"client-name-changes-tools",
     "2026-07-28: with the client name \"admin\" tools/list leaves out its last tool and the "
     "discover result its prompts capability"},
    {"call-needs-list-on-connection",
     "2026-07-28: tools/call is answered with -32600 until tools/list was called on the "
     "connection"},
    {"listed-tool-unknown", "A tool that is listed is answered as an unknown one"},
    {"tool-not-found-other-code", "Tutorial: an unknown tool is answered with -32603"},
    {"unknown-tool-is-error-result", "An unknown tool is answered with a result with isError"},
    {"unknown-tool-succeeds", "An unknown tool is answered with a result without isError"},
    {"invalid-tool-input-other-code",
     "Tutorial: arguments that break the schema are answered with -32603"},
    {"invalid-tool-input-without-data", "Tutorial: the error -32005 has no data"},
    {"tool-without-name", "The first entry of tools/list has no name"},
    {"tool-description-null", "The first tool listed has the description null"},
    {"input-schema-root-array", "InputSchema of the first tool has type array"},
    {"call-result-without-content", "The result of tools/call has no content"},
    {"tool-failure-as-success", "A failing tool is answered with a result without isError"},
    {"tool-failure-as-protocol-error", "A failing tool is answered with error -32603"},
    {"unknown-tool-http-404", "2026-07-28: an unknown tool is answered under HTTP status 404"},
    {"tools-list-refused", "tools/list is answered with -32603"},
    {"second-page-of-tools-refused", "tools/list with a cursor is answered with -32602"},
    {"tools-list-params-demanded", "tools/list without params is answered with -32602"},
    {"tools-list-empty-params-refused", "tools/list with the params {} is answered with -32602"},
    {"tools-order-changes", "2026-07-28: every other tools/list has a page in reverse"},
    {"tools-differ-by-connection", "2026-07-28: every other connection lists one tool less"},
    {"tool-name-by-prefix", "a tool is called by its name and one letter more"},
    {"nested-arguments-unchecked",
     "what is wrong inside of objects and lists of the arguments is not seen"},
    {"call-loses-tool", "2026-07-28: after a tools/call one tool less is listed"},
    {"unknown-tool-other-code", "An unknown tool is answered with -32601"},
    {"tool-names-in-any-case", "Tools are called by their names in any letter case"},
    {"tool-call-without-params-served", "A tools/call without params is answered with a result"},
    {"tool-name-defaulted", "A tools/call without a name is answered with a result"},
    {"tool-name-type-unchecked", "A tools/call whose name is no string is answered with a result"},
    {"arguments-type-other-code", "Arguments of a tool that are no object are -32603"},
    {"dependent-arguments-unchecked", "dependentRequired of an inputSchema is not checked"},
    {"task-param-refused", "A tools/call with a task member is answered with -32602"},
    {"task-param-without-tasks",
     "Tasks are not declared, and a tools/call with a task member is answered with -32602"},
    {"input-schema-required-flag", "In an inputSchema an argument is marked with required: true"},
    {"input-schema-items-list", "In an inputSchema without $schema items is a list"},
    {"output-schema-type-unknown", "In an outputSchema a member is of the type float"},
    {"structured-content-missing", "A tool with an outputSchema returns no structuredContent"},
    {"structured-content-of-other-kind", "A number of structuredContent is a string"},
    {"structured-content-incomplete", "A member that the outputSchema requires is missing"},
    {"structured-content-without-text", "No text says what structuredContent says"},
    {"tool-failure-without-content", "A result with isError has no content block"},
    {"tool-failure-with-blank-text", "The text of a result with isError is blank"},
    {"tool-failure-with-stack-trace", "The text of a result with isError is a stack trace"},
    {"schema-definitions-dropped", "$defs of an inputSchema are left out"},
    {"schema-additional-properties-dropped", "additionalProperties of an inputSchema is left out"},
    {"schema-anchor-dropped", "$anchor in an inputSchema is left out"},
    {"schema-composition-dropped", "allOf of an inputSchema is left out"},
    {"schema-conditions-dropped", "if of an inputSchema is left out"},
    {"error-loses-tool", "After an error the last tool of each page is no longer listed"},
};

}  // namespace harness::reference
