// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "harness/base/os.h"
#include "harness/reference/hosts.h"

namespace harness::reference {
namespace {

constexpr int kCannotListen = 1;

int refuse(const std::string& where) {
  std::fprintf(stderr, "rpcspec-reference-server: cannot listen on %s: %s\n", where.c_str(),
               std::strerror(errno));
  return kCannotListen;
}

[[noreturn]] void serve_all(Server& server, int listener, Framing framing) {
  std::signal(SIGCHLD, SIG_IGN);  // whoever ends is forgotten
  while (true) {
    const int connection = accept(listener, nullptr, nullptr);
    if (connection < 0) continue;
    const int on = 1;  // ignored where it is no TCP connection
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const pid_t child = fork();
    if (child == 0) {
      close(listener);
      _exit(serve_stdio(server, connection, connection, framing));
    }
    close(connection);
  }
}

}  // namespace

int serve_tcp(Server& server, int port, Framing framing) {
  const int listener = os::make_socket(AF_INET, SOCK_STREAM);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, raw, size) != 0 || listen(listener, SOMAXCONN) != 0)
    return refuse("127.0.0.1:" + std::to_string(port));
  getsockname(listener, raw, &size);
  std::fprintf(stderr, "listening on tcp://127.0.0.1:%d\n", ntohs(address.sin_port));
  serve_all(server, listener, framing);
}

int serve_unix(Server& server, const std::string& path, Framing framing) {
  const int listener = os::make_socket(AF_UNIX, SOCK_STREAM);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return refuse(path);
  }
  path.copy(address.sun_path, path.size());
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, SOMAXCONN) != 0) {
    return refuse(path);
  }
  std::fprintf(stderr, "listening on unix:%s\n", path.c_str());
  serve_all(server, listener, framing);
}

}  // namespace harness::reference
