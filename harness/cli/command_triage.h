// SPDX-License-Identifier: Apache-2.0
// The command `triage`: an AddCommand as those of command.h.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace harness::cli {

struct Invocation;

std::function<int()> add_triage(CLI::App& app, const Invocation& invocation);

}  // namespace harness::cli
