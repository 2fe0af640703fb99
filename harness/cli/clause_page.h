// SPDX-License-Identifier: Apache-2.0
// A clause for people: what it says and where it can be read, what it has to do with others, what
// covers it, why servers break it, what to change, and which servers are known to.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/builtin.h"

namespace harness::cli {

std::string page_of(const spec::Requirement& clause, const Library& library,
                    const Teaching& teaching);

std::vector<std::string> ids_of(const std::vector<spec::Mention>& mentions);

}  // namespace harness::cli
