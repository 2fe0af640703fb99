// SPDX-License-Identifier: Apache-2.0
// rpcspec surface: what a server offers its clients, as a file to keep beside its sources; and what
// of it changed since.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "harness/base/file.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/command_line.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/inspection.h"
#include "harness/cli/option_values.h"
#include "harness/cli/surface_file.h"
#include "harness/contract/in_use.h"
#include "harness/json/escaped.h"
#include "harness/json/write.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

struct SurfaceOptions {
  TargetOptions target;
  std::string profile = "auto", output, against, format = "text";
  std::chrono::milliseconds timeout{10000};
};

int surface(const SurfaceOptions& given, const Invocation& invocation) {
  Result<target::Target> target = given.target.resolve(invocation, given.profile);
  if (!target) return complain(target.error(), kUsage);
  std::optional<Result<json::Value>> before;
  if (!given.against.empty()) {
    before = surface_in(given.against);
    if (!*before) return complain(before->error(), kUsage);
  }
  const Result<Library> library = load_library("", {});
  if (!library) return complain(library.error(), kUsage);
  const Look look = look_at(*target, *library, given.profile, given.timeout);
  if (!look.seen) return look.code;
  const json::Value now = surface_of(*look.seen);
  const std::string text =
      target->secrets.masked(json::escaped_for_eyes(json::write_pretty(now))) + "\n";
  if (!before || !given.output.empty())
    if (const Status written = reports::write_file(given.output, text); !written)
      return complain(written.error(), kUsage);
  if (!given.output.empty() && given.output != "-")
    fmt::print(stderr, "{} written\n", given.output);
  return before ? tell_changes(**before, now, given.format) : static_cast<int>(kOk);
}

// The methods of a contract, as schemas: the same for a document that is written otherwise.
json::Value methods_of(const contract::Contract& contract) {
  constexpr const char* kStructures[] = {"either", "either", "by-position", "by-name"};
  json::Value out = json::array();
  for (const contract::Method& method : contract.methods) {
    json::Value positions = json::array(), errors = json::array();
    for (const contract::Param& one : method.params)
      positions.items.push_back(json::string(one.name));
    for (const std::int64_t code : method.errors) errors.items.push_back(json::number(code));
    json::Value one = json::object(
        {{"name", json::string(method.name)},
         {"structure", json::string(kStructures[static_cast<std::size_t>(method.structure)])},
         {"positions", std::move(positions)},
         {"params", method.params_schema()},
         {"errors", std::move(errors)}});
    if (method.result) one.set("result", method.result->bundled());
    out.items.push_back(std::move(one));
  }
  return out;
}

}  // namespace

json::Value surface_of(const run::Inspection& seen) {
  json::Value revisions = json::array();
  for (const run::Spoken& one : seen.spoken)
    if (one.yes) revisions.items.push_back(json::string(one.profile->revision));
  const contract::InUse* contract = seen.offer.contract;
  return reports::surface(seen.server, std::move(revisions), seen.capabilities, seen.offer.tools,
                          seen.offer.prompts, seen.offer.resources, seen.offer.templates,
                          contract != nullptr ? methods_of(contract->contract) : json::array());
}

Result<json::Value> surface_in(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return reports::read_surface(*text, file);
}

int tell_changes(const json::Value& before, const json::Value& after, const std::string& format) {
  const std::vector<reports::SurfaceChange> changes = reports::surface_changes(before, after);
  const std::string text =
      format == "json"
          ? json::escaped_for_eyes(json::write_pretty(reports::surface_json(changes))) + "\n"
          : reports::surface_text(changes);
  std::fputs(text.c_str(), stdout);
  return reports::breaking(changes) > 0 ? kViolations : kOk;
}

Command command_surface(const Invocation& invocation) {
  auto options = std::make_shared<SurfaceOptions>();
  Command command{"surface", "Write what a server offers to a file, or compare it with that file"};
  options->target.add_to(command);
  command.add({
      {"--profile", &options->profile},
      timeout_option(options->timeout),
      {"--against", &options->against},
      {"--output,-o", &options->output},
      {"--format", &options->format},
  });
  command.action = [options, &invocation] { return surface(*options, invocation); };
  return command;
}

}  // namespace harness::cli
