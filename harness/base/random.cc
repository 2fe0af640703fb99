// SPDX-License-Identifier: Apache-2.0
#include "harness/base/random.h"

#include <sys/random.h>

#include <cerrno>

#include "harness/base/result.h"

namespace harness {

std::uint64_t random_number() {
  std::uint64_t number = 0;
  ssize_t got = -1;
  do got = ::getrandom(&number, sizeof number, 0);
  while (got < 0 && errno == EINTR);
  check(got == static_cast<ssize_t>(sizeof number), "the kernel provides no random numbers");
  return number;
}

}  // namespace harness
