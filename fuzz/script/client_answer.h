// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/script/script.h"
#include "harness/suite/answer.h"

namespace fuzz {

// What a script says to requests of the server, as a session takes it.
harness::suite::Answer as_answer(const ClientAnswer& answer);

}  // namespace fuzz
