// SPDX-License-Identifier: Apache-2.0
#include "fuzz/coverage/map.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "fuzz/coverage/rpcspec_coverage.h"
#include "harness/base/os.h"

namespace fuzz {
namespace {

std::uint32_t read_word(const std::uint32_t& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

}  // namespace

harness::Result<CoverageMap> CoverageMap::create(std::size_t counters) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  counters = std::bit_ceil(std::clamp(counters, page, kMostCounters));
  const std::size_t size = page + counters;
  const auto refused = [](const char* what) {
    return harness::Error{"",
                          std::string("shared memory for the target cannot be created: ") + what +
                              ": " + std::strerror(errno),
                          "run without coverage, or free some memory"};
  };
  const int fd = harness::os::make_shared_memory(size);
  if (fd < 0) return refused("no file for it");
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) {
    const auto error = refused("mmap");
    ::close(fd);
    return error;
  }
  auto* header = static_cast<rpcspec_coverage_header*>(memory);
  std::memcpy(header->magic, RPCSPEC_COVERAGE_MAGIC, sizeof header->magic);
  header->version = RPCSPEC_COVERAGE_VERSION;
  header->header_size = static_cast<std::uint32_t>(page);
  header->counters = static_cast<std::uint32_t>(counters);
  return CoverageMap(fd, memory, size);
}

CoverageMap::CoverageMap(int fd, void* memory, std::size_t size)
    : fd_(fd), header_(static_cast<rpcspec_coverage_header*>(memory)), size_(size) {
  counters_ = static_cast<std::uint8_t*>(memory) + header_->header_size;
  count_ = header_->counters;
}

CoverageMap::CoverageMap(CoverageMap&& other) noexcept { *this = std::move(other); }

CoverageMap& CoverageMap::operator=(CoverageMap&& other) noexcept {
  if (this == &other) return *this;
  let_go();
  fd_ = std::exchange(other.fd_, -1);
  header_ = std::exchange(other.header_, nullptr);
  counters_ = std::exchange(other.counters_, nullptr);
  size_ = std::exchange(other.size_, 0);
  count_ = std::exchange(other.count_, 0);
  return *this;
}

CoverageMap::~CoverageMap() { let_go(); }

void CoverageMap::let_go() {
  if (header_ != nullptr) ::munmap(header_, size_);
  if (fd_ >= 0) ::close(fd_);
}

std::pair<std::string, std::string> CoverageMap::environment() const {
  return {RPCSPEC_COVERAGE_VARIABLE, harness::os::path_of_shared(fd_)};
}

std::size_t CoverageMap::used() const {
  return std::min<std::size_t>(read_word(header_->used), count_);
}

std::span<const std::uint8_t> CoverageMap::counters() const { return {counters_, used()}; }

void CoverageMap::clear() {
  // In this order: an agent that keeps sums of its own forgets them before it writes again.
  __atomic_fetch_add(&header_->generation, 1, __ATOMIC_SEQ_CST);
  std::memset(counters_, 0, used());
}

std::uint32_t CoverageMap::attached() const { return read_word(header_->attached); }
std::uint32_t CoverageMap::edges() const { return read_word(header_->edges); }

}  // namespace fuzz
