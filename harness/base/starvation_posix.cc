// SPDX-License-Identifier: Apache-2.0
// POSIX does not say how long a thread waited for a processor.
#include "harness/base/starvation.h"

namespace harness {

Starvation::Threads Starvation::now() const { return {}; }

}  // namespace harness
