// SPDX-License-Identifier: Apache-2.0
// How many processes want each processor of this machine: what a target gets of it shrinks with
// that, and what would be no answer on a quiet machine may be a slow one here.
#pragma once

#include <string_view>

namespace harness {

// Of the text of /proc/loadavg: the greater of the last minute's average and of what runs now, for
// each processor. 0 where the text says neither.
double load_of(std::string_view loadavg, unsigned processors);

// Of this machine, now. 0 where the system does not tell.
double machine_load();

}  // namespace harness
