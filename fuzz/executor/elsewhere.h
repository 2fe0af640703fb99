// SPDX-License-Identifier: Apache-2.0
// A target that somebody else runs: whether it went down, and when it is back.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>

#include "harness/contact/pool.h"

namespace fuzz {

// Whoever asks whether it accepts connections finds out whether it has ended, which is what a
// refusal means behind a connection that ended. To start it again is to wait until it is back; an
// Error says that it is not.
harness::run::Service elsewhere(boost::asio::any_io_executor executor, std::string url);

}  // namespace fuzz
