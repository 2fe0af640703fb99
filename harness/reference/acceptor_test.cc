// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/acceptor.h"

#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/transport/certificate_testing.h"

namespace harness::reference {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

TEST(Acceptor, EndsAConnectionWithinTlsWhenTheServerDoes) {
  std::string folder = ::testing::TempDir() + "rpcspec-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto certificate = transport::make_certificate(folder, "IP:127.0.0.1");
  asio::io_context io;
  AcceptorOptions options;
  options.tls_cert = certificate.cert;
  options.tls_key = certificate.key;
  auto acceptor = Acceptor::open(io, options);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(acceptor) << acceptor.error().text();
  (*acceptor)->serve([](const tcp::socket&) {});

  asio::ssl::context trusting(asio::ssl::context::tls_client);
  asio::ssl::stream<tcp::socket> client(io, trusting);
  client.next_layer().connect(
      {asio::ip::address_v4::loopback(), static_cast<unsigned short>((*acceptor)->port())});
  std::optional<error_code> end;
  char byte = 0;
  client.async_handshake(asio::ssl::stream_base::client, [&](error_code error) {
    ASSERT_FALSE(error) << error.message();
    client.async_read_some(asio::buffer(&byte, 1), [&](error_code read, std::size_t) {
      end = read;
      io.stop();
    });
  });
  io.run_for(std::chrono::seconds(30));
  EXPECT_EQ(end, asio::error::eof);
}

}  // namespace
}  // namespace harness::reference
