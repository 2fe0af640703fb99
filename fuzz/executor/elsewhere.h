// SPDX-License-Identifier: Apache-2.0
// A target that somebody else runs: whether it went down, and when it is back.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>

#include "harness/contact/pool.h"

namespace fuzz {

// It tries to connect to see whether the target has ended: after a connection that ended, a refused
// connection means that it has. To restart it is to wait until it is back; an Error says that it is
// not.
harness::run::Service elsewhere(boost::asio::any_io_executor executor, std::string url);

}  // namespace fuzz
