// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/session_id.h"

#include <cstdio>
#include <cstdlib>

#include "harness/base/os.h"

namespace harness::reference {

std::string new_session_id() {
  unsigned char bytes[16];
  if (!os::fill_with_random(bytes, sizeof bytes)) std::abort();
  std::string id;
  for (const unsigned char byte : bytes) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", byte);
    id += hex;
  }
  return id;
}

}  // namespace harness::reference
