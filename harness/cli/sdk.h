// SPDX-License-Identifier: Apache-2.0
// What stands between a server and rpcspec: the SDK that answers in its place, and the file of the
// repository that stands for it in a report.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/requirement.h"
#include "harness/target/target.h"
#include "reports/options.h"

namespace harness::cli {

// Recognises an SDK by two signs: it is installed beside the target's program, or the reply has its
// wording; and servers built on it are known to break the same clause, or to fail the same case.
// `suite` as for report_settings(); `registry` outlives it.
reports::SdkOf sdk_of(const target::Target& target, const std::string& suite,
                      const spec::Registry& registry);

// A file for code hosts, relative to the repository: the script of the command, otherwise the
// target description, otherwise one of `others`, otherwise rpcspec.yaml; "" if none of them exists.
std::string file_of(const target::Target& target, const std::vector<std::string>& others);

}  // namespace harness::cli
