// SPDX-License-Identifier: Apache-2.0
// Suspect: what showed something wrong and is being looked at. Meanwhile a file holds it, so that
// it is not lost when the worker is ended early.
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
  // Writes the file: the signature, the expected and the seen as comments, and everything played,
  // as one script. `check`: the check that saw it, or "". `secrets` are kept out.
  Suspect(std::string path, const Problem& problem, const std::vector<Script>& journal,
          const std::string& check, const harness::Secrets& secrets);
  ~Suspect();  // the suspect is decided: the file is deleted, unless it was kept
  Suspect(const Suspect&) = delete;
  Suspect& operator=(const Suspect&) = delete;

 private:
  std::string path_;
};

// Moves the file at `path` to the findings, as not-confirmed-1a2b3c4d.script, and adds its
// signature to the list of those not reproduced. False when there is no file.
bool keep_suspect(const std::string& path, const std::string& findings);

// How many suspects that did not repeat are kept, and how much text of each.
inline constexpr std::size_t kMostNotReproducible = 100;
inline constexpr std::size_t kMostNotReproducibleBytes = 1 << 20;

// For a suspect that did not repeat: stores the end of what was played, among the findings as
// not-reproducible-1a2b3c4d.script, for `rpcspec replay`. Of each signature, the first one is kept.
// Adds its signature to the list of those not reproduced.
void keep_not_reproducible(const std::string& findings, const Problem& problem,
                           const std::vector<Script>& journal, const std::string& check,
                           const harness::Secrets& secrets);

}  // namespace fuzz
