// SPDX-License-Identifier: Apache-2.0
// A small JSON-RPC 2.0 server: subtract, sum and echo.
#pragma once

#include <string>
#include <string_view>

// The reply of the server to one message, without a line end; "" is none.
std::string handle(std::string_view message);
