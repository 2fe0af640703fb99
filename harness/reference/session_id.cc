// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/session_id.h"

#include <sys/random.h>

#include <cstdio>
#include <cstdlib>

namespace harness::reference {

std::string new_session_id() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) std::abort();
  std::string id;
  for (const unsigned char byte : bytes) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", byte);
    id += hex;
  }
  return id;
}

}  // namespace harness::reference
