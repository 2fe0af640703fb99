// SPDX-License-Identifier: Apache-2.0
// rpcspec: one file per command; this one splits the command line and calls the chosen one.
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/command_line.h"
#include "harness/cli/command_triage.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/parser.h"

namespace harness::cli {

bool Invocation::has(const std::string& option) const {
  return std::find(given.begin(), given.end(), option) != given.end();
}

int complain(const Error& error, int code) {
  return complain(error.text(), error.unreachable && code == kUsage ? kUnreachable : code);
}

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
  for (int i = 1; i < argc; ++i)
    if (invocation.has_target_command)
      invocation.target_command.push_back(argv[i]);
    else if (std::string_view(argv[i]) == "--")
      invocation.has_target_command = true;
    else
      words.push_back(argv[i]);

  constexpr Command (*kCommands[])(const Invocation&) = {
      command_run,     command_init,    command_inspect, command_call,    command_diff,
      command_compare, command_surface, command_report,  command_record,  command_judge,
      command_verify,  command_mcp,     command_fuzz,    command_replay,  command_shrink,
      command_triage,  command_learn,   command_list,    command_explain, command_coverage,
      command_export,  command_check,   command_import,  command_new,     command_completion,
      command_man};
  Program program{"rpcspec",
                  "rpcspec: tests JSON-RPC 2.0 and MCP servers against their specifications.\n"
                  "`rpcspec help COMMAND` explains a command, with examples.",
                  exit_codes(),
                  [] {
                    return std::string("rpcspec " RPCSPEC_VERSION RPCSPEC_BUILD "\ncase set ") +
                           case_set();
                  },
                  {}};
  for (const auto command : kCommands) program.commands.push_back(command(invocation));
  arrange(program.commands);
  invocation.commands = &program.commands;

  if (words.empty() && !invocation.has_target_command) {
    std::fputs(greeting().c_str(), stderr);
    return kUsage;
  }
  words = without_help_command(std::move(words));
  if (const std::string wrong = unknown_command(program.commands, words); !wrong.empty())
    return complain(wrong, kUsage);
  Reading reading = read_command_line(program, words);
  if (reading.misuse) return complain(complaint_about(*reading.misuse, words, invocation), kUsage);
  if (reading.command == nullptr) return kOk;
  invocation.given = std::move(reading.given);
  return reading.command->action();
}

}  // namespace

int run_command_line(const std::vector<std::string>& words) {
  std::vector<std::string> own{"rpcspec"};
  own.insert(own.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : own) arguments.push_back(word.data());
  return run(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace harness::cli

namespace {

// A mistake of ours that a signal ends. What was played before is in the files of the reports.
void tell_and_end(int number) {
  char text[] = "rpcspec: this is a bug in rpcspec: signal 00 ended it\n";
  char* digits = std::strstr(text, "00");
  digits[0] = static_cast<char>('0' + number / 10);
  digits[1] = static_cast<char>('0' + number % 10);
  [[maybe_unused]] const auto told = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(harness::cli::kInternal);
}

// Nesting may use up the stack; sanitizers have handlers of their own.
void handle_fatal_signals() {
  static char stack[64 << 10];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction present {};
    ::sigaction(number, nullptr, &present);
    if (present.sa_handler != SIG_DFL) continue;
    present.sa_handler = tell_and_end;
    present.sa_flags = SA_ONSTACK;
    ::sigaction(number, &present, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  handle_fatal_signals();
  // What is large goes back to the system when it is freed. Left alone, malloc keeps more and more.
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  try {
    return harness::cli::run(argc, argv);
  } catch (const std::exception& failure) {
    return harness::cli::complain(std::string("this is a bug in rpcspec: ") + failure.what(),
                                  harness::cli::kInternal);
  }
}
