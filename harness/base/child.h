// SPDX-License-Identifier: Apache-2.0
// run_in_child(): work that may be mistaken, done in a process of its own. Whatever becomes of
// that, the caller goes on.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "harness/base/result.h"

namespace harness {

// What `work` returns. An Error where it throws, ends its process, or takes longer than `most`.
// Nothing else that it does is seen here: it works on a copy of all that there is. Where the system
// gives no process, it works here.
Result<std::string> run_in_child(const std::function<std::string()>& work,
                                 std::chrono::seconds most);

}  // namespace harness
