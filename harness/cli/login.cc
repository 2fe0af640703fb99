// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/login.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/rand.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <utility>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/base/uri.h"
#include "harness/base/words.h"
#include "harness/contact/protection.h"
#include "harness/jose/key.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/target/auth.h"
#include "harness/transport/fetch_text.h"
#include "harness/transport/url.h"

namespace harness::cli {
namespace {

using json::Value;
using FormFields = std::vector<std::pair<std::string, std::string>>;

constexpr std::chrono::seconds kAsk{30};
constexpr std::chrono::minutes kPerson{5};    // to log in
constexpr std::size_t kMostAsked = 64 << 10;  // bytes of a redirect

Error login_error(std::string what, std::string remedy = {}) {
  return {"--auth login", std::move(what), std::move(remedy)};
}
Error unreachable(Error error) {
  error.unreachable = true;
  return error;
}

std::string unpredictable() {
  std::array<unsigned char, 32> bytes{};
  check(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1, "there is no randomness");
  return to_base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string url_decoded(std::string_view written) {
  std::string text(written);
  std::replace(text.begin(), text.end(), '+', ' ');
  return percent_decoded(text);
}

std::string encoded(const FormFields& form) {
  std::string out;
  for (const auto& [name, value] : form)
    if (!value.empty())
      out +=
          (out.empty() ? "" : "&") + run::percent_encoded(name) + "=" + run::percent_encoded(value);
  return out;
}

std::string text_in(const Value& whole, std::string_view name) {
  const Value* member = whole.find(name);
  return member && member->is_string() ? member->text : "";
}

bool lists(const Value& whole, std::string_view name, std::string_view word) {
  const Value* list = whole.find(name);
  return list && std::any_of(list->items.begin(), list->items.end(),
                             [&](const Value& one) { return one.text == word; });
}

// "https://host:port" and "/path" of an address.
struct OAuthPlace {
  std::string origin, path;
};
Result<OAuthPlace> place_of(const std::string& url) {
  const Result<transport::Url> read = transport::parse_url(url);
  if (!read) return read.error();
  // Secrets go there: only over TLS, or not over any network.
  if (read->scheme != "https" && !(read->scheme == "http" && transport::is_loopback(read->host)))
    return login_error(printable(url) + " is neither https nor an address of this machine");
  std::string path = read->target.substr(0, read->target.find('?'));
  if (path == "/") path.clear();
  return OAuthPlace{read->scheme + "://" + read->authority, path};
}

class Login {
 public:
  Login(std::string client, std::string secret, target::Target& target)
      : client_(std::move(client)), secret_(std::move(secret)), target_(target) {
    if (!secret_.empty()) target_.secrets.add("client secret", secret_);
    trusted_.tls = target.tls;
  }

  Status run() {
    if (const Status found = find_server(); !found) return found.error();
    if (const std::string kept = kept_token(); !kept.empty()) return bear(kept);
    const Result<Value> granted = secret_.empty() ? by_browser() : by_credentials();
    if (!granted) return granted.error();
    const std::string token = text_in(*granted, "access_token");
    if (token.empty() || ascii::lower(text_in(*granted, "token_type")) != "bearer")
      return login_error(token_endpoint() + " grants no bearer token");
    if (const Status kept = keep_token(token, *granted); !kept) return kept.error();
    return bear(token);
  }

 private:
  Status bear(const std::string& token) { return target::bear("login", token, target_); }
  std::string token_endpoint() const { return text_in(server_, "token_endpoint"); }

  Result<Value> json_at(const std::string& url) const {
    wire::HttpHead head;
    head.method = "GET";
    head.headers = {{"Accept", "application/json"}};
    return object_of(url, transport::fetch(url, std::move(head), "", trusted_, kAsk), 200, 200);
  }

  Result<Value> object_of(const std::string& url, const Result<transport::Fetched>& got, int least,
                          int most) const {
    if (!got) return unreachable(got.error());
    auto read = json::read(got->body);
    auto* reading = std::get_if<json::Reading>(&read);
    const bool object = reading && reading->value.is_object();
    if (got->head.status >= least && got->head.status <= most && object)
      return std::move(reading->value);
    std::string why = "the response has the status " + std::to_string(got->head.status);
    if (object && reading->value.find("error"))
      why += ": " + text_in(reading->value, "error") + " " +
             text_in(reading->value, "error_description");
    return Error{printable(url), printable(target_.secrets.masked(why)), ""};
  }

  // Asks the target without a token, then whom it names.
  Status find_server() {
    const Result<OAuthPlace> here = place_of(target_.url);
    if (!here) return here.error();
    wire::HttpHead head;
    head.method = "POST";
    head.headers = {{"Content-Type", "application/json"},
                    {"Accept", "application/json, text/event-stream"}};
    const auto refused = transport::fetch(
        target_.url, std::move(head), R"({"jsonrpc":"2.0","id":1,"method":"ping"})", target_, kAsk);
    if (!refused) return unreachable(refused.error());
    if (refused->head.status != 401)
      return login_error(
          fmt::format("the server asks for no login: it answers HTTP {}", refused->head.status),
          "leave it out, or give --auth bearer:NAME");
    const std::string* challenge = refused->head.header("WWW-Authenticate");
    std::vector<std::string> places;
    if (challenge)
      if (std::string named = run::challenge_parameter(*challenge, "resource_metadata");
          !named.empty())
        places.push_back(std::move(named));
    if (places.empty())
      for (const std::string& path : {here->path, std::string()})
        places.push_back(here->origin + "/.well-known/oauth-protected-resource" + path);
    scope_ = challenge ? run::challenge_parameter(*challenge, "scope") : "";
    std::string issuer = here->origin;  // of servers older than the metadata
    for (const std::string& place : places) {
      const Result<Value> metadata = json_at(place);
      if (!metadata) continue;
      resource_ = text_in(*metadata, "resource");
      if (!(target_.url + "/").starts_with(resource_ + (resource_.ends_with('/') ? "" : "/")))
        return login_error(printable(place) +
                           " is about another resource: " + printable(resource_));
      if (const Value* servers = metadata->find("authorization_servers");
          servers && !servers->items.empty())
        issuer = servers->items.front().text;
      break;
    }
    if (resource_.empty()) resource_ = target_.url;
    return read_server(issuer);
  }

  Status read_server(const std::string& issuer) {
    const Result<OAuthPlace> at = place_of(issuer);
    if (!at) return at.error();
    std::string path = at->path;
    if (path.ends_with('/')) path.pop_back();
    Error first;
    for (const std::string& place : {at->origin + "/.well-known/oauth-authorization-server" + path,
                                     at->origin + "/.well-known/openid-configuration" + path,
                                     at->origin + path + "/.well-known/openid-configuration"}) {
      const Result<Value> metadata = json_at(place);
      if (!metadata) {
        if (first.what.empty()) first = metadata.error();
        continue;
      }
      const std::string named = text_in(*metadata, "issuer");
      if (named != issuer && named + "/" != issuer)
        return login_error(printable(place) + " is of another issuer: " + printable(named));
      server_ = *metadata;
      issuer_ = named;
      const Result<OAuthPlace> endpoint = place_of(token_endpoint());
      return endpoint ? Status(Nothing{}) : Status(endpoint.error());
    }
    Error none = login_error("the authorization server " + printable(issuer) + " has no metadata",
                             first.text());
    none.unreachable = first.unreachable;
    return none;
  }

  // Of the token endpoint.
  Result<Value> granted(FormFields form) const {
    wire::HttpHead head;
    head.method = "POST";
    head.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                    {"Accept", "application/json"}};
    const Value* methods = server_.find("token_endpoint_auth_methods_supported");
    const bool basic =
        !methods || lists(server_, "token_endpoint_auth_methods_supported", "client_secret_basic");
    if (secret_.empty() || !basic) form.emplace_back("client_id", client_);
    if (!secret_.empty() && basic)
      head.headers.push_back(
          {"Authorization", "Basic " + to_base64(run::percent_encoded(client_) + ":" +
                                                 run::percent_encoded(secret_))});
    else
      form.emplace_back("client_secret", secret_);
    form.emplace_back("resource", resource_);
    return object_of(
        token_endpoint(),
        transport::fetch(token_endpoint(), std::move(head), encoded(form), trusted_, kAsk), 200,
        200);
  }

  Result<Value> by_credentials() const {
    return granted({{"grant_type", "client_credentials"}, {"scope", scope_}});
  }

  Status register_client(const std::string& redirect) {
    const std::string place = text_in(server_, "registration_endpoint");
    if (place.empty())
      return login_error(printable(issuer_) + " registers no clients by itself",
                         "register one there with the redirect http://127.0.0.1/callback, and "
                         "write --auth login:ID");
    if (const Result<OAuthPlace> fit = place_of(place); !fit) return fit.error();
    const Value wanted =
        json::object({{"client_name", json::string("rpcspec")},
                      {"redirect_uris", json::array({json::string(redirect)})},
                      {"grant_types", json::array({json::string("authorization_code")})},
                      {"response_types", json::array({json::string("code")})},
                      {"token_endpoint_auth_method", json::string("none")},
                      {"application_type", json::string("native")}});
    wire::HttpHead head;
    head.method = "POST";
    head.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
    const Result<Value> made = object_of(
        place, transport::fetch(place, std::move(head), json::write(wanted), trusted_, kAsk), 200,
        201);
    if (!made) return made.error();
    client_ = text_in(*made, "client_id");
    secret_ = text_in(*made, "client_secret");
    if (!secret_.empty()) target_.secrets.add("client secret", secret_);
    return client_.empty() ? Status(login_error(printable(place) + " names no client_id"))
                           : Status(Nothing{});
  }

  Result<Value> by_browser() {
    const Value* methods = server_.find("code_challenge_methods_supported");
    if (!methods || !lists(server_, "code_challenge_methods_supported", "S256"))
      return login_error(printable(issuer_) +
                         " does not support PKCE with S256, which MCP requires");
    if (const auto fit = place_of(text_in(server_, "authorization_endpoint")); !fit)
      return fit.error();
    boost::asio::io_context io{1};
    using boost::asio::ip::tcp;
    tcp::acceptor acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const std::string redirect =
        fmt::format("http://127.0.0.1:{}/callback", acceptor.local_endpoint().port());
    if (client_.empty())
      if (const Status made = register_client(redirect); !made) return made.error();
    const std::string verifier = unpredictable(), state = unpredictable();
    const std::string endpoint = text_in(server_, "authorization_endpoint");
    const std::string page = endpoint + (endpoint.find('?') == std::string::npos ? "?" : "&") +
                             encoded({{"response_type", "code"},
                                      {"client_id", client_},
                                      {"redirect_uri", redirect},
                                      {"code_challenge", to_base64url(jose::sha256(verifier))},
                                      {"code_challenge_method", "S256"},
                                      {"state", state},
                                      {"scope", scope_},
                                      {"resource", resource_}});
    open_browser(page);
    Result<std::map<std::string, std::string>> came = redirected(io, acceptor, state);
    if (!came) return came.error();
    if (const std::string& by = (*came)["iss"]; !by.empty() && by != issuer_)
      return login_error("the redirect came from another issuer: " + printable(by));
    if (const std::string& wrong = (*came)["error"]; !wrong.empty())
      return login_error("the login was refused: " +
                         printable(wrong + " " + (*came)["error_description"]));
    if ((*came)["code"].empty()) return login_error("the redirect has no code");
    return granted({{"grant_type", "authorization_code"},
                    {"code", (*came)["code"]},
                    {"redirect_uri", redirect},
                    {"code_verifier", verifier}});
  }

  // Says the address in any case: there may be no browser here.
  static void open_browser(const std::string& page) {
    std::fprintf(stderr, "rpcspec: log in at %s\n", printable(page, page.size()).c_str());
    const char* given = std::getenv("RPCSPEC_BROWSER");
    std::vector<std::string> words =
        shell_words(given && *given ? given : "xdg-open").value_or(std::vector<std::string>{});
    if (words.empty()) return;
    words.push_back(page);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int one : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, one, "/dev/null", O_RDWR, 0);
    pid_t child = 0;
    posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
  }

  // The parameters of the first request that has our state. Others, such as for an icon, get 404.
  static Result<std::map<std::string, std::string>> redirected(
      boost::asio::io_context& io, boost::asio::ip::tcp::acceptor& acceptor,
      const std::string& state) {
    using boost::asio::ip::tcp;
    std::map<std::string, std::string> found;
    boost::asio::steady_timer limit(io, kPerson);
    bool late = false;
    limit.async_wait([&](const boost::system::error_code& error) {
      if (error) return;
      late = true;
      acceptor.close();
      io.stop();
    });
    std::function<void()> accept = [&] {
      acceptor.async_accept([&](const boost::system::error_code& error, tcp::socket socket) {
        if (error) return;
        boost::system::error_code ignored;
        std::string head;
        boost::asio::read_until(socket, boost::asio::dynamic_buffer(head, kMostAsked), "\r\n\r\n",
                                ignored);
        const std::string asked = head.substr(0, head.find("\r\n"));
        std::map<std::string, std::string> parameters = parameters_of(asked);
        const bool ours = asked.starts_with("GET /callback?") && parameters["state"] == state;
        const std::string said = ours ? "You are logged in. Close this page.\n" : "Not here.\n";
        boost::asio::write(
            socket,
            boost::asio::buffer(fmt::format("HTTP/1.1 {}\r\nContent-Type: text/plain\r\n"
                                            "Connection: close\r\nContent-Length: {}\r\n\r\n{}",
                                            ours ? "200 OK" : "404 Not Found", said.size(), said)),
            ignored);
        if (!ours) return accept();
        found = std::move(parameters);
        limit.cancel();
        acceptor.close();
      });
    };
    accept();
    io.run();
    if (late) return login_error("nobody logged in within five minutes");
    return found;
  }

  // Of "GET /callback?code=…&state=… HTTP/1.1".
  static std::map<std::string, std::string> parameters_of(const std::string& asked) {
    std::map<std::string, std::string> out;
    const std::size_t from = asked.find('?'), to = asked.rfind(' ');
    if (from == std::string::npos || to == std::string::npos || to < from) return out;
    std::string_view rest = std::string_view(asked).substr(from + 1, to - from - 1);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('&'), rest.size());
      const std::string_view one = rest.substr(0, end);
      const std::size_t equals = std::min(one.find('='), one.size());
      out.emplace(url_decoded(one.substr(0, equals)),
                  url_decoded(one.substr(std::min(equals + 1, one.size()))));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }

  // --- the file of tokens: {"RESOURCE ISSUER CLIENT": {access_token, expires_at}}

  static std::string tokens_file() {
    const char* file = std::getenv("RPCSPEC_TOKENS");
    return file ? file : "";
  }
  std::string key() const { return resource_ + " " + issuer_ + " " + asked_client_; }

  static Value tokens() {
    const Result<std::string> text = read_file(tokens_file());
    auto read = json::read(text ? *text : "");
    auto* reading = std::get_if<json::Reading>(&read);
    return reading && reading->value.is_object() ? std::move(reading->value) : json::object();
  }

  std::string kept_token() const {
    if (tokens_file().empty()) return "";
    const Value all = tokens();
    const Value* mine = all.find(key());
    const Value* until = mine ? mine->find("expires_at") : nullptr;
    if (!until || json::as_integer(*until).value_or(0) <= std::time(nullptr)) return "";
    return text_in(*mine, "access_token");
  }

  // Of a token that does not say how long it lasts, an hour.
  Status keep_token(const std::string& token, const Value& granted) const {
    if (tokens_file().empty()) return Nothing{};
    const Value* seconds = granted.find("expires_in");
    const std::int64_t lasts = seconds ? json::as_integer(*seconds).value_or(0) : 3600;
    Value all = tokens();
    all.set(key(), json::object({{"access_token", json::string(token)},
                                 {"expires_at", json::number(std::time(nullptr) + lasts - 60)}}));
    const std::string part = tokens_file() + ".part", text = json::write_pretty(all) + "\n";
    unlink(part.c_str());
    const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool written =
        file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) close(file);
    if (written && std::rename(part.c_str(), tokens_file().c_str()) == 0) return Nothing{};
    return Error{printable(tokens_file()), "the token cannot be written",
                 "let RPCSPEC_TOKENS name another file, or leave it out"};
  }

  std::string client_, secret_, asked_client_ = client_;
  target::Target& target_;
  target::Target trusted_;  // nothing but its TLS: whom the token comes from
  std::string resource_, issuer_, scope_;
  Value server_ = json::object();  // metadata
};

}  // namespace

bool is_login(const std::string& auth) { return auth == "login" || auth.starts_with("login:"); }

Status log_in(const std::string& auth, target::Target& target) {
  if (target.url.empty() || !target.command.empty() || !wire::traits_of(target.transport()).http)
    return login_error("it is for a server that runs at an http or https address",
                       "name it with --url");
  std::string client = auth == "login" ? "" : auth.substr(auth.find(':') + 1), secret;
  // What stands behind the last colon is a secret, if it names one; an ID may be an address.
  if (const std::size_t colon = client.rfind(':');
      colon != std::string::npos && !client.substr(colon).starts_with("://")) {
    const std::string name = client.substr(colon + 1);
    const char* value = name.starts_with("@") ? nullptr : std::getenv(name.c_str());
    const Result<std::string> file =
        name.starts_with("@") ? read_file(name.substr(1)) : Result<std::string>(Error{});
    secret = value ? value : file ? *file : "";
    while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) secret.pop_back();
    if (secret.empty())
      return login_error(
          "it does not name an environment variable that is set",
          "write --auth login:ID:NAME, where NAME is an environment variable without "
          "its dollar sign, or @FILE");
    client.erase(colon);
  }
  return Login(std::move(client), std::move(secret), target).run();
}

}  // namespace harness::cli
