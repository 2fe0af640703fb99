// SPDX-License-Identifier: Apache-2.0
// Contact: what was said on one session while profile and offer of a target were found out.
#pragma once

#include <memory>

#include "harness/spec/profile.h"
#include "harness/wire/frame.h"

namespace harness::run {

struct Contact {
  const spec::Profile* profile;
  std::shared_ptr<const wire::Transcript> transcript;
};

}  // namespace harness::run
