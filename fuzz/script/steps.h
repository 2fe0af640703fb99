// SPDX-License-Identifier: Apache-2.0
// The steps of a script counted, found and taken out. References to replies keep pointing at their
// frames.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "fuzz/script/script.h"

namespace fuzz {

std::size_t count_frames(const Script& script);
// The step of the frame at `position`, from 0, which must be there.
std::size_t step_of_frame(const Script& script, std::size_t position);
// The step that is this frame, which must be there.
std::size_t place_of(const Script& script, const Frame* frame);
// The number, from 1, that a frame would have in front of this step.
std::size_t frame_number(const Script& script, std::size_t place);

// `number` maps the number (from 1) of a frame to its new number; 0 or the same if it is not known.
void renumber(Frame& frame, const std::function<std::size_t(std::size_t)>& number);
// Frames were added (by > 0) or removed (by < 0), so those from the N-th (from 1) on have new
// numbers.
void renumber(Script& script, std::size_t from, std::ptrdiff_t by);

// Removes those from `begin` up to `end`.
void drop_steps(Script& script, std::size_t begin, std::size_t end);
// The same bytes on a stream of lines, written as plainly as possible: raw bytes, frames with line
// ends inside, and frames without a line end become one frame per line. Nothing if that changes
// nothing, or if a frame has references.
std::optional<Script> in_lines(const Script& script);
// With a wait after each message, so that every reply answers the last one.
Script one_by_one(const Script& script);
// Whether it has steps that only a schedule has: several sessions, waits for single replies, held
// responses, broken connections.
bool is_schedule(const Script& script);
// Whether messages of it are in flight together.
bool in_flight_together(const Script& script);
// Appends the steps of the second script to the first.
void append(Script& script, const Script& other);

}  // namespace fuzz
