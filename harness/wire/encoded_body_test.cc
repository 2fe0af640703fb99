// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/encoded_body.h"

#include <gtest/gtest.h>

#include <string>

namespace harness::wire {
namespace {

std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

std::string decoded(const std::string& coding, const std::string& body) {
  wire::Frame frame;
  frame.bytes = body;
  frame.head = wire::HttpHead{0, "POST", "/", {{"content-encoding", coding}}};
  return decoded_body(frame).value_or("none");
}

const std::string kPing = from_hex(
    "1f8b0800000000000203ab56ca2acecf2b2a4856b25232d23350d251ca4c51b232373130d351ca4d2dc9c807f294"
    "0a32f3d2956a01dddb01452b000000");
const char* const kText = R"({"jsonrpc":"2.0","id":7406,"method":"ping"})";

TEST(DecodedBody, IsTheTextBehindTheCoding) {
  EXPECT_EQ(decoded("gzip", kPing), kText);
  EXPECT_EQ(decoded("x-gzip", kPing), kText);
  EXPECT_EQ(decoded("deflate", "\x78\x9c" + kPing.substr(10)), kText);
  // A header with all that it may have.
  std::string rich = kPing;
  rich[3] = 4 | 8 | 16 | 2;
  rich.insert(10, std::string("\x03\x00xyzname\0comment\0cc", 20));
  EXPECT_EQ(decoded("gzip", rich), kText);
}

TEST(DecodedBody, IsNoneWhereTheBodyIsNotInTheCoding) {
  EXPECT_EQ(decoded("gzip", kText), "none");
  EXPECT_EQ(decoded("gzip", ""), "none");
  EXPECT_EQ(decoded("gzip", kPing.substr(0, 30)), "none");
  EXPECT_EQ(decoded("deflate", kPing), "none");
  EXPECT_EQ(decoded("identity", kText), "none");
  EXPECT_EQ(decoded("gzip, gzip", kPing), "none");
  EXPECT_FALSE(decoded_body(wire::Frame()).has_value());
}

TEST(DecodedBody, IsNoneWhereItWouldFillTheMemory) {
  // One block of a fixed code: "x", then 258 times the byte before, over and over.
  std::string bits =
      "110"
      "10101000";
  for (int i = 0; i < 20'000; ++i)
    bits +=
        "11000101"
        "00000";
  bits += "0000000";
  std::string body = kPing.substr(0, 10);
  for (std::size_t i = 0; i < bits.size(); i += 8) {
    unsigned byte = 0;
    for (std::size_t j = 0; j < 8 && i + j < bits.size(); ++j)
      byte |= static_cast<unsigned>(bits[i + j] == '1') << j;
    body += static_cast<char>(byte);
  }
  EXPECT_EQ(decoded("gzip", body), "none");
}

}  // namespace
}  // namespace harness::wire
