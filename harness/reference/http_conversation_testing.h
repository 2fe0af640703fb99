// SPDX-License-Identifier: Apache-2.0
// For tests: the reference server over HTTP in a process of its own, and clients that write the
// bytes of their requests themselves.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace harness::reference {

// A reference server on its own port, for the lifetime of this object.
class Served {
 public:
  explicit Served(const std::string& profile, const std::vector<std::string>& faults = {});
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served();

  int port() const { return port_; }

 private:
  pid_t child_ = -1;
  int said_ = -1;  // its standard error
  int port_ = 0;
};

struct HttpAnswer {
  int status = 0;    // 0: the connection ended without an answer
  std::string head;  // status line and headers
  std::string body;  // a chunked body with its chunk sizes

  std::string header(const std::string& name) const;  // "" if it is absent
};

// One connection of a client.
class Client {
 public:
  explicit Client(const Served& served);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  void say(const std::string& bytes);
  HttpAnswer hear();
  HttpAnswer ask(const std::string& bytes);

  // Whether anything has come that was not read yet.
  bool has_more() const;
  // Waits until the server closes its end; false if it sent something first.
  bool ends_silently();

 private:
  bool receive();
  bool receive_until(const std::string& mark);
  std::string take(std::size_t size);

  int socket_;
  std::string received_;
  bool ended_ = false;  // by the server
};

}  // namespace harness::reference
