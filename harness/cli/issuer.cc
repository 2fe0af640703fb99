// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/issuer.h"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <memory>
#include <utility>

#include "harness/base/base64.h"
#include "harness/base/os.h"
#include "harness/base/random.h"
#include "harness/json/write.h"
#include "harness/target/auth.h"

namespace harness::cli {
namespace {

using boost::asio::ip::tcp;
using json::Value;

constexpr int kKeyBits = 2048;
constexpr std::size_t kMostHead = 64 << 10;  // bytes of a request
constexpr std::int64_t kDay = 24 * 3600;     // how long a good token is good

class SigningKey {
 public:
  explicit SigningKey(std::string id)
      : id_(std::move(id)), key_(EVP_RSA_gen(kKeyBits), EVP_PKEY_free) {
    check(key_ != nullptr, "a key cannot be made");
  }

  // A member of a JSON Web Key Set.
  Value as_jwk() const {
    return json::object({{"kty", json::string("RSA")},
                         {"use", json::string("sig")},
                         {"alg", json::string("RS256")},
                         {"kid", json::string(id_)},
                         {"n", json::string(number(OSSL_PKEY_PARAM_RSA_N))},
                         {"e", json::string(number(OSSL_PKEY_PARAM_RSA_E))}});
  }

  std::string signed_token(const Value& claims) const {
    const Value head = json::object({{"alg", json::string("RS256")},
                                     {"typ", json::string("at+jwt")},
                                     {"kid", json::string(id_)}});
    const std::string text =
        to_base64url(json::write(head)) + "." + to_base64url(json::write(claims));
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free);
    std::string signature(kKeyBits / 8, '\0');
    std::size_t size = signature.size();
    check(
        EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
            EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                           reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1,
        "a token cannot be signed");
    return text + "." + to_base64url(signature.substr(0, size));
  }

 private:
  std::string number(const char* name) const {
    BIGNUM* got = nullptr;
    check(EVP_PKEY_get_bn_param(key_.get(), name, &got) == 1, "a key has no numbers");
    std::string bytes(static_cast<std::size_t>(BN_num_bytes(got)), '\0');
    BN_bn2bin(got, reinterpret_cast<unsigned char*>(bytes.data()));
    BN_free(got);
    return to_base64url(bytes);
  }

  std::string id_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

// Answers GET, one after the other, for ever.
[[noreturn]] void serve_documents(tcp::acceptor& acceptor, const std::string& metadata,
                                  const std::string& keys) {
  for (;;) {
    boost::system::error_code failed;
    tcp::socket socket = acceptor.accept(failed);
    if (failed) _exit(1);
    const timeval patience{5, 0};
    setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string head;
    boost::asio::read_until(socket, boost::asio::dynamic_buffer(head, kMostHead), "\r\n\r\n",
                            failed);
    const bool asks_keys = head.starts_with("GET /jwks ");
    const bool known = asks_keys || head.starts_with("GET /.well-known/");
    const std::string& body = asks_keys ? keys : metadata;
    boost::asio::write(
        socket,
        boost::asio::buffer(fmt::format(
            "HTTP/1.1 {}\r\nContent-Type: application/json\r\nConnection: close\r\n"
            "Content-Length: {}\r\n\r\n{}",
            known ? "200 OK" : "404 Not Found", known ? body.size() : 0, known ? body : "")),
        failed);
  }
}

Error issuer_error(std::string what, std::string remedy) {
  return {"--auth issuer", std::move(what), std::move(remedy)};
}

}  // namespace

bool is_issuer(const std::string& auth) { return auth == "issuer" || auth.starts_with("issuer:"); }

Status issue(const std::string& auth, target::Target& target) {
  std::uint16_t port = 0;
  const std::string number = auth == "issuer" ? "" : auth.substr(auth.find(':') + 1);
  const auto [end, wrong] = std::from_chars(number.data(), number.data() + number.size(), port);
  if (auth != "issuer" && (wrong != std::errc() || *end != '\0' || port == 0))
    return issuer_error("it names no port", "write --auth issuer:4000");
  if (target.url.find("{port}") != std::string::npos)
    return issuer_error("tokens name the address of the server, and {port} is none yet",
                        "write a port in its place");
  boost::asio::io_context io{1};
  tcp::acceptor acceptor(io);
  boost::system::error_code failed;
  acceptor.open(tcp::v4(), failed);
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind({boost::asio::ip::address_v4::loopback(), port}, failed);
  if (!failed) acceptor.listen(boost::asio::socket_base::max_listen_connections, failed);
  if (failed)
    return issuer_error(fmt::format("port {} cannot be listened on: {}", port, failed.message()),
                        "name another one");
  const std::string issuer = fmt::format("http://127.0.0.1:{}", acceptor.local_endpoint().port());
  const SigningKey ours("rpcspec"), strange("stranger");
  const Value metadata =
      json::object({{"issuer", json::string(issuer)},
                    {"jwks_uri", json::string(issuer + "/jwks")},
                    {"authorization_endpoint", json::string(issuer + "/authorize")},
                    {"token_endpoint", json::string(issuer + "/token")},
                    {"response_types_supported", json::array({json::string("code")})},
                    {"code_challenge_methods_supported", json::array({json::string("S256")})}});
  const Value keys = json::object({{"keys", json::array({ours.as_jwk()})}});
  const std::string documents[] = {json::write(metadata), json::write(keys)};
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return issuer_error("no process can be started for it", "");
  if (child == 0) {
    os::end_with(parent);
    signal(SIGPIPE, SIG_IGN);
    for (const int one : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(one);
    serve_documents(acceptor, documents[0], documents[1]);
  }
  const std::int64_t now = std::time(nullptr);
  const auto claims = [&](const std::string& by, const std::string& audience,
                          const std::string& subject, std::int64_t expires) {
    return json::object({{"iss", json::string(by)},
                         {"sub", json::string(subject)},
                         {"aud", json::string(audience)},
                         {"client_id", json::string("rpcspec")},
                         {"iat", json::number(std::min(now, expires) - 120)},
                         {"nbf", json::number(std::min(now, expires) - 120)},
                         {"exp", json::number(expires)},
                         {"jti", json::string(std::to_string(random_number()))}});
  };
  const std::string elsewhere = "https://other.example";
  const std::pair<const char*, std::string> wrong_ones[] = {
      {"auth.expired", ours.signed_token(claims(issuer, target.url, "rpcspec", now - 3600))},
      {"auth.other_server",
       ours.signed_token(claims(issuer, elsewhere + "/mcp", "rpcspec", now + kDay))},
      {"auth.other_issuer",
       strange.signed_token(claims(elsewhere, target.url, "rpcspec", now + kDay))},
      {"auth.other_user", ours.signed_token(claims(issuer, target.url, "somebody", now + kDay))},
  };
  for (const auto& [name, token] : wrong_ones) {
    target.secrets.add(name, token);
    if (target.affordances.find(name) == nullptr)
      target.affordances.set(name, json::object({{"token", json::string(token)}}));
  }
  target.env.emplace_back("RPCSPEC_ISSUER", issuer);
  std::fprintf(stderr,
               "rpcspec: the issuer of tokens is %s, its keys are at %s/jwks, the audience is %s\n",
               issuer.c_str(), issuer.c_str(), target.url.c_str());
  return target::bear("issuer",
                      ours.signed_token(claims(issuer, target.url, "rpcspec", now + kDay)), target);
}

}  // namespace harness::cli
