// SPDX-License-Identifier: Apache-2.0
// Buckets: a folder for each bug, as campaigns have them:
//
//   findings/CLASS-WHAT-1a2b3c4d/   crash-…, hang-…, wrong-answer-…
//     README.md    what is wrong, the command that shows it again, what was said
//     script       the least input found that shows it
//     finding.json the same for programs: class, signature, title, times, replay
//     signature    what tells the bug from others; below it signatures of sights that it gave
//     met/         inputs as they were met, the first few
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fuzz/triage/reduce.h"
#include "fuzz/triage/sight.h"

namespace fuzz {

struct Bucket {
  std::string name;  // of the folder
  Sight sight;       // it has a report only of what was met since
  std::size_t times = 0;
  std::string script;
  bool known = false;  // it was there before
};

class Buckets {
 public:
  // Reads the folder, and creates it if it does not exist. Throws std::runtime_error when that is
  // impossible. `again`: the command that plays a script; its word @@ is the path, which comes last
  // if there is no @@.
  Buckets(std::string folder, std::vector<std::string> again);

  // Something that shows `sight`. A new bug is reduced, by calling `look` for what each candidate
  // shows, and written. Returns its bucket.
  using Look = std::function<std::optional<Sight>(const std::string&)>;
  const Bucket& put(const Sight& sight, const std::string& input, const Look& look,
                    const ReduceBounds& bounds);
  // Whether there is a bucket that needs no more inputs of this kind.
  bool has(const Sight& sight) const;

  // The worst first: ends of a process, then hangs, then wrong replies.
  std::vector<const Bucket*> all() const;
  const std::string& folder() const { return folder_; }

 private:
  void write(const Bucket& bucket) const;
  // The sight belongs to that bucket: adds a line to its file.
  void note(const Bucket& bucket, const Sight& sight, const std::string& key);

  std::string folder_;
  std::vector<std::string> again_;
  std::map<std::string, Bucket> buckets_;     // by what tells the bug from others
  std::map<std::string, std::string> known_;  // sights → the key of their bucket
};

}  // namespace fuzz
