// SPDX-License-Identifier: Apache-2.0
// A small JSON-RPC 2.0 server: subtract, sum and echo.
#pragma once

#include <string>
#include <string_view>

// What the server says to one message, without a line end; "" is nothing.
std::string handle(std::string_view message);
