// SPDX-License-Identifier: Apache-2.0
// Blocking sockets and no HTTP library, so that tests decide about every byte.
#include "harness/reference/http_conversation_testing.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "harness/base/os.h"
#include "harness/base/result.h"
#include "harness/reference/hosts.h"

namespace harness::reference {
namespace {

[[noreturn]] void serve(const std::string& profile, const std::vector<std::string>& faults) {
  os::end_with(getppid());
  std::signal(SIGPIPE, SIG_IGN);
  Faults chosen;
  for (const std::string& fault : faults) {
    if (!chosen.add(fault)) _exit(2);
  }
  const auto known = find_server_profile(profile);
  if (!known) _exit(2);
  Server server(*known, chosen);
  _exit(serve_http(server, {}));
}

}  // namespace

Served::Served(const std::string& profile, const std::vector<std::string>& faults) {
  int ends[2];
  check(pipe(ends) == 0, "a pipe can be made");
  child_ = fork();
  check(child_ >= 0, "a process can be started");
  if (child_ == 0) {
    dup2(ends[1], STDERR_FILENO);
    serve(profile, faults);
  }
  close(ends[1]);
  said_ = ends[0];
  std::string line;  // listening on http://127.0.0.1:PORT/mcp
  char byte = 0;
  while (read(said_, &byte, 1) == 1 && byte != '\n') line += byte;
  const auto colon = line.rfind(':');
  if (colon != std::string::npos) port_ = std::atoi(line.c_str() + colon + 1);
}

Served::~Served() {
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  close(said_);
}

std::string HttpAnswer::header(const std::string& name) const {
  const auto at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const auto value = at + name.size() + 4;
  return head.substr(value, head.find("\r\n", value) - value);
}

Client::Client(const Served& served) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval patience{20, 0};  // only a broken server uses it up
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(served.port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // A refusal shows when nothing is answered.
  (void)connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
}

Client::~Client() { close(socket_); }

void Client::say(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

HttpAnswer Client::hear() {
  HttpAnswer answer;
  if (!receive_until("\r\n\r\n")) return answer;
  answer.head = take(received_.find("\r\n\r\n") + 4);
  answer.status = std::atoi(answer.head.c_str() + 9);  // behind "HTTP/1.1 "
  if (answer.header("Transfer-Encoding") == "chunked") {
    const std::string end = "\r\n0\r\n\r\n";
    if (receive_until(end)) answer.body = take(received_.find(end) + end.size());
    return answer;
  }
  const auto size = static_cast<std::size_t>(std::atoi(answer.header("Content-Length").c_str()));
  while (received_.size() < size && receive()) {
  }
  answer.body = take(size);
  return answer;
}

HttpAnswer Client::ask(const std::string& bytes) {
  say(bytes);
  return hear();
}

bool Client::has_more() const {
  char byte;
  return !received_.empty() || recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool Client::ends_silently() {
  while (receive()) {
  }
  return ended_ && received_.empty();
}

bool Client::receive() {
  char bytes[4096];
  const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
  if (n > 0) received_.append(bytes, static_cast<std::size_t>(n));
  ended_ = n == 0;
  return n > 0;
}

bool Client::receive_until(const std::string& mark) {
  while (received_.find(mark) == std::string::npos) {
    if (!receive()) return false;
  }
  return true;
}

std::string Client::take(std::size_t size) {
  const std::string taken = received_.substr(0, size);
  received_.erase(0, size);
  return taken;
}

}  // namespace harness::reference
