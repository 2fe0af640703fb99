// SPDX-License-Identifier: Apache-2.0
// The report for agents: what is broken, the cause to fix first in front, in few words. The tools
// of `rpcspec mcp` answer with the same as a value.
#pragma once

#include <string>

#include "harness/json/value.h"
#include "reports/record.h"

namespace reports {

// {passed gate target profile summary causes[] more_causes}: at most 20 causes, each with its
// clause, advice, some frames, and the command that shows it again. Known failures are left out.
harness::json::Value agent_value(const Record& record, const ReportOptions& options);

// The same as text. Warnings that do not gate have a line each.
std::string render_agent(const Record& record, const ReportOptions& options);

}  // namespace reports
