// SPDX-License-Identifier: Apache-2.0
// A clause for people: what it says and where it can be read, what covers it, why servers break it,
// what to change, and which servers are known to.
#pragma once

#include <string>

#include "harness/cli/builtin.h"

namespace harness::cli {

std::string page_of(const spec::Requirement& clause, const Library& library,
                    const Teaching& teaching);

}  // namespace harness::cli
