// SPDX-License-Identifier: Apache-2.0
// ServedCopies: a handler on a Unix socket, messages by the line. Each connection is served by a
// copy of this process, so the effects of a message, up to a crash, stay in that copy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rpcspec/conformance.h"

namespace rpcspec {

// How a copy ended that should have continued.
struct Death {
  std::string how;  // "the handler threw std::out_of_range: …", "… ended by SIGSEGV", printable
  std::string message;   // the last message it got, or its first part
  std::size_t size = 0;  // of that message, in bytes
};

class ServedCopies {
 public:
  // Listens at `path`. Throws std::runtime_error.
  ServedCopies(const std::string& path, const Conformance::Make& make);
  ~ServedCopies();
  ServedCopies(const ServedCopies&) = delete;
  ServedCopies& operator=(const ServedCopies&) = delete;

  int listener() const { return listener_; }
  // A connection is waiting: starts the copy that serves it.
  void accept();
  // Checks which copies have ended.
  void reap();
  // No more connections: copies have two seconds to end by themselves. Then `deaths` are complete.
  void finish();

  const std::vector<Death>& deaths() const { return deaths_; }

 private:
  struct Fate;
  struct Copy {
    int pid = 0;
    Fate* fate = nullptr;  // in memory that both share
  };
  [[noreturn]] static void serve(int connection, const Conformance::Make& make, Fate& fate);
  void ended(const Copy& copy, int status);

  const Conformance::Make& make_;
  int listener_ = -1;
  std::vector<Copy> copies_;
  std::vector<Death> deaths_;
};

}  // namespace rpcspec
