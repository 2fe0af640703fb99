// SPDX-License-Identifier: Apache-2.0
// The formats that reports are written in, a function each; registry.cc has their names.
#pragma once

#include <cstddef>
#include <string>

#include "harness/json/value.h"
#include "reports/record.h"

namespace reports {

// The report for agents: what is broken, the cause to fix first in front, in few words. The tools
// of `rpcspec mcp` answer with the same as a value.

// {passed gate target profile summary causes[] more_causes}: at most 20 causes, each with its
// clause, advice, some frames, and the command that shows it again. Known failures are left out.
harness::json::Value agent_value(const Record& record, const ReportOptions& options);

// The same as text. Warnings that do not gate have a line each.
std::string render_agent(const Record& record, const ReportOptions& options);

// A badge for a README: a picture, and the JSON that shields.io makes one of.

// SVG, of a size that fits its text.
std::string render_badge(const Record& record, const ReportOptions& options);
// https://shields.io/badges/endpoint-badge, schema 1.
std::string render_badge_json(const Record& record, const ReportOptions& options);

// The HTML report: one file that needs nothing beside it and asks nothing of any network.

// About as many bytes of data are kept at most: of each run, and of all together. The page says
// what is left out.
inline constexpr std::size_t kMostHtmlData = 800'000, kMostHtmlOfSeveral = 9'000'000;

std::string render_html(const Record& record, const ReportOptions& options);

// The same page with only the matrix: causes in rows, runs in columns. A failed cell opens the
// frames that show it.
std::string render_matrix(const Record& record, const ReportOptions& options);

// The JSON report: one stable, versioned document. Fields are only ever added; see README.md.

// How many bytes of one frame the report carries; a longer frame is cut and says so. The whole
// frame is in the transcript.
inline constexpr std::size_t kMaxFrameBytes = 16 * 1024;

harness::json::Value json_value(const Record& record, const ReportOptions& options);
// As in the report, under `methods`.
harness::json::Value methods_value(const std::vector<harness::run::DescribedMethod>& methods);
std::string render_json(const Record& record, const ReportOptions& options);

// JUnit XML as CI servers read it; junit.xsd beside this file is the dialect we promise.
std::string render_junit(const Record& record, const ReportOptions& options);

// The Markdown report, for a comment or the summary of a CI step: causes first, in the dialect of
// GitHub and GitLab.
std::string render_markdown(const Record& record, const ReportOptions& options);

// The SARIF 2.1.0 report, for code scanning: a rule a clause, a result a breach.
std::string render_sarif(const Record& record, const ReportOptions& options);

// The TAP 14 report: a test point a case, with its evidence in a YAML block.
std::string render_tap(const Record& record, const ReportOptions& options);

}  // namespace reports
