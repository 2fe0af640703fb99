// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/unread.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace harness::transport {
namespace {

// Two ends of a stream.
struct Ends {
  int writes = -1;
  int reads = -1;
};

Ends pipe_ends() {
  int ends[2] = {};
  EXPECT_EQ(pipe(ends), 0);
  return {ends[1], ends[0]};
}

Ends unix_ends() {
  int ends[2] = {};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  return {ends[0], ends[1]};
}

template <class Address>
Ends tcp_ends(Address address) {
  auto* name = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  const int listener = socket(name->sa_family, SOCK_STREAM, 0);
  Ends ends;
  if (bind(listener, name, size) == 0 && listen(listener, 1) == 0) {
    getsockname(listener, name, &size);
    ends.writes = socket(name->sa_family, SOCK_STREAM, 0);
    EXPECT_EQ(connect(ends.writes, name, size), 0);
    ends.reads = accept(listener, nullptr, nullptr);
  }
  close(listener);
  return ends;
}

void expect_told(const Ends& ends) {
  char buffer[100];
  EXPECT_EQ(unread_of(ends.writes), 0);
  ASSERT_EQ(write(ends.writes, "seventeen bytes..", 17), 17);
  EXPECT_GT(unread_of(ends.writes), 0);  // of a Unix socket it is what the kernel keeps for them
  ASSERT_EQ(read(ends.reads, buffer, sizeof buffer), 17);
  EXPECT_EQ(unread_of(ends.writes), 0);
  close(ends.reads);
  close(ends.writes);
}

TEST(Unread, IsToldOfPipesAndUnixSockets) {
  expect_told(pipe_ends());
  expect_told(unix_ends());
}

TEST(Unread, IsToldOfTcpConnectionsWithinTheMachine) {
  sockaddr_in four = {};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const Ends ends = tcp_ends(four);
  ASSERT_GE(ends.reads, 0);
  if (unread_of(ends.writes) < 0) GTEST_SKIP() << "the kernel does not tell (no tcp_diag)";
  expect_told(ends);

  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_loopback;
  const Ends others = tcp_ends(six);
  if (others.reads < 0) GTEST_SKIP() << "no IPv6 here";
  expect_told(others);
}

TEST(Unread, IsNotToldOfAnythingElse) {
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_EQ(unread_of(file), -1);
  close(file);
  EXPECT_EQ(unread_of(-1), -1);
  const int alone = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(unread_of(alone), -1);
  close(alone);
}

}  // namespace
}  // namespace harness::transport
