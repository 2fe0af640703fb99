// SPDX-License-Identifier: Apache-2.0
// memcmp() as the library in fuzz/handler calls it (see one_archive). That of the C library is
// watched by libFuzzer, which takes what is compared for what guides it to new input, and by
// sanitizers; what our oracles compare is not of the server that is fuzzed, and there is much of
// it.
#include <cstddef>
#include <cstdint>

namespace {

// Eight bytes, compared as memcmp() does.
std::uint64_t eight(const unsigned char* bytes) {
  std::uint64_t word = 0;
  __builtin_memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

}  // namespace

extern "C" int rpcspec_plain_memcmp(const void* a, const void* b, std::size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (; size >= 8; size -= 8, left += 8, right += 8) {
    const std::uint64_t one = eight(left);
    const std::uint64_t other = eight(right);
    if (one != other) return one < other ? -1 : 1;
  }
  for (; size > 0; --size, ++left, ++right) {
    if (*left != *right) return *left < *right ? -1 : 1;
  }
  return 0;
}
