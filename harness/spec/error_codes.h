// SPDX-License-Identifier: Apache-2.0
// The error codes of the specifications. A code may mean different things by profile: each row
// says where it holds.
#pragma once

#include <string>
#include <vector>

namespace harness::spec {

struct ErrorCode {
  int code;
  const char* name;
  const char* meaning;  // one line: who sends it when, and in which editions
};

const std::vector<ErrorCode>& error_codes();

}  // namespace harness::spec
