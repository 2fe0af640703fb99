// SPDX-License-Identifier: Apache-2.0
// Hunt: looks for differences between two targets, and makes of each the least script that shows
// it.
//
//   script ─► both ─► differences ─► again, twice, on fresh sessions ─► reduced ─► confirmed ─►
//   told
//                                     └► not the same: flaky, no difference
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/diff/accepted_differences.h"
#include "fuzz/diff/sides.h"
#include "fuzz/judge/judge.h"
#include "fuzz/mutate/vocabulary.h"
#include "harness/spec/requirement.h"

namespace fuzz {

// A confirmed difference and the smallest script that shows it.
struct Divergence {
  Difference difference;
  std::string signature;
  Script script;
  // Clauses that only one side breaks, for each side. Both empty: both are lawful as far as they
  // are judged.
  std::vector<Problem> breaks_a, breaks_b;
  std::size_t scripts = 1;  // that showed it
  std::string reason;       // why it is accepted; "" if it is not
};

struct HuntLimits {
  std::size_t most = 60;                        // how many differences to reduce; further ones are
                                                // only counted
  std::chrono::milliseconds reduction{20'000};  // for one
};

class Hunt {
 public:
  // What is passed by reference outlives it.
  Hunt(Sides& sides, const harness::spec::Registry& registry, AcceptedDifferences& accepted,
       HuntLimits limits);

  // An Error says why no session can be opened any more.
  harness::session::awaitable<harness::Status> look_at(const Script& script);
  // Plays `count` variations of these scripts, and of variations that showed new behaviour.
  harness::session::awaitable<harness::Status> vary_from(const std::vector<Script>& given,
                                                         const Vocabulary& vocabulary,
                                                         std::uint64_t seed, std::size_t count);
  // What only one side declares or lists.
  void look_at_offers();
  // Whether the accepted differences that have a script still occur.
  harness::session::awaitable<harness::Status> check_accepted();

  const std::vector<Divergence>& found() const { return found_; }
  // Signatures of differences that did not repeat on fresh sessions of both sides.
  const std::set<std::string>& flaky() const { return flaky_; }
  std::size_t scripts() const { return scripts_; }    // played on both sides
  std::size_t left_out() const { return left_out_; }  // their meaning differs by side
  std::size_t beyond() const { return beyond_; }      // differences beyond HuntLimits::most
  // Called for each difference that is found.
  void tell(std::function<void(const Divergence&)> told) { told_ = std::move(told); }

 private:
  using Differences = std::vector<Difference>;
  template <class T>
  using Coming = harness::session::awaitable<harness::Result<T>>;

  bool explained(const Difference& difference);
  Coming<Differences> fresh(const Script& script, Both* kept);
  Coming<Differences> repeated(const Script& script);
  harness::session::awaitable<harness::Status> take_care_of(const std::vector<Script>& seen_in,
                                                            const Difference& seen);
  Coming<std::optional<Script>> reduced(const std::vector<Script>& journal,
                                        const Difference& difference, bool on_fresh_sessions);
  Coming<bool> confirmed(const Script& script, Difference& difference, Both& both);
  void keep(Divergence divergence);
  bool fresh_behaviour(const Both& both);
  harness::session::awaitable<harness::Status> look(const Script& script, bool* fresh);

  Sides& sides_;
  const harness::spec::Registry& registry_;
  AcceptedDifferences& accepted_;
  HuntLimits limits_;
  std::function<void(const Divergence&)> told_;
  std::vector<Divergence> found_;
  std::set<std::string> flaky_;
  std::set<std::string> settled_;     // signatures of found differences, as they were first seen
  std::map<std::string, int> tries_;  // for scripts that end differently, by the two replies
  std::set<std::string> beyond_signatures_;
  std::set<std::uint64_t> behaviours_;
  std::size_t scripts_ = 0, left_out_ = 0, beyond_ = 0;
};

// What `played` breaks and `other` does not, according to the oracles of the suite and of the
// fuzzer. Only the script counts, not the handshake.
std::vector<Problem> breaks_alone(const Execution& execution, const Execution& other,
                                  const harness::spec::Profile& profile,
                                  const harness::spec::Registry& registry,
                                  const harness::Secrets& secrets,
                                  const harness::Secrets& other_secrets);

}  // namespace fuzz
