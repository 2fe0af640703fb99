// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/cli/pages.h"

namespace harness::cli {

std::string methods_page(const std::vector<run::DescribedMethod>& methods) {
  std::string out;
  for (const run::DescribedMethod& one : methods) {
    const std::string standing =
        one.called ? fmt::format("called ({}), {} clause{}", one.why, one.clauses.size(),
                                 one.clauses.size() == 1 ? "" : "s")
                   : "not called: " + one.why;
    out += fmt::format("  {:<32} {}\n", printable(one.name, 80), printable(standing, 120));
    for (const std::string& doubt : one.not_judged)
      out += fmt::format("  {:<32}   not judged: {}\n", "", printable(doubt, 200));
  }
  return out;
}

}  // namespace harness::cli
