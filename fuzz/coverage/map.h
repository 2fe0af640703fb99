// SPDX-License-Identifier: Apache-2.0
// CoverageMap: the fuzzer's end of the coverage map (README.md has the contract). It lives in
// memory only: it is gone when this process ends, however it ends.
//
//   auto map = fuzz::CoverageMap::create();
//   target.env.push_back(map->environment());   // before it is started
//   … map->clear(); play a script; look at map->counters() …
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "harness/base/result.h"

struct rpcspec_coverage_header;

namespace fuzz {

class CoverageMap {
 public:
  static constexpr std::size_t kCounters = 1u << 16;
  static constexpr std::size_t kMostCounters = 1u << 24;

  // `counters` is rounded up to a power of two and to at least one page.
  static harness::Result<CoverageMap> create(std::size_t counters = kCounters);
  ~CoverageMap();
  CoverageMap(CoverageMap&& other) noexcept;
  CoverageMap& operator=(CoverageMap&& other) noexcept;

  // The environment variable that a target needs. The path leads through our process: while the map
  // exists, processes of the same user that see our process id can open it.
  std::pair<std::string, std::string> environment() const;

  // How often each place was reached since clear(); 255 means 255 or more. Only the counters that
  // may have been written. They change while the target runs; their address stays the same.
  std::span<const std::uint8_t> counters() const;
  // Sets all counters to 0. Touches only those that may have been written.
  void clear();

  // How many programs have found the map since it was made. 0: the target is not instrumented, or
  // cannot reach the map.
  std::uint32_t attached() const;
  // How many places the target reports; 0 when it reports none.
  std::uint32_t edges() const;

 private:
  CoverageMap(int fd, void* memory, std::size_t size);
  void let_go();
  std::size_t used() const;

  int fd_ = -1;
  rpcspec_coverage_header* header_ = nullptr;
  std::uint8_t* counters_ = nullptr;
  std::size_t size_ = 0;   // of the file
  std::size_t count_ = 0;  // ours, whatever the target writes into the header
};

}  // namespace fuzz
