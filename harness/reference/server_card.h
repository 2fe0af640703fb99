// SPDX-License-Identifier: Apache-2.0
// The card of the server beside its endpoint, as the draft of SEP-2127 has it, and the catalogue
// of the host that names it. Faults break the rules of the draft; the rest of the server is
// unchanged.
#pragma once

#include <optional>

#include "harness/reference/faults.h"
#include "harness/reference/http_message.h"

namespace harness::reference {

// The response to a GET or HEAD of one of the two; nothing for any other request.
std::optional<HttpReply> server_card(const HttpRequest& request, const Faults& faults);

}  // namespace harness::reference
