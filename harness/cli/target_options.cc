// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "harness/base/ascii.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/cli/command.h"
#include "harness/cli/issuer.h"
#include "harness/cli/login.h"
#include "harness/cli/parser.h"
#include "harness/cli/project.h"
#include "harness/contract/document.h"
#include "harness/contract/meta_model.h"
#include "harness/target/description.h"
#include "harness/target/own_methods.h"
#include "harness/transport/fetch_text.h"

namespace harness::cli {

namespace {

bool is_assignment(const std::string& word) {
  const auto sign = word.find('=');
  if (sign == std::string::npos || sign == 0 || ascii::is_digit(word.front())) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(sign),
                     [](char c) { return ascii::is_alphanumeric(c) || c == '_'; });
}

// `NAME=VALUE… COMMAND` means what it does in a shell: takes the assignments off the command.
using Environment = std::vector<std::pair<std::string, std::string>>;
Environment take_environment(std::vector<std::string>& command) {
  Environment environment;
  const auto first = std::find_if_not(command.begin(), command.end(), is_assignment);
  for (auto word = command.begin(); word != first; ++word) {
    const auto sign = word->find('=');
    environment.emplace_back(word->substr(0, sign), word->substr(sign + 1));
  }
  command.erase(command.begin(), first);
  return environment;
}

// "http://127.0.0.1:3000/mcp" for "127.0.0.1:3000/mcp": what somebody meant who left the scheme
// away, or misspelled it; "" where nobody can tell.
std::string address_meant(const std::string& url) {
  if (url.starts_with('/') || url.starts_with("./")) return "unix:" + url;
  if (const auto colon = url.find("://"); colon != std::string::npos) {
    const std::string near =
        nearest(url.substr(0, colon), {"http", "https", "ws", "wss", "tcp", "unix"});
    return near.empty() ? "" : near + url.substr(colon);
  }
  const std::string host = url.substr(0, url.find_first_of(":/"));
  if (host.empty() || host == "http" || host == "https" || host == "ws" || host == "wss" ||
      host == "tcp")
    return "";
  const bool here = host == "localhost" || host.starts_with("127.") || host == "0.0.0.0" ||
                    host.starts_with("192.168.") || host.starts_with("10.") ||
                    host.find('.') == std::string::npos;
  return (here ? "http://" : "https://") + url;
}

void add_names(const std::string& names, std::vector<std::string>& out) {
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (end > begin) out.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
}

// "any", or names with commas between them.
void allow(const std::string& tools, target::Target& target) {
  if (tools == "any") {
    target.allow = target::Allow::kAny;
    return;
  }
  add_names(tools, target.listed_tools);
}

constexpr std::chrono::seconds kFetchTime{10};

// That of the description unless the option names one; what is read has to be a document.
Status take_document(const std::string& openrpc, target::Target& target) {
  if (!openrpc.empty()) {
    target.openrpc = openrpc;
    target.openrpc_text.clear();
    const bool address = openrpc.find("://") != std::string::npos;
    if (!address && openrpc != "none" && !openrpc.starts_with("discover")) {
      Result<std::string> text = read_file(openrpc, contract::kMostText + 1);
      if (!text) return text.error();
      target.openrpc_text = std::move(*text);
    }
  }
  if (target.openrpc.find("://") != std::string::npos) {
    Result<std::string> text = transport::fetch_text(target.openrpc, target, kFetchTime);
    if (!text) return text.error();
    target.openrpc_text = std::move(*text);
  }
  if (target.openrpc_text.empty()) return Nothing{};
  const auto document = contract::Document::read(target.openrpc_text, target.openrpc);
  if (!document) return document.error();
  const json::Value* methods = document->top().find("methods");
  if (methods == nullptr || !methods->is_array())
    return Error{target.openrpc, "this is not an OpenRPC document: it has no list of methods",
                 "`rpcspec check --openrpc FILE` says what is wrong in one"};
  return Nothing{};
}

Status take_meta_model(const std::string& file, const std::string& profile,
                       target::Target& target) {
  Result<std::string> text = read_file(file, contract::kMostText + 1);
  if (!text) return text.error();
  const auto described = contract::with_meta_model(*text, file);
  if (!described) return described.error();
  if (spec::find_profile(profile) && profile != (*described)->name)
    return Error{file, "it describes messages of " + (*described)->name + ", not of " + profile,
                 "write --profile " + (*described)->name + ", or name another file"};
  target.openrpc = file;
  target.openrpc_text = std::move(*text);
  return Nothing{};
}

Error target_missing() {
  std::error_code ignored;
  const bool project = std::filesystem::exists(kProjectFile, ignored);
  return Error{"", "a target is missing",
               std::string("add `-- COMMAND ARG...`, `--url URL` or `--target ") +
                   (project ? kProjectFile : "FILE") + "`"};
}

}  // namespace

void TargetOptions::add_to(Command& command) {
  command.add({
      {"--url", &url},
      {"--framing", &framing},
      {"--transport", &transport},
      {"--target", &file},
      {"--auth", &auth},
      {"--allow-tools", &allow_tools},
      {"--method", &methods},
      {"--openrpc", &openrpc},
      {"--meta-model", &meta_model},
      {"--methods", &call_methods},
  });
  command.footer =
      "TARGET is `-- COMMAND ARG...` (stdio), `--url URL`, both (starts the command, then "
      "connects), or\n"
      "`--target FILE[#NAME]`, whose command and address `--` and --url replace.";
}

Result<target::Target> TargetOptions::resolve(const Invocation& invocation,
                                              const std::string& profile) const {
  const bool command = invocation.has_target_command;
  if (command && invocation.target_command.empty())
    return Error{"--", "no command follows it", "write `-- COMMAND ARG...`"};
  std::string behind;
  for (const std::string& word : invocation.target_command) behind += " " + shell_quoted(word);
  std::vector<std::string> program = invocation.target_command;
  Environment environment = take_environment(program);
  if (command && program.empty())
    return Error{"--", "no command follows " + shell_quoted(environment.back().first + "=…"),
                 "write `-- NAME=VALUE COMMAND ARG...`"};
  target::Target target;
  if (!file.empty()) {
    Result<target::Target> loaded = target::read_target(file, {program, url});
    if (!loaded) return loaded.error();
    target = std::move(*loaded);
    target.spec = "--target " + shell_quoted(file) +
                  (url.empty() ? "" : " --url " + shell_quoted(url)) +
                  (command ? " --" + behind : "");
  } else if (!command && url.empty()) {
    return target_missing();
  } else {
    target.command = program;
    target.url = url;
    target.spec = url.empty() ? "" : "--url " + shell_quoted(url);
    if (command) target.spec += (target.spec.empty() ? "--" : " --") + behind;
    target.name = url;
    if (url.empty()) {
      target.name = std::filesystem::path(target.command.front()).filename().string();
      for (std::size_t i = 1; i < target.command.size(); ++i)
        target.name += " " + target.command[i];
    }
  }
  for (auto& variable : environment) target.env.push_back(std::move(variable));
  const bool unknown = target.transport() == wire::TransportKind::kUnknown;
  if (const std::string meant = unknown ? address_meant(target.url) : ""; !meant.empty())
    return Error{"--url", "`" + printable(target.url) + "` does not begin with a known scheme",
                 "write `--url " + meant + "`"};
  if (unknown)
    return Error{
        "--url", "`" + target.url + "` is not an address that this build supports",
        "use http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT, unix:/PATH, or "
        "a command for stdio"};
  if (!transport.empty()) {
    const bool sse = transport == "sse" || transport == "http+sse";
    if (!sse && transport != "http")
      return Error{"--transport", "`" + transport + "` is not a transport", "use http or sse"};
    if (!wire::traits_of(target.transport()).http)
      return Error{"--transport", "it says how an http:// or https:// address is spoken to",
                   "leave it out"};
    target.sse = sse;
    target.spec = "--transport " + transport + " " + target.spec;
  }
  if (!framing.empty()) {
    const auto kind = target::framing_named(framing);
    if (!kind)
      return Error{"--framing", "`" + framing + "` is not a framing", "use line or content-length"};
    if (!target.is_stream())
      return Error{"--framing",
                   std::string("framing does not apply over ") + target.transport_name(),
                   "leave it out"};
    target.framing = *kind;
    target.spec = "--framing " + framing + " " + target.spec;
  } else if (target.is_stream() && (profile == "auto" ? target.profile : profile) == "lsp") {
    target.framing = target::Framing::kContentLength;
    target.spec = "--framing content-length " + target.spec;
  }
  if (!auth.empty()) {
    const Status read = is_login(auth)    ? log_in(auth, target)
                        : is_issuer(auth) ? issue(auth, target)
                                          : target::auth_from_option(auth, target);
    if (!read) return read.error();
    target.spec = "--auth " + shell_quoted(auth) + " " + target.spec;
  }
  if (!allow_tools.empty()) {
    allow(allow_tools, target);
    target.spec = "--allow-tools " + shell_quoted(allow_tools) + " " + target.spec;
  }
  std::string named;
  for (const std::string& one : methods) {
    if (const Status fit = target::name_method(target.affordances, one); !fit) return fit.error();
    named += "--method " + shell_quoted(one) + " ";
  }
  target.spec = named + target.spec;
  if (const Status taken = take_document(openrpc, target); !taken) return taken.error();
  if (!openrpc.empty()) target.spec = "--openrpc " + shell_quoted(openrpc) + " " + target.spec;
  if (!meta_model.empty()) {
    const std::string& judged = profile == "auto" ? target.profile : profile;
    if (const Status taken = take_meta_model(meta_model, judged, target); !taken)
      return taken.error();
    target.spec = "--meta-model " + shell_quoted(meta_model) + " " + target.spec;
  }
  if (!call_methods.empty()) {
    add_names(call_methods, target.call_methods);
    target.spec = "--methods " + shell_quoted(call_methods) + " " + target.spec;
  }
  return target;
}

Result<target::Target> TargetOptions::resolve_contract() const {
  target::Target target;
  if (const Status taken = take_document(openrpc, target); !taken) return taken.error();
  if (target.openrpc_text.empty())
    return Error{"--openrpc", "there is no server to ask", "name a file or an address"};
  add_names(call_methods, target.call_methods);
  return target;
}

namespace {

bool is_address(const std::string& word) {
  return word.find("://") != std::string::npos || word.starts_with("unix:");
}

bool is_description(const std::string& word) {
  const std::string name = word.substr(0, word.find('#'));
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

}  // namespace

Result<target::Target> target_in_word(const std::string& option, const std::string& word,
                                      const Invocation& invocation) {
  const auto words = shell_words(word);
  if (!words) return Error{option, "a quote in it is not closed", ""};
  const auto behind = std::find(words->begin(), words->end(), "--");
  std::vector<std::string> before(words->begin(), behind);
  Invocation own;
  own.program = invocation.program;
  own.has_target_command = behind != words->end();
  if (own.has_target_command) own.target_command.assign(behind + 1, words->end());
  TargetOptions options;
  if (before.size() == 1 && is_address(before.front())) {
    options.url = before.front();
  } else if (before.size() == 1 && is_description(before.front())) {
    options.file = before.front();
  } else if (!before.empty() && before.front().starts_with('-')) {
    Command command;
    options.add_to(command);
    const std::string wrong = read_options(command.options, std::move(before));
    if (!wrong.empty())
      return Error{
          option, wrong,
          "write a TARGET as one argument: '-- COMMAND ARG...', '--url URL', '--target FILE'"};
  } else if (!before.empty() && !own.has_target_command) {
    own.has_target_command = true;
    own.target_command = std::move(before);
  } else if (!before.empty()) {
    return Error{option, "what precedes `--` is neither an address nor a description",
                 "write `'--url URL -- COMMAND'`"};
  }
  Result<target::Target> target = options.resolve(own);
  if (target) return target;
  Error error = target.error();
  if (error.where.empty() || error.where.starts_with("-"))
    error.where = option + (error.where.empty() ? "" : " " + error.where);
  return error;
}

}  // namespace harness::cli
