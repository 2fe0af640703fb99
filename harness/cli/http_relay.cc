// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/http_relay.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
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
#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/cli/http_tap.h"
#include "harness/cli/upstream.h"
#include "harness/transport/launch.h"
#include "harness/transport/sse.h"
#include "harness/transport/url.h"
#include "harness/transport/websocket_frame.h"

namespace harness::cli {
namespace {

using transport::Fd;

constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kMostRelayed = 1u << 20;  // bytes that one side is ahead of the other
constexpr std::size_t kMostBody = 16u << 20;    // of a message that are recorded

int port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

// One way of a WebSocket connection: its messages and control frames.
class SocketTap {
 public:
  SocketTap(Recording& recording, wire::Direction direction)
      : recording_(recording), direction_(direction) {}

  void pass(std::string_view bytes) {
    reader_.give(bytes);
    while (auto event = reader_.next()) add(*event);
  }

 private:
  using Kind = transport::WebsocketEvent::Kind;

  void add(const transport::WebsocketEvent& event) {
    const bool received = direction_ == wire::Direction::kReceived;
    wire::HttpHead marks;
    if (event.binary) marks.headers.push_back({"opcode", "binary"});
    if (event.masked && received)
      marks.headers.push_back({"reason", "the server's frame was masked"});
    std::optional<wire::HttpHead> head;
    if (!marks.headers.empty()) head = std::move(marks);
    switch (event.kind) {
      case Kind::kMessage:
        recording_.add(direction_, wire::Channel::kSocket, event.bytes, 0, head);
        break;
      case Kind::kPing: recording_.add(direction_, wire::Channel::kPing, event.bytes); break;
      case Kind::kPong:
        if (received) recording_.add(direction_, wire::Channel::kPong, event.bytes);
        break;
      case Kind::kClose:
        recording_.add(direction_, wire::Channel::kClose,
                       event.code == 0 ? "close" : "close " + std::to_string(event.code));
        break;
      case Kind::kBroken:
        recording_.add(direction_, wire::Channel::kClose, "broken: " + event.bytes);
        break;
    }
  }

  Recording& recording_;
  wire::Direction direction_;
  transport::WebsocketReader reader_{kMostBody};
};

// What all connections share.
struct RelayCounts {
  int exchanges = 0;
  bool websocket = false;  // what is recorded is one, which is all that is kept of sockets
  int sockets = 0;         // connections that have become one
};

// What a client says on one connection, and what it is answered, as the frames of exchanges.
class Exchange {
 public:
  Exchange(Recording& recording, RelayCounts& counts) : recording_(recording), counts_(counts) {}

  void request_head(const wire::HttpHead& head) { asked_ = head; }
  void request_body(std::string_view bytes) { append(question_, bytes); }
  void request_end() {
    if (counts_.websocket && asked_.header("sec-websocket-key") != nullptr) {
      opening_ = std::exchange(asked_, {});  // recorded where it is refused
      waiting_.push_back({0, false});
      return;
    }
    waiting_.push_back({++counts_.exchanges, asked_.method == "HEAD"});
    recording_.add(wire::Direction::kSent, wire::Channel::kHttp, std::exchange(question_, {}),
                   counts_.exchanges, std::exchange(asked_, {}));
  }
  bool bodiless() const { return !waiting_.empty() && waiting_.front().head_only; }

  void answer_head(const wire::HttpHead& head) {
    if (head.status == 101) open_socket_ways();
    if (head.status < 200) return;
    if (!waiting_.empty() && waiting_.front().number == 0) {
      waiting_.front().number = ++counts_.exchanges;
      recording_.add(wire::Direction::kSent, wire::Channel::kHttp, "", counts_.exchanges,
                     std::exchange(opening_, {}));
    }
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
  void sent(std::string_view bytes) {
    if (up_) up_->pass(bytes);
  }
  void received(std::string_view bytes) {
    if (down_) down_->pass(bytes);
  }
  // Nothing more comes on the connection.
  void broken() {
    if (down_ || (!waiting_.empty() && waiting_.front().number > 0))
      recording_.add(wire::Direction::kReceived, wire::Channel::kClose, "hung up", number());
    over();
  }

 private:
  struct Waiting {
    int number;
    bool head_only;
  };
  // Ids are those of one connection: of several one alone can be judged.
  void open_socket_ways() {
    if (!waiting_.empty()) waiting_.pop_front();
    if (!counts_.websocket) return;
    if (++counts_.sockets > 1) {
      std::fprintf(stderr,
                   "rpcspec: connection %d is passed on but not recorded; a recording holds one "
                   "connection\n",
                   counts_.sockets);
      return;
    }
    up_.emplace(recording_, wire::Direction::kSent);
    down_.emplace(recording_, wire::Direction::kReceived);
  }
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
  RelayCounts& counts_;
  std::deque<Waiting> waiting_;  // number 0: the opening of a socket
  wire::HttpHead asked_, opening_, answered_;
  std::optional<SocketTap> up_, down_;
  std::string question_, answer_;
  std::optional<transport::SseSplitter> events_;
};

// A client and the server, and what is on its way between them.
class Pair {
 public:
  Pair(Fd client, Fd server, const std::string& host, Recording& recording, RelayCounts& counts)
      : client_(std::move(client)), server_(std::move(server)), exchange_(recording, counts),
        requests_(true, host,
                  {[this](const wire::HttpHead& head) { exchange_.request_head(head); },
                   [this](std::string_view bytes) { exchange_.request_body(bytes); },
                   [this] { exchange_.request_end(); },
                   [this](std::string_view bytes) { exchange_.sent(bytes); }}),
        answers_(false, "",
                 {[this](const wire::HttpHead& head) {
                    exchange_.answer_head(head);
                    if (head.status == 101) requests_.become_tunnel();
                  },
                  [this](std::string_view bytes) { exchange_.answer_body(bytes); },
                  [this] { exchange_.answer_end(); },
                  [this](std::string_view bytes) { exchange_.received(bytes); }},
                 [this] { return exchange_.bodiless(); }) {}
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  std::array<pollfd, 2> waits() const {
    const auto events = [](const std::string& in, const std::string& out, bool open) {
      return static_cast<short>((open && in.size() < kMostRelayed ? POLLIN : 0) |
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
  return os::watch_signals(mask);
}

}  // namespace

Status relay_http(const Relay& wanted, Recording& recording) {
  const Result<transport::Url> server = transport::parse_url(wanted.url);
  if (!server) return server.error();
  const std::size_t colon = wanted.listen.rfind(':');
  if (colon == std::string::npos)
    return Error{"--listen", "`" + printable(wanted.listen) + "` is not HOST:PORT",
                 "write 127.0.0.1:0"};
  const Result<Fd> door =
      open_socket(wanted.listen.substr(0, colon), wanted.listen.substr(colon + 1), true);
  if (!door) return door.error();
  const Fd signals(signals_fd());
  const Result<std::unique_ptr<Upstream>> upstream = Upstream::make(*server, wanted.tls);
  if (!upstream) return upstream.error();
  RelayCounts counts;
  counts.websocket = server->scheme == "ws" || server->scheme == "wss";
  std::fprintf(stderr, "rpcspec: recording; let the client connect to %s://%s:%d%s\n",
               counts.websocket ? "ws" : "http", wanted.listen.substr(0, colon).c_str(),
               port_of(door->get()), server->target.c_str());
  std::list<Pair> pairs;
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
    Fd client(os::accept_from(door->get(), os::Waits::kNo));
    if (client.get() < 0) continue;
    Result<Fd> connected = (*upstream)->connect();
    if (!connected) continue;  // the client sees its connection closed, as it would the server's
    pairs.emplace_back(std::move(client), std::move(*connected), server->authority, recording,
                       counts);
  }
}

}  // namespace harness::cli
