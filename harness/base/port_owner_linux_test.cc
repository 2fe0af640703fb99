// SPDX-License-Identifier: Apache-2.0
#include "harness/base/port_owner.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace harness {
namespace {

using testing::Contains;
using testing::IsEmpty;

TEST(PortOwner, IsWhoListens) {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::uint16_t port = ntohs(address.sin_port);
  EXPECT_THAT(processes_at(port), IsEmpty()) << "nobody listens yet";
  ASSERT_EQ(::listen(listening, 1), 0);
  EXPECT_THAT(processes_at(port), Contains(::getpid()));
  ::close(listening);
  EXPECT_THAT(processes_at(port), IsEmpty());
}

}  // namespace
}  // namespace harness
