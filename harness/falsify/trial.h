// SPDX-License-Identifier: Apache-2.0
// Trial: cases played against the reference server in memory, with some Faults or none, under one
// profile. One sighting is enough: nothing here depends on chance.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contact/negotiate.h"
#include "harness/reference/faults.h"
#include "harness/run/case_judge.h"

namespace harness::falsify {

// The target as its operator describes it; `server`: the profile it is started with.
target::Target operated(const std::string& server);

// What a case or oracle reported in one case: of severity fail or warn.
struct Caught {
  run::Verdict verdict = run::Verdict::kInconclusive;
  std::set<std::string> watchers;  // the case's id, if it failed or warned, and "oracle/NAME"
  std::set<std::string> clauses;   // cited by any of them
  // Everything that was sent and received, as far as the case records it.
  std::shared_ptr<const wire::Transcript> transcript;
};

class Trial {
 public:
  // `server`: the profile the server is started with; `judged_by`: the one it is judged by, or
  // "auto". Suite and registry outlive it.
  Trial(const suite::Suite& suite, const spec::Registry& registry, const std::string& server,
        std::string judged_by, const std::vector<std::string>& faults);

  // Finds out what the server speaks and declares; false if the handshake fails.
  bool meet();
  // Whether the case can be played: it is meant for this profile, and the server has what it needs.
  bool can_play(const suite::Case& scenario) const;
  // On a new session.
  Caught play(const suite::Case& scenario);
  const spec::Profile& profile() const { return pool_.profile(); }

 private:
  template <class T>
  T run(run::awaitable<T> story);

  const suite::Suite& suite_;
  const spec::Registry& registry_;
  const std::string judged_by_;
  target::Target target_;
  boost::asio::io_context io_;
  run::Pool pool_;
  run::Offer offer_;
  json::Value capabilities_;
};

}  // namespace harness::falsify
