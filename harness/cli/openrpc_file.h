// SPDX-License-Identifier: Apache-2.0
// An OpenRPC document in a file.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::cli {

struct OpenRpcFile {
  std::string text;
  json::Value document;
};
// The Error has the place of what is no JSON; what is no such document is named as well.
Result<OpenRpcFile> read_openrpc_file(const std::string& path);

}  // namespace harness::cli
