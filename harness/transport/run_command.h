// SPDX-License-Identifier: Apache-2.0
// run_command(): a command of the operator, run to its end.
#pragma once

#include "harness/transport/process.h"

namespace harness::transport {

// Nothing if it exits with 0 before the deadline; otherwise an Error with its last output. It and
// its children are killed before this returns.
boost::asio::awaitable<Status> run_command(boost::asio::any_io_executor executor, Launch launch,
                                           Deadline deadline);

}  // namespace harness::transport
