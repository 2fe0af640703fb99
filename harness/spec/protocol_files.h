// SPDX-License-Identifier: Apache-2.0
// The files of cases/protocol/ within the program, for who reads them together with others.
#pragma once

#include <vector>

#include "harness/spec/protocol.h"

namespace harness::spec {

std::vector<ProtocolFile> protocol_files();

}  // namespace harness::spec
