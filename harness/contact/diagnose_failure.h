// SPDX-License-Identifier: Apache-2.0
// diagnose_failure(): why nothing could be said to a Target over HTTP, when its answers show that
// it is not JSON-RPC that went wrong but the way there: credentials, a redirect, a path, a page.
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "harness/base/result.h"
#include "harness/contact/contact.h"
#include "harness/target/target.h"

namespace harness::run {

// A sentence about the replies in all contacts, and what to do. Nothing if one of them is a
// JSON-RPC message (other than an error about credentials), or is of an unknown kind. A contact
// without a reply yet decides nothing.
std::optional<Error> diagnose_failure(const std::vector<Contact>& contacts,
                                      const target::Target& target);

}  // namespace harness::run
