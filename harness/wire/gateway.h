// SPDX-License-Identifier: Apache-2.0
// Gateways: reverse proxies, load balancers and firewalls that stand in front of a target and answer
// in its place. What they refuse says nothing of the target.
#pragma once

#include <string>

#include "harness/wire/frame.h"

namespace harness::wire {

// The name of the gateway that made this refusal itself ("nginx"), as its page, text or headers
// tell; "unknown" for 502 and 504, which only gateways send. "" for what the target said, or may
// have said: a gateway also passes on the refusals of a target, often under its own name.
std::string gateway_behind(int status, const std::vector<Header>& headers, const std::string& body);

}  // namespace harness::wire
