// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/cli/names.h"

namespace harness::cli {
namespace {

struct CommandHelp {
  const char* name;
  const char* group;
  std::vector<std::string> examples;
};

// In the order of the groups in `rpcspec --help`.
const std::vector<CommandHelp>& help_of_commands() {
  static const std::vector<CommandHelp> kCommands = {
      {"run",
       "Judge a server",
       {"rpcspec run -- node server.js",
        "rpcspec run --url 'http://127.0.0.1:{port}/mcp' -- ./server --port '{port}'",
        "rpcspec run --baseline known.yaml --report junit=report.xml -- ./server",
        "rpcspec run    # test the targets of rpcspec.yaml"}},
      {"init",
       "Judge a server",
       {"rpcspec init -- node server.js", "rpcspec init --url http://127.0.0.1:3000/mcp"}},
      {"inspect", "Judge a server", {"rpcspec inspect -- node server.js"}},
      {"call",
       "Judge a server",
       {"rpcspec call tools/call search -- node server.js",
        "rpcspec call tools/call search --arguments '{\"query\": \"x\"}' --url "
        "http://127.0.0.1:3000/mcp",
        "rpcspec call prompts/get greeting -- ./server", "rpcspec call ping -- ./server"}},
      {"record",
       "Judge a server",
       {"rpcspec record -o session.jsonl -- node server.js",
        "rpcspec record -o session.jsonl --seeds corpus --url http://127.0.0.1:3000/mcp"}},
      {"verify", "Judge a server", {"rpcspec verify run.bundle"}},
      {"diff", "Judge a server", {"rpcspec diff --a '-- ./server-1.4' --b '-- ./server-1.5'"}},
      {"judge", "Judge a server", {"rpcspec judge transcripts/mcp/tools/list.jsonl"}},
      {"report",
       "Judge a server",
       {"rpcspec report report.json --to html=report.html --to sarif=report.sarif",
        "rpcspec report shard-*.json --to junit=report.xml",
        "rpcspec report v1=old.json v2=new.json --to matrix=matrix.html"}},
      {"compare",
       "Judge a server",
       {"rpcspec compare main.json branch.json", "rpcspec compare --surface old.json new.json"}},
      {"surface",
       "Judge a server",
       {"rpcspec surface -o surface.json -- node server.js",
        "rpcspec surface --against surface.json -- node server.js"}},
      {"mcp", "Judge a server", {"rpcspec mcp", "rpcspec mcp -- node server.js"}},
      {"fuzz",
       "Fuzz a server",
       {"rpcspec fuzz --for 10m --findings findings -- ./server",
        "rpcspec fuzz --execs 20000 --seed 7 --url http://127.0.0.1:3000/mcp",
        "rpcspec fuzz --schedules --for 1m -- ./server"}},
      {"replay", "Fuzz a server", {"rpcspec replay findings/NAME/script -- ./server"}},
      {"shrink", "Fuzz a server", {"rpcspec shrink found.script -- ./server"}},
      {"triage",
       "Fuzz a server",
       {"rpcspec triage crash-* -- build/my_fuzzer",
        "rpcspec triage out/default/crashes -- ./parser --input @@"}},
      {"learn",
       "Fuzz a server",
       {"rpcspec learn --to dot=1.4.dot -- ./server-1.4",
        "rpcspec learn --diff 1.4.dot -- ./server-1.5"}},
      {"list",
       "Look something up",
       {"rpcspec list cases", "rpcspec list requirements --format json"}},
      {"explain",
       "Look something up",
       {"rpcspec explain jsonrpc.error.parse-error-code",
        "rpcspec explain mcp/errors/standard-codes", "rpcspec explain 32602",
        "rpcspec explain crash", "rpcspec explain findings/NAME",
        "rpcspec explain --frame '{\"id\":1}' --profile 2025-06-18"}},
      {"coverage", "Look something up", {"rpcspec coverage --profile jsonrpc-2.0 --missing"}},
      {"export", "Look something up", {"rpcspec export --profile mcp-2025-11-25 > vectors.json"}},
      {"check",
       "Write cases",
       {"rpcspec check mine/own/first.yaml", "rpcspec check --openrpc shop.openrpc.json"}},
      {"import", "Write cases", {"rpcspec import execution-apis/tests --to cases"}},
      {"new",
       "Write cases",
       {"rpcspec new case own/first --covers jsonrpc.id.string-echo --in mine"}},
      {"completion",
       "This program",
       {"source <(rpcspec completion bash)", "rpcspec completion zsh > \"${fpath[1]}/_rpcspec\"",
        "rpcspec completion fish > ~/.config/fish/completions/rpcspec.fish"}},
      {"man", "This program", {"rpcspec man | man -l -"}},
  };
  return kCommands;
}

// Options that several commands have stand under the same heading in all of them, in this order.
constexpr const char* kGroups[] = {"", "Target", "What to test", "Gate", "Limits", "Output"};

struct Place {
  const char* option;
  const char* group;
  bool rare = false;  // not on the page of `--help`
};
constexpr bool kRare = true;
constexpr Place kPlaces[] = {
    {"--url", "Target"},
    {"--target", "Target"},
    {"--auth", "Target"},
    {"--allow-tools", "Target"},
    {"--method", "Target"},
    {"--openrpc", "Target", kRare},
    {"--methods", "Target", kRare},
    {"--meta-model", "Target", kRare},
    {"--transport", "Target", kRare},
    {"--framing", "Target", kRare},
    {"--project", "Target", kRare},
    {"--targets", "Target", kRare},
    {"--yes-fuzz-remote", "Target", kRare},
    {"--profile", "What to test"},
    {"--select", "What to test"},
    {"--exclude", "What to test", kRare},
    {"--quick", "What to test"},
    {"--watch", "What to test"},
    {"--cases", "What to test"},
    {"--shard", "What to test", kRare},
    {"--suite", "What to test", kRare},
    {"--mutators", "What to test", kRare},
    {"--max-len", "What to test", kRare},
    {"--level", "Gate"},
    {"--strict", "Gate"},
    {"--baseline", "Gate"},
    {"--write-baseline", "Gate"},
    {"--surface", "Gate", kRare},
    {"--prune", "Gate", kRare},
    {"--reason", "Gate", kRare},
    {"--requirements", "Gate", kRare},
    {"--expected-failures", "Gate", kRare},
    {"--write-expected-failures", "Gate", kRare},
    {"--max-time", "Limits"},
    {"--timeout", "Limits"},
    {"--for", "Limits"},
    {"--execs", "Limits"},
    {"--jobs", "Limits", kRare},
    {"--rate", "Limits", kRare},
    {"--words", "Limits", kRare},
    {"--report", "Output"},
    {"--to", "Output"},
    {"--into", "Output", kRare},
    {"--output", "Output"},
    {"--format", "Output"},
    {"--verbose", "Output"},
    {"--warnings", "Output"},
    {"--quiet", "Output"},
    {"--transcripts", "Output", kRare},
    {"--bundle", "Output", kRare},
};

// Options that are gone, and what to do without them.
constexpr struct {
  const char* option;
  const char* advice;
} kGone[] = {
    {"--keep-going", "leave it out: a campaign continues after a finding anyway"},
    {"--suite", "only run, check, new, list, explain and coverage read another cases/ tree"},
};

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

// A word that is no option, where a command wants none: most often the server.
std::string stray_word(const std::string& called, const Command& command,
                       const std::vector<std::string>& extras, const Invocation& invocation) {
  const std::string& stray = extras.front();
  const std::string shown = printable(stray, 100);
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
  // A program, a file or an address is the server.
  const bool server =
      word.find_first_of("/.:") != std::string::npos ||
      (words.size() > 1 && words.back() != "--help" && nearest(word, names).empty());
  return fmt::format("there is no command `{}`; {}", printable(word, 60),
                     server ? "did you mean `" + run_of(words) + "`?"
                            : did_you_mean(word, names, "`rpcspec --help` lists them"));
}

std::vector<std::string> examples_of(const std::string& command) {
  for (const CommandHelp& one : help_of_commands())
    if (one.name == command) return one.examples;
  return {};
}

namespace {

void arrange(std::vector<Option>& options) {
  const auto named = [](const Option& option) {
    const std::vector<std::string> names = option.names();
    return std::find_if(std::begin(kPlaces), std::end(kPlaces), [&names](const Place& place) {
      return std::count(names.begin(), names.end(), place.option) > 0;
    });
  };
  for (Option& option : options) {
    const Place* place = named(option);
    if (place == std::end(kPlaces)) continue;
    option.group = place->group;
    option.rare = place->rare && !option.rule.required;
  }
  const auto rank = [&named](const Option& option) {
    return std::pair(std::find(std::begin(kGroups), std::end(kGroups), option.group),
                     option.group.empty() ? kPlaces : named(option));
  };
  std::stable_sort(options.begin(), options.end(), [&rank](const Option& one, const Option& other) {
    return rank(one) < rank(other);
  });
}

void normalize_profile(Command& command, std::string (*check)(std::string&)) {
  for (Option& option : command.options)
    if (option.flags == "--profile") option.normalize = check;
}

}  // namespace

void arrange(std::vector<Command>& commands) {
  for (Command& command : commands) {
    if (command.footer.empty()) command.footer = exit_codes();
    for (Command& nested : command.commands) {
      nested.footer += (nested.footer.empty() ? "" : "\n\n") + exit_codes();
      arrange(nested.options);
      normalize_profile(nested, check_profile);
    }
    for (const CommandHelp& one : help_of_commands()) {
      if (one.name != command.name) continue;
      command.group = one.group;
      command.footer += fmt::format("\n\nExamples:\n  {}", fmt::join(one.examples, "\n  "));
    }
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
  for (const auto& gone : kGone)
    if (name == gone.option)
      return fmt::format("{}: `{}` is gone; {}", misuse.called, name, gone.advice);
  return fmt::format("{}: there is no option `{}`; {}", misuse.called, printable(name, 60),
                     did_you_mean(name, option_names(*misuse.command), help));
}

}  // namespace harness::cli
