// SPDX-License-Identifier: Apache-2.0
#include "harness/base/random.h"

#include "harness/base/os.h"
#include "harness/base/result.h"

namespace harness {

std::uint64_t random_number() {
  std::uint64_t number = 0;
  check(os::fill_with_random(&number, sizeof number), "the kernel provides no random numbers");
  return number;
}

}  // namespace harness
