// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/session/session.h"

namespace harness::session {

void Session::note_end(std::string how, const std::string& output) {
  constexpr std::size_t kMostLines = 64;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t stop = std::min(output.find('\n', at), output.size());
    lines.push_back(output.substr(at, stop - at));
    at = stop + 1;
  }
  for (std::size_t i = lines.size() - std::min(lines.size(), kMostLines); i < lines.size(); ++i) {
    wire::Frame line;
    line.channel = wire::Channel::kStderr;
    line.bytes = std::move(lines[i]);
    take(std::move(line));
  }
  wire::Frame end;
  end.channel = wire::Channel::kExit;
  end.bytes = how;
  take(std::move(end));
  closed_how_ = std::move(how);
  unusable_ = true;
}

std::string end_of(const Session& session) {
  if (session.exited()) return "it ended with " + session.exit_status();
  return session.closed() ? "the connection ended: " + session.closed_how() : "";
}

std::string stderr_of(const Session& session) {
  const std::string tail = session.stderr_tail();
  if (tail.empty()) return "";
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < tail.size();) {
    std::size_t end = tail.find('\n', at);
    if (end == std::string::npos) end = tail.size();
    if (end > at) lines.push_back(printable(std::string_view(tail).substr(at, end - at), 200));
    at = end + 1;
  }
  std::string text = "its stderr ends with:";
  const std::size_t first = lines.size() > 8 ? lines.size() - 8 : 0;
  for (std::size_t i = first; i < lines.size(); ++i) text += "\n    " + lines[i];
  return text;
}

std::string post_mortem(const Session& session) {
  const std::string end = end_of(session), lines = stderr_of(session);
  return end + (end.empty() || lines.empty() ? "" : "; ") + lines;
}

}  // namespace harness::session
