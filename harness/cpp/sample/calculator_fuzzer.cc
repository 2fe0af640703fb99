// SPDX-License-Identifier: Apache-2.0
#include <rpcspec/fuzz_handler.h>

#include "calculator.h"

RPCSPEC_FUZZ_HANDLER("jsonrpc-2.0", "subtract [42,23]", "sum [1,2]", "echo {\"a\":[1]}") {
  return handle;
}
