// SPDX-License-Identifier: Apache-2.0
#include "harness/target/interpolation.h"

#include <algorithm>
#include <cstdlib>

#include "harness/base/ascii.h"

namespace harness::target {
namespace {

bool is_name_part(char c) { return ascii::is_alphanumeric(c) || c == '_'; }

}  // namespace

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<std::string> interpolated(const std::string& text, Lookup lookup) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i++];
      continue;
    }
    if (text[i + 1] == '$') {
      out += '$';
      i += 2;
      continue;
    }
    const bool braced = text[i + 1] == '{';
    const std::size_t begin = i + (braced ? 2 : 1);
    std::size_t end = begin;
    while (end < text.size() && is_name_part(text[end])) ++end;
    const std::string name = text.substr(begin, end - begin);
    std::optional<std::string> otherwise;
    if (braced) {
      const auto close = text.find('}', end);
      if (close == std::string::npos || name.empty()) {
        return Error{"", "'" + text + "' is not a reference to the environment",
                     "write $NAME or ${NAME}; $$ is a dollar sign"};
      }
      if (text.compare(end, 2, ":-") == 0) otherwise = text.substr(end + 2, close - end - 2);
      end = close + 1;
    } else if (name.empty()) {
      out += text[i++];
      continue;
    }
    std::optional<std::string> value = lookup(name);
    if (!value) value = std::move(otherwise);
    if (!value) {
      return Error{"", "the environment variable " + name + " is not set",
                   "set it, or write the value here; $$ is a dollar sign"};
    }
    out += *value;
    i = end;
  }
  return out;
}

Result<std::string> interpolated_as_clients_do(const std::string& text,
                                               const std::string& workspace, Lookup lookup) {
  std::string out;
  for (std::size_t at = 0;;) {
    const auto open = text.find("${", at);
    out += text.substr(at, open - at);
    if (open == std::string::npos) return out;
    const auto close = text.find('}', open);
    std::string inner = text.substr(open, close == std::string::npos ? close : close + 1 - open);
    if (inner.starts_with("${env:")) inner.erase(2, 4);
    if (inner == "${workspaceFolder}") {
      out += workspace;
    } else if (inner.starts_with("${input:")) {
      return Error{"", "'" + inner + "' is a question of the editor",
                   "write ${NAME}, and set that in the environment"};
    } else {
      auto filled = interpolated(inner, lookup);
      if (!filled) return filled;
      out += *filled;
    }
    at = close + 1;
  }
}

std::string inserted_text(const std::string& written, const std::string& filled) {
  const std::size_t before = std::min(written.find('$'), written.size());
  std::size_t after = written.size() - std::min(written.size(), written.rfind('}') + 1);
  if (written.find('}') == std::string::npos || before + after > filled.size()) after = 0;
  return filled.substr(before, filled.size() - before - after);
}

}  // namespace harness::target
