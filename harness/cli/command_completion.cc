// SPDX-License-Identifier: Apache-2.0
// rpcspec completion: a script for bash, zsh or fish, made of the same options that are parsed, so
// that it knows each of them. Names of cases and clauses are asked of the program itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_table.h"

namespace harness::cli {
namespace {

// --- bash

std::string bash_values(const OptionRow& option) {
  switch (option.values) {
    case Values::kNone: return "return";
    case Values::kWords:
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return",
                         fmt::join(option.words, " "));
    case Values::kFile:
      return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return";
    case Values::kFolder:
      return "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\")); return";
    case Values::kListed:
      return fmt::format("COMPREPLY=($(compgen -W \"$(_rpcspec_names {})\" -- \"$cur\")); return",
                         fmt::join(option.words, " "));
  }
  return "return";
}

std::string bash_script(const std::vector<CommandRow>& commands) {
  std::string out = R"sh(# bash completion for rpcspec: source <(rpcspec completion bash)
_rpcspec_names() {
  local kind
  for kind in "$@"; do "$program" list "$kind" 2>/dev/null | cut -d' ' -f1; done
}
_rpcspec() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} program=${COMP_WORDS[0]}
  local command=${COMP_WORDS[1]} i
  COMPREPLY=()
  # Behind `--` stands the command of the server, which is nobody's business but the shell's.
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      compopt -o filenames
      COMPREPLY=($(compgen -c -f -- "$cur"))
      return
    fi
  done
)sh";
  std::vector<std::string> names{"help"};
  for (const CommandRow& command : commands) names.push_back(command.name);
  out += fmt::format(
      "  if ((COMP_CWORD == 1)) || {{ [[ $command == help ]] && ((COMP_CWORD == 2)); }}; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$cur\"))\n    return\n  fi\n"
      "  case $command in\n",
      fmt::join(names, " "));
  for (const CommandRow& command : commands) {
    std::vector<std::string> options;
    std::string by_option, positional;
    for (const OptionRow& option : command.options) {
      if (option.name.empty()) {
        if (positional.empty()) positional = bash_values(option);
        continue;
      }
      options.push_back(option.name);
      if (option.takes_value)
        by_option += fmt::format("        {}) {} ;;\n", option.name, bash_values(option));
    }
    out += fmt::format("    {})\n", command.name);
    if (!by_option.empty()) out += "      case $prev in\n" + by_option + "      esac\n";
    if (!positional.empty()) out += "      if [[ $cur != -* ]]; then " + positional + "; fi\n";
    out += fmt::format("      COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n",
                       fmt::join(options, " "));
  }
  return out + "  esac\n}\ncomplete -F _rpcspec rpcspec\n";
}

// --- zsh

// Text within '…[…]' of _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out;
}

std::string zsh_values(const OptionRow& option) {
  switch (option.values) {
    case Values::kNone: return " ";
    case Values::kWords: return fmt::format("({})", fmt::join(option.words, " "));
    case Values::kFile: return "_files";
    case Values::kFolder: return "_files -/";
    case Values::kListed: return fmt::format("_rpcspec_names {}", fmt::join(option.words, " "));
  }
  return " ";
}

std::string zsh_script(const std::vector<CommandRow>& commands) {
  std::string out = R"sh(#compdef rpcspec
# zsh completion for rpcspec: rpcspec completion zsh > "${fpath[1]}/_rpcspec"
_rpcspec_names() {
  local kind
  local -a names
  for kind in "$@"; do
    names+=(${(f)"$(rpcspec list $kind 2>/dev/null | cut -d' ' -f1)"})
  done
  compadd -a names
}
_rpcspec() {
  local -a commands
  commands=(
)sh";
  for (const CommandRow& command : commands)
    out += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.help));
  out += R"sh(  )
  if (( CURRENT == 2 )) || { [[ $words[2] == help ]] && (( CURRENT == 3 )); }; then
    _describe command commands
    return
  fi
  # Behind `--` stands the command of the server.
  if (( ${words[(I)--]} > 0 && ${words[(I)--]} < CURRENT )); then
    _normal
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
)sh";
  for (const CommandRow& command : commands) {
    out += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionRow& option : command.options) {
      if (option.name.empty())
        out += fmt::format(" \\\n        '*:{}:{}'", option.value_name, zsh_values(option));
      else if (option.takes_value)
        out +=
            fmt::format(" \\\n        '{}{}[{}]:{}:{}'", option.repeatable ? "*" : "", option.name,
                        zsh_text(option.help), zsh_text(option.value_name), zsh_values(option));
      else
        out += fmt::format(" \\\n        '{}[{}]'", option.name, zsh_text(option.help));
    }
    out += " ;;\n";
  }
  return out +
         "  esac\n}\nif [[ $funcstack[1] == _rpcspec ]]; then _rpcspec \"$@\"; "
         "else compdef _rpcspec rpcspec; fi\n";
}

// --- fish

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_values(const OptionRow& option) {
  switch (option.values) {
    case Values::kNone: return " -x";
    case Values::kWords: return fmt::format(" -xa '{}'", fmt::join(option.words, " "));
    case Values::kFile: return " -rF";
    case Values::kFolder: return " -xa '(__fish_complete_directories)'";
    case Values::kListed:
      return fmt::format(" -xa '(__rpcspec_names {})'", fmt::join(option.words, " "));
  }
  return "";
}

std::string fish_script(const std::vector<CommandRow>& commands) {
  std::string out =
      R"sh(# fish completion for rpcspec: rpcspec completion fish > ~/.config/fish/completions/rpcspec.fish
function __rpcspec_names
  for kind in $argv
    rpcspec list $kind 2>/dev/null | string replace -r ' .*' ''
  end
end
function __rpcspec_first
  test (count (commandline -opc)) -eq 1
end
complete -c rpcspec -f
complete -c rpcspec -n '__rpcspec_first; or __fish_seen_subcommand_from help' -a help -d 'Explain a command'
)sh";
  for (const CommandRow& command : commands) {
    const std::string first = "'__rpcspec_first; or __fish_seen_subcommand_from help'";
    out += fmt::format("complete -c rpcspec -n {} -a {} -d {}\n", first, command.name,
                       fish_quoted(command.help));
    const std::string seen = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
    for (const OptionRow& option : command.options) {
      out += "complete -c rpcspec -n " + seen;
      if (!option.name.empty())
        out += fmt::format(" -l {} -d {}", option.name.substr(2), fish_quoted(option.help));
      if (option.name.empty() || option.takes_value) out += fish_values(option);
      out += "\n";
    }
  }
  return out;
}

constexpr struct {
  const char* name;
  std::string (*script)(const std::vector<CommandRow>&);
} kShells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

Command command_completion(const Invocation& invocation) {
  auto shell = std::make_shared<std::string>();
  Command command{"completion", "Print a completion script for a shell: bash, zsh or fish"};
  command.add({
      {"shell", shell.get()},
  });
  command.action = [&invocation, shell] {
    std::vector<std::string> names;
    for (const auto& one : kShells) {
      names.push_back(one.name);
      if (*shell != one.name) continue;
      const std::string script = one.script(option_table(*invocation.commands));
      std::fwrite(script.data(), 1, script.size(), stdout);
      return static_cast<int>(kOk);
    }
    return complain(Error{"completion", "there is no script for `" + printable(*shell, 60) + "`",
                          "write bash, zsh or fish"},
                    kUsage);
  };
  return command;
}

}  // namespace harness::cli
