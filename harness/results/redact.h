// SPDX-License-Identifier: Apache-2.0
// redact(): hides secrets in results before they are reported. Nothing is judged on masked text.
#pragma once

#include "harness/base/secrets.h"
#include "harness/results/event.h"

namespace harness::run {

void redact(CaseResult& result, const Secrets& secrets);
// The transcript itself if there is nothing to hide in it.
std::shared_ptr<const wire::Transcript> redacted(std::shared_ptr<const wire::Transcript> transcript,
                                                 const Secrets& secrets);

}  // namespace harness::run
