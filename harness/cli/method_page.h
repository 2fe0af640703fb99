// SPDX-License-Identifier: Apache-2.0
// What the protocol's rows say of a method, a notification or a type, for people to read.
#pragma once

#include <string>

#include "harness/spec/protocol.h"

namespace harness::cli {

// "request of the client", "notification of either side"
std::string kind_of(const spec::MessageRow& message);
// "since 2025-06-18", "2025-11-25 only", "all revisions"; with the dialect if only one has it.
std::string span_of(const spec::Reach& reach);

// Each line ends with a line end. A message: who sends it and when, its params and result member by
// member with the clauses that a breach cites, and an example of the newest revision that has it.
std::string page_of(const spec::MessageRow& message);
std::string page_of(const spec::TypeRow& type);

}  // namespace harness::cli
