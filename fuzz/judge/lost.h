// SPDX-License-Identifier: Apache-2.0
// Lost replies: a request got none, while two later ones were answered in turn. Oracles report that
// only where no method runs that may take its time. Here, a reply is also due to a call if other
// calls like it were answered soon, and if nothing in it may say how long it takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "harness/oracle/oracle.h"

namespace fuzz {

// A reply that takes longer than this is slow.
inline constexpr std::chrono::milliseconds kSoonest{100};

// Whether a reply to this request is due soon.
using Due = std::function<bool(const harness::json::Value& request)>;

// False if a number above 1 or a digit in its arguments may be a time.
bool is_timeless(const harness::json::Value& request);

// The calls that a server answered so far, and how soon.
class ServedCalls {
 public:
  // `offered`: names of tools and prompts. What is called by another name does not run.
  explicit ServedCalls(std::set<std::string> offered = {}) : offered_(std::move(offered)) {}

  void learn(const harness::oracle::Evidence& evidence);
  // Of calls like this one, or like those in it that took longer than kSoonest, a reply is not due;
  // if `overtaken`, nor of those that were answered behind a later request. True: there was one.
  void note_slow(const harness::json::Value& request);
  bool note_slow(const harness::oracle::Evidence& evidence, bool overtaken);
  // Calls like it got a result, nearly each in a quarter of kHang, also with each of its arguments
  // that may be a time, and one without any that it lacks. A call by a name that is not offered
  // must have got any reply.
  bool is_due(const harness::json::Value& request) const;

 private:
  std::string kind_of(const harness::json::Value& request) const;

  std::set<std::string> offered_;
  struct Replies {
    std::uint64_t soon = 0, late = 0;
    bool slow = false;
    std::set<std::set<std::string>> given;  // names and kinds of the arguments, of those soon
  };
  std::map<std::string, Replies> replies_;  // by kind of call
  std::unordered_set<std::size_t>
      no_times_;  // hashes of arguments of calls that were answered soon
};

// Reports the first request of each method whose reply is lost. Nothing if the server waits for an
// answer of ours.
void judge_lost(const harness::oracle::Evidence& evidence, const Due& due,
                std::vector<harness::oracle::Finding>& out);

// Methods of requests that have no reply, which may still come.
std::set<std::string> unheard_in(const harness::oracle::Evidence& evidence, const Due& due);

// The oracle of such a finding.
inline constexpr const char* kLostReply = "lost";
// Whether that is the signature of a lost reply.
bool is_unheard(std::string_view signature);
std::string signature_of_lost(const harness::oracle::Finding& finding);

}  // namespace fuzz
