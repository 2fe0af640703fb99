// SPDX-License-Identifier: Apache-2.0
// What a clue says of one frame: of a message of ours, and of what came for it. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "harness/causes/clue.h"
#include "harness/causes/reading.h"
#include "harness/wire/message.h"

namespace harness::run {

// And without blanks: places in a text and ports differ from one input to the next.
std::string without_digits(std::string text);
// Its method, printable; "" if none can be read.
std::string method_of(const wire::Message& message);
// A single request or notification as JSON-RPC defines it. Of a response of ours, only the version
// is checked.
bool is_valid(const wire::Message& message);
// On a stream, if a case wrote them: before a message, or as raw bytes.
bool has_own_header(const wire::Frame& frame);

// Its scalar members, in the form of Trigger.
std::map<std::string, std::string> members_of(const wire::Message& message);

// Of the frame at this place.
Trigger trigger_at(const Reading& reading, std::size_t i);
Came came_at(const Reading& reading, std::size_t i);

}  // namespace harness::run
