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

// `invocation` is complete when the command runs.
Command command_run(const Invocation& invocation);
Command command_init(const Invocation& invocation);
Command command_inspect(const Invocation& invocation);
Command command_fuzz(const Invocation& invocation);
Command command_merge(const Invocation& invocation);  // of fuzz
Command command_call(const Invocation& invocation);
Command command_export(const Invocation& invocation);
Command command_record(const Invocation& invocation);
Command command_verify(const Invocation& invocation);
Command command_replay(const Invocation& invocation);
Command command_shrink(const Invocation& invocation);
Command command_learn(const Invocation& invocation);
Command command_diff(const Invocation& invocation);
Command command_surface(const Invocation& invocation);
Command command_report(const Invocation& invocation);
Command command_compare(const Invocation& invocation);
Command command_judge(const Invocation& invocation);
Command command_list(const Invocation& invocation);
Command command_explain(const Invocation& invocation);
Command command_coverage(const Invocation& invocation);
Command command_check(const Invocation& invocation);
Command command_import(const Invocation& invocation);
Command command_new(const Invocation& invocation);
Command command_completion(const Invocation& invocation);
Command command_man(const Invocation& invocation);
Command command_mcp(const Invocation& invocation);

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
