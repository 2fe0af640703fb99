// SPDX-License-Identifier: Apache-2.0
#include "harness/base/base64.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Base64, RoundTripsEveryLengthAndByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i);
  }
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(to_base64url("foob"), "Zm9vYg");
  EXPECT_EQ(to_base64("\xfb\xff\xfe"), "+//+");
  EXPECT_EQ(to_base64url("\xfb\xff\xfe"), "-__-");
}

TEST(Base64, RefusesWhatNoEncoderWrites) {
  for (const char* text :
       {"Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm9v\n", "Zm-v", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace harness
