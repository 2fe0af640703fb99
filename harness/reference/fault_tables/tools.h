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
    {"error-loses-tool", "After an error the last tool of each page is no longer listed"},
};

}  // namespace harness::reference
