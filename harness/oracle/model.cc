// SPDX-License-Identifier: Apache-2.0
// Replies held against the model (harness/spec/model.h): the outcome, an error's code, and silence.
// Ids are the business of `replies`, which also speaks of answered notifications and second
// replies; what a reply looks like is that of `envelope`; codes no reply may have are that of
// `error-codes`; arrays no revision or message allows are that of `batches`. Which reply is whose,
// and what got none, is known from harness/trace.
#include "harness/spec/model.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "harness/json/write.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/trace/attribution.h"

namespace harness::oracle {
namespace {

using spec::Grade;
using spec::Outcome;
using trace::Asked;
using trace::Claim;
using trace::Match;

constexpr const char* kSilentOnSound[] = {"jsonrpc.request.reply-exactly-one", "mcp.ping.result",
                                          "mcp.versioning.discover-implemented",
                                          "lsp.requests.answered-once"};
constexpr const char* kSoundUnreadable[] = {"jsonrpc.error.parse-error-code"};
constexpr const char* kIdFromGarbage[] = {"jsonrpc.id.null-on-parse-error"};
constexpr const char* kOutsideArray[] = {"jsonrpc.batch.array-response"};
constexpr const char* kSingleOutsideArray[] = {"jsonrpc.batch.single-element"};
constexpr const char* kEntryMissing[] = {"jsonrpc.batch.response-per-request",
                                         "mcp.base.batch.receive"};
constexpr const char* kInvalidEntryMissing[] = {"jsonrpc.batch.invalid-elements"};
constexpr const char* kArrayEntryMissing[] = {"jsonrpc.batch.nested-array"};

constexpr const char* kUnknown = "method-unknown";
constexpr std::int64_t kRequestCancelled = -32800;  // of language servers

// We asked for that as language servers are asked.
bool cancelled_as_in_lsp(const Evidence& evidence) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [](const Item& item) {
    return item.sent && method_of(item) == "$/cancelRequest";
  });
}

// Not one of those that `error-codes` reports wherever they come.
bool is_reserved(std::int64_t code) {
  const bool standard = code == -32700 || (code >= -32603 && code <= -32600);
  return code >= -32768 && code <= -32100 && !standard;
}

std::string expected(const Asked& asked, const spec::ModelRule* reason) {
  const std::string message =
      asked.item->array != 0 ? shown(*asked.item->value) : shown(asked.item->text);
  if (reason == nullptr) return "the reply to a valid request: " + message;
  std::string codes;
  for (const int code : reason->codes)
    if (code != 0) codes += (codes.empty() ? "" : " or ") + std::to_string(code);
  const bool silence = codes.empty() && asked.expected.result() == spec::Grade::kWrong &&
                       asked.expected.silence() == spec::Grade::kLawful;
  return (silence         ? "no response. "
          : codes.empty() ? ""
                          : codes + ". ") +
         std::string(reason->says) + " Sent: " + message;
}

class ModelJudge {
 public:
  ModelJudge(const Evidence& evidence, Sink& sink)
      : evidence_(evidence), sink_(sink), pairing_(trace::attribution_of(evidence).pairing()) {}

  void judge(const Match& match) {
    const Asked& asked = pairing_.asked()[match.asked];
    const Item& reply = *match.reply;
    if (match.outside) {
      const bool one = pairing_.elements_of(asked) == 1;
      tell(asked, nullptr, one ? std::span<const char* const>(kSingleOutsideArray) : kOutsideArray,
           Grade::kTolerated, "the responses to an array in an array", shown(reply.text), reply.seq,
           match.claim == Claim::kSole);
      const json::Value* id = reply.member("id");
      if (reply.error() != nullptr && (id == nullptr || id->is_null())) return;  // of the array
    }
    if (asked.expected.open() || match.muted) return;
    if (asked.item->value == nullptr && judge_id_from_garbage(asked, reply)) return;
    const bool error = reply.error() != nullptr;
    if (error && reply.result() != nullptr) return;  // said by the envelope
    const auto code = trace::code_of(reply);
    if (error && (!code || is_reserved(*code))) return;
    if (error && code == kRequestCancelled && cancelled_as_in_lsp(evidence_)) return;
    const Grade grade = trace::grade_of(asked, reply);
    if (grade == Grade::kLawful) return;
    const spec::ModelRule* reason =
        asked.expected.reason(error ? Outcome::kError : Outcome::kResult);
    if (error && is_code_of_unknown(reason, *code)) reason = spec::find_model_rule(kUnknown);
    if (match.claim == Claim::kLess) {  // what is broken with this reply and without
      const bool either = reason == asked.expected.reason(Outcome::kSilence);
      if (!either || asked.expected.silence() == Grade::kLawful) return;
      return tell(asked, reason, kSilentOnSound, std::min(grade, asked.expected.silence()),
                  expected(asked, reason), "nothing, or a reply that another message may have", {},
                  false);
    }
    tell(asked, reason, kSoundUnreadable, grade, expected(asked, reason),
         (error ? "code " + std::to_string(*code) + " in " : "a result: ") + shown(reply.text),
         reply.seq, match.claim == Claim::kSole);
  }

  void judge(const trace::Miss& miss) {
    const Asked& asked = pairing_.asked()[miss.asked];
    const Grade grade = asked.expected.silence();
    if (miss.element && spec::is_request(asked.expected)) {
      tell(asked, nullptr, kEntryMissing, Grade::kWrong, "a response to each request of the array",
           "none with " + shown_id(asked.item->member("id")), {}, !asked.doubtful, true);
    } else if (miss.element) {
      const bool array = asked.item->value->is_array();
      tell(asked, nullptr, array ? kArrayEntryMissing : kInvalidEntryMissing, grade,
           "an error for each invalid element of the array",
           "none for " + shown(json::write(*asked.item->value)), {}, !asked.doubtful, true);
    } else if (grade != Grade::kLawful) {
      const spec::ModelRule* reason = asked.expected.reason(Outcome::kSilence);
      // Which code is due is another clause than that something is.
      const bool owed = !evidence_.profile.layered() && spec::is_request(asked.expected);
      std::optional<std::uint64_t> head;
      if (miss.head != nullptr) head = miss.head->seq;
      tell(asked, owed ? nullptr : reason, kSilentOnSound, grade, expected(asked, reason),
           miss.seen, head, !asked.doubtful, true);
    }
  }

  void judge(const trace::ServerError& failed) {
    const Asked& asked = pairing_.asked()[failed.asked];
    if (asked.expected.result() != Grade::kWrong) return;
    const spec::ModelRule* reason = asked.expected.reason(Outcome::kResult);
    tell(asked, reason, {}, Grade::kWrong, expected(asked, reason),
         "status " + std::to_string(failed.head->head->status) + " for a mistake of the client",
         failed.head->seq);
  }

 private:
  const Evidence& evidence_;
  Sink& sink_;
  const trace::Pairing& pairing_;

  bool judge_id_from_garbage(const Asked& asked, const Item& reply) {
    const json::Value* id = reply.member("id");
    const auto code = trace::code_of(reply);
    if (id == nullptr || id->is_null() || reply.error() == nullptr || !code) return false;
    if (trace::is_marked(asked)) return true;
    // A lenient parser read the request and did as it says; that is another matter.
    if (*code != -32700 && *code != -32600) return false;
    // What it read may be no request; what is no JSON has no id.
    const Grade grade = *code == -32600 ? Grade::kTolerated : Grade::kWrong;
    tell(asked, nullptr, kIdFromGarbage, grade, "an error with a null id",
         shown_id(id) + " in " + shown(reply.text), reply.seq);
    return true;
  }

  // A name that is found by accident gives a result or fails inside: with any other code it was not
  // found, and that code is the wrong one.
  bool is_code_of_unknown(const spec::ModelRule* reason, std::int64_t code) const {
    const std::string_view odd = reason != nullptr ? reason->name : "";
    return (odd == "method-hostile" || odd == "method-long") && !evidence_.profile.layered() &&
           code != -32602 && code != -32603;
  }

  void tell(const Asked& asked, const spec::ModelRule* reason,
            std::span<const char* const> otherwise, Grade grade, std::string expected_words,
            std::string seen, std::optional<std::uint64_t> came, bool sure = true,
            bool silence = false) {
    Breach breach{std::move(expected_words), std::move(seen), {asked.item->seq}};
    if (came) breach.frames.push_back(*came);
    if (silence) {
      breach.came = Observation{Nothing{}};
      breach.came->canary_answered = true;
    }
    if (reason != nullptr)
      for (const int code : reason->codes)
        if (code != 0) breach.wanted.codes.push_back(code);
    const bool error_due = otherwise.data() == kInvalidEntryMissing ||
                           otherwise.data() == kArrayEntryMissing ||
                           otherwise.data() == kIdFromGarbage;
    breach.wanted.error = !breach.wanted.codes.empty() || (reason == nullptr && error_due);
    if (otherwise.data() != kOutsideArray && otherwise.data() != kSingleOutsideArray) {
      breach.wanted.result = asked.expected.result() == Grade::kLawful;
      breach.wanted.silence = asked.expected.silence() == Grade::kLawful;
    }
    if (otherwise.data() == kIdFromGarbage) breach.wanted.id = "null";
    // Also where another clause is cited.
    const bool owed = silence && reason == nullptr && otherwise.data() == kSilentOnSound;
    const spec::ModelRule* rule = owed ? asked.expected.reason(Outcome::kSilence) : reason;
    if (rule != nullptr) breach.flaw = rule->name;
    if (grade == Grade::kTolerated) breach.at_most = Severity::kWarn;
    breach.sure = sure;
    const std::span<const char* const> clauses =
        reason != nullptr ? std::span<const char* const>(reason->clauses) : otherwise;
    report_best(evidence_, sink_, clauses, std::move(breach));
  }
};

}  // namespace

std::vector<std::string> model_clauses() {
  std::set<std::string> out;
  const auto add = [&](std::span<const char* const> clauses) {
    for (const char* id : clauses)
      if (id != nullptr) out.insert(id);
  };
  for (const auto& some :
       {std::span<const char* const>(kSilentOnSound),
        std::span<const char* const>(kSoundUnreadable),
        std::span<const char* const>(kIdFromGarbage), std::span<const char* const>(kOutsideArray),
        std::span<const char* const>(kSingleOutsideArray),
        std::span<const char* const>(kEntryMissing),
        std::span<const char* const>(kInvalidEntryMissing),
        std::span<const char* const>(kArrayEntryMissing)})
    add(some);
  for (const spec::ModelRule& row : spec::model_rules())
    if (spec::can_be_broken(row)) add(row.clauses);
  return {out.begin(), out.end()};
}

void judge_model(const Evidence& evidence, Sink& sink) {
  ModelJudge judge(evidence, sink);
  for (const trace::Outcome& outcome : trace::attribution_of(evidence).pairing().outcomes())
    std::visit([&](const auto& one) { judge.judge(one); }, outcome);
}

}  // namespace harness::oracle
