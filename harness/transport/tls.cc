// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "harness/base/text.h"
#include "harness/transport/awaiting.h"

namespace harness::transport {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// A peer that hangs up without TLS's own farewell has ended the stream all the same.
error_code plain_error(error_code error) {
  if (error == ssl::error::stream_truncated) return asio::error::eof;
  if (error.category() == asio::error::get_ssl_category()) return asio::error::connection_aborted;
  return error;
}

class Layer final : public TlsLayer {
 public:
  Layer(tcp::socket& socket, ssl::context& context, const std::string& host, bool verified)
      : host_(host), stream_(socket, context) {
    SSL* own = stream_.native_handle();
    error_code not_an_address;
    asio::ip::make_address(host, not_an_address);
    X509_VERIFY_PARAM* wanted = SSL_get0_param(own);
    if (not_an_address) {
      SSL_set_tlsext_host_name(own, host.c_str());
      X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), host.size());
    } else {
      X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str());
    }
    SSL_set_verify(own, verified ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  }

  asio::awaitable<error_code> handshake() override {
    auto [error] = co_await stream_.async_handshake(ssl::stream_base::client, kToken);
    co_return error;
  }

  TlsTrouble trouble(const error_code& error) const override {
    if (error == asio::error::timed_out) {
      return {"the TLS handshake was not finished in time",
              "check that the port speaks TLS and that the server answers"};
    }
    const bool hung_up = error == ssl::error::stream_truncated || error == asio::error::eof ||
                         error == asio::error::connection_reset;
    if (hung_up) {
      return {"the server closed the connection during the TLS handshake",
              "check that the port speaks TLS, and which versions the server accepts"};
    }
    if (error.category() != asio::error::get_ssl_category()) {
      return {"the TLS handshake failed: " + error.message(), "check the server's log"};
    }
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) return certificate_trouble();
    if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
        reason == SSL_R_PACKET_LENGTH_TOO_LONG || reason == SSL_R_UNEXPECTED_MESSAGE) {
      return {"the peer does not speak TLS",
              "write http:// or ws:// if the server has no TLS, or check the port"};
    }
    return {"the TLS handshake was refused: " + error.message(),
            "check which versions of TLS the server accepts, and whether it requires a "
            "certificate (tls: {cert: FILE, key: FILE})"};
  }

  asio::awaitable<std::pair<error_code, std::size_t>> read_some(
      asio::mutable_buffer room) override {
    auto [error, size] = co_await stream_.async_read_some(room, kToken);
    co_return std::pair(plain_error(error), size);
  }

  asio::awaitable<error_code> write(std::string_view bytes) override {
    auto [error, size] =
        co_await asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()), kToken);
    co_return plain_error(error);
  }

 private:
  TlsTrouble certificate_trouble() const {
    // native_handle() of a const stream is not to be had, and nothing is changed here.
    const long result = SSL_get_verify_result(const_cast<Stream&>(stream_).native_handle());
    switch (result) {
      case X509_V_ERR_CERT_HAS_EXPIRED: return {"the server's certificate has expired", "renew it"};
      case X509_V_ERR_CERT_NOT_YET_VALID:
        return {"the server's certificate is not valid yet", "check it, and the clocks"};
      case X509_V_ERR_HOSTNAME_MISMATCH:
      case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return {"the server's certificate is not for " + printable(host_),
                "use a host name of the certificate, or a certificate for this host name"};
      default:
        return {"the server's certificate is not trusted: " +
                    std::string(X509_verify_cert_error_string(result)),
                "name the file of its authority in the target description: tls: {ca: FILE}"};
    }
  }

  using Stream = ssl::stream<tcp::socket&>;
  std::string host_;
  Stream stream_;
};

class Context final : public TlsContext {
 public:
  Context(std::string host, bool verified)
      : host_(std::move(host)), verified_(verified), context_(ssl::context::tls_client) {}

  std::unique_ptr<TlsLayer> layer(tcp::socket& socket) const override {
    return std::make_unique<Layer>(socket, context_, host_, verified_);
  }

  Status load(const target::Tls& wanted) {
    error_code error;
    if (wanted.ca.empty()) {
      context_.set_default_verify_paths(error);
    } else {
      context_.load_verify_file(wanted.ca, error);
      if (error) return unusable("ca", wanted.ca, "certificates", error);
    }
    if (!wanted.cert.empty()) {
      context_.use_certificate_chain_file(wanted.cert, error);
      if (error) return unusable("cert", wanted.cert, "a certificate", error);
      context_.use_private_key_file(wanted.key, ssl::context::pem, error);
      if (error) return unusable("key", wanted.key, "the certificate's key", error);
    }
    return Nothing{};
  }

 private:
  static Error unusable(const std::string& key, const std::string& file, const std::string& what,
                        const error_code& error) {
    return {"", "tls." + key + ": '" + printable(file) + "' cannot be used: " + error.message(),
            "name a PEM file with " + what};
  }

  std::string host_;
  bool verified_;
  mutable ssl::context context_;  // a connection is made from it without changing it
};

}  // namespace

Result<std::shared_ptr<const TlsContext>> make_tls(const Url& url, const target::Tls& wanted) {
  if (url.scheme != "https" && url.scheme != "wss") return std::shared_ptr<const TlsContext>();
  auto context = std::make_shared<Context>(url.host, !wanted.insecure);
  Status loaded = context->load(wanted);
  if (!loaded) return loaded.error();
  return std::shared_ptr<const TlsContext>(std::move(context));
}

}  // namespace harness::transport
