// SPDX-License-Identifier: Apache-2.0
// Faults of MCP Apps, interfaces of tools.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kAppsFaults[] = {
    {"app-tool-ui-text", "the ui member of a tool is a text"},
    {"app-uri-of-http", "the interface of a tool has an address of https"},
    {"app-visibility-text", "the visibility of a tool is a text"},
    {"app-visibility-of-nobody", "a tool is visible to users, who are neither model nor app"},
    {"app-flat-key", "a tool names its interface under the older key alone"},
    {"app-two-addresses", "a tool names two interfaces, under the older and the newer key"},
    {"app-resources-undeclared", "tools have interfaces, but resources are not declared"},
    {"app-shown-to-all", "tools show interfaces to clients that do not declare them"},
    {"app-tool-demands-extension", "a tool with an interface is refused to other clients"},
    {"app-only-tool-refused", "a tool for the interface alone is refused"},
    {"app-client-settings-unchecked", "mimeTypes of a client that are no list end in -32603"},
    {"app-client-settings-kill", "settings of a client without mimeTypes end the server"},
    {"app-listed-as-html", "an interface is listed as text/html"},
    {"app-listed-without-type", "an interface is listed without its type"},
    {"app-picture-under-ui", "a picture is listed under the scheme ui"},
    {"app-listed-ui-text", "the ui member of a listed interface is a text"},
    {"app-interface-missing", "the interface of a tool cannot be read"},
    {"app-interface-without-contents", "the interface of a tool has no contents"},
    {"app-content-uri-other", "an interface that is read has another address"},
    {"app-content-plain-html", "an interface that is read is text/html"},
    {"app-content-uri-list", "an interface that is read is a list of addresses"},
    {"app-content-empty", "an interface that is read has neither text nor blob"},
    {"app-content-not-html", "an interface that is read is JSON"},
    {"app-content-ui-list", "the ui member of an interface that is read is a list"},
    {"app-csp-text", "the csp of an interface is a text"},
    {"app-csp-domain-text", "connectDomains of an interface is a text"},
    {"app-csp-path", "a domain of the csp has a path"},
    {"app-permission-true", "the permission for the camera is true"},
    {"app-permissions-list", "permissions of an interface are a list"},
    {"app-border-text", "prefersBorder of an interface is a text"},
    {"app-domain-list", "the domain of an interface is a list"},
    {"app-extension-undeclared",
     "2026-07-28: tools have interfaces, the extension is not declared"},
    {"app-content-blank", "the text of a tool with an interface is blank"},
    {"app-result-without-content", "a tool with an interface gives no content"},
    {"app-result-meta-text", "_meta of a result for an interface is a text"},
    {"app-sends-ui-messages", "the server sends a message that belongs between interface and host"},
    {"app-ui-request-unanswered", "requests that begin with ui/ are not answered"},
};

}  // namespace harness::reference
