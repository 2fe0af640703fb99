// SPDX-License-Identifier: Apache-2.0
// Verdict: the conclusion about a case, an oracle or a cause.
#pragma once

#include <cstddef>

namespace harness::run {

enum class Verdict { kPass, kFail, kWarn, kInconclusive, kNotApplicable, kFlaky, kError };
inline const char* verdict_name(Verdict verdict) {
  constexpr const char* kNames[] = {"pass",           "fail",  "warn", "inconclusive",
                                    "not_applicable", "flaky", "error"};
  return kNames[static_cast<std::size_t>(verdict)];
}

}  // namespace harness::run
