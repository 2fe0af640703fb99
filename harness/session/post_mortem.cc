// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text.h"
#include "harness/session/session.h"

namespace harness::session {

std::string post_mortem(const Session& session) {
  std::string text;
  if (session.exited())
    text = "it ended with " + session.exit_status();
  else if (session.closed())
    text = "the connection ended: " + session.closed_how();
  const std::string tail = session.stderr_tail();
  if (tail.empty()) return text;
  text += text.empty() ? "its stderr ends with:" : "; its stderr ends with:";
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < tail.size();) {
    std::size_t end = tail.find('\n', at);
    if (end == std::string::npos) end = tail.size();
    if (end > at) lines.push_back(printable(std::string_view(tail).substr(at, end - at), 200));
    at = end + 1;
  }
  const std::size_t first = lines.size() > 8 ? lines.size() - 8 : 0;
  for (std::size_t i = first; i < lines.size(); ++i) text += "\n    " + lines[i];
  return text;
}

}  // namespace harness::session
