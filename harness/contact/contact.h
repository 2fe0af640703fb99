// SPDX-License-Identifier: Apache-2.0
// Contact: the messages of one session during the first contact.
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
