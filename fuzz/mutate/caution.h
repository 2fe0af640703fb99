// SPDX-License-Identifier: Apache-2.0
// Caution: mutators whose scripts mostly end their session are drawn more seldom, and messages of a
// kind that does can be put off. A server that falls silent after any unreadable input would get
// little else, and each silence costs as much as hundreds of scripts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"
#include "fuzz/script/script.h"
#include "harness/spec/profile.h"

namespace fuzz {

class Caution {
 public:
  // True: draw another mutator. While nothing has ended a session it is always false, and draws no
  // number.
  bool avoids(const Mutator& mutator, Random& random) const;
  // The script being made used it.
  void used(const Mutator& mutator) { used_.push_back(&mutator); }
  // All that were used since the last call: they made one script.
  std::vector<const Mutator*> taken();
  // Sessions are too costly at present: mutators that sometimes end one are not drawn at all.
  bool is_strict = false;
  // The result of a script that these made.
  void learn(const std::vector<const Mutator*>& used, bool ended);

  // The message ended its session. Its kind is its method, and what the model finds odd about it.
  void learn_end(std::string_view message, const harness::spec::Profile& profile);
  // The messages of the script ended none.
  void learn_survival(const Script& script, const harness::spec::Profile& profile);
  // Whether the step ends its session: it says so, or messages of its kind often did.
  bool ends_session(const Step& step, const harness::spec::Profile& profile) const;

 private:
  struct Record {
    unsigned scripts = 0;
    unsigned ended = 0;
  };
  std::map<const Mutator*, Record> records_;
  std::vector<const Mutator*> used_;                  // since taken()
  std::map<std::string, Record, std::less<>> kinds_;  // of messages that ended a session
};

}  // namespace fuzz
