// SPDX-License-Identifier: Apache-2.0
// What several oracles ask about the traffic (harness/trace/traffic.h), and how they show it.
#pragma once

#include <string>
#include <string_view>

#include "harness/oracle/oracle.h"
#include "harness/trace/traffic.h"

namespace harness::oracle {

// Functions that take only values and frames; the others are found by their arguments.
using trace::collect_ids;
using trace::contradicts_body;
using trace::is_bad_input;
using trace::is_null;
using trace::is_text;
using trace::Requests;

// "…" around printable text, short enough for one line of a report.
std::string shown(std::string_view bytes, std::size_t limit = 120);
std::string shown(const json::Value& value, std::size_t limit = 120);

// The same, but it keeps the difference between 1 and "1".
std::string shown_id(const json::Value* id);

}  // namespace harness::oracle
