// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/alphabet.h"

#include <algorithm>
#include <set>

#include "harness/base/text.h"
#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr std::size_t kMostMethods = 10;
constexpr const char* kId = "1";

// What opens or ends a life cycle goes first, then what a session is for.
int rank(const std::string& method) {
  constexpr std::string_view kFirst[] = {"server/discover", "shutdown",       "ping",
                                         "tools/list",      "tools/call",     "logging/setLevel",
                                         "resources/list",  "resources/read", "resources/subscribe",
                                         "prompts/list"};
  const auto* found = std::find(std::begin(kFirst), std::end(kFirst), method);
  return static_cast<int>(found - std::begin(kFirst));
}

}  // namespace

std::vector<Letter> alphabet_of(const Vocabulary& vocabulary, std::uint64_t seed) {
  const harness::spec::Profile& profile = vocabulary.profile();
  Random random(seed);
  std::vector<Letter> out;
  if (profile.era == harness::spec::Era::kHandshake) {
    out.push_back({"initialize", LetterKind::kHandshake});
    if (!profile.acp) out.push_back({"initialized", LetterKind::kInitialized});
  }
  std::vector<Method> methods = vocabulary.methods();
  std::stable_sort(methods.begin(), methods.end(),
                   [](const Method& a, const Method& b) { return rank(a.name) < rank(b.name); });
  std::set<std::string> known = {"initialize", "tools/call", "subscriptions/listen"};
  const std::size_t most = out.size() + kMostMethods;
  // Its answer is known before a session is open, too.
  const json::Value canary = json::parse(canary_text(vocabulary, kId));
  if (known.insert(canary.find("method")->text).second)
    out.push_back({canary.find("method")->text, LetterKind::kRequest, canary});
  for (const Method& method : methods) {
    if (out.size() >= most || !known.insert(method.name).second) continue;
    const json::Value message = json::parse(request_text(vocabulary, method, random, kId));
    out.push_back({method.name, LetterKind::kRequest, message});
  }
  for (const Tool& tool : vocabulary.tools()) {
    if (tool.valid.empty()) continue;
    const json::Value call = json::parse(call_text(vocabulary, tool, tool.valid.front(), kId));
    const std::string& method = call.find("method")->text;
    if (tool.is_method && (out.size() >= most || !known.insert(method).second)) continue;
    out.push_back({method, LetterKind::kRequest, call});
    if (!tool.is_method) break;
  }
  if (profile.name == std::string_view("lsp")) {
    out.push_back({"shutdown", LetterKind::kRequest,
                   json::parse(R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})")});
    out.push_back(
        {"exit", LetterKind::kNotification, json::parse(R"({"jsonrpc":"2.0","method":"exit"})")});
  }
  const Method nobodys{"x/unknown", ""};
  out.push_back({nobodys.name, LetterKind::kRequest,
                 json::parse(request_text(vocabulary, nobodys, random, kId))});
  if (profile.era != harness::spec::Era::kHandshake || profile.mcp)
    out.push_back({"no-json", LetterKind::kText, {}, "no JSON"});
  return out;
}

harness::Result<std::vector<Letter>> letters_named(const std::vector<Letter>& alphabet,
                                                   const std::string& names) {
  std::vector<Letter> out;
  std::string all;
  for (const Letter& letter : alphabet) all += (all.empty() ? "" : ", ") + letter.name;
  std::size_t at = 0;
  while (at < names.size()) {
    const std::size_t end = std::min(names.find_first_of(", \t", at), names.size());
    const std::string name = names.substr(at, end - at);
    at = end + 1;
    if (name.empty()) continue;
    const auto found = std::find_if(alphabet.begin(), alphabet.end(),
                                    [&](const Letter& one) { return one.name == name; });
    if (found == alphabet.end())
      return harness::Error{"", "there is no symbol `" + harness::printable(name, 60) + "`",
                            "for this target they are " + all};
    out.push_back(*found);
  }
  return out;
}

}  // namespace fuzz
