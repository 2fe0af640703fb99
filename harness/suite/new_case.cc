// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "harness/suite/check.h"

namespace harness::suite {
namespace {

// One comment, wrapped at 100 columns.
std::string comment(const std::string& text) {
  constexpr std::size_t kColumns = 100;
  std::string out, line = "#";
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (line.size() > 1 && line.size() + 1 + (end - at) > kColumns) {
      out += line + '\n';
      line = "#  ";
    }
    line += ' ' + text.substr(at, end - at);
    at = end + 1;
  }
  return out + line + '\n';
}

}  // namespace

std::string new_case(const spec::Requirement* clause) {
  std::string out;
  if (clause != nullptr) {
    out += comment(std::string(spec::level_name(clause->level)) + ": " + clause->statement);
    out += comment("Source: " + clause->source);
    if (!clause->probe.empty()) out += comment("Probe: " + clause->probe);
  }
  out += "title: \"" + std::string("A sentence about the target that this case could find false") +
         "\"\n";
  if (clause)
    out += fmt::format("covers: [{}]\n", clause->id);
  else
    out +=
        "# A rule of your own; for one of a specification: covers: [ID], see `rpcspec list "
        "requirements`.\n"
        "clause: {level: MUST, statement: \"What the server has to do.\", source: \"our "
        "manual\"}\n";
  out +=
      "steps:\n"
      "  # A tool of yours: call: {method: tools/call, params: {name: search, arguments: {query: "
      "x}}}\n"
      "  - call: {method: \"${canary.method}\", params: \"${canary.params}\"}\n"
      "    reply: normal\n";
  return out;
}

}  // namespace harness::suite
