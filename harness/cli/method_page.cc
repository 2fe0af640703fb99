// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/cli/pages.h"
#include "harness/json/write.h"
#include "harness/spec/profile.h"
#include "harness/spec/sample.h"

namespace harness::cli {
namespace {

// A line in columns: name, what it is, in which revisions, the clause.
struct Line {
  std::string name, is, span, clauses;
};

// As people say it: types by their names, where reports say what JSON has.
std::string name_of(const spec::TypeExpr& expr) {
  using Form = spec::TypeExpr::Form;
  if (expr.form == Form::kType) return expr.type->name;
  if (expr.form == Form::kArrayOf) return "an array of " + name_of(expr.inner.front());
  if (expr.form == Form::kMapOf) return "a map of " + name_of(expr.inner.front());
  if (expr.form != Form::kOneOf) return spec::describe(expr);
  std::string out;
  for (std::size_t i = 0; i < expr.inner.size(); ++i) {
    const bool last = i + 1 == expr.inner.size();
    out += (i == 0 ? "" : last ? " or " : ", ") + name_of(expr.inner[i]);
  }
  return out;
}

void add_lines(const spec::Member& member, std::vector<Line>& lines) {
  for (const spec::Row& row : member.rows) {
    const bool always = row.reach.since.empty() && row.reach.until.empty() &&
                        row.reach.dialect == spec::Reach::Dialect::kAny;
    lines.push_back({member.name + (row.optional ? "?" : ""), name_of(row.is),
                     always ? "" : span_of(row.reach),
                     fmt::format("{}", fmt::join(row.covers, ", "))});
  }
}

std::string in_columns(const std::vector<Line>& lines, const std::string& indent) {
  std::size_t name = 0, is = 0, span = 0;
  for (const Line& line : lines) {
    name = std::max(name, line.name.size());
    is = std::max(is, std::min<std::size_t>(line.is.size(), 40));
    span = std::max(span, line.span.size());
  }
  std::string out;
  for (const Line& line : lines) {
    std::string text = fmt::format("{}{:<{}}  {:<{}}  {:<{}}  {}", indent, line.name, name, line.is,
                                   is, line.span, span, line.clauses);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  }
  return out;
}

// The members of a type, or the types it is one of.
std::vector<Line> lines_of(const spec::TypeRow& type) {
  std::vector<Line> lines;
  for (const spec::Member& member : type.members) add_lines(member, lines);
  for (const spec::Member& variant : type.variants) add_lines(variant, lines);
  add_lines(type.is, lines);
  return lines;
}

// Params or a result: its type, and the members of that.
std::string part_of(const char* name, const spec::Member& part) {
  std::string out;
  const spec::TypeRow* told = nullptr;
  for (const spec::Row& row : part.rows) {
    std::string span = span_of(row.reach);
    if (part.rows.size() == 1 && row.reach.since.empty() && row.reach.until.empty()) span.clear();
    out += fmt::format("  {:<11} {}{}{}\n", name, name_of(row.is), row.optional ? ", optional" : "",
                       span.empty() ? "" : "; " + span);
    if (row.is.type != nullptr && row.is.type != std::exchange(told, row.is.type))
      out += in_columns(lines_of(*row.is.type), "    ");
  }
  return out;
}

const spec::Profile* newest_with(const spec::Reach& reach) {
  const spec::Profile* newest = nullptr;
  for (const spec::Profile& profile : spec::profiles())
    if (reach.has(profile) && (!newest || newest->revision < profile.revision)) newest = &profile;
  return newest;
}

// With what is the same in all messages of the revision.
json::Value shown(json::Value sampled, const spec::Profile& profile) {
  const json::Value meta = spec::required_meta(profile);
  if (sampled.find("_meta") && !meta.members.empty()) sampled.set("_meta", meta);
  if (sampled.find("resultType")) sampled.set("resultType", json::string("complete"));
  return sampled;
}

std::string example_of(const spec::MessageRow& message) {
  const spec::Profile* profile = newest_with(message.reach);
  if (profile == nullptr) return "";
  json::Value sent = json::object({{"jsonrpc", json::string("2.0")}});
  if (!message.notification) sent.set("id", json::number(1));
  sent.set("method", json::string(message.name));
  if (const spec::Row* params = message.params.under(*profile); params && !params->optional)
    sent.set("params", shown(spec::sample(params->is, *profile), *profile));
  std::string out = fmt::format("\n  for example ({})\n    {}\n", profile->name, json::write(sent));
  if (const spec::Row* result = message.result.under(*profile))
    out += fmt::format("    {}\n",
                       json::write(json::object(
                           {{"jsonrpc", json::string("2.0")},
                            {"id", json::number(1)},
                            {"result", shown(spec::sample(result->is, *profile), *profile)}})));
  return out;
}

}  // namespace

std::string kind_of(const spec::MessageRow& message) {
  const char* from = message.from == spec::From::kClient   ? "the client"
                     : message.from == spec::From::kServer ? "the server"
                                                           : "either side";
  return fmt::format("{} of {}", message.notification ? "notification" : "request", from);
}

std::string span_of(const spec::Reach& reach) {
  const std::string dialect = reach.dialect == spec::Reach::Dialect::kTutorial ? "tutorial dialect"
                              : reach.dialect == spec::Reach::Dialect::kMcp    ? "revisions of MCP"
                              : reach.dialect == spec::Reach::Dialect::kLsp    ? "LSP"
                              : reach.dialect == spec::Reach::Dialect::kAcp    ? "ACP"
                                                                               : "";
  std::string span = reach.since.empty() && reach.until.empty() ? ""
                     : reach.since == reach.until               ? reach.since + " only"
                     : reach.until.empty()                      ? "since " + reach.since
                     : reach.since.empty()                      ? "until " + reach.until
                                           : reach.since + " to " + reach.until;
  if (span.empty()) return dialect.empty() ? "all revisions" : dialect + " only";
  return dialect.empty() ? span : span + ", " + dialect + " only";
}

std::string page_of(const spec::MessageRow& message) {
  std::string out =
      fmt::format("{}\n\n  {}, {}\n", message.name, kind_of(message), span_of(message.reach));
  for (const spec::Named& one : message.capability)
    out += fmt::format(
        "  {:<11} {}{}\n", "capability", one.text,
        one.reach.since.empty() && one.reach.until.empty() ? "" : "; " + span_of(one.reach));
  if (!message.lists.empty())
    out += fmt::format("  {:<11} {}, identified by {}; paged by cursor\n", "lists", message.lists,
                       message.key);
  for (const spec::Named& one : message.carried)
    out += fmt::format("  {:<11} inside {} of a result; {}\n", "carried", one.text,
                       span_of(one.reach));
  for (const auto& [header, param] : message.headers)
    out += fmt::format("  {:<11} {} mirrors {}; HTTP since 2026-07-28\n", "header", header, param);
  if (message.safe) out += fmt::format("  {:<11} read-only: a request changes nothing\n", "safe");
  out += part_of("params", message.params);
  out += part_of("result", message.result);
  for (const spec::Member& other : message.instead) out += part_of("or", other);
  return out + example_of(message);
}

std::string page_of(const spec::TypeRow& type) {
  return type.name + "\n\n" + in_columns(lines_of(type), "  ");
}

}  // namespace harness::cli
