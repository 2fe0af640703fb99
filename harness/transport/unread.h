// SPDX-License-Identifier: Apache-2.0
// What the other end of a stream has not read yet: it takes two messages, or two pieces of one, for
// two only when it has read the first before the second is written.
#pragma once

namespace harness::transport {

// Bytes that were written to a pipe, a Unix socket or a TCP connection and not yet read by the
// other end. -1: unknown, for example because the other end is on another machine. Fails never.
int unread_of(int stream);

}  // namespace harness::transport
