// SPDX-License-Identifier: Apache-2.0
// Oracle: a pure function from a Transcript to Findings. Oracles run over every Transcript of every
// Case and of every fuzz input; they find what no case tests for.
#pragma once

#include <string>
#include <vector>

#include "harness/base/secrets.h"
#include "harness/oracle/finding.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/trace/trace.h"
#include "harness/wire/frame.h"

namespace harness::oracle {

using trace::Item;

// What an Oracle judges: a Trace, and what to judge it by.
struct Evidence : trace::Trace {
  const spec::Registry& registry;
  const Secrets* secrets = nullptr;  // our credentials; null if unknown

  Evidence(const wire::Transcript& said, const spec::Profile& spoken, const spec::Registry& clauses)
      : Trace(said, spoken), registry(clauses) {}
  Evidence(const trace::Slice& slice, const spec::Profile& spoken, const spec::Registry& clauses,
           const Secrets* ours = nullptr)
      : Trace(slice, spoken), registry(clauses), secrets(ours) {}
};

using Sink = std::vector<Finding>;

struct Oracle {
  const char* name;
  const char* help;                 // one line for `list oracles`
  std::vector<std::string> covers;  // the requirements it can report
  void (*judge)(const Evidence&, Sink&);
  std::vector<std::string> falsified_by;  // Faults of the reference server that prove it
  // Those of `covers` that no Fault proves yet: they do not count as covered.
  std::vector<std::string> unproved = {};
};

const std::vector<Oracle>& oracles();

// All oracles in table order. A finding whose requirement does not apply under the profile is
// dropped; its severity is lowered to the one that the profile gives the requirement's level.
std::vector<Finding> judge(const Evidence& evidence);

// For oracles: reports a breach of `requirement`. The severity is that of the requirement's level
// (MUST fail, SHOULD warn, MAY info) and is capped at `at_most`.
void report(const Evidence& evidence, Sink& sink, const char* requirement, std::string expected,
            std::string seen, std::vector<std::uint64_t> frames,
            Severity at_most = Severity::kFail);

}  // namespace harness::oracle
