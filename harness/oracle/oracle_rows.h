// SPDX-License-Identifier: Apache-2.0
// The rows of cases/oracles/: what each oracle can report, and the faults that prove it.
#pragma once

#include <string>
#include <vector>

#include "harness/json/packed.h"

namespace harness::oracle {

struct OracleRow {
  std::string name;
  std::string help;
  std::vector<std::string> covers;  // none if the oracle takes it from the rows it judges by
  std::vector<std::string> falsified_by;
};

// The first mistake ends it, with its place.
Result<std::vector<OracleRow>> read_oracle_rows(const std::vector<json::DataFile>& files);

}  // namespace harness::oracle
