// SPDX-License-Identifier: Apache-2.0
// AcceptedDifferences: the differences between two targets that somebody has accepted, each with
// the reason. One that is no longer there is stale and fails the run, so that the list cannot rot.
//
//   accepted:
//     - signature: "tools/call echo: result | error -32602"   # * stands for any run of characters
//       reason: B is the build before arguments were mended
//       script: |                                             # optional: what shows it
//         {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}
#pragma once

#include <string>
#include <vector>

#include "fuzz/script/script.h"
#include "harness/base/result.h"

namespace fuzz {

struct Accepted {
  std::string signature;
  std::string reason;
  std::string script;  // text; "" when there is none
  std::string where;   // file:line:column
};

class AcceptedDifferences {
 public:
  // The Error says file, line and column.
  static harness::Result<AcceptedDifferences> load(const std::string& path);

  // The entry that accepts a difference, which counts as seen from now on; null when none does.
  const Accepted* accept(const std::string& signature);
  const std::vector<Accepted>& entries() const { return entries_; }

  // What to say of entries that were not seen. Those without a script can only be missed where
  // everything was played (`all`).
  std::vector<std::string> stale(bool all) const;

 private:
  std::vector<Accepted> entries_;
  std::vector<bool> seen_;
};

// The file that accepts these. What has no reason yet gets an empty one, which load() refuses until
// a person has filled it in.
std::string accepted_text(const std::vector<Accepted>& entries);

}  // namespace fuzz
