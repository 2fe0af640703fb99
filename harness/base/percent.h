// SPDX-License-Identifier: Apache-2.0
// Percent-encoding, as fragments of URIs have it.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/ascii.h"

namespace harness {

// What is no escape stays as it is.
inline std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && ascii::is_hex(text[i + 1]) &&
        ascii::is_hex(text[i + 2])) {
      out += ascii::from_hex(text.substr(i + 1, 2));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace harness
