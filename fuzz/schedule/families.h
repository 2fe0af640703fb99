// SPDX-License-Identifier: Apache-2.0
// Families: which calls are put in flight together, and what is done to them. Pure.
//
//   Atoms (requests, and what each does alone) ──scenarios()──► families ──Plan::next()──► schedules
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/mutate/random.h"
#include "fuzz/schedule/interleaving.h"
#include "harness/json/value.h"

namespace fuzz {

// A request that is answered when it is sent alone.
struct Atom {
  harness::json::Value request;  // with any id
  bool asks = false;             // the server sends a request before it answers
  bool active = false;           // something comes before its reply, or a later request is answered
                                 // first
  bool fails = false;            // by an error
  int milliseconds = 0;          // about what it takes
};

struct Setting {
  bool sessions = false;      // several share a process
  // The notification that cancels the request with the id kCalled; "" if nothing can be cancelled.
  std::string cancel;
};
// Placeholder for the id of a call in a text; the others end with 1, 2, 3.
inline constexpr const char* kCalled = "\"?schedule-call-0\"";

// One way to combine calls, with all calls it applies to.
struct Family {
  std::string name;
  std::vector<Flight> scenarios;
};
// In an order that `random` determines; active calls come up more often. Their ids are not ids of
// calls of any schedule: Plan assigns those.
std::vector<Family> families(const std::vector<Atom>& atoms, const Setting& setting,
                             Random& random);

// All schedules of some families, without end if there is any. Families take turns. In a family,
// every third schedule is drawn by priorities; the others have one preemption in each of its
// scenarios in turn, then two, then none, and then are drawn.
class Plan {
 public:
  Plan(std::vector<Family> families, std::string profile, std::uint64_t seed);

  bool empty() const { return turns_.empty(); }
  std::size_t scenarios() const;
  struct Next {
    Script script;
    std::string family;
  };
  Next next();

 private:
  struct Systematic {  // of one scenario
    std::size_t scenario = 0;
    int stage = -1;  // of kStages
    std::deque<std::pair<Order, GapKind>> left;
  };
  struct TakesTurns {
    Family family;
    std::deque<Systematic> systematic;
    std::size_t given = 0;
  };
  Script systematic(TakesTurns& turn, bool& any);
  Script drawn(const Flight& scenario);
  Script named(Script script);

  std::vector<TakesTurns> turns_;
  std::string profile_;
  Random random_;
  std::size_t at_ = 0;
  std::int64_t ids_ = 5000000;  // that were given
};

}  // namespace fuzz
