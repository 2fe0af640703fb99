// SPDX-License-Identifier: Apache-2.0
// The oracle `tool-schemas`: what listed tools declare about arguments and results.
#pragma once

#include "harness/oracle/oracle.h"

namespace harness::oracle {

void judge_tool_schemas(const Evidence& evidence, Sink& sink);

}  // namespace harness::oracle
