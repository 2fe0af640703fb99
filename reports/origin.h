// SPDX-License-Identifier: Apache-2.0
// Origin: when a target was judged, which sources it was built from, and the CI job that did it.
#pragma once

#include <string>

namespace reports {

struct Origin {
  std::string repository;  // "owner/name"
  std::string commit;      // its whole hash
  std::string branch;      // or tag
  std::string run;         // address of the job or the run
  std::string time;        // when it began, "2026-11-26T12:00:00Z"
  std::string file;        // in the repository, the file that stands for the server:
                           // "src/server.js"

  bool of_ci() const {
    return !repository.empty() || !commit.empty() || !branch.empty() || !run.empty();
  }
};

}  // namespace reports
