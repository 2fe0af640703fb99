// SPDX-License-Identifier: Apache-2.0
// run_in_child(): runs risky work in its own process. Whatever happens to that process, the caller
// continues.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "harness/base/result.h"

namespace harness {

// What `work` returns. An Error if it throws, ends its process, or takes longer than `most`. It
// works on a copy of all memory, so it has no other effect here. If the system cannot start a
// process, it runs in this one.
Result<std::string> run_in_child(const std::function<std::string()>& work,
                                 std::chrono::seconds most);

}  // namespace harness
