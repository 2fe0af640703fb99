// SPDX-License-Identifier: Apache-2.0
// Faults of lists of every kind: pages and cursors, caching, capabilities, discovery.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kListsFaults[] = {
    {"undeclared-feature-served",
     "Completions are left out of the declared capabilities (in 2024-11-05: logging) but the "
     "methods are served as before"},
    {"undeclared-feature-other-code",
     "Completions (in 2024-11-05: logging) are left out of the declared capabilities and their "
     "methods answered with -32603"},
    {"capability-true",
     "In the declared capabilities prompts is true instead of an object (initialize)"},
    {"capability-list-changed-string",
     "In the declared capabilities tools.listChanged is the string \"yes\" (also in the tutorial "
     "dialect)"},
    {"discover-unknown", "Server/discover is answered with -32601"},
    {"discover-without-versions", "The discover result has an empty supportedVersions"},
    {"discover-instructions-number", "Instructions in the discover result is a number"},
    {"discover-capability-true", "In the discover result the capability prompts is true"},
    {"discover-omits-working-version",
     "SupportedVersions of the discover result names 2025-11-25 alone, although 2026-07-28 is "
     "served"},
    {"discover-server-info-top-level", "ServerInfo stands at the top level of the discover result"},
    {"discover-lists-unusable-version",
     "SupportedVersions begins with 2027-01-01, which requests are refused for (-32022)"},
    {"discover-demanded-first",
     "Requests other than server/discover are answered with -32600 until server/discover was "
     "called on the connection (HTTP: on the server)"},
    {"capabilities-key-optional",
     "2026-07-28: a request without the clientCapabilities key in _meta is served"},
    {"undeclared-input-requested",
     "2026-07-28: tools ask for input kinds the client did not declare"},
    {"tools-not-array", "Tools in the result of tools/list is an object"},
    {"next-cursor-null", "The last page of tools/list has nextCursor null"},
    {"undeclared-request-sent",
     "A tool that needs sampling, roots or elicitation sends its request although the client did "
     "not declare the capability"},
    {"list-changed-undeclared", "Sends tools/list_changed without declaring listChanged"},
    {"list-changed-without-listen", "2026-07-28: sends list_changed with no listen stream open"},
    {"capability-members-refused",
     "A known client capability with a member of a later revision is answered with -32602"},
    {"list-params-demanded",
     "Lists of resources, templates and prompts without params are answered with -32602"},
    {"list-empty-params-refused",
     "Lists of resources, templates and prompts with empty params are answered with -32602"},
    {"list-changes-untold", "Changes of lists are not told to sessions of the handshake revisions"},
};

}  // namespace harness::reference
