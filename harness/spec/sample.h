// SPDX-License-Identifier: Apache-2.0
// Values made from the rows of the protocol: sample messages of a revision. Pure.
#pragma once

#include "harness/spec/protocol.h"

namespace harness::spec {

// Which of the values that a type allows.
struct SampleOptions {
  bool optional = false;  // with the optional members
  int turn = 0;           // which alternative, if there are several
};

// A value of the type under the profile. Values nest only a few levels deep: below that, recursive
// members are left out.
json::Value sample(const TypeRow& type, const Profile& profile, const SampleOptions& options = {});
json::Value sample(const TypeExpr& type, const Profile& profile, const SampleOptions& options = {});

}  // namespace harness::spec
