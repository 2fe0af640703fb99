// SPDX-License-Identifier: Apache-2.0
// Surfaces in files, for the commands that compare them.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/contact/inspect.h"
#include "reports/surface.h"

namespace harness::cli {

// An Error names the file.
Result<json::Value> surface_in(const std::string& file);

// What a server offers that was looked at.
json::Value surface_of(const run::Inspection& seen);

// Prints the changes as text or as JSON; returns the ExitCode: kViolations if one is breaking.
int tell_changes(const json::Value& before, const json::Value& after, const std::string& format);

}  // namespace harness::cli
