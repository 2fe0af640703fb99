// SPDX-License-Identifier: Apache-2.0
// A command of rpcspec: it adds its options to a subcommand and says what to do when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/target/target.h"

namespace harness::cli {

struct Invocation {
  std::string program;                      // as it was called, for commands to paste
  std::vector<std::string> target_command;  // what stood behind `--`
  bool has_target_command = false;
};

// Adds the command to the app; returns what runs when it was chosen (an ExitCode).
using AddCommand = std::function<int()> (*)(CLI::App& app, const Invocation& invocation);

std::function<int()> add_run(CLI::App& app, const Invocation& invocation);
std::function<int()> add_init(CLI::App& app, const Invocation& invocation);
std::function<int()> add_inspect(CLI::App& app, const Invocation& invocation);
std::function<int()> add_fuzz(CLI::App& app, const Invocation& invocation);
std::function<int()> add_call(CLI::App& app, const Invocation& invocation);
std::function<int()> add_export(CLI::App& app, const Invocation& invocation);
std::function<int()> add_record(CLI::App& app, const Invocation& invocation);
std::function<int()> add_verify(CLI::App& app, const Invocation& invocation);
std::function<int()> add_replay(CLI::App& app, const Invocation& invocation);
std::function<int()> add_shrink(CLI::App& app, const Invocation& invocation);
std::function<int()> add_learn(CLI::App& app, const Invocation& invocation);
std::function<int()> add_diff(CLI::App& app, const Invocation& invocation);
std::function<int()> add_report(CLI::App& app, const Invocation& invocation);
std::function<int()> add_compare(CLI::App& app, const Invocation& invocation);
std::function<int()> add_judge(CLI::App& app, const Invocation& invocation);
std::function<int()> add_list(CLI::App& app, const Invocation& invocation);
std::function<int()> add_explain(CLI::App& app, const Invocation& invocation);
std::function<int()> add_coverage(CLI::App& app, const Invocation& invocation);
std::function<int()> add_check(CLI::App& app, const Invocation& invocation);
std::function<int()> add_new(CLI::App& app, const Invocation& invocation);
std::function<int()> add_completion(CLI::App& app, const Invocation& invocation);
std::function<int()> add_man(CLI::App& app, const Invocation& invocation);

// For an option of several values: one each time it is given, so that what stands behind it is not
// swallowed. Its help says so.
CLI::Option* repeatable(CLI::Option* option);

// "rpcspec: TEXT" on stderr; returns the code.
int complain(const Error& error, int code);
int complain(const std::string& text, int code);

// --- what names a TARGET: `-- COMMAND`, `--url`, `--target FILE[#NAME]`
struct TargetOptions {
  std::string url;
  std::string framing;
  std::string transport;
  std::string auth;
  std::string file;
  std::string allow_tools;
  void add_to(CLI::App& command);
  // `profile`: what is asked for. Under lsp messages are framed as language servers do, unless
  // --framing says otherwise.
  Result<target::Target> resolve(const Invocation& invocation,
                                 const std::string& profile = "auto") const;
};

// A TARGET in one word, for commands that take two: what would stand on the command line ("--url
// ws://… -- ./server"), or an address, a description FILE[#NAME] or a command by itself. `option`
// is named in Errors.
Result<target::Target> target_in_word(const std::string& option, const std::string& word,
                                      const Invocation& invocation);

}  // namespace harness::cli
