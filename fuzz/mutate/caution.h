// SPDX-License-Identifier: Apache-2.0
// Caution: mutators whose scripts mostly end their session are drawn more seldom. A server that
// falls silent after any unreadable input would get little else, and each silence costs as much as
// hundreds of scripts.
#pragma once

#include <map>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

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

 private:
  struct Record {
    unsigned scripts = 0;
    unsigned ended = 0;
  };
  std::map<const Mutator*, Record> records_;
  std::vector<const Mutator*> used_;  // since taken()
};

}  // namespace fuzz
