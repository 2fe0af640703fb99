// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/board.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace fuzz {
namespace {
constexpr std::uint64_t kReleased = 2;  // a place that stays taken
}  // namespace

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t h = text.size();
  for (std::uint64_t word = 0; !text.empty(); word = 0) {
    const std::size_t taken = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), taken);
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    text.remove_prefix(taken);
  }
  return h == 0 || h == kReleased ? 1 : h;
}

harness::Result<Board*> Board::make() {
  void* memory =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return harness::Error{"", std::string("no shared memory: ") + std::strerror(errno), ""};
  return new (memory) Board;
}

bool Board::claimed(std::string_view signature) const {
  const std::uint64_t mark = fingerprint(signature);
  for (std::size_t i = 0; i < kMostSignatures; ++i) {
    const std::uint64_t found = signatures_[(mark + i) % kMostSignatures];
    if (found == mark || found == 0) return found == mark;
  }
  return true;
}

void WorkerRow::say_suspect(std::string_view requirement) {
  const std::size_t most = std::min(requirement.size(), clause.size() - 1);
  for (std::size_t i = 0; i < most; ++i) clause[i] = requirement[i];
  clause[most] = '\0';
}

std::string WorkerRow::suspect() const {
  std::string out;
  for (const std::atomic<char>& one : clause) {
    if (one == '\0') break;
    out += one;
  }
  return out;
}

bool Board::claim(std::string_view signature) {
  const std::uint64_t mark = fingerprint(signature);
  for (std::size_t i = 0; i < kMostSignatures; ++i) {
    std::atomic<std::uint64_t>& slot = signatures_[(mark + i) % kMostSignatures];
    std::uint64_t found = 0;
    if (slot.compare_exchange_strong(found, mark)) return true;
    if (found == mark) return false;
  }
  return false;  // enough bugs for one campaign
}

void Board::release(std::string_view signature) {
  const std::uint64_t mark = fingerprint(signature);
  for (std::size_t i = 0; i < kMostSignatures; ++i) {
    std::atomic<std::uint64_t>& slot = signatures_[(mark + i) % kMostSignatures];
    std::uint64_t found = mark;
    if (slot.compare_exchange_strong(found, kReleased) || found == 0) return;
  }
}

void Board::say_profile(std::string_view name) {
  if (negotiated_) return;
  name.copy(profile_.data(), profile_.size() - 1);
  negotiated_ = true;
}

std::string Board::profile() const { return negotiated_ ? profile_.data() : ""; }

}  // namespace fuzz
