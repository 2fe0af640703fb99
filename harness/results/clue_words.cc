// SPDX-License-Identifier: Apache-2.0
#include "harness/results/clue_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/spec/known.h"

namespace harness::run {
namespace {

constexpr std::size_t kLongestMember = 60;  // bytes of its text
constexpr const char* kNotJson = "text that is not JSON";
constexpr const char* kNoMessage = "JSON that is not a valid message";

std::string shortened(const std::string& method) {
  constexpr std::size_t kLongest = 60;
  if (method.size() <= kLongest) return method;
  std::size_t end = kLongest / 2;
  while (end > 0 && (static_cast<unsigned char>(method[end]) & 0xC0) == 0x80) --end;
  return method.substr(0, end) + "…";
}

// A call has to name what it calls: what is special about it is among its arguments.
std::string of_arguments(const Clue& clue) {
  const std::string path = "params.arguments";
  const auto first = clue.trigger.members.lower_bound(path);
  if (first == clue.trigger.members.end() || !first->first.starts_with(path) ||
      (first->first == path && first->second == "{}"))
    return " without arguments";
  const auto next = std::next(first);
  const bool one = next == clue.trigger.members.end() || !next->first.starts_with(path);
  return one ? fmt::format(" whose {} is {}", first->first.substr(std::string("params.").size()),
                           printable(first->second, kLongestMember))
             : "";
}

}  // namespace

bool is_refused(const Clue& clue) {
  return clue.symptom == oracle::Symptom::kAnswer &&
         (!clue.came.code.empty() || !clue.came.text.empty() || clue.came.status >= 400);
}

bool is_unheard(const Clue& clue) {
  const bool empty = clue.answered && clue.came.status >= 200 && clue.came.status < 300;
  return !clue.came.message && (clue.symptom == oracle::Symptom::kSilence || empty);
}

bool is_broken_below(const Clue& clue) { return !clue.below.empty() || !clue.garbled.empty(); }

std::string size_text(std::uint64_t bytes) {
  if (bytes >= 2 << 20) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 2 << 10) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

std::string refusal_text(const Came& came) {
  std::string out = came.status >= 400 ? fmt::format("HTTP {}", came.status) : "";
  if (!came.code.empty()) out += (out.empty() ? "error " : ", error ") + came.code;
  if (out.empty() && !came.text.empty()) out = "an error without a code";
  if (!came.text.empty()) out += " (“" + came.text + "”)";
  return out;
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

std::string kind_of(const Group& group, const Clue& first, const Clues& clues) {
  const bool blank =
      !group.empty() &&
      std::all_of(group.begin(), group.end(), [](const Clue* clue) { return clue->trigger.blank; });
  if (blank) return "a blank line";
  const std::string kind = kind_of(first);
  const bool json = first.trigger.is_json;
  if (kind != kNotJson && kind != kNoMessage) return kind;
  std::set<std::string> flaws;
  for (const Clue* clue : group)
    if (kind_of(*clue) == kind && !clue->trigger.blank) flaws.insert(clue->trigger.flaw);
  const std::string flaw = flaws.size() == 1 ? *flaws.begin() : "";
  const bool spared = clues.survived_flaws.contains({json, flaw});
  if (!flaw.empty() && (!spared || !json)) return (spared ? "some " : "") + flaw;
  const auto others = clues.survived_flaws.lower_bound({json, ""});
  const bool some = others != clues.survived_flaws.end() && others->first == json;
  return (some ? "some " : "") + kind;
}

std::string kind_of(const Clue& clue) {
  if (clue.trigger.own_header) return "a message with unusual header fields";
  if (clue.trigger.raw_frames) return "an unusual sequence of WebSocket frames";
  if (clue.trigger.deep) return "a deeply nested message";
  if (clue.trigger.overfull) return "the first of two HTTP requests";
  if (!clue.trigger.is_json) return kNotJson;
  if (clue.trigger.cut) return "a message of " + size_text(clue.trigger.bytes);
  if (clue.trigger.valid && (clue.trigger.kind == wire::MessageKind::kResponse ||
                             clue.trigger.kind == wire::MessageKind::kErrorResponse))
    return "a response sent to the server";
  if (clue.trigger.kind == wire::MessageKind::kBatch)
    return clue.trigger.flaw.empty() ? "a batch" : clue.trigger.flaw;
  if (!clue.trigger.valid) return kNoMessage;
  if (clue.trigger.method.empty()) return "a message whose method is empty";
  return (clue.trigger.kind == wire::MessageKind::kNotification ? "the notification "
                                                                : "the request ") +
         shortened(clue.trigger.method);
}

bool has_member(const Clue& clue, const std::string& word) {
  const std::size_t equals = word.find('=');
  const auto found = clue.trigger.members.find(word.substr(0, equals));
  if (found == clue.trigger.members.end()) return false;
  return equals == std::string::npos || found->second == word.substr(equals + 1);
}

std::string common_to(const Group& group, const std::set<std::string>& harmless) {
  std::map<std::string, std::set<std::string>> cases;
  for (const Clue* clue : group) {
    if (!clue->trigger.valid) continue;
    for (const auto& [path, text] : clue->trigger.members) {
      const std::string word = path + "=" + text;
      if (harmless.count(word) != 0) continue;
      cases[word].insert(clue->ref.case_id + clue->row);
      const bool everywhere =
          path == "jsonrpc" || path == "id" || path == "method" || path == kHugeNumber;
      if (!everywhere) cases[path].insert(clue->ref.case_id + clue->row);
    }
  }
  std::string best;
  std::size_t most = 0;
  for (const auto& [word, where] : cases) {
    const bool exact = word.find('=') != std::string::npos;
    const bool better = where.size() > most ||
                        (where.size() == most && exact && best.find('=') == std::string::npos);
    if (!better) continue;
    best = word;
    most = where.size();
  }
  return most > 1 ? best : "";
}

std::string whose(const Clue& clue, const std::string& common) {
  if (common.empty() || common.starts_with("method=")) return "";
  const std::string path = common.substr(0, common.find('='));
  const auto found = clue.trigger.members.find(path);
  if (found == clue.trigger.members.end()) return "";
  const std::string& text = found->second;
  const bool calls = clue.trigger.method == "tools/call" || clue.trigger.method == "prompts/get";
  if (path == "params.name" && calls && text.starts_with('"') && !spec::is_nobodys_name(text))
    return of_arguments(clue);
  const auto huge = clue.trigger.members.find(kHugeNumber);
  const bool long_number = text.size() > kLongestMember && text[0] != '"';
  if (huge != clue.trigger.members.end() && (path == kHugeNumber || long_number))
    return " with a number " + huge->second;
  // What fills a long message is no value that anybody reads.
  if (text.size() > kLongestMember && clue.trigger.bytes >= kLongMessage)
    return " of " + size_text(clue.trigger.bytes);
  return fmt::format(" whose {} is {}", path == kIdValue ? "id" : path,
                     text.size() > kLongestMember ? printable(text, kLongestMember) : text);
}

const Clue& smallest(const Group& group) {
  return **std::min_element(group.begin(), group.end(), [](auto* a, auto* b) {
    return std::pair(!a->oracle.empty(), a->trigger.bytes) <
           std::pair(!b->oracle.empty(), b->trigger.bytes);
  });
}

}  // namespace harness::run
