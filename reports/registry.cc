// SPDX-License-Identifier: Apache-2.0
// One row a format; a new reporter is one file and one row.
#include "reports/registry.h"

#include <utility>

#include "harness/base/text.h"
#include "reports/console.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/record.h"

namespace reports {
namespace {

using harness::Error;
using harness::Result;
using harness::run::Reporter;

std::unique_ptr<Reporter> make_json(std::unique_ptr<Output> output, const ReportOptions& options) {
  return std::make_unique<WholeDocument>(render_json, std::move(output), options);
}

std::unique_ptr<Reporter> make_junit(std::unique_ptr<Output> output, const ReportOptions& options) {
  return std::make_unique<WholeDocument>(render_junit, std::move(output), options);
}

std::string format_names() {
  std::string out;
  for (const Format& format : formats()) {
    if (!out.empty()) out += ", ";
    out += format.name;
  }
  return out;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"console", "for people: failures with their evidence first, one line of summary last",
       make_console},
      {"json", "for programs: every case, finding and requirement in one stable document",
       make_json},
      {"junit", "for CI servers: JUnit XML as Jenkins, GitLab and GitHub actions read it",
       make_junit},
  };
  return kFormats;
}

Result<std::unique_ptr<Reporter>> make(const std::string& format, const std::string& file,
                                       const ReportOptions& options) {
  std::vector<std::string> known;
  for (const Format& row : formats()) {
    if (row.name == format) {
      auto output = open_output(file);
      if (!output) return output.error();
      return row.make(std::move(*output), options);
    }
    known.emplace_back(row.name);
  }
  const std::string near = harness::nearest(format, known);
  return Error{"--report", "unknown report format '" + harness::printable(format) + "'",
               near.empty() ? "the formats are " + format_names() : "did you mean '" + near + "'?"};
}

Result<std::unique_ptr<Reporter>> make_from_argument(const std::string& argument,
                                                     const ReportOptions& options) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) return make(argument, "-", options);
  if (equals + 1 == argument.size()) {
    return Error{"--report", "no file after '" + harness::printable(argument) + "'",
                 "write FORMAT=FILE, or FORMAT alone for standard output"};
  }
  return make(argument.substr(0, equals), argument.substr(equals + 1), options);
}

Result<std::vector<std::unique_ptr<Reporter>>> make_all(const std::vector<std::string>& arguments,
                                                        const ReportOptions& options) {
  std::vector<std::unique_ptr<Reporter>> out;
  for (const std::string& argument : arguments) {
    auto reporter = make_from_argument(argument, options);
    if (!reporter) return reporter.error();
    out.push_back(std::move(*reporter));
  }
  return out;
}

}  // namespace reports
