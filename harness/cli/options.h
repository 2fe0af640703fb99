// SPDX-License-Identifier: Apache-2.0
// Commands and their options as rows: what the command line is read by (parser.h), and what help,
// completions and the manual are made of.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::cli {

// Stores the text given for the option with this name.
using Take = std::function<Status(const std::string& option, const std::string& text)>;

// Where a value goes.
using Slot = std::variant<bool*, int*, std::size_t*, std::string*, std::optional<std::string>*,
                          std::vector<std::string>*, Take>;

// What few options have.
struct Rule {
  bool required = false;
  bool repeatable = false;                   // may be given several times, as its help says
  bool list = false;                         // and takes several values at once: A,B
  bool named = false;                        // an empty value is rejected
  bool shown = false;                        // help shows the default: the value in the slot
  std::string usual;                         // the default in other words
  std::vector<std::string> words;            // one of these values
  int most = 0;                              // for an int: from 1 to this
  std::vector<std::string> needs, excludes;  // other options of the command
};

struct Option {
  std::string flags;  // "--output,-o"; a word without dashes is a positional argument
  Slot slot;
  // What is not said here stands in command_help.json.
  std::string value_name = {};  // "FILE"; "" for a flag
  std::string help = {};
  Rule rule = {};
  std::string group = {};
  bool rare = false;  // shown by --help-all alone
  // Normalises a value, or says what is wrong with it.
  std::function<std::string(std::string& value)> normalize = {};

  std::vector<std::string> names() const;  // the long ones: "--output"
  bool takes_value() const;
  bool positional() const { return !flags.starts_with('-'); }
  std::string word() const;  // of a positional argument, as in the usage line: "SCRIPT..."
};

// A row with rules that only the program knows.
inline Option option(std::string flags, Slot slot, Rule rule) {
  return {std::move(flags), std::move(slot), {}, {}, std::move(rule)};
}

struct Command {
  std::string name;
  std::string help;
  std::vector<Option> options = {};
  std::string footer = {};
  std::string group = {};
  // One of these must be named, unless they have actions of their own.
  std::vector<Command> commands = {};
  std::function<int()> action = {};  // runs the command; returns an ExitCode

  void add(std::vector<Option> rows);
  bool must_name_command() const { return !commands.empty() && !commands.front().action; }
  const Option* find(const std::string& long_name) const;
};

// A value within bounds: the value that was read goes to `slot`.
template <class Bounds, class T>
Take within(Bounds bounds, T& slot) {
  return [bounds, &slot](const std::string& option, const std::string& text) -> Status {
    const auto value = bounds.read(option, text);
    if (!value) return value.error();
    slot = *value;
    return Nothing();
  };
}

// A part of command_help.json:
//   commands   groups of commands, and the examples of each
//   options    groups of options, which stand in this order in every command; rare ones are not on
//              the page of `--help`
//   rows       options of each command, and those that several have ("shared")
//   footers    what the page of a command ends with, in place of the exit codes
//   gone       options that are gone, and what to do without them
//   elsewhere  what other tools call an option of ours
const json::Value& help_table(const char* name);

}  // namespace harness::cli
