// SPDX-License-Identifier: Apache-2.0
// Teacher: answers the words of a Learner by asking a target, each on a session of its own that
// nothing was said on. It remembers earlier replies, reports replies that contradict them, and
// guesses nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/learn/alphabet.h"
#include "fuzz/learn/automaton.h"
#include "harness/oracle/oracle.h"
#include "harness/spec/requirement.h"

namespace fuzz {

// One symbol answered differently at another time, after the same symbols.
struct Wavering {
  Word word;                           // the symbol is its last
  std::map<std::string, int> answers;  // and how often each came
};

// A finding of the oracles, with the shortest word that showed it. Breaches of one clause found by
// one oracle count as one.
struct Forbidden {
  Word word;
  harness::oracle::Finding finding;
  harness::trace::Slice slice;
  std::vector<Word> also;  // one for each other symbol
};

struct TeacherLimits {
  std::size_t words = 2000;  // that are played
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  std::chrono::milliseconds timeout{1000};
};

class Teacher {
 public:
  // What is passed by reference outlives it. `stop` is asked between words.
  Teacher(FuzzTarget& target, std::vector<Letter> alphabet, const harness::spec::Registry& registry,
          const harness::Secrets* secrets, TeacherLimits limits, std::function<bool()> stop);

  // The outputs for a word; nothing: a limit was reached, or no session could be opened (failure).
  // An output is "result", "error CODE", "closed HOW", "nothing" (a request passed over), "silent"
  // (nothing is answered any more), "-" (a notification, as it should be), "HTTP STATUS"; what
  // wavers is "A or B".
  harness::session::awaitable<std::optional<Outputs>> ask(const Word& word);
  // Plays it now, whatever is remembered, and collects what the oracles find.
  harness::session::awaitable<harness::Result<Outputs>> play(const Word& word);

  const std::vector<Letter>& alphabet() const { return alphabet_; }
  std::vector<std::string> names() const;
  const std::vector<Wavering>& wavering() const { return wavering_; }
  // One for each kind of finding, in the order they were seen.
  const std::vector<Forbidden>& forbidden() const { return forbidden_; }
  std::size_t played() const { return played_; }
  // Replies changed between plays, or a remembered one was wrong: what was learnt from them is
  // void. True once.
  bool take_changed();
  const std::optional<harness::Error>& failure() const { return failure_; }

 private:
  using Session = harness::session::Session;
  template <class Value>
  using awaitable = harness::session::awaitable<Value>;

  awaitable<std::string> say(Session& session, const Letter& letter);
  std::chrono::milliseconds patience(const Session& session) const;
  awaitable<std::string> answer_to(Session& session, const harness::session::Sent& sent);
  awaitable<std::string> what_came(Session& session, std::size_t from,
                                   const harness::session::Sent& sent);
  awaitable<std::string> how_it_ended(Session& session);
  // `odd`: the reply that differs from the remembered one.
  awaitable<void> ask_again(const Word& word, Outputs odd);
  bool is_absence_news(const Word& word, const Outputs& outputs) const;
  void judge(Session& session, const Word& word, const std::vector<std::uint64_t>& ends);
  void note(Word word, harness::oracle::Finding finding, const harness::trace::Slice& slice);
  bool agrees(const Word& word, const Outputs& outputs);
  void remember(const Word& word, const Outputs& outputs);
  bool may_ask() const;

  FuzzTarget& target_;
  std::vector<Letter> alphabet_;
  const harness::spec::Registry& registry_;
  const harness::Secrets* secrets_;
  TeacherLimits limits_;
  std::function<bool()> stop_;
  std::map<Word, std::string> known_;  // a word → the output for its last symbol
  std::set<Word> varies_;
  std::vector<Wavering> wavering_;
  std::vector<Forbidden> forbidden_;
  std::size_t played_ = 0;
  int failures_ = 0;
  int waits_ = 0, came_late_ = 0;  // for replies that arrive after that of a canary
  bool changed_ = false;
  bool patient_ = false;  // missing replies are awaited longer
  std::optional<harness::Error> failure_;
};

}  // namespace fuzz
