// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/http_relay.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/cli/http_tap.h"
#include "harness/transport/launch.h"
#include "harness/transport/sse.h"
#include "harness/transport/url.h"

namespace harness::cli {
namespace {

using transport::Fd;

constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kMostHeld = 1u << 20;   // bytes that one side is ahead of the other
constexpr std::size_t kMostBody = 16u << 20;  // of a message that are recorded

struct Addresses {
  addrinfo* first = nullptr;
  ~Addresses() {
    if (first != nullptr) freeaddrinfo(first);
  }
};

Result<Fd> open_socket(const std::string& host, const std::string& port, bool listens) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = listens ? AI_PASSIVE : 0;
  Addresses found;
  if (const int failed = getaddrinfo(host.c_str(), port.c_str(), &hints, &found.first); failed != 0)
    return Error{"", "no address is known of " + printable(host) + ": " + gai_strerror(failed), ""};
  int why = 0;
  for (const addrinfo* one = found.first; one != nullptr; one = one->ai_next) {
    Fd made(socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol));
    const int yes = 1;
    if (listens) setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const bool fits =
        made.get() >= 0 && (listens ? bind(made.get(), one->ai_addr, one->ai_addrlen) == 0 &&
                                          listen(made.get(), SOMAXCONN) == 0
                                    : connect(made.get(), one->ai_addr, one->ai_addrlen) == 0);
    if (fits) {
      fcntl(made.get(), F_SETFL, O_NONBLOCK);
      return made;
    }
    why = errno;
  }
  return Error{"",
               printable(host) + ":" + port +
                   (listens ? " cannot be listened on: " : " accepts no connection: ") +
                   std::strerror(why),
               ""};
}

int port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

// What a client says on one connection, and what it is answered, as the frames of exchanges.
class Exchange {
 public:
  Exchange(Recording& recording, int& exchanges) : recording_(recording), exchanges_(exchanges) {}

  void request_head(const wire::HttpHead& head) { asked_ = head; }
  void request_body(std::string_view bytes) { append(question_, bytes); }
  void request_end() {
    waiting_.push_back({++exchanges_, asked_.method == "HEAD"});
    recording_.add(wire::Direction::kSent, wire::Channel::kHttp, std::exchange(question_, {}),
                   exchanges_, std::exchange(asked_, {}));
  }
  bool bodiless() const { return !waiting_.empty() && waiting_.front().head_only; }

  void answer_head(const wire::HttpHead& head) {
    if (head.status < 200) return;
    const std::string* type = head.header("content-type");
    answered_ = head;
    if (type != nullptr && ascii::lower(*type).starts_with("text/event-stream")) {
      events_.emplace(kMostBody);
      recording_.add(wire::Direction::kReceived, wire::Channel::kHttp, "", number(), head);
    }
  }
  void answer_body(std::string_view bytes) {
    if (!events_) {
      append(answer_, bytes);
      return;
    }
    events_->give(bytes);
    while (auto event = events_->next())
      recording_.add(wire::Direction::kReceived, wire::Channel::kSse, event->data, number());
  }
  void answer_end() {
    if (answered_.status < 200) return;
    if (!events_)
      recording_.add(wire::Direction::kReceived, wire::Channel::kHttp, std::exchange(answer_, {}),
                     number(), answered_);
    recording_.add(wire::Direction::kReceived, wire::Channel::kClose, "end", number());
    over();
  }
  // Nothing more comes on the connection.
  void broken() {
    if (!waiting_.empty())
      recording_.add(wire::Direction::kReceived, wire::Channel::kClose, "hung up", number());
    over();
  }

 private:
  struct Waiting {
    int number;
    bool head_only;
  };
  static void append(std::string& to, std::string_view bytes) {
    if (to.size() < kMostBody) to += bytes;
  }
  int number() const { return waiting_.empty() ? 0 : waiting_.front().number; }
  void over() {
    if (!waiting_.empty()) waiting_.pop_front();
    events_.reset();
    answered_ = {};
  }

  Recording& recording_;
  int& exchanges_;  // of all connections
  std::deque<Waiting> waiting_;
  wire::HttpHead asked_, answered_;
  std::string question_, answer_;
  std::optional<transport::SseSplitter> events_;
};

// A client and the server, and what is on its way between them.
class Pair {
 public:
  Pair(Fd client, Fd server, const std::string& host, Recording& recording, int& exchanges)
      : client_(std::move(client)),
        server_(std::move(server)),
        exchange_(recording, exchanges),
        requests_(true, host,
                  {[this](const wire::HttpHead& head) { exchange_.request_head(head); },
                   [this](std::string_view bytes) { exchange_.request_body(bytes); },
                   [this] { exchange_.request_end(); }}),
        answers_(false, "",
                 {[this](const wire::HttpHead& head) { exchange_.answer_head(head); },
                  [this](std::string_view bytes) { exchange_.answer_body(bytes); },
                  [this] { exchange_.answer_end(); }},
                 [this] { return exchange_.bodiless(); }) {}
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  std::array<pollfd, 2> waits() const {
    const auto events = [](const std::string& in, const std::string& out, bool open) {
      return static_cast<short>((open && in.size() < kMostHeld ? POLLIN : 0) |
                                (out.empty() ? 0 : POLLOUT));
    };
    return {{{client_.get(), events(to_server_, to_client_, !client_done_), 0},
             {server_.get(), events(to_client_, to_server_, !server_done_), 0}}};
  }

  // False when it is over.
  bool go_on(short client, short server) {
    if ((client & (POLLIN | POLLHUP | POLLERR)) != 0 && !client_done_)
      client_done_ = !read_some(client_.get(), requests_, to_server_);
    if ((server & (POLLIN | POLLHUP | POLLERR)) != 0 && !server_done_) {
      server_done_ = !read_some(server_.get(), answers_, to_client_);
      if (server_done_) {
        answers_.closed();
        exchange_.broken();
      }
    }
    bool alive = write_some(client_.get(), to_client_);
    alive &= write_some(server_.get(), to_server_);
    if (client_done_ && to_server_.empty() && !std::exchange(told_server_, true))
      shutdown(server_.get(), SHUT_WR);
    const bool gone = (client & (POLLHUP | POLLERR)) != 0;  // nobody waits for what would come
    return alive && !gone && !(server_done_ && to_client_.empty());
  }

 private:
  static bool read_some(int fd, HttpTap& tap, std::string& held) {
    std::array<char, 65536> buffer{};
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    const auto out = tap.pass({buffer.data(), static_cast<std::size_t>(count)});
    if (!out) return false;
    held += *out;
    return true;
  }
  static bool write_some(int fd, std::string& held) {
    if (held.empty()) return true;
    const ssize_t count = send(fd, held.data(), held.size(), MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    held.erase(0, static_cast<std::size_t>(count));
    return true;
  }

  Fd client_, server_;
  Exchange exchange_;
  HttpTap requests_, answers_;
  std::string to_server_, to_client_;
  bool client_done_ = false, server_done_ = false, told_server_ = false;
};

int signals_fd() {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&mask, number);
  sigprocmask(SIG_BLOCK, &mask, nullptr);
  return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

}  // namespace

Status relay_http(const std::string& url, const std::string& listen_on, Recording& recording) {
  const Result<transport::Url> server = transport::parse_url(url);
  if (!server) return server.error();
  const std::size_t colon = listen_on.rfind(':');
  if (colon == std::string::npos)
    return Error{"--listen", "`" + printable(listen_on) + "` is no HOST:PORT", "write 127.0.0.1:0"};
  const Result<Fd> door =
      open_socket(listen_on.substr(0, colon), listen_on.substr(colon + 1), true);
  if (!door) return door.error();
  const std::string port = std::to_string(server->port);
  {
    const Result<Fd> tried = open_socket(server->host, port, false);
    if (!tried) return tried.error();
  }
  const Fd signals(signals_fd());
  std::fprintf(stderr, "rpcspec: recording; let the client connect to http://%s:%d%s\n",
               listen_on.substr(0, colon).c_str(), port_of(door->get()), server->target.c_str());
  std::list<Pair> pairs;
  int exchanges = 0;
  for (;;) {
    std::vector<pollfd> waits{{signals.get(), POLLIN, 0},
                              {pairs.size() < kMostConnections ? door->get() : -1, POLLIN, 0}};
    for (const Pair& pair : pairs)
      for (const pollfd& one : pair.waits()) waits.push_back(one);
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
      return Error{"", std::string("poll: ") + std::strerror(errno), ""};
    if (waits[0].revents != 0) return Nothing{};
    std::size_t at = 2;
    for (auto pair = pairs.begin(); pair != pairs.end(); at += 2)
      pair = pair->go_on(waits[at].revents, waits[at + 1].revents) ? std::next(pair)
                                                                   : pairs.erase(pair);
    if (waits[1].revents == 0) continue;
    Fd client(accept4(door->get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client.get() < 0) continue;
    Result<Fd> upstream = open_socket(server->host, port, false);
    if (!upstream) continue;  // the client sees its connection closed, as it would see the server's
    pairs.emplace_back(std::move(client), std::move(*upstream), server->authority, recording,
                       exchanges);
  }
}

}  // namespace harness::cli
