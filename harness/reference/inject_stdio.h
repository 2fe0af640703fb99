// SPDX-License-Identifier: Apache-2.0
// Faults of the stdio host: what else appears on standard output, how lines end, when the process
// ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/reference/session.h"

namespace harness::reference {

class StdioFaultInjector {
 public:
  explicit StdioFaultInjector(Server& server) : faults_(server.faults) {}

  // What is printed before any input; a sound server prints nothing.
  std::string greeting() const;
  // One message with its line end.
  void append_line(std::string& output, const std::string& message);
  bool ends_after_reply() const { return faults_.has("stdout-last-line-unterminated"); }
  // A line before it is read; false drops it.
  bool line_in(Session& session, std::string& line) const;
  std::size_t longest_line() const;  // where longer ones are cut; npos: nowhere
  // Content-Length framing. The header of a message that is written; a correct one has the length.
  std::string header_of(std::string_view message) const;
  // How many bytes after a header form its message; nothing while some are missing.
  std::optional<std::size_t> content_size(std::string_view from, std::size_t length,
                                          Session& session) const;
  // Called when standard input is closed and everything was answered; may never return.
  void at_end_of_input(const Session& session, bool anything_read, bool pending) const;

 private:
  const Faults& faults_;
  std::string held_;  // half of a message
};

}  // namespace harness::reference
