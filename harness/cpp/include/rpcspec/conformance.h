// SPDX-License-Identifier: Apache-2.0
// The cases of rpcspec in a test program, without a test framework; <rpcspec/gtest.h> is built on
// it. Needs C++17, the standard library, and the program `rpcspec`, which plays and judges the
// cases.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rpcspec/fuzz_handler.h"

namespace rpcspec {

// The cases that apply to one server, and their results.
class Conformance {
 public:
  // Makes a new server.
  using Make = std::function<Handler()>;

  struct Case {
    std::string id;     // "jsonrpc/id/echo-on-error"
    std::string title;  // a sentence about the server
  };
  enum class Kind {
    kPassed,   // `text` has notes: a broken SHOULD, a failure that did not repeat
    kFailed,   // a MUST is broken
    kSkipped,  // not applicable, could not be tested, or a known failure of the baseline
  };
  struct Outcome {
    Kind kind = Kind::kFailed;
    std::string text;
    double milliseconds = 0;
  };

  // A server that speaks over stdin and stdout, started as often as needed. `options` are those of
  // `rpcspec run`, except those that select cases or write reports. `program` is the path of
  // rpcspec; the environment variable RPCSPEC overrides it.
  Conformance(std::string program, std::vector<std::string> command,
              std::vector<std::string> options);
  // A function of this program. Each session is served by a copy of this process (fork), so a crash
  // and the state of the server stay within one session. An exception of the function is reported
  // in its case.
  Conformance(std::string program, Make make, std::vector<std::string> options);
  ~Conformance();
  Conformance(const Conformance&) = delete;
  Conformance& operator=(const Conformance&) = delete;

  // In the order of the suite. Throws std::runtime_error with a sentence for people if rpcspec
  // cannot be run or the options are invalid.
  std::vector<Case> cases() const;

  // Plays these cases, all in one run, and forgets the results of others. Does not throw.
  void play(const std::vector<std::string>& ids);
  // The result of a case that was played. Its text is safe to print on a terminal.
  Outcome outcome(const std::string& id) const;
  // What is wrong outside the cases: findings of oracles, a baseline that is out of date, a server
  // that could not be started, an exception of a handler that no case shows. "" if nothing is.
  std::string besides() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Judges one exchange: may a server that is ready send this reply? (Ready means: after the
// handshake, if the profile has one, with all capabilities declared.) `reply` may be "" for
// nothing, or several messages, one per line. Returns "" if it may, else a report for people, one
// paragraph per broken clause. It reports only broken MUSTs, unless the environment variable
// RPCSPEC_LEVEL is "should". Throws std::invalid_argument if there is no such profile.
std::string judge_exchange(std::string_view request, std::string_view reply,
                           std::string_view profile);

}  // namespace rpcspec
