// SPDX-License-Identifier: Apache-2.0
// Which Faults of a shape would change something of what a sound server said in a conversation.
#pragma once

#include <set>
#include <string>

#include "harness/spec/profile.h"
#include "harness/wire/frame.h"

namespace harness::falsify {

std::set<std::string> shapes_in(const wire::Transcript& transcript, const spec::Profile& profile);

}  // namespace harness::falsify
