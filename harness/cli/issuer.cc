// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/issuer.h"

#include <fmt/format.h>
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
#include <utility>

#include "harness/base/os.h"
#include "harness/base/random.h"
#include "harness/jose/key.h"
#include "harness/jose/possession.h"
#include "harness/json/write.h"
#include "harness/target/auth.h"
#include "harness/transport/service.h"

namespace harness::cli {
namespace {

using boost::asio::ip::tcp;
using json::Value;

constexpr std::size_t kMostHead = 64 << 10;  // bytes of a request
constexpr std::int64_t kDay = 24 * 3600;     // how long a good token is good
constexpr std::int64_t kHour = 3600;         // more than servers allow for clocks that differ
constexpr const char* kKeyId = "rpcspec";
constexpr const char* kElsewhere = "https://other.example";
constexpr std::string_view kBoundWord = "issuer-dpop";

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

struct Words {
  std::uint16_t port = 0;  // 0: a free one
  std::string scope;       // of a good token
};

Result<Words> read_words(const std::string& auth) {
  Words words;
  const std::size_t first = auth.find(':');
  if (first == std::string::npos) return words;
  const std::size_t second = std::min(auth.find(':', first + 1), auth.size());
  const std::string number = auth.substr(first + 1, second - first - 1);
  const auto [end, wrong] =
      std::from_chars(number.data(), number.data() + number.size(), words.port);
  const bool scoped = second < auth.size();
  if (!(scoped && number.empty()) &&
      (wrong != std::errc() || *end != '\0' || (words.port == 0 && !scoped)))
    return issuer_error("it names no port", "write --auth issuer:4000");
  if (scoped) words.scope = auth.substr(second + 1);
  return words;
}

// Signs what a test server has to accept and to refuse.
struct Mint {
  std::string issuer, audience, scope;
  bool binds = false;  // every token but auth.dpop_unbound
  std::int64_t now = std::time(nullptr);
  jose::Key ours = jose::Key::make(jose::Algorithm::kRs256);
  jose::Key strange = jose::Key::make(jose::Algorithm::kRs256, 1024);  // nobody verifies by it
  jose::Key bound =
      jose::Key::make(jose::Algorithm::kEs256);  // what tokens with `cnf` are bound to

  // `changes`: claims to set beside, or instead of, those of a good token.
  Value claims(const Value& changes) const {
    Value claims = json::object({{"iss", json::string(issuer)},
                                 {"sub", json::string("rpcspec")},
                                 {"aud", json::string(audience)},
                                 {"client_id", json::string("rpcspec")},
                                 {"iat", json::number(now - 120)},
                                 {"nbf", json::number(now - 120)},
                                 {"exp", json::number(now + kDay)},
                                 {"jti", json::string(std::to_string(random_number()))}});
    if (!scope.empty()) claims.set("scope", json::string(scope));
    for (const json::Member& one : changes.members) claims.set(one.name, one.value);
    return claims;
  }
  std::string token(const Value& changes = json::object(), bool forged = false) const {
    return binds ? bound_token(changes, forged) : unbound_token(changes, forged);
  }
  std::string unbound_token(const Value& changes = json::object(), bool forged = false) const {
    const Value says = claims(changes);
    const bool foreign = says.find("iss")->text != issuer;
    return jose::signed_token(json::object({{"typ", json::string("at+jwt")},
                                            {"kid", json::string(foreign ? "stranger" : kKeyId)}}),
                              says, foreign || forged ? strange : ours);
  }
  std::string bound_token(Value changes = json::object(), bool forged = false) const {
    changes.set("cnf", confirmation());
    return unbound_token(changes, forged);
  }
  Value confirmation() const {
    return json::object({{"jkt", json::string(jose::thumbprint(bound.jwk()))}});
  }
};

// What the description has of it stays; claims that it asks for become a token.
void fill_in(const Mint& mint, target::Target& target) {
  const auto claim = [](const char* name, Value value) {
    return json::object({{name, std::move(value)}});
  };
  const Value elsewhere = json::string(std::string(kElsewhere) + "/mcp");
  const Value soon = json::number(mint.now + kHour);
  Value expired = claim("exp", json::number(mint.now - kHour));
  for (const char* begun : {"iat", "nbf"}) expired.set(begun, json::number(mint.now - 2 * kHour));
  std::vector<std::pair<std::string, std::string>> tokens = {
      {"auth.expired", mint.token(expired)},
      {"auth.early", mint.token(claim("nbf", soon))},
      {"auth.other_server", mint.token(claim("aud", elsewhere))},
      {"auth.other_issuer", mint.token(claim("iss", json::string(kElsewhere)))},
      {"auth.other_user", mint.token(claim("sub", json::string("somebody")))},
      {"auth.forged", mint.token(json::object(), true)},
      {"auth.dpop", mint.bound_token()},
      {"auth.dpop_unbound", mint.unbound_token()},
      {"auth.dpop_expired", mint.bound_token(expired)},
      {"auth.dpop_forged", mint.bound_token(json::object(), true)},
      {"auth.dpop_other_server", mint.bound_token(claim("aud", elsewhere))},
  };
  if (!mint.scope.empty())
    tokens.emplace_back("auth.less_scope", mint.token(claim("scope", json::string(""))));
  for (const json::Member& described : target.affordances.members) {
    const Value* claims = described.value.find("claims");
    if (claims != nullptr && described.name.starts_with("auth."))
      tokens.emplace_back(described.name, mint.token(*claims));
  }
  target.secrets.add("auth.dpop.key", mint.bound.private_jwk().find("d")->text);
  for (const auto& [name, token] : tokens) {
    target.secrets.add(name, token);
    const Value* described = target.affordances.find(name);
    if (described != nullptr && described->find("claims") == nullptr) continue;
    Value filled = json::object({{"token", json::string(token)}});
    if (name == "auth.dpop") filled.set("key", mint.bound.private_jwk());
    if (name == "auth.forged")
      filled.set(
          "unsigned",
          json::string(jose::unsigned_token(
              json::object({{"alg", json::string("none")}, {"typ", json::string("at+jwt")}}),
              mint.claims(mint.binds ? claim("cnf", mint.confirmation()) : json::object()))));
    target.affordances.set(name, std::move(filled));
  }
}

}  // namespace

bool is_issuer(const std::string& auth) {
  const std::string word = auth.substr(0, auth.find(':'));
  return word == "issuer" || word == kBoundWord;
}

Status issue(const std::string& auth, target::Target& target) {
  const Result<Words> words = read_words(auth);
  if (!words) return words.error();
  if (target.url.find("{port}") != std::string::npos && !transport::take_port(target))
    return issuer_error("there is no free port on 127.0.0.1", "write a port in place of {port}");
  boost::asio::io_context io{1};
  tcp::acceptor acceptor(io);
  boost::system::error_code failed;
  acceptor.open(tcp::v4(), failed);
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind({boost::asio::ip::address_v4::loopback(), words->port}, failed);
  if (!failed) acceptor.listen(boost::asio::socket_base::max_listen_connections, failed);
  if (failed)
    return issuer_error(
        fmt::format("port {} cannot be listened on: {}", words->port, failed.message()),
        "name another one");
  const std::string issuer = fmt::format("http://127.0.0.1:{}", acceptor.local_endpoint().port());
  const Mint mint{issuer, target.url, words->scope, auth.starts_with(kBoundWord)};
  const Value metadata =
      json::object({{"issuer", json::string(issuer)},
                    {"jwks_uri", json::string(issuer + "/jwks")},
                    {"authorization_endpoint", json::string(issuer + "/authorize")},
                    {"token_endpoint", json::string(issuer + "/token")},
                    {"response_types_supported", json::array({json::string("code")})},
                    {"code_challenge_methods_supported", json::array({json::string("S256")})}});
  Value key = mint.ours.jwk();
  key.set("use", json::string("sig"));
  key.set("alg", json::string(mint.ours.name()));
  key.set("kid", json::string(kKeyId));
  const std::string documents[] = {json::write(metadata),
                                   json::write(json::object({{"keys", json::array({key})}}))};
  std::shared_ptr<jose::Possession> possession;
  if (mint.binds)
    possession = std::make_shared<jose::Possession>(jose::Possession{mint.bound.private_jwk(), ""});
  if (const Status borne = target::bear("issuer", mint.token(), target, possession); !borne)
    return borne;
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return issuer_error("no process can be started for it", "");
  if (child == 0) {
    os::end_with(parent);
    signal(SIGPIPE, SIG_IGN);
    for (const int one : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(one);
    serve_documents(acceptor, documents[0], documents[1]);
  }
  fill_in(mint, target);
  target.env.emplace_back("RPCSPEC_ISSUER", issuer);
  std::fprintf(stderr,
               "rpcspec: the issuer of tokens is %s, its keys are at %s/jwks, the audience is %s\n",
               issuer.c_str(), issuer.c_str(), target.url.c_str());
  return Nothing{};
}

}  // namespace harness::cli
