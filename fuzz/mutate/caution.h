// SPDX-License-Identifier: Apache-2.0
// Caution: mutators whose scripts mostly end their session are drawn more seldom. A server that
// falls silent at whatever it cannot read would be asked little else, and each time costs as much
// as hundreds of scripts.
#pragma once

#include <map>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

namespace fuzz {

class Caution {
 public:
  // True: another is to be drawn. As long as nothing ends it is never so, and no number is drawn.
  bool avoids(const Mutator& mutator, Random& random) const;
  // The script that is being made went through it.
  void used(const Mutator& mutator) { used_.push_back(&mutator); }
  // All that was used since the last call: what made one script.
  std::vector<const Mutator*> taken();
  // A session costs too much at present: what ends one now and then is not drawn at all.
  bool is_strict = false;
  // How it went with a script made by these.
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
