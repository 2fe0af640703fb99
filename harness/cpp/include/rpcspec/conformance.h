// SPDX-License-Identifier: Apache-2.0
// The cases of rpcspec inside of a test program, without a test framework; <rpcspec/gtest.h> is
// made of it. Needs C++17 and the standard library, and the program `rpcspec`, which plays and
// judges.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rpcspec/fuzz_handler.h"

namespace rpcspec {

// The cases that apply to one server, and what came of them.
class Conformance {
 public:
  // Makes a server as new.
  using Make = std::function<Handler()>;

  struct Case {
    std::string id;     // "jsonrpc/id/echo-on-error"
    std::string title;  // a sentence about the server
  };
  enum class Kind {
    kPassed,   // `text` says what was noted: a broken SHOULD, a failure that did not come again
    kFailed,   // a MUST is broken
    kSkipped,  // not applicable, not to be exercised, or known by a baseline
  };
  struct Outcome {
    Kind kind = Kind::kFailed;
    std::string text;
    double milliseconds = 0;
  };

  // A server that speaks over stdin and stdout, started as often as it takes. `options` are those
  // of `rpcspec run`, but for what chooses cases and reports. `program`: the path of rpcspec; the
  // environment variable RPCSPEC takes its place.
  Conformance(std::string program, std::vector<std::string> command,
              std::vector<std::string> options);
  // A function of this program. Each session is served by a copy of this process (fork), so that a
  // crash or a server's state is that of one session; what it throws is told of the case at hand.
  Conformance(std::string program, Make make, std::vector<std::string> options);
  ~Conformance();
  Conformance(const Conformance&) = delete;
  Conformance& operator=(const Conformance&) = delete;

  // In the order of the suite. Throws std::runtime_error with a sentence for people when rpcspec
  // cannot be run or the options are none.
  std::vector<Case> cases() const;

  // Plays these cases, all in one go, and forgets what came of others. Does not throw.
  void play(const std::vector<std::string>& ids);
  // Of a case that was played. What stands in it is fit for a terminal.
  Outcome outcome(const std::string& id) const;
  // What is wrong beside the cases: what oracles saw in the conversations, a baseline that is out
  // of date, a server that could not be started, what a handler threw and no case shows. "" when
  // nothing is.
  std::string besides() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Judges one exchange: whether a server that is ready (behind the handshake, where the profile has
// one, with all capabilities declared) may reply so. `reply` may be "" for nothing, or several
// messages, a line each. "" when it may; else a report for people, a clause to a paragraph. Of what
// a MUST forbids only, unless the environment variable RPCSPEC_LEVEL is "should". Throws
// std::invalid_argument when there is no such profile.
std::string judge_exchange(std::string_view request, std::string_view reply,
                           std::string_view profile);

}  // namespace rpcspec
