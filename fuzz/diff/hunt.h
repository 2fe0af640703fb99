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

// A difference that was confirmed, and the least that shows it.
struct Divergence {
  Difference difference;
  std::string signature;
  Script script;
  // What each side breaks with it and the other one does not; both empty: both are lawful, as far
  // as they are judged.
  std::vector<Problem> breaks_a, breaks_b;
  std::size_t scripts = 1;  // that showed it
  std::string reason;       // why it is accepted; "" where it is not
};

struct HuntLimits {
  std::size_t most = 60;                        // differences to reduce; more are counted
  std::chrono::milliseconds reduction{20'000};  // for one
};

class Hunt {
 public:
  // What is passed by reference outlives it.
  Hunt(Sides& sides, const harness::spec::Registry& registry, AcceptedDifferences& accepted,
       HuntLimits limits);

  // An Error says why no session can be opened any more.
  harness::session::awaitable<harness::Status> look_at(const Script& script);
  // Plays `count` variations of these scripts, and of variations that did something new.
  harness::session::awaitable<harness::Status> vary_from(const std::vector<Script>& given,
                                                         const Vocabulary& vocabulary,
                                                         std::uint64_t seed, std::size_t count);
  // What is offered on one side only.
  void look_at_offers();
  // Whether the accepted differences that have a script still show.
  harness::session::awaitable<harness::Status> check_accepted();

  const std::vector<Divergence>& found() const { return found_; }
  // Signatures of what did not repeat on fresh sessions of both.
  const std::set<std::string>& flaky() const { return flaky_; }
  std::size_t scripts() const { return scripts_; }    // that were played on both
  std::size_t left_out() const { return left_out_; }  // do not mean the same on both
  std::size_t beyond() const { return beyond_; }      // differences beyond HuntLimits::most
  // Called for each that is found.
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
  std::set<std::string> settled_;     // as they were seen, of what was found
  std::map<std::string, int> tries_;  // of ends, by what was said of them
  std::set<std::string> beyond_signatures_;
  std::set<std::uint64_t> behaviours_;
  std::size_t scripts_ = 0, left_out_ = 0, beyond_ = 0;
};

// What `played` breaks and `other` does not, by the oracles of the suite and the fuzzer: only what
// the script did counts, not how the session began.
std::vector<Problem> breaks_alone(const Execution& execution, const Execution& other,
                                  const harness::spec::Profile& profile,
                                  const harness::spec::Registry& registry,
                                  const harness::Secrets& secrets,
                                  const harness::Secrets& other_secrets);

}  // namespace fuzz
