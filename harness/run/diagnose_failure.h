// SPDX-License-Identifier: Apache-2.0
// diagnose_failure(): why nothing could be said to a Target over HTTP, when its answers show that
// it is not JSON-RPC that went wrong but the way there: credentials, a redirect, a path, a page.
// Pure.
#pragma once

#include <optional>

#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/wire/frame.h"

namespace harness::run {

// A sentence about the answers in the transcript, and what to do. Nothing when one of them is a
// JSON-RPC message other than a refusal of credentials, or none is of a kind known here.
std::optional<Error> diagnose_failure(const wire::Transcript& transcript,
                                      const target::Target& target);

}  // namespace harness::run
