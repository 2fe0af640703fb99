// SPDX-License-Identifier: Apache-2.0
#include "harness/run/id_rules.h"

#include <set>
#include <string>
#include <utility>

#include "harness/run/cause_words.h"

namespace harness::run {

void ids_of_one_value(Explainer& open) {
  static const std::set<std::string> kOfIds = {
      "jsonrpc.id.zero-echo",      "jsonrpc.id.empty-string-echo",
      "jsonrpc.id.negative-echo",  "jsonrpc.id.echo-on-error",
      "jsonrpc.id.string-echo",    "jsonrpc.id.integer-echo",
      "mcp.base.response-same-id", "mcp.base.error-readable-id-required",
      "lsp.requests.id-string",    "lsp.requests.id-integer"};
  struct Value {
    const char* text;
    const char* clause;
    const char* of_lsp;
  };
  const Value values[] = {
      {"0", "jsonrpc.id.zero-echo", "lsp.requests.id-integer"},
      {"\"\"", "jsonrpc.id.empty-string-echo", "lsp.requests.id-string"},
      {"a negative number", "jsonrpc.id.negative-echo", "lsp.requests.id-integer"}};
  for (const auto& [text, own, of_lsp] : values) {
    if (open.passes(own)) continue;  // results keep it
    const std::string word = std::string(kIdValue) + "=" + text;
    const auto of_value = [&](const Clue& clue) {
      return clue.trigger.kind == wire::MessageKind::kRequest && clue.trigger.valid &&
             has_member(clue, word) && !is_broken_below(clue);
    };
    const auto lost = [&](const Clue& clue) { return of_value(clue) && is_unheard(clue); };
    const auto altered = [&](const Clue& clue) {
      return of_value(clue) && clue.symptom == oracle::Symptom::kAnswer &&
             kOfIds.count(clue.requirement) != 0;
    };
    // What comes under another id leaves one without an answer.
    const bool silent = open.matching(altered).empty() && !open.matching(lost).empty();
    const auto shows = [&](const Clue& clue) { return silent ? lost(clue) : altered(clue); };
    const Group group = open.matching(shows);
    std::set<std::string> broken;
    for (const Clue* clue : group) broken.insert(clue->requirement);
    // Others break the same clauses: it is not the value.
    const bool others = !open.matching([&](const Clue& clue) {
                               return !of_value(clue) && clue.oracle.empty() && clue.row.empty() &&
                                      broken.count(clue.requirement) != 0 &&
                                      kOfIds.count(clue.requirement) != 0;
                             })
                             .empty();
    if (group.empty() || others || open.clues().served.count(word) != 0) continue;
    Cause cause;
    cause.requirement = open.first_must(
        {own, of_lsp,
         silent ? "mcp.base.request-id.string-and-integer-accepted" : "mcp.base.response-same-id",
         "mcp.base.response-same-id"});
    const std::string what = std::string("A request whose id is ") + text;
    cause.title = what + (silent ? " is not answered" : " is answered under another id");
    cause.sentence = what + (silent ? " gets no response, as if it had no id"
                                    : " is answered, but not under that id");
    const std::set<std::string> cases = cases_of(group);
    const Group all = open.claim([&](const Clue& clue) {
      const bool seen = clue.oracle == "replies" && (of_value(clue) || cases.count(clue.row) != 0);
      return shows(clue) || seen || (!silent && lost(clue)) ||
             (of_value(clue) && silent && !clue.answered &&
              (clue.symptom == oracle::Symptom::kAnswer || clue.symptom == oracle::Symptom::kHang));
    });
    open.add(std::move(cause), all);
  }
}

}  // namespace harness::run
