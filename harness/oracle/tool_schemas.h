// SPDX-License-Identifier: Apache-2.0
// The oracle `tool-schemas`: what listed tools say of their arguments and of what they return.
#pragma once

#include "harness/oracle/oracle.h"

namespace harness::oracle {

void judge_tool_schemas(const Evidence& evidence, Sink& sink);

}  // namespace harness::oracle
