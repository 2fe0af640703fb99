// SPDX-License-Identifier: Apache-2.0
// What `rpcspec fuzz` finds, for people: the classes of findings, and one finding on disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"

namespace harness::cli {

// All names of the classes.
std::vector<std::string> finding_words();

// "" if nothing has that name.
std::string page_of_class(const std::string& word);

// Whether a path belongs to a finding: its folder, or its finding.json.
bool is_finding(const std::string& path);
Result<std::string> page_of_finding(const std::string& path, const Library& library,
                                    const Teaching& teaching);

}  // namespace harness::cli
