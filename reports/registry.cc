// SPDX-License-Identifier: Apache-2.0
// One row a format; a new reporter is one file and one row.
#include "reports/registry.h"

#include <utility>

#include "harness/base/text.h"
#include "reports/console.h"
#include "reports/formats.h"
#include "reports/github.h"

namespace reports {
namespace {

using harness::Error;
using harness::Result;
using harness::run::Reporter;

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
       render_console, make_console},
      {"agent", "for agents: the cause to fix first, with its frames and a command, in few words",
       render_agent},
      {"json", "for programs: every case, finding and requirement in one stable document",
       render_json},
      {"junit", "for CI servers: JUnit XML, as Jenkins, GitLab and GitHub actions read it",
       render_junit},
      {"html", "for people with a browser: one file, causes first, sessions as pictures",
       render_html},
      {"matrix",
       "for several reports: a table of causes by targets; its failed cells open the frames",
       render_matrix},
      {"sarif", "for code scanning: SARIF 2.1.0, one rule per clause, one result per breach",
       render_sarif},
      {"tap", "for test harnesses: TAP 14, one test point per case, evidence in YAML blocks",
       render_tap},
      {"markdown", "for comments and the summary of a CI step: causes first", render_markdown},
      {"github", "for GitHub Actions: one workflow command per cause, shown as annotations",
       render_github},
      {"badge", "for a README: an SVG picture of the profile and the outcome", render_badge},
      {"badge-json", "the same as JSON for shields.io", render_badge_json},
  };
  return kFormats;
}

Result<Wanted> read_argument(const std::string& argument, const std::string& option) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  if (equals + 1 == argument.size())
    return Error{option, "no file after '" + harness::printable(argument) + "'",
                 "write FORMAT=FILE, or FORMAT alone for standard output"};
  std::vector<std::string> known;
  for (const Format& row : formats())
    if (argument.find(',' + std::string(row.name) + '=') != argument.npos)
      return Error{option, "'" + harness::printable(argument) + "' names two reports",
                   "write " + option + " for each"};
  for (const Format& row : formats()) {
    if (row.name == name)
      return Wanted{&row, equals == std::string::npos ? "-" : argument.substr(equals + 1)};
    known.emplace_back(row.name);
  }
  const std::string near = harness::nearest(name, known);
  return Error{option, "unknown report format '" + harness::printable(name) + "'",
               near.empty() ? "the formats are " + format_names() : "did you mean '" + near + "'?"};
}

Result<std::vector<std::unique_ptr<Reporter>>> make_all(const std::vector<std::string>& arguments,
                                                        const ReportOptions& options) {
  std::vector<std::unique_ptr<Reporter>> out;
  std::unique_ptr<Documents> documents;
  for (const std::string& argument : arguments) {
    const Result<Wanted> wanted = read_argument(argument);
    if (!wanted) return wanted.error();
    const bool page =
        wanted->format->render == render_html || wanted->format->render == render_matrix;
    if (options.terminal && wanted->file == "-" && page)
      return Error{"--report", "HTML is useless on a terminal",
                   "name a file: --report " + std::string(wanted->format->name) + "=report.html"};
    auto output = open_output(wanted->file);
    if (!output) return output.error();
    if (wanted->format->make != nullptr) {
      out.push_back(wanted->format->make(std::move(*output), options));
      continue;
    }
    if (!documents) documents = std::make_unique<Documents>(options);
    documents->add(wanted->format->render, std::move(*output));
  }
  if (documents) out.push_back(std::move(documents));
  return out;
}

harness::Status write_all(const std::vector<std::string>& arguments, const Record& record,
                          const ReportOptions& options, const std::string& option) {
  std::vector<Wanted> wanted;
  for (const std::string& argument : arguments) {
    Result<Wanted> one = read_argument(argument, option);
    if (!one) return one.error();
    wanted.push_back(std::move(*one));
  }
  for (const Wanted& one : wanted) {
    auto output = open_output(one.file);
    if (!output) return output.error();
    ReportOptions mine = options;
    mine.colour = options.colour && (*output)->is_stdout();
    (*output)->stream() << one.format->render(record, mine);
    if (const harness::Status written = (*output)->commit(); !written) return written;
  }
  return harness::Nothing{};
}

}  // namespace reports
