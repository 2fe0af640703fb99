// SPDX-License-Identifier: Apache-2.0
#include "calculator.h"

#include <rpcspec/gtest.h>

// Each case of the suite as a test: of the server as it is shipped, and of its function alone.
RPCSPEC_CONFORMANCE_TEST(Server, {CALCULATOR},
                         {"--profile", "jsonrpc-2.0", "--target", DESCRIPTION});
RPCSPEC_HANDLER_TEST(handle, {"--profile", "jsonrpc-2.0", "--target", DESCRIPTION});

TEST(Calculator, RepliesLawfully) {
  for (const char* request : {R"({"jsonrpc":"2.0","id":1,"method":"subtract","params":[42,23]})",
                              R"({"jsonrpc":"2.0","id":"x","method":"nothing"})", "[]", "{"})
    EXPECT_CONFORMS(request, handle(request), "jsonrpc-2.0");
}

TEST(Calculator, Subtracts) {
  EXPECT_EQ(handle(R"({"jsonrpc":"2.0","id":1,"method":"subtract","params":[42,23]})"),
            R"({"id":1,"jsonrpc":"2.0","result":19.0})");
}
