// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/accepted_differences.h"

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace fuzz {
namespace {

using harness::Error;
using harness::Result;
namespace json = harness::json;

Result<Accepted> entry_of(const json::Value& item, const std::string& name) {
  Accepted out;
  out.where = json::place(name, item.mark);
  if (!item.is_object())
    return Error{out.where, "an entry of `accepted` must be a mapping",
                 "write `- signature: TEXT`"};
  json::Mark reason = item.mark;
  for (const json::Member& member : item.members) {
    std::string* field = member.name == "signature" ? &out.signature
                         : member.name == "reason"  ? &out.reason
                         : member.name == "script"  ? &out.script
                                                    : nullptr;
    if (field == nullptr) {
      const std::string near = harness::nearest(member.name, {"signature", "reason", "script"});
      return Error{json::place(name, member.mark),
                   "unknown field `" + harness::printable(member.name, 60) + "`",
                   near.empty() ? "use signature, reason, script" : "did you mean `" + near + "`?"};
    }
    if (!member.value.is_string())
      return Error{json::place(name, member.mark), "`" + member.name + "` is a text",
                   "put it in quotes"};
    if (member.name == "reason") reason = member.mark;
    *field = member.value.text;
  }
  if (out.signature.empty())
    return Error{out.where, "the entry names no difference",
                 "add `signature: TEXT`, as rpcspec diff prints it"};
  if (out.reason.find_first_not_of(" \t\n") == std::string::npos)
    return Error{json::place(name, reason), "the entry gives no reason",
                 "write in `reason` why the difference is accepted"};
  return out;
}

// As a block where that is the same text, else quoted.
std::string script_field(const std::string& text) {
  bool plain = !text.empty() && text.front() != ' ' && text.back() == '\n' &&
               !text.ends_with("\n\n") && text.front() != '\n' && harness::is_utf8(text);
  for (const char c : text) plain = plain && (c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  plain = plain && harness::printable(text, text.size()).find("\\u{") == std::string::npos;
  if (!plain) return json::quoted(text) + "\n";
  std::string out = "|\n";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out += "      " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

Result<AcceptedDifferences> AcceptedDifferences::load(const std::string& path) {
  Result<json::Value> file = json::read_yaml_file(path);
  if (!file) return file.error();
  const json::Value* entries = file->is_object() ? file->find("accepted") : nullptr;
  if (!entries || !(entries->is_array() || entries->is_null()))
    return Error{json::place(path, file->mark),
                 "accepted differences must be a mapping with the list `accepted`",
                 "write `accepted: []`, or let --write-accepted write the file"};
  for (const json::Member& member : file->members)
    if (member.name != "accepted")
      return Error{json::place(path, member.mark),
                   "unknown field `" + harness::printable(member.name, 60) + "`",
                   "accepted differences must have only the list `accepted`"};
  AcceptedDifferences accepted;
  for (const json::Value& item : entries->items) {
    Result<Accepted> entry = entry_of(item, path);
    if (!entry) return entry.error();
    accepted.entries_.push_back(std::move(*entry));
  }
  accepted.seen_.assign(accepted.entries_.size(), false);
  return accepted;
}

const Accepted* AcceptedDifferences::accept(const std::string& signature) {
  const Accepted* out = nullptr;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!harness::matches_glob(entries_[i].signature, signature)) continue;
    seen_[i] = true;
    if (out == nullptr) out = &entries_[i];
  }
  return out;
}

std::vector<std::string> AcceptedDifferences::stale(bool all) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Accepted& entry = entries_[i];
    if (seen_[i] || (entry.script.empty() && !all)) continue;
    out.push_back(entry.where + ": " + harness::printable(entry.signature, 200) +
                  (entry.script.empty() ? " was not seen; remove the entry or give its script"
                                        : " is no longer there; remove the entry"));
  }
  return out;
}

std::string accepted_text(const std::vector<Accepted>& entries) {
  std::string out =
      "# Accepted differences, as written by `rpcspec diff --write-accepted`. One that is no "
      "longer\n"
      "# there makes diff fail: remove it then. Write in `reason` why each is accepted.\n";
  out += entries.empty() ? "accepted: []\n" : "accepted:\n";
  for (const Accepted& entry : entries) {
    out += "  - signature: " + json::quoted(entry.signature) + "\n";
    out += "    reason: " + json::quoted(entry.reason) + "\n";
    if (!entry.script.empty()) out += "    script: " + script_field(entry.script);
  }
  return out;
}

}  // namespace fuzz
