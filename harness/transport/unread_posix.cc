// SPDX-License-Identifier: Apache-2.0
// Of a pipe alone it can be asked, and not everywhere.
#include "harness/transport/unread.h"

namespace harness::transport {

int unread_of(int) { return -1; }

}  // namespace harness::transport
