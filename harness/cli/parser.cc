// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/cli/help_page.h"
#include "harness/cli/option_values.h"

namespace harness::cli {
namespace {

CLI::Option* slotted(CLI::App& app, const Option& row, bool* slot) {
  return app.add_flag(row.flags, *slot);
}
CLI::Option* slotted(CLI::App& app, const Option& row, const Take& take) {
  const auto read = [take, flags = row.flags](const std::string& text) {
    const Status taken = take(flags, text);
    if (!taken) throw CLI::ValidationError(taken.error().where, taken.error().what);
  };
  return app.add_option_function<std::string>(row.flags, read);
}
template <class T>
CLI::Option* slotted(CLI::App& app, const Option& row, T* slot) {
  return app.add_option(row.flags, *slot);
}
// Of a list in one text, "A,B" and "--option A --option B" are the same.
CLI::Option* slotted(CLI::App& app, const Option& row, std::string* slot) {
  if (!row.rule.list) return app.add_option(row.flags, *slot);
  const auto read = [slot, row](const std::vector<std::string>& values) {
    std::string text = joined(values, ",");
    const std::string wrong = row.normalize ? row.normalize(text) : "";
    if (!wrong.empty()) throw CLI::ValidationError(row.names().front(), wrong);
    *slot = text;
  };
  return app.add_option_function<std::vector<std::string>>(row.flags, read);
}

void apply(const Rule& rule, CLI::Option& option) {
  if (rule.required) option.required();
  if (rule.named)
    option.check(
        [](const std::string& text) {
          return text.empty() ? std::string("it is empty") : std::string();
        },
        "");
  if (rule.list) option.delimiter(',');
  if (rule.repeatable || rule.list)
    option.expected(1)
        ->allow_extra_args(false)  // what stands behind its one value is none of its
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (rule.shown) option.capture_default_str();
  if (!rule.usual.empty()) option.default_str(rule.usual);
  if (!rule.words.empty())
    option.check(
        [words = rule.words](const std::string& text) {
          if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
          return "there is no `" + printable(text, 60) + "`; write one of " + joined(words);
        },
        "");
  if (rule.most > 0)
    option.check(
        [most = rule.most](const std::string& text) {
          const auto read = Counts{1, static_cast<std::uint64_t>(most)}.read("", text);
          return read ? std::string() : read.error().what;
        },
        "");
}

void bind(const std::vector<Option>& rows, CLI::App& app) {
  std::vector<CLI::Option*> bound;
  for (const Option& row : rows) {
    CLI::Option* option =
        std::visit([&](const auto& slot) { return slotted(app, row, slot); }, row.slot);
    if (!row.value_name.empty()) option->type_name(row.value_name);
    apply(row.rule, *option);
    if (row.normalize && !row.rule.list) option->transform(CLI::Validator(row.normalize, ""));
    bound.push_back(option);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& other : rows[i].rule.needs) bound[i]->needs(app.get_option(other));
    for (const std::string& other : rows[i].rule.excludes)
      bound[i]->excludes(app.get_option(other));
  }
}

void bind(const Command& row, CLI::App& above) {
  CLI::App* app = above.add_subcommand(row.name);
  bind(row.options, *app);
  for (const Command& nested : row.commands) bind(nested, *app);
  if (row.must_name_command()) app->require_subcommand(1);
}

const Command* named(const std::vector<Command>& commands, const std::string& name) {
  for (const Command& command : commands)
    if (command.name == name) return &command;
  return nullptr;
}

// "--timeout: 1 required TIME missing" is what the parser says, also of a value too many.
std::string in_words(const CLI::ParseError& error) {
  const std::string said = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return said;
  const bool lacks = said.ends_with(" missing");
  return said.substr(0, said.find(':')) + (lacks ? " needs a value" : " is given twice");
}

// The command that the words name so far, and how it is called: "new case".
struct Called {
  const Command* command = nullptr;
  std::string name;
};
Called called_by(const CLI::App& app, const Program& program) {
  Called called;
  const std::vector<Command>* below = &program.commands;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    called.command = named(*below, at->get_name());
    called.name += (called.name.empty() ? "" : " ") + at->get_name();
    below = &called.command->commands;
  }
  return called;
}

Misuse misuse_of(const CLI::ParseError& error, const CLI::App& app, const Program& program) {
  const Called called = called_by(app, program);
  Misuse misuse{called.command, called.name, in_words(error)};
  for (const Option& row :
       called.command != nullptr ? called.command->options : std::vector<Option>())
    if (row.positional() && misuse.what == row.flags + " is required")
      misuse.what = row.value_name.empty() ? "name a " + row.flags + ": " + row.help
                                           : row.value_name + " is missing";
  misuse.of_value = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr;
  misuse.extras = app.remaining(true);
  return misuse;
}

void show_help(const CLI::App& app, const Program& program, bool all) {
  const Called called = called_by(app, program);
  const std::string page = called.command == nullptr
                               ? help_page(program)
                               : help_page(program, *called.command, called.name, all);
  std::fwrite(page.data(), 1, page.size(), stdout);
}

}  // namespace

Reading read_command_line(const Program& program, std::vector<std::string> words) {
  CLI::App app;
  app.name(program.name);
  app.set_help_all_flag("--help-all");
  app.set_version_flag("--version", program.version);
  app.require_subcommand(1);
  for (const Command& command : program.commands) bind(command, app);
  Reading reading;
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    show_help(app, program, false);
    return reading;
  } catch (const CLI::CallForAllHelp&) {
    show_help(app, program, true);
    return reading;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)
      app.exit(error);
    else
      reading.misuse = misuse_of(error, app, program);
    return reading;
  }
  const CLI::App* chosen = app.get_subcommands().front();
  reading.command = named(program.commands, chosen->get_name());
  if (!chosen->get_subcommands().empty()) {
    const CLI::App* nested = chosen->get_subcommands().front();
    const Command* command = named(reading.command->commands, nested->get_name());
    if (command->action) {
      reading.command = command;
      chosen = nested;
    }
  }
  for (const CLI::Option* option : chosen->get_options())
    if (option->count() > 0 && !option->get_lnames().empty())
      reading.given.push_back("--" + option->get_lnames().front());
  return reading;
}

std::string read_options(const std::vector<Option>& options, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  bind(options, app);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& failure) {
    return in_words(failure);
  }
  return "";
}

}  // namespace harness::cli
