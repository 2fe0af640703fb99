// SPDX-License-Identifier: Apache-2.0
// A case for people: what it is about, and its steps and rows in the words of the case language.
#pragma once

#include <string>

#include "harness/cli/builtin.h"

namespace harness::cli {

// `source` is the content of the case file, null if it cannot be read.
std::string page_of(const suite::Case& scenario, const json::Value* source, const Library& library);

}  // namespace harness::cli
