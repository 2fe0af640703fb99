// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/search_lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/results/clue_words.h"
#include "harness/causes/searches.h"

namespace harness::run {
namespace {

bool is_long(const Clue& clue) {
  return clue.symptom != oracle::Symptom::kAnswer && clue.trigger.bytes >= kLongMessage;
}

const Clue& shortest(const Group& group) {
  return **std::min_element(group.begin(), group.end(),
                            [](auto* a, auto* b) { return a->trigger.bytes < b->trigger.bytes; });
}

// What an oracle says of a case is no second one.
std::size_t apart(const Group& group) {
  std::set<std::string> cases;
  for (const Clue* clue : group) cases.insert(clue->oracle.empty() ? clue->ref.case_id : clue->row);
  return cases.size();
}

}  // namespace

// Messages over a length end the process, or are never answered.
void too_long(Explainer& open) {
  if (!suspected_length(open.clues())) return;
  const std::optional<LengthLimit>& measured = open.clues().length;
  if (measured && measured->failed == 0) return;  // it was something else in them
  const Group group = open.matching(is_long);
  // One case alone may be about something else, unless the length was tried by itself.
  if (group.empty() || (!measured && apart(group) < 2)) return;
  const bool deep =
      std::all_of(group.begin(), group.end(), [](auto* c) { return c->trigger.deep; });
  if (!measured && deep) return;  // it is the depth
  const Clue& least = shortest(group);
  const bool dies = least.symptom == oracle::Symptom::kEnd || least.broken_off;
  Cause cause;
  cause.requirement = open.best_of(group, {"mcp.stdio.long-line"});
  if (cause.requirement == open.canary())
    cause.requirement =
        open.first_that_applies({"mcp.stdio.long-line", "jsonrpc.request.reply-exactly-one"});
  if (measured) {
    const bool exact = measured->failed == measured->answered + 1;
    const std::string over = exact ? fmt::format("longer than {} bytes", measured->answered)
                                   : fmt::format("of {} bytes, but not those of {},",
                                                 measured->failed, measured->answered);
    const std::string does = dies ? "end the connection" : "are never answered";
    cause.title = exact ? fmt::format("Messages {} {}", over, does) : "Long messages " + does;
    cause.sentence = fmt::format(
        "Messages {} {}{}, whatever they contain: tried with spaces in a {}", over, does,
        dies                                      ? in_brackets(measured->end)
        : least.symptom == oracle::Symptom::kHang ? ", nor are the messages after them"
                                                  : "",
        open.asked().method);
  } else {
    cause.title = dies ? "A long message ends the connection" : "A long message is never answered";
    cause.sentence = fmt::format("A message of {} {}", size_text(least.trigger.bytes),
                                 dies ? "ends it" + in_brackets(least.end)
                                 : least.symptom == oracle::Symptom::kHang
                                     ? "is not answered, nor are the messages after it"
                                     : "is not answered");
    if (open.clues().longest_survived > 0)
      cause.sentence +=
          fmt::format("; one of {} was answered", size_text(open.clues().longest_survived));
  }
  // Those after a death are cut off with it.
  const Group all = open.claim(is_long);
  open.add(std::move(cause), all, &least);
}

std::optional<LengthRange> suspected_length(const Clues& clues) {
  Group group;
  for (const Clue& clue : clues.all)
    if (is_long(clue)) group.push_back(&clue);
  if (group.empty()) return std::nullopt;
  const std::uint64_t least = shortest(group).trigger.bytes;
  if (clues.longest_survived >= least) return std::nullopt;
  return LengthRange{clues.longest_survived, least};
}

}  // namespace harness::run
