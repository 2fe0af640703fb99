// SPDX-License-Identifier: Apache-2.0
// The steps of a script counted, found and taken out. References to replies follow their frames.
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

// `number` says which number (from 1) that of an argument is now, 0 or the same when it is not
// known.
void renumber(Frame& frame, const std::function<std::size_t(std::size_t)>& number);
// Frames were put in (by > 0) or taken out (by < 0) so that those from the N-th (from 1) on have
// other numbers now.
void renumber(Script& script, std::size_t from, std::ptrdiff_t by);

// Takes out those from `begin` up to `end`.
void drop_steps(Script& script, std::size_t begin, std::size_t end);
// The same bytes on a stream of lines, said as plainly as can be: raw bytes, frames with line ends
// inside, and frames that end without one become a frame for each line. Nothing where that changes
// nothing, or where a frame has references.
std::optional<Script> in_lines(const Script& script);
// With a wait behind each message, so that whatever comes answers the last one.
Script one_by_one(const Script& script);
// Whether it has steps that only a schedule has: several sessions, waits for single replies, answers
// that are held, connections that are cut.
bool is_schedule(const Script& script);
// Whether messages of it are in flight together.
bool in_flight_together(const Script& script);
// Puts the steps of one script behind those of the other.
void append(Script& script, const Script& other);

}  // namespace fuzz
