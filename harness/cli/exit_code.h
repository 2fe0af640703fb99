// SPDX-License-Identifier: Apache-2.0
// The exit codes of rpcspec; `rpcspec --help` prints this list. Only cli/ includes it.
#pragma once

namespace harness::cli {

enum ExitCode : int {
  kOk = 0,             // the gate passed
  kViolations = 1,     // violations or findings
  kUsage = 2,          // invalid option, case file, baseline or target description
  kUnreachable = 3,    // the target could not be started or reached, or nothing could be tested
  kInternal = 4,       // rpcspec itself failed
  kInterrupted = 130,  // interrupted; reports were written
};

}  // namespace harness::cli
