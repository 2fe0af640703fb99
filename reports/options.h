// SPDX-License-Identifier: Apache-2.0
// What every reporter is told besides the Events: how to look up a clause, and how the output is
// going to be looked at. The caller decides once; reporters never ask the environment.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/spec/advice.h"
#include "harness/spec/official.h"
#include "harness/spec/requirement.h"
#include "reports/campaign.h"
#include "reports/origin.h"

namespace reports {

// The registry entry of a requirement id, or null. The entry outlives the reporter.
using RequirementLookup = std::function<const harness::spec::Requirement*(const std::string& id)>;

// Software that is known to break a clause, with versions: "jayson 5.0.0".
using KnownFrom = std::function<std::vector<std::string>(const std::string& id)>;

// What to change so that a server obeys a clause, or null. It outlives the reporter.
using AdviceLookup = std::function<const harness::spec::Advice*(const std::string& id)>;

// The SDK that is to blame, with its version: "@modelcontextprotocol/sdk 1.32.2"; "" for none.
// `received`: the messages that show it.
using SdkOf = std::function<std::string(const std::string& profile, const std::string& requirement,
                                        const std::string& case_id, const std::string& received)>;

// What the official conformance suite has for a clause, or null. It outlives the reporter.
using OfficialLookup = std::function<const harness::spec::Official::Clause*(const std::string& id)>;

struct ReportOptions {
  RequirementLookup requirement;  // empty: clauses are named by id only
  KnownFrom known_from;           // empty: nothing is known
  OfficialLookup official;        // empty: nothing is known
  AdviceLookup advice;            // empty: nothing is known
  SdkOf sdk;                      // empty: nothing is known
  // The address of the page of a clause, or "". Empty: there are no pages.
  std::function<std::string(const std::string& id)> page;
  // Of a campaign, filled in before the run is finished; null: it is not a campaign.
  std::shared_ptr<const Campaign> campaign;
  Origin origin;            // of the reported run, as far as known
  bool terminal = false;    // stdout is a terminal: console shows a progress line
  bool colour = false;      // stdout understands colours
  bool quiet = false;       // console shows what failed, and the gate
  bool verbose = false;     // console also lists passing cases and notes
  bool warnings = false;    // warnings are shown even if they do not gate: in console, SARIF
                            // and Markdown
  std::size_t width = 100;  // columns of the terminal; console never uses more than 100
  // Clock of the progress line; empty: steady_clock.
  std::function<std::chrono::steady_clock::time_point()> now;
  // Called if a report could not be written at the end of a run; empty: a message goes to stderr.
  std::function<void(const harness::Error&)> on_error;
};

}  // namespace reports
