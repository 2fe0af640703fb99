// SPDX-License-Identifier: Apache-2.0
// Suspect: what showed something wrong and is being looked at. It stands in a file meanwhile, so
// that it is not lost when its worker is ended before it knows more.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/judge/judge.h"
#include "fuzz/script/script.h"
#include "harness/base/secrets.h"

namespace fuzz {

class Suspect {
 public:
  // Writes the file: the signature, what was expected and what was seen in comments, and what was
  // played, as one script. `check`: the one that saw it, or "". `secrets` are kept out.
  Suspect(std::string path, const Problem& problem, const std::vector<Script>& journal,
          const std::string& check, const harness::Secrets& secrets);
  ~Suspect();  // it is known what became of it: the file is gone, unless it was kept
  Suspect(const Suspect&) = delete;
  Suspect& operator=(const Suspect&) = delete;

 private:
  std::string path_;
};

// Puts the file at `path` among the findings, as not-confirmed-1a2b3c4d.script, and its signature
// with those that were not reproducible. False when there is none.
bool keep_suspect(const std::string& path, const std::string& findings);

// How many are kept of what was not reproducible, and how much of the text of each.
inline constexpr std::size_t kMostNotReproducible = 100;
inline constexpr std::size_t kMostNotReproducibleBytes = 1 << 20;

// Of what was looked at and did not come again: the end of what was played, among the findings as
// not-reproducible-1a2b3c4d.script, for `rpcspec replay`. The first of a signature stays. Its
// signature goes to those that were not reproducible.
void keep_not_reproducible(const std::string& findings, const Problem& problem,
                           const std::vector<Script>& journal, const std::string& check,
                           const harness::Secrets& secrets);

}  // namespace fuzz
