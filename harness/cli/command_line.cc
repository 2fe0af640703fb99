// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/cli/names.h"
#include "harness/spec/protocol.h"

namespace harness::cli {
namespace {

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"--help"};
  for (const Option& option : command.options)
    for (const std::string& name : option.names()) names.push_back(name);
  return names;
}

std::vector<std::string> command_names(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

// "http://localhost:3000" of an address, with a scheme or as HOST:PORT; "" of anything else.
std::string address_in(const std::string& word) {
  if (word.find("://") != std::string::npos) return word;
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string::npos) return "";
  const std::size_t end = std::min(word.find('/', colon), word.size());
  const std::string host = word.substr(0, colon);
  const std::string port = word.substr(colon + 1, end - colon - 1);
  const bool digits =
      !port.empty() && port.size() <= 5 && std::all_of(port.begin(), port.end(), ascii::is_digit);
  const bool name = std::all_of(host.begin(), host.end(), [](char c) {
    return ascii::is_alphanumeric(c) || c == '.' || c == '-' || c == '_';
  });
  return digits && name ? "http://" + word : "";
}

// The command that judges what these words name.
std::string run_of(const std::vector<std::string>& words) {
  const std::string address = words.size() == 1 ? address_in(words.front()) : "";
  if (!address.empty()) return "rpcspec run --url " + shell_quoted(address);
  std::string out = "rpcspec run --";
  for (const std::string& word : words) out += " " + shell_quoted(word);
  return printable(out, 200);
}

// A method that the word names, or nearly names: a list of methods has words such as `ping`, so
// only a path is completed.
std::string method_meant(const std::string& word) {
  if (spec::protocol().find(word) != nullptr) return word;
  if (word.find('/') == std::string::npos || word.find_first_of(".:") != std::string::npos)
    return "";
  std::vector<std::string> methods;
  for (const spec::MessageRow& message : spec::protocol().messages())
    if (message.from_client()) methods.push_back(message.name);
  return nearest(word, methods);
}

// A word that is no option, where a command wants none: most often the server.
std::string stray_word(const std::string& called, const Command& command,
                       const std::vector<std::string>& extras, const Invocation& invocation) {
  const std::string& stray = extras.front();
  const std::string shown = printable(stray, 100);
  if (command.must_name_command())
    return fmt::format("{}: there is no command `{} {}`; {}", called, called, shown,
                       did_you_mean(stray, command_names(command.commands),
                                    fmt::format("see `rpcspec help {}`", called)));
  if (command.find("--arguments") != nullptr && (stray.starts_with('{') || stray.starts_with('[')))
    return fmt::format("{}: JSON needs an option: write --arguments {}, or --params for the whole "
                       "params",
                       called, shell_quoted(shown));
  if (command.find("--url") == nullptr || invocation.has_target_command)
    return fmt::format("{}: unexpected argument `{}`; see `rpcspec help {}`", called, shown,
                       called);
  if (const std::string address = address_in(shown); !address.empty())
    return fmt::format("{}: an address needs --url: write `rpcspec {} --url {}`", called, called,
                       shell_quoted(address));
  if (stray.ends_with(".yaml") || stray.ends_with(".yml") ||
      stray.find(".json#") != std::string::npos || stray.ends_with(".json"))
    return fmt::format("{}: a target description needs --target: write `rpcspec {} --target {}`",
                       called, called, shell_quoted(shown));
  std::string server;
  for (const std::string& word : extras) server += " " + shell_quoted(word);
  return fmt::format("{}: the command of a server needs `--` in front: write `rpcspec {} --{}`",
                     called, called, printable(server, 200));
}

}  // namespace

std::string exit_codes() {
  return "Exit codes: 0 the gate passed, 1 a clause is broken, 2 a mistake in the command line "
         "or a file,\n"
         "3 the target could not be started or reached, 4 rpcspec itself failed, 130 interrupted.";
}

std::string greeting() {
  return "rpcspec tests JSON-RPC 2.0 and MCP servers against their specifications. Try\n"
         "\n"
         "  rpcspec run -- node server.js                  # a command that speaks over stdin "
         "and stdout\n"
         "  rpcspec run --url http://127.0.0.1:3000/mcp    # a server that is running\n"
         "  rpcspec explain jsonrpc.error.parse-error-code # a clause: why servers break it, "
         "what to change\n"
         "\n"
         "`rpcspec --help` lists the commands, `rpcspec help run` explains one.\n";
}

std::vector<std::string> without_help_command(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

std::string unknown_command(const std::vector<Command>& commands,
                            const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return "";
  const std::vector<std::string> names = command_names(commands);
  if (std::count(names.begin(), names.end(), words.front()) > 0) return "";
  const std::string& word = words.front();
  const std::string known = nearest(word, names).empty() ? method_meant(word) : "";
  if (!known.empty())
    return fmt::format("there is no command `{}`; did you mean `rpcspec call {}`?",
                       printable(word, 60), known);
  // A program, a file or an address is the server.
  const bool server =
      word.find_first_of("/.:") != std::string::npos ||
      (words.size() > 1 && words.back() != "--help" && nearest(word, names).empty());
  return fmt::format("there is no command `{}`; {}", printable(word, 60),
                     server ? "did you mean `" + run_of(words) + "`?"
                            : did_you_mean(word, names, "`rpcspec --help` lists them"));
}

std::vector<std::string> examples_of(const std::string& command) {
  std::vector<std::string> examples;
  for (const json::Member& group : help_table("commands").members)
    if (const json::Value* own = group.value.find(command))
      for (const json::Value& example : own->items) examples.push_back(example.text);
  return examples;
}

namespace {

// Finds the group of an option and its place there; an option of none comes first.
std::pair<int, int> place_of(Option& option) {
  const std::vector<std::string> names = option.names();
  int heading = 0;
  for (const json::Member& group : help_table("options").members) {
    ++heading;
    int place = 0;
    for (const json::Member& row : group.value.members) {
      ++place;
      if (std::count(names.begin(), names.end(), row.name) == 0) continue;
      option.group = group.name;
      option.rare = row.value.text == "rare" && !option.rule.required;
      return {heading, place};
    }
  }
  return {0, 0};
}

void arrange(std::vector<Option>& options) {
  std::vector<std::pair<std::pair<int, int>, Option>> placed;
  for (Option& option : options) {
    const auto place = place_of(option);
    placed.emplace_back(place, std::move(option));
  }
  std::ranges::stable_sort(placed, {}, [](const auto& one) { return one.first; });
  std::ranges::transform(placed, options.begin(), [](auto& one) { return std::move(one.second); });
}

void take_footer(Command& command) {
  const json::Value* lines = help_table("footers").find(command.name);
  if (lines == nullptr) return;
  command.footer.clear();
  for (const json::Value& line : lines->items)
    command.footer += (command.footer.empty() ? "" : "\n") + line.text;
}

void normalize_profile(Command& command, std::string (*check)(std::string&)) {
  for (Option& option : command.options)
    if (option.flags == "--profile") option.normalize = check;
}

}  // namespace

void arrange(std::vector<Command>& commands) {
  for (Command& command : commands) {
    take_footer(command);
    if (command.footer.empty()) command.footer = exit_codes();
    for (Command& nested : command.commands) {
      take_footer(nested);
      nested.footer += (nested.footer.empty() ? "" : "\n\n") + exit_codes();
      arrange(nested.options);
      normalize_profile(nested, check_profile);
    }
    for (const json::Member& group : help_table("commands").members)
      if (group.value.find(command.name)) command.group = group.name;
    command.footer +=
        fmt::format("\n\nExamples:\n  {}", fmt::join(examples_of(command.name), "\n  "));
    arrange(command.options);
    normalize_profile(command, command.name == "run" ? check_profiles : check_profile);
  }
}

std::string complaint_about(const Misuse& misuse, const std::vector<std::string>& words,
                            const Invocation& invocation) {
  if (misuse.command == nullptr) {
    const std::string word = words.empty() ? "" : words.front();
    if (word.empty()) return "a command is missing; `rpcspec --help` lists them";
    return fmt::format("write the command before `{}`; `rpcspec --help` lists the commands",
                       printable(word, 60));
  }
  if (misuse.of_value) return misuse.what;
  const std::string help = fmt::format("see `rpcspec help {}`", misuse.called);
  if (misuse.extras.empty()) return fmt::format("{}; {}", misuse.what, help);
  const std::string& extra = misuse.extras.front();
  if (!extra.starts_with('-'))
    return stray_word(misuse.called, *misuse.command, misuse.extras, invocation);
  const std::string name = extra.substr(0, extra.find('='));
  if (const json::Value* advice = help_table("gone").find(name))
    return fmt::format("{}: `{}` is gone; {}", misuse.called, name, advice->text);
  std::string meant = did_you_mean(name, option_names(*misuse.command), "");
  const json::Value* ours = help_table("elsewhere").find(name);
  if (meant.empty() && ours != nullptr && misuse.command->find(ours->text) != nullptr)
    meant = fmt::format("did you mean `{}`?", ours->text);
  return fmt::format("{}: there is no option `{}`; {}", misuse.called, printable(name, 60),
                     meant.empty() ? help : meant);
}

}  // namespace harness::cli
