// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"
#include "harness/json/read.h"

namespace harness::cli {
namespace {

// The class of a finding that is called so; null if there is none. A class has the words that name
// it, `what` is seen, its `cause`, what to do `next`, and how the `signature` of one begins, if
// that tells.
const json::Value* find_class(const std::string& word) {
  for (const json::Value& one : explain_table("findings").items)
    for (const json::Value& name : one.find("words")->items)
      if (name.text == word) return &one;
  return nullptr;
}

const json::Value* class_of_signature(const std::string& signature) {
  for (const json::Value& one : explain_table("findings").items)
    if (const json::Value* begin = one.find("signature"))
      if (signature.starts_with(begin->text)) return &one;
  return nullptr;
}

std::filesystem::path json_of(const std::string& path) {
  const std::filesystem::path given = path;
  return std::filesystem::is_directory(given) ? given / "finding.json" : given;
}

std::string shown_text(const json::Value& finding, const char* name) {
  const json::Value* member = finding.find(name);
  return member == nullptr ? "" : printable(member->text, 2000);
}

}  // namespace

std::vector<std::string> finding_words() {
  std::vector<std::string> words;
  for (const json::Value& one : explain_table("findings").items)
    for (const json::Value& name : one.find("words")->items) words.push_back(name.text);
  return words;
}

std::string page_of_class(const std::string& word) {
  const json::Value* found = find_class(word);
  if (found == nullptr) return "";
  std::string names;
  for (const json::Value& name : found->find("words")->items)
    names += (names.empty() ? "" : ", ") + name.text;
  std::string out = names + ": a kind of finding of `rpcspec fuzz`\n\n";
  out += hanging("  ", found->find("what")->text);
  if (const json::Value* cause = found->find("cause"))
    out += "\n" + field("usual cause", cause->text);
  if (const json::Value* next = found->find("next")) out += field("what to do", next->text);
  if (const json::Value* begin = found->find("signature"))
    out += field("signature", fmt::format("begins with `{}`", begin->text));
  return out;
}

bool is_finding(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path file = json_of(path);
  return file.filename() == "finding.json" && std::filesystem::is_regular_file(file, failed);
}

Result<std::string> page_of_finding(const std::string& path, const Library& library,
                                    const Teaching& teaching) {
  const std::string name = json_of(path).string();
  const auto text = read_file(name);
  if (!text) return text.error();
  const auto reading = json::read(*text);
  const auto* read = std::get_if<json::Reading>(&reading);
  if (read == nullptr || !read->value.is_object())
    return Error{name, "this is not a finding: it is not a JSON object",
                 "`rpcspec fuzz --findings DIR` writes findings"};
  const json::Value& finding = read->value;
  const std::string id = shown_text(finding, "requirement");
  const std::string signature = shown_text(finding, "signature");
  std::string out = fmt::format("{}\n\n", std::filesystem::path(name).parent_path().string());
  out += field("expected", shown_text(finding, "expected")) +
         field("seen", shown_text(finding, "seen"));
  out += field("under", fmt::format("{}, {}", shown_text(finding, "profile"),
                                    shown_text(finding, "transport")));
  out +=
      field("found by", fmt::format("{} (an oracle or a check); {}", shown_text(finding, "oracle"),
                                    shown_text(finding, "repeats")));
  if (const json::Value* kind = class_of_signature(signature)) {
    const std::string& word = kind->find("words")->items.front().text;
    out += field("class", fmt::format("{} (rpcspec explain {})", word, word));
  }
  out += field("signature", signature);
  for (const char* command : {"replay", "run"})
    if (const std::string line = shown_text(finding, command); !line.empty())
      out += fmt::format("  {:<11} {}\n",
                         std::string(command) == "replay" ? "play again" : "as a case",
                         line);  // to be copied: never wrapped
  if (const spec::Requirement* clause = library.registry.find(id))
    return out + "\n" + page_of(*clause, library, teaching);
  return out + "\n" + field("clause", id);
}

}  // namespace harness::cli
