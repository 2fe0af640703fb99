// SPDX-License-Identifier: Apache-2.0
// rpcspec inspect: what a target is, speaks and offers, and what cases will be able to exercise.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/inspection.h"
#include "harness/cli/option_values.h"
#include "harness/cli/pages.h"
#include "harness/contract/in_use.h"
#include "harness/json/write.h"
#include "harness/run/described.h"
#include "reports/formats.h"

namespace harness::cli {
namespace {

constexpr std::size_t kShown = 300;     // characters of what a target said
constexpr std::size_t kMostLines = 40;  // of one list; JSON has all

struct InspectOptions {
  TargetOptions target;
  std::string profile = "auto", format = "text";
  std::chrono::milliseconds timeout{10000};
};

std::string shown_value(const json::Value* value) {
  if (!value) return "";
  return printable(value->is_string() ? value->text : json::write(*value), kShown);
}

// "tools (listChanged), logging"
std::string capability_text(const json::Value& capabilities) {
  std::vector<std::string> words;
  for (const json::Member& member : capabilities.members) {
    std::vector<std::string> inner;
    for (const json::Member& one : member.value.members)
      if (!one.value.is_boolean() || one.value.boolean) inner.push_back(printable(one.name, 60));
    words.push_back(printable(member.name, 60) + (inner.empty() ? "" : " (" + joined(inner) + ")"));
  }
  return words.empty() ? "none" : joined(words);
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6);
}

void line(std::string& out, const char* name, const std::string& text) {
  out += fmt::format("  {:<13} {}\n", name, text);
}

void list(std::string& out, const char* title, const json::Value& items, const char* address) {
  if (items.items.empty()) return;
  out += fmt::format("\n{} ({})\n", title, items.items.size());
  for (std::size_t i = 0; i < items.items.size() && i < kMostLines; ++i) {
    const json::Value& item = items.items[i];
    const std::string where = shown_value(item.find(address));
    const std::string name = shown_value(item.find("name"));
    out += fmt::format("  {}{}\n", where, name.empty() || name == where ? "" : "  " + name);
  }
  if (items.items.size() > kMostLines) out += fmt::format("  … (--format json lists all)\n");
}

void tool(std::string& out, const run::ToolView& view) {
  const std::string name = shown_value(view.listed.find("name"));
  out += fmt::format("  {}  {}: {}\n", name, view.called ? "may be called" : "is not called",
                     view.why);
  if (view.valid.instances.empty()) {
    out += fmt::format("      no arguments: {}\n", printable(joined(view.valid.refused), kShown));
    return;
  }
  const std::string valid = json::write(view.valid.instances.front().value);
  out += fmt::format("      arguments {}\n", printable(valid, kShown));
  out += fmt::format("      to try: {} at a boundary, {} that break one constraint\n",
                     view.boundary, view.broken);
}

// What people read.
std::string as_text(const run::Inspection& seen, const target::Target& target,
                    const std::vector<run::DescribedMethod>& methods) {
  std::string out;
  out += fmt::format("{}  {}\n\n", printable(target.name), target.transport_name());
  std::vector<std::string> about;
  for (const char* name : {"name", "version", "title"})
    if (const json::Value* value = seen.server.is_object() ? seen.server.find(name) : nullptr)
      if (about.empty() || shown_value(value) != about.front()) about.push_back(shown_value(value));
  line(out, "server", about.empty() ? "does not say" : fmt::format("{}", fmt::join(about, "  ")));
  line(out, "judged as", seen.profile->name);
  std::vector<std::string> yes, no;
  for (const run::Spoken& one : seen.spoken) {
    if (one.yes) yes.push_back(one.profile->revision);
    if (!one.yes) no.push_back(one.profile->revision + " (" + printable(one.answer, 80) + ")");
  }
  if (!yes.empty()) line(out, "speaks", joined(yes));
  for (const std::string& one : no) line(out, &one == &no.front() ? "does not" : "", one);
  if (seen.offer.dual_era) line(out, "eras", "both: with a handshake and without");
  if (!seen.capabilities.is_null()) line(out, "capabilities", capability_text(seen.capabilities));
  if (seen.round_trip)
    line(out, "latency",
         fmt::format("{:.2f} ms, median round trip",
                     static_cast<double>(seen.round_trip->count()) / 1000.0));
  if (seen.start.count() > 0)
    line(out, target.command.empty() ? "first answer" : "start-up",
         fmt::format("{} ms", seen.start.count()));
  if (seen.memory) line(out, "memory", megabytes(*seen.memory) + " resident");

  if (!seen.tools.empty()) out += fmt::format("\ntools ({})\n", seen.tools.size());
  for (std::size_t i = 0; i < seen.tools.size() && i < kMostLines; ++i) tool(out, seen.tools[i]);
  if (seen.tools.size() > kMostLines) out += fmt::format("  … (--format json lists all)\n");
  list(out, "resources", seen.offer.resources, "uri");
  list(out, "resource templates", seen.offer.templates, "uriTemplate");
  list(out, "prompts", seen.offer.prompts, "name");

  if (!methods.empty())
    out += fmt::format("\n{}\n{}", seen.offer.contract->counts(), methods_page(methods));

  if (!seen.offer.affordances.members.empty()) out += fmt::format("\naffordances\n");
  for (const json::Member& member : seen.offer.affordances.members) {
    const bool own = target.affordances.find(member.name) != nullptr;
    const json::Value* name = member.value.find("name");
    const json::Value* method = member.value.find("method");
    out += fmt::format("  {}  {}{}\n", printable(member.name, 80),
                       shown_value(name ? name : method), own ? "" : "  (recognised)");
  }
  std::vector<std::string> closed;
  for (const run::ToolView& view : seen.tools)
    if (!view.called) closed.push_back(json::quoted(shown_value(view.listed.find("name"))));
  if (seen.missing.empty() && closed.empty()) return out;
  out += fmt::format("\nto test more, add to the target description\n");
  if (!closed.empty())
    out += fmt::format("  allow: {{tools: [{}]}}   # those that do no harm\n", joined(closed));
  if (!seen.missing.empty()) out += fmt::format("  affordances:\n");
  for (const run::Missing& one : seen.missing)
    out += fmt::format("    {}: {}   # {} case{}\n", one.affordance, sketch(one), one.cases,
                       one.cases == 1 ? "" : "s");
  return out;
}

json::Value texts(const std::vector<std::string>& words) {
  json::Value out = json::array();
  for (const std::string& word : words) out.items.push_back(json::string(word));
  return out;
}

json::Value as_json(const run::Inspection& seen, const target::Target& target,
                    const std::vector<run::DescribedMethod>& methods) {
  json::Value revisions = json::array();
  for (const run::Spoken& one : seen.spoken) {
    json::Value row = json::object(
        {{"revision", json::string(one.profile->revision)}, {"speaks", json::boolean(one.yes)}});
    if (!one.yes) row.set("answer", json::string(one.answer));
    revisions.items.push_back(std::move(row));
  }
  json::Value tools = json::array();
  for (const run::ToolView& view : seen.tools) {
    const json::Value* name = view.listed.find("name");
    json::Value row = json::object({{"name", name ? *name : json::null()},
                                    {"called", json::boolean(view.called)},
                                    {"reason", json::string(view.why)}});
    if (!view.valid.instances.empty()) row.set("valid", view.valid.instances.front().value);
    if (!view.minimal.instances.empty()) row.set("minimal", view.minimal.instances.front().value);
    row.set("boundary", json::number(static_cast<std::int64_t>(view.boundary)));
    row.set("broken", json::number(static_cast<std::int64_t>(view.broken)));
    std::vector<std::string> refused = view.valid.refused;
    refused.insert(refused.end(), view.refused.begin(), view.refused.end());
    row.set("refused", texts(refused));
    tools.items.push_back(std::move(row));
  }
  json::Value missing = json::array();
  for (const run::Missing& one : seen.missing)
    missing.items.push_back(
        json::object({{"affordance", json::string(one.affordance)},
                      {"cases", json::number(static_cast<std::int64_t>(one.cases))}}));
  json::Value out = json::object({{"format", json::string("rpcspec-inspection/1")},
                                  {"rpcspec", json::string(RPCSPEC_VERSION)},
                                  {"target", json::string(target.name)},
                                  {"transport", json::string(target.transport_name())},
                                  {"profile", json::string(seen.profile->name)},
                                  {"server", seen.server},
                                  {"revisions", std::move(revisions)},
                                  {"dual_era", json::boolean(seen.offer.dual_era)},
                                  {"capabilities", seen.capabilities},
                                  {"tools", std::move(tools)},
                                  {"resources", seen.offer.resources},
                                  {"resource_templates", seen.offer.templates},
                                  {"prompts", seen.offer.prompts},
                                  {"affordances", seen.offer.affordances},
                                  {"recognised", texts(seen.recognised)},
                                  {"missing", std::move(missing)}});
  if (!methods.empty()) out.set("methods", reports::methods_value(methods));
  if (seen.round_trip) out.set("latency_us", json::number(seen.round_trip->count()));
  if (seen.start.count() > 0) out.set("start_ms", json::number(seen.start.count()));
  if (seen.memory) out.set("memory_bytes", json::number(static_cast<std::int64_t>(*seen.memory)));
  return out;
}

int inspect_command(const InspectOptions& given, const Invocation& invocation) {
  if (given.format != "text" && given.format != "json")
    return complain(
        Error{"--format", "`" + given.format + "` is not a format", "write text or json"}, kUsage);
  Result<target::Target> target = given.target.resolve(invocation, given.profile);
  if (!target) return complain(target.error(), kUsage);
  for (const std::string& warning : target->warnings)
    std::fprintf(stderr, "rpcspec: WARNING: %s\n", warning.c_str());
  Result<Library> library = load_library("", {});
  if (!library) return complain(library.error(), kUsage);
  const Look look = look_at(*target, *library, given.profile, given.timeout);
  if (!look.seen) return look.code;
  const Secrets& secrets = target->secrets;
  std::vector<run::DescribedMethod> methods;
  if (const contract::InUse* use = look.seen->offer.contract)
    methods = run::planned_methods(*use, library->suite);
  if (given.format == "json")
    fmt::print("{}\n", secrets.masked(json::write_pretty(as_json(*look.seen, *target, methods))));
  else
    fmt::print("{}", secrets.masked(as_text(*look.seen, *target, methods)));
  return kOk;
}

}  // namespace

Command command_inspect(const Invocation& invocation) {
  auto options = std::make_shared<InspectOptions>();
  Command command{"inspect", "Show what a server offers; calls no tool, judges nothing"};
  options->target.add_to(command);
  command.add({
      {"--profile", &options->profile},
      timeout_option(options->timeout),
      {"--format", &options->format},
  });
  command.action = [options, &invocation] { return inspect_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
