// SPDX-License-Identifier: Apache-2.0
// The rules about what carries messages: lines that are cut, output that is none, sessions that are
// lost or outlive their end, connections that serve one request only, frames that are messages.
#pragma once

#include "harness/run/explainer.h"

namespace harness::run {

void lines_in_parts(Explainer& open);
void startup_output(Explainer& open);
void sessions_lost(Explainer& open);
void connections_used_again(Explainer& open);
void ended_sessions_answered(Explainer& open);
void fragments_apart(Explainer& open);
void refused_without_status(Explainer& open);
void length_comes_first(Explainer& open);

}  // namespace harness::run
