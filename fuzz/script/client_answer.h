// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/script/script.h"
#include "harness/suite/answer.h"

namespace fuzz {

// The responses of a script to requests of the server, in the form that a session takes.
harness::suite::Answer as_answer(const ClientAnswer& answer);

}  // namespace fuzz
