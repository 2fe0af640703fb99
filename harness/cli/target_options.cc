// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "harness/base/text.h"
#include "harness/cli/command.h"

namespace harness::cli {

void TargetOptions::add_to(CLI::App& command) {
  command
      .add_option("--url", url,
                  "The server's address: http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH,\n"
                  "tcp://HOST:PORT or unix:/PATH; {port} picks a free port")
      ->type_name("URL");
  command
      .add_option(
          "--framing", framing,
          "How messages are told apart on stdio, tcp and unix: line (default) or content-length")
      ->type_name("KIND");
  command
      .add_option("--target", file, "A target description, or the mcpServers JSON of an MCP client")
      ->type_name("FILE[#NAME]");
  command
      .add_option("--auth", auth,
                  "Credentials for http and ws: bearer:NAME or api_key:HEADER:NAME, where NAME is\n"
                  "an environment variable, or @FILE; they are sent to the target only, and never\n"
                  "printed")
      ->type_name("KIND:NAME");
  command.footer(
      "TARGET is `-- COMMAND ARG...` (stdio), `--url URL`, both together (the command is\n"
      "started, then the address is used), or `--target FILE[#NAME]`.");
}

Result<target::Target> TargetOptions::resolve(const Invocation& invocation) const {
  const bool command = invocation.has_target_command;
  if (!file.empty() && (command || !url.empty()))
    return Error{"--target", "a description stands alone, without --url or a command", ""};
  target::Target target;
  if (!file.empty()) {
    Result<target::Target> loaded = target::load_target(file);
    if (!loaded) return loaded.error();
    target = std::move(*loaded);
    target.spec = "--target " + shell_quoted(file);
  } else if (!command && url.empty()) {
    return Error{"", "no target is named",
                 "add `-- COMMAND ARG...`, `--url URL` or `--target FILE`"};
  } else {
    if (command && invocation.target_command.empty())
      return Error{"--", "no command stands behind it", "write `-- COMMAND ARG...`"};
    target.command = invocation.target_command;
    target.url = url;
    target.spec = url.empty() ? "" : "--url " + shell_quoted(url);
    if (command) {
      target.spec += target.spec.empty() ? "--" : " --";
      for (const std::string& word : target.command) target.spec += " " + shell_quoted(word);
    }
    target.name = url;
    if (url.empty()) {
      target.name = std::filesystem::path(target.command.front()).filename().string();
      for (std::size_t i = 1; i < target.command.size(); ++i)
        target.name += " " + target.command[i];
    }
  }
  if (*target.transport() == '\0')
    return Error{
        "--url", "`" + target.url + "` is not an address this build can drive",
        "use http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT, unix:/PATH, or "
        "a command for stdio"};
  if (!framing.empty()) {
    const auto kind = target::framing_named(framing);
    if (!kind)
      return Error{"--framing", "`" + framing + "` is no framing", "use line or content-length"};
    if (!target.is_stream())
      return Error{"--framing", "messages need no framing over " + std::string(target.transport()),
                   "leave it out"};
    target.framing = *kind;
    target.spec = "--framing " + framing + " " + target.spec;
  }
  if (!auth.empty()) {
    if (auto read = target::auth_from_option(auth, target); !read) return read.error();
    target.spec = "--auth " + shell_quoted(auth) + " " + target.spec;
  }
  return target;
}

}  // namespace harness::cli
