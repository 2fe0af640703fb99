// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/sdk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/json/read.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProtocol = "mcp-";  // of all SDKs here

struct Sdk {
  const char* package;                    // in node_modules
  std::vector<std::string_view> servers;  // how the software of corpus/servers begins that is
                                          // made with it
  std::vector<std::string_view> words;    // in what it answers by itself
};

const std::vector<Sdk>& sdks() {
  static const std::vector<Sdk> all = {
      {"@modelcontextprotocol/sdk",
       {"@modelcontextprotocol/server-", "@eslint/mcp", "fastmcp"},
       {"MCP error -32", "invalid_type", "invalid_value", "invalid_union", "unrecognized_keys"}},
      {"@modelcontextprotocol/server", {"@modelcontextprotocol/server "}, {}},
  };
  return all;
}

// Servers of one software may be listed several times.
constexpr std::size_t kServersThatAgree = 2;

fs::path in_folder(const target::Target& target, const std::string& name) {
  return target.cwd.empty() ? fs::path(name) : fs::path(target.cwd) / name;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// A program that people wrote: not what a compiler made of it.
bool is_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  char begin[512];
  file.read(begin, sizeof begin);
  return file.gcount() > 0 &&
         std::find(begin, begin + file.gcount(), '\0') == begin + file.gcount();
}

// The first word of the command that is a file of text: "server.js" of `node server.js`.
fs::path script_of(const target::Target& target) {
  for (const std::string& word : target.command)
    if (const fs::path path = in_folder(target, word); is_file(path) && is_text(path)) return path;
  return {};
}

// "1.32.2" of the package that the program loads; nothing where it is not installed beside it.
std::optional<std::string> installed(const target::Target& target, const std::string& package) {
  std::error_code failed;
  const fs::path script = script_of(target);
  fs::path folder = fs::weakly_canonical(
      script.empty() ? in_folder(target, ".") : script.parent_path() / ".", failed);
  for (; !failed && !folder.empty(); folder = folder.parent_path()) {
    const fs::path description = folder / "node_modules" / package / "package.json";
    if (is_file(description)) {
      const Result<std::string> text = read_file(description.string());
      const auto reading = json::read(text ? *text : std::string());
      const auto* read = std::get_if<json::Reading>(&reading);
      const json::Value* version =
          read == nullptr || !read->value.is_object() ? nullptr : read->value.find("version");
      return version == nullptr ? "" : printable(version->text, 40);
    }
    if (folder == folder.root_path()) break;
  }
  return std::nullopt;
}

class SdkFinder {
 public:
  SdkFinder(const target::Target& target, const std::string& suite, const spec::Registry& registry)
      : target_(target) {
    if (Result<Teaching> loaded = load_teaching(suite, registry)) teaching_ = std::move(*loaded);
    if (target_.command.empty()) return;
    for (const Sdk& sdk : sdks())
      if (auto version = installed(target_, sdk.package))
        installed_.emplace_back(&sdk, std::move(*version));
  }

  std::string answers(const std::string& clause, const std::string& case_id,
                      const std::string& received) const {
    // Words alone may be those of an error that the server's author throws.
    for (const auto& [sdk, version] : installed_)
      if (is_known(*sdk, clause, case_id))
        return sdk->package + (version.empty() ? "" : " " + version);
    if (!installed_.empty()) return "";
    for (const Sdk& sdk : sdks())
      if (is_known(sdk, clause, case_id) && is_worded(sdk, received)) return sdk.package;
    return "";
  }

 private:
  bool is_known(const Sdk& sdk, const std::string& clause, const std::string& case_id) const {
    std::set<std::string> software;
    for (const KnownFrom& one : teaching_.known_from) {
      const bool same =
          one.clause == clause || std::count(one.cases.begin(), one.cases.end(), case_id) > 0;
      if (same && std::any_of(sdk.servers.begin(), sdk.servers.end(), [&](std::string_view name) {
            return one.software.starts_with(name);
          }))
        software.insert(one.software);
    }
    return software.size() >= kServersThatAgree;
  }

  static bool is_worded(const Sdk& sdk, const std::string& received) {
    return std::any_of(sdk.words.begin(), sdk.words.end(), [&](std::string_view word) {
      return received.find(word) != std::string::npos;
    });
  }

  target::Target target_;
  Teaching teaching_;
  std::vector<std::pair<const Sdk*, std::string>> installed_;  // with their versions
};

// The folder that holds .git; ours where none does.
fs::path repository() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  for (fs::path folder = here; !failed && !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", failed)) return folder;
    if (folder == folder.root_path()) break;
  }
  return here;
}

}  // namespace

reports::SdkOf sdk_of(const target::Target& target, const std::string& suite,
                      const spec::Registry& registry) {
  const auto finder = std::make_shared<std::optional<SdkFinder>>();
  return [finder, target, suite, &registry](const std::string& profile, const std::string& clause,
                                            const std::string& case_id,
                                            const std::string& received) -> std::string {
    if (!profile.starts_with(kProtocol)) return "";
    if (!*finder) finder->emplace(target, suite, registry);
    return (*finder)->answers(clause, case_id, received);
  };
}

std::string file_of(const target::Target& target, const std::vector<std::string>& others) {
  std::vector<fs::path> candidates{script_of(target), target.file.substr(0, target.file.find('#'))};
  candidates.insert(candidates.end(), others.begin(), others.end());
  candidates.emplace_back("rpcspec.yaml");
  const fs::path root = repository();
  for (const fs::path& path : candidates) {
    std::error_code failed;
    if (path.empty() || !is_file(path)) continue;
    const fs::path whole = fs::weakly_canonical(path, failed);
    const std::string within = whole.lexically_relative(root).generic_string();
    if (!failed && !within.empty() && !within.starts_with("..")) return within;
  }
  return "";
}

}  // namespace harness::cli
