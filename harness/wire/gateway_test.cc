// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/gateway.h"

#include <gtest/gtest.h>

namespace harness::wire {
namespace {

constexpr const char* kPage =
    "<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>\r\n<center><h1>403 "
    "Forbidden</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n";

TEST(Gateway, IsKnownByItsOwnPage) {
  EXPECT_EQ(gateway_behind(403, {{"Server", "nginx"}}, kPage), "nginx");
  EXPECT_EQ(gateway_behind(503, {}, "no healthy upstream"), "Envoy");
  EXPECT_EQ(gateway_behind(401, {}, "Jwt is missing"), "Envoy");
  EXPECT_EQ(gateway_behind(429, {}, R"({"message":"API rate limit exceeded"})"), "Kong");
  EXPECT_EQ(gateway_behind(403, {{"X-Amzn-Errortype", "ForbiddenException"}},
                           R"({"message":"Forbidden"})"),
            "AWS API Gateway");
}

TEST(Gateway, StandsBehind502And504WhateverTheySay) {
  EXPECT_EQ(gateway_behind(502, {}, ""), "unknown");
  EXPECT_EQ(gateway_behind(504, {}, "upstream timed out"), "unknown");
}

// A proxy passes on what the target refuses, under its own name.
TEST(Gateway, DoesNotStandBehindWhatTheTargetSaid) {
  EXPECT_EQ(gateway_behind(403, {{"Server", "nginx"}}, R"({"error":"forbidden"})"), "");
  EXPECT_EQ(gateway_behind(401, {{"Server", "cloudflare"}, {"CF-RAY", "1"}}, ""), "");
  EXPECT_EQ(gateway_behind(500, {},
                           R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,)"
                           R"("message":"no healthy upstream"}})"),
            "");
  EXPECT_EQ(gateway_behind(401, {}, R"({"error":"Jwt is missing"})"), "");
  EXPECT_EQ(gateway_behind(404, {}, kPage), "");
  EXPECT_EQ(gateway_behind(200, {}, kPage), "");
}

}  // namespace
}  // namespace harness::wire
