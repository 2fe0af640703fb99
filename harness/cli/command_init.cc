// SPDX-License-Identifier: Apache-2.0
// rpcspec init: asks a target what it is, speaks and offers, and writes rpcspec.yaml.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/inspection.h"
#include "harness/cli/option_values.h"
#include "harness/cli/project.h"
#include "harness/contact/questions.h"
#include "harness/json/write.h"
#include "harness/target/auth.h"
#include "harness/transport/url.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

struct InitOptions {
  TargetOptions target;
  std::string profile = "auto";
  std::chrono::milliseconds timeout{10000};
  bool force = false;
};

// A text in YAML: as it is where it can only be a text, else as JSON writes it.
std::string scalar(const std::string& text) {
  static const std::vector<std::string> kWords = {"true", "false", "null", "yes", "no",
                                                  "on",   "off",   "y",    "n",   "nan"};
  const std::string lower = ascii::lower(text);
  const auto letter = [](char c) { return ascii::is_alphanumeric(c) && !ascii::is_digit(c); };
  const bool plain =
      text.size() > 1 &&
      (letter(text[0]) || ((text[0] == '-' || text[0] == '.') && letter(text[1])) ||
       text.starts_with("./") || text.starts_with("--") || text[0] == '/') &&
      std::all_of(text.begin(), text.end(),
                  [&](char c) {
                    return ascii::is_alphanumeric(c) ||
                           std::string_view("-_./=").find(c) != std::string_view::npos;
                  }) &&
      text != "---" && std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
  return plain ? text : json::quoted(text);
}

template <class Words>
std::string list(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + scalar(word);
  return "[" + out + "]";
}

// What a target said, in a comment: one line, and no more of it than is of use.
std::string said(const json::Value* value) {
  if (value == nullptr) return "";
  return printable(value->is_string() ? value->text : json::write(*value), 80);
}

// $NAME of what --auth named, so that no secret stands in the file.
std::string reference(const std::string& source) {
  return source.starts_with("@") || source.starts_with("$") ? json::quoted(source) : "$" + source;
}

std::string auth_lines(const std::string& option) {
  const std::size_t first = option.find(':'), last = option.rfind(':');
  if (option.starts_with("bearer"))
    return fmt::format("    auth: {{type: bearer, token: {}}}\n",
                       reference(option.substr(first + 1)));
  if (option.starts_with("basic"))
    return fmt::format("    auth: {{type: basic, login: {}}}\n",
                       reference(option.substr(first + 1)));
  return fmt::format("    auth: {{type: api_key, header: {}, value: {}}}\n",
                     scalar(option.substr(first + 1, last - first - 1)),
                     reference(option.substr(last + 1)));
}

// How to start or reach it, as the command line said.
std::string address_lines(const InitOptions& given, const target::Target& target,
                          const std::string& url) {
  std::string out;
  if (!target.command.empty()) out += fmt::format("    command: {}\n", list(target.command));
  if (!url.empty()) out += fmt::format("    url: {}\n", json::quoted(url));
  std::string variables;
  for (const auto& [name, value] : target.env) {
    const bool secret = target::names_secret(name);
    variables += (variables.empty() ? "" : ", ") + name + ": " +
                 (secret ? "{secret: $" + name + "}" : json::quoted(value));
  }
  if (!variables.empty()) out += fmt::format("    env: {{{}}}\n", variables);
  if (!given.target.auth.empty()) out += auth_lines(given.target.auth);
  if (target.sse) out += "    transport: sse\n";
  if (target.framing == target::Framing::kContentLength)
    out += "    transport: {framing: content-length}\n";
  if (target.allow == target::Allow::kAny)
    out += "    allow: {call_tools: any}\n";
  else if (!target.listed_tools.empty())
    out += fmt::format("    allow: {{tools: {}}}\n", list(target.listed_tools));
  return out;
}

bool lacks_methods(const run::Inspection& seen) {
  const spec::Profile& profile = *seen.profile;
  return !profile.mcp && !profile.lsp && !profile.acp &&
         (seen.offer.affordances.find("known_method") == nullptr || !seen.offer.examples.empty());
}

std::string project_text(const InitOptions& given, const target::Target& target,
                         const std::string& url, const run::Inspection& seen) {
  std::string out =
      "# `rpcspec run` without a TARGET tests the targets of this file; to test one of several:\n"
      "# --target rpcspec.yaml#NAME. `rpcspec check rpcspec.yaml` reports mistakes in the file, "
      "and\n"
      "# `rpcspec check --schema project` prints its schema, for completion in an editor.\n"
      "targets:\n";
  const json::Value none;
  const json::Value& server = seen.server.is_object() ? seen.server : none;
  std::string about = said(server.find("name"));
  if (const std::string version = said(server.find("version")); !version.empty())
    about += (about.empty() ? "" : " ") + version;
  out += fmt::format("  {}:{}\n", target.transport_name(), about.empty() ? "" : "  # " + about);
  out += address_lines(given, target, url);
  std::string revisions;
  for (const run::Spoken& one : seen.spoken)
    if (one.yes) revisions += (revisions.empty() ? "" : ", ") + one.profile->revision;
  if (!revisions.empty())
    out += fmt::format("    # The server speaks {}; each listed profile is tested.\n", revisions);
  out += fmt::format("    profiles: [{}]\n", seen.profile->name);
  std::vector<std::string> closed;
  for (const run::ToolView& view : seen.tools)
    if (const json::Value* name = view.listed.find("name");
        !view.called && name && name->is_string())
      closed.push_back(printable(name->text, 80));
  if (!closed.empty())
    out += fmt::format(
        "    # Not annotated readOnlyHint, so not called; allow those that are safe:\n"
        "    # allow: {{tools: {}}}\n",
        list(closed));
  if (lacks_methods(seen)) {
    out += "    # Name methods of the server that may be called at any time.\n";
    out += "    # methods: {" +
           (seen.offer.methods.empty() ? "add" : scalar(seen.offer.methods[0])) + ": [1, 2]}\n";
  }
  if (const json::Value* own = json::at(target.affordances, "/methods/list")) {
    std::string calls;
    for (const json::Value& one : own->items)
      calls += (calls.empty() ? "" : ", ") + scalar(one.find("method")->text) + ": " +
               json::write(*one.find("params"));
    out += fmt::format("    methods: {{{}}}\n", calls);
  }
  if (!seen.missing.empty())
    out += "    # To test more, describe how to provoke behaviour:\n    # affordances:\n";
  for (const run::Missing& one : seen.missing)
    out += fmt::format("    #   {}: {}   # {} case{}\n", one.affordance, sketch(one), one.cases,
                       one.cases == 1 ? "" : "s");
  out +=
      "    # Known failures, after `rpcspec run --write-baseline`:\n"
      "    # baseline: rpcspec-known.yaml\n"
      "    # To fuzz after the cases:\n";
  if (!transport::is_local(url))
    out += "    # (a server on another machine also needs `rpcspec run --yes-fuzz-remote`)\n";
  out +=
      "    # fuzz: {minutes: 5}\n"
      "reports:\n  html: rpcspec-report.html\n  junit: rpcspec-report.xml\n";
  return out;
}

int init_command(const InitOptions& given, const Invocation& invocation) {
  if (!given.target.file.empty())
    return complain(Error{"--target", "init writes the description itself",
                          "name the command or the address: rpcspec init -- node server.js"},
                    kUsage);
  if (std::error_code ignored; !given.force && std::filesystem::exists(kProjectFile, ignored))
    return complain(Error{kProjectFile, "it exists", "--force overwrites it"}, kUsage);
  if (const Status fit = reports::can_be_written(kProjectFile); !fit)
    return complain(fit.error(), kUsage);
  Result<target::Target> target = given.target.resolve(invocation, given.profile);
  if (!target) return complain(target.error(), kUsage);
  Result<Library> library = load_library("", {});
  if (!library) return complain(library.error(), kUsage);
  const std::string url = target->url;  // with {port} still open
  const Look look = look_at(*target, *library, given.profile, given.timeout);
  if (!look.seen) return look.code;
  const std::string text = target->secrets.masked(project_text(given, *target, url, *look.seen));
  if (const Status written = reports::write_file(kProjectFile, text); !written)
    return complain(written.error(), kUsage);
  std::printf("wrote %s: %s over %s. To use it: rpcspec run\n", kProjectFile,
              look.seen->profile->name.c_str(), target->transport_name());
  if (lacks_methods(*look.seen))
    std::printf("\n%s.\n", run::request_for_methods(look.seen->offer).c_str());
  return kOk;
}

}  // namespace

Command command_init(const Invocation& invocation) {
  auto options = std::make_shared<InitOptions>();
  Command command{"init", "Write an rpcspec.yaml for a server, for `rpcspec run` to use"};
  options->target.add_to(command);
  command.add({
      {"--profile", &options->profile},
      timeout_option(options->timeout),
      {"--force", &options->force},
  });
  command.action = [options, &invocation] { return init_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
