// SPDX-License-Identifier: Apache-2.0
// AcceptedDifferences: the differences between two targets that somebody has accepted, each with
// the reason. An entry that no longer occurs is stale and fails the run, so the list stays current.
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

  // The entry that accepts a difference, which is then marked as seen; null when no entry does.
  const Accepted* accept(const std::string& signature);
  const std::vector<Accepted>& entries() const { return entries_; }

  // One sentence for each entry that was not seen. Entries without a script are included only when
  // everything was played (`all`).
  std::vector<std::string> stale(bool all) const;

 private:
  std::vector<Accepted> entries_;
  std::vector<bool> seen_;
};

// The text of a file that accepts these differences. A difference without a reason gets an empty
// one. load() rejects it until a person fills it in.
std::string accepted_text(const std::vector<Accepted>& entries);

}  // namespace fuzz
