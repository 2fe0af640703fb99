// SPDX-License-Identifier: Apache-2.0
// inspect(): examines a target without judging it: what it is, speaks and offers, what cases will
// be able to test, its speed and size. Calls no tool.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contact/negotiate.h"
#include "harness/contact/revisions.h"
#include "harness/target/synthesis.h"

namespace harness::run {

struct ToolView {
  json::Value listed;  // as tools/list has it
  bool called = false;
  std::string why;          // whether it is called
  target::Synthesis valid;  // what would be sent
  target::Synthesis minimal;
  std::size_t boundary = 0;  // how many instances could be made
  std::size_t broken = 0;
  std::vector<std::string> refused;  // of boundary and broken
};

struct Missing {
  std::string affordance;
  std::size_t cases = 0;          // cases that it would enable
  std::set<std::string> members;  // that these cases read
};

// The members that cases read from an affordance: ${target.NAME.MEMBER}.
void add_members(const suite::Case& scenario, const std::string& affordance,
                 std::set<std::string>& out);

struct Inspection {
  const spec::Profile* profile = nullptr;  // the profile that it would be judged under
  json::Value server;                      // serverInfo; null if there is none
  json::Value capabilities;                // likewise
  std::vector<Spoken> spoken;
  Offer offer;
  std::vector<ToolView> tools;
  std::vector<std::string> recognised;                  // affordances that the operator did not
                                                        // give
  std::vector<Missing> missing;                         // the most useful first
  std::optional<std::chrono::microseconds> round_trip;  // the median of several canaries
  std::chrono::milliseconds start{};                    // from the first byte sent to an agreed
                                                        // revision
  std::optional<std::uint64_t> memory;                  // bytes; for a target that we started
};

// An Error when the target cannot be reached or does not speak the profile asked for. `group`: the
// process group of a target that we started and reach by URL; 0 if there is none.
awaitable<Result<Inspection>> inspect(boost::asio::any_io_executor executor,
                                      const target::Target& target, const suite::Suite& suite,
                                      const spec::Registry& registry, std::string profile,
                                      std::chrono::milliseconds timeout, int group);

}  // namespace harness::run
