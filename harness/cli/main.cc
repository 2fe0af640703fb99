// SPDX-License-Identifier: Apache-2.0
// rpcspec: one file per command; this one splits the command line and calls the chosen one.
#include <malloc.h>

#include <cstdio>
#include <exception>

#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/command_line.h"
#include "harness/cli/command_triage.h"
#include "harness/cli/exit_code.h"

namespace harness::cli {

CLI::Option* repeatable(CLI::Option* option) {
  return option->expected(1)
      ->allow_extra_args(false)  // what stands behind its one value is none of its
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->description(option->get_description() + "; may be given again");
}

int complain(const Error& error, int code) { return complain(error.text(), code); }

int complain(const std::string& text, int code) {
  std::fflush(stdout);
  std::fprintf(stderr, "rpcspec: %s\n", text.c_str());
  return code;
}

namespace {

int run(int argc, char** argv) {
  Invocation invocation;
  invocation.program = argc > 0 ? argv[0] : "rpcspec";
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    if (invocation.has_target_command) {
      invocation.target_command.push_back(argv[i]);
    } else if (std::string_view(argv[i]) == "--") {
      invocation.has_target_command = true;
    } else {
      words.push_back(argv[i]);
    }
  }

  CLI::App app{
      "rpcspec: holds JSON-RPC 2.0 and MCP servers to their specifications.\n"
      "`rpcspec help COMMAND` explains a command, with examples."};
  app.set_version_flag("--version", [] {
    return std::string("rpcspec " RPCSPEC_VERSION RPCSPEC_BUILD "\ncase set ") + case_set();
  });
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 the gate passed, 1 violations, 2 bad usage, case file or target description,\n"
      "3 the target could not be started or reached, 4 rpcspec itself failed, 130 interrupted.");
  constexpr AddCommand kCommands[] = {
      add_run,    add_init,   add_inspect, add_call,       add_fuzz,    add_replay,
      add_shrink, add_triage, add_learn,   add_diff,       add_judge,   add_record,
      add_verify, add_report, add_compare, add_list,       add_explain, add_coverage,
      add_export, add_check,  add_new,     add_completion, add_man};
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands;
  for (const AddCommand add : kCommands) {
    std::function<int()> action = add(app, invocation);
    commands.emplace_back(app.get_subcommands([](CLI::App*) { return true; }).back(),
                          std::move(action));
  }

  arrange(app);

  if (words.empty() && !invocation.has_target_command) {
    std::fputs(greeting().c_str(), stderr);
    return kUsage;
  }
  words = without_help_command(std::move(words));
  if (const std::string wrong = unknown_command(app, words); !wrong.empty())
    return complain(wrong, kUsage);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain(complaint_about(error, app, words, invocation), kUsage);
  }
  for (auto& [command, action] : commands)
    if (command->parsed()) return action();
  return kUsage;
}

}  // namespace
}  // namespace harness::cli

int main(int argc, char** argv) {
  // What is large goes back to the system when it is freed. Left alone, malloc keeps more and more.
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  try {
    return harness::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    return harness::cli::complain(std::string("this is a mistake of rpcspec: ") + failure.what(),
                                  harness::cli::kInternal);
  }
}
