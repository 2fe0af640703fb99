// SPDX-License-Identifier: Apache-2.0
// What reports are told by commands that write them: the clauses, what software breaks them, and
// how stdout is looked at.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/requirement.h"
#include "reports/options.h"

namespace harness::cli {

// `suite`: the folder of the cases, "" for the built-in ones. `registry` outlives it.
reports::ReportOptions report_settings(const std::string& suite, const spec::Registry& registry);

// The page of a built-in clause on the site of rpcspec, at the address in the environment variable
// RPCSPEC_SITE, or that of this release; "" if there is none.
std::string site_page(const std::string& clause);

// Whether people find on stderr, too, what this format prints on stdout, as on a terminal.
bool told_on_stderr(const std::vector<std::string>& reports, const std::string& format);
// Whether one of the reports ("FORMAT=FILE", "FORMAT") is written to stdout, or is the console.
bool takes_stdout(const std::vector<std::string>& reports);

}  // namespace harness::cli
