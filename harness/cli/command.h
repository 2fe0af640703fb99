// SPDX-License-Identifier: Apache-2.0
// The commands of rpcspec, a file each: their options, and what they do when they are chosen.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/options.h"
#include "harness/target/target.h"

namespace harness::cli {

struct Invocation {
  std::string program;                      // as the user called it, for commands to paste
  std::vector<std::string> target_command;  // what stood behind `--`
  bool has_target_command = false;
  std::vector<std::string> given;  // the options that were given, by their long names: "--profile"
  const std::vector<Command>* commands = nullptr;  // all there are
  bool has(const std::string& option) const;
};

// `invocation` is complete when the command runs. command_merge is a part of fuzz.
using CommandFor = Command(const Invocation& invocation);
CommandFor command_run, command_init, command_inspect, command_fuzz, command_merge, command_call,
    command_export, command_record, command_verify, command_replay, command_shrink, command_learn,
    command_diff, command_surface, command_report, command_compare, command_judge, command_list,
    command_explain, command_coverage, command_check, command_import, command_new,
    command_completion, command_man, command_mcp;

// What main() does with these words after the name of the program.
int run_command_line(const std::vector<std::string>& words);

// Prints "rpcspec: TEXT" on stderr; returns the code.
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
  std::vector<std::string> methods;  // methods of the target, with their params
  std::string openrpc;               // the contract document to test against
  std::string meta_model;            // of LSP, or the schema of ACP
  std::string call_methods;          // further described methods that may be called
  void add_to(Command& command);
  // `profile`: the one that the user asked for. Under lsp, messages have headers as for language
  // servers, unless --framing says otherwise.
  Result<target::Target> resolve(const Invocation& invocation,
                                 const std::string& profile = "auto") const;
  // A target that is only its document, --openrpc and --methods, for commands that need no server.
  Result<target::Target> resolve_contract() const;
};

// A TARGET as one word, for commands that take two: command-line text ("--url ws://… -- ./server"),
// or an address, a description FILE[#NAME] or a command alone. `option` is named in Errors.
Result<target::Target> target_in_word(const std::string& option, const std::string& word,
                                      const Invocation& invocation);

}  // namespace harness::cli
