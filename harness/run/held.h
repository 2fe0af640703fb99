// SPDX-License-Identifier: Apache-2.0
// Held results: what a case came to under one profile that holds under another, because nothing
// that is sent tells one from the other and nothing that is judged depends on it.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "harness/results/event.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/suite/case.h"
#include "harness/suite/loader.h"
#include "harness/wire/transport_kind.h"

namespace harness::run {

// Whether the case is the same under both and so is all that is sent, from the first byte of its
// connection: no handshake that names the revision, no step, row or outcome of one of them alone,
// no shape that differs, the same clauses at the same levels. Pure.
bool plays_alike(const suite::Case& scenario, const suite::Suite& suite,
                 const spec::Registry& registry, const spec::Profile& one,
                 const spec::Profile& other, wire::TransportKind transport);

class HeldResults {
 public:
  // Keeps a result that was come to under the profile, when it is a verdict on the target. Of its
  // evidence no more than some megabytes are kept in all.
  void keep(const CaseResult& result, const spec::Profile& profile);

  struct Held {
    const spec::Profile* profile = nullptr;  // under which it was played
    CaseResult result;
  };
  // Null when the case has to be played.
  const Held* find(const std::string& id) const;

 private:
  std::map<std::string, Held> results_;
  std::size_t bytes_ = 0;  // of evidence
};

}  // namespace harness::run
