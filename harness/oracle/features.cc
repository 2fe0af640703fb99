// SPDX-License-Identifier: Apache-2.0
// Replies held against the model for features (harness/spec/features.h): what was declared, listed
// and said before a request was sent decides about what answers it. Requests that the model of the
// envelope has something against, or that are answered by something else than their own reply, are
// not looked at.
#include "harness/spec/features.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/trace/attribution.h"

namespace harness::oracle {
namespace {

using spec::Grade;
using trace::Asked;

// What is known of a request, by AnswerRow::Kind.
constexpr const char* kKnown[] = {"undeclared", "declared", "missing", "present", "wrong",
                                  "unknown",    "known",    "unfit",   "ended"};

// Whether what a notification is about is what was asked for, or lies below it.
bool is_within(std::string_view about, std::string_view asked) {
  return about.starts_with(asked) || asked.starts_with(about);
}

// Where a value stands in a type of values in order; -1 for none of them.
int place_of(std::string_view value, const std::string& type) {
  const spec::TypeRow* row = spec::protocol().find_type(type);
  if (row == nullptr || row->is.rows.empty()) return -1;
  const auto& values = row->is.rows.front().is.inner;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].literal.text == value) return static_cast<int>(i);
  return -1;
}

// Notifications that follow from requests of ours: what was asked for, and when nothing that came
// before can still be on its way. That is known of one stream alone, from its start.
class CauseJudge {
 public:
  CauseJudge(const Evidence& evidence, Sink& sink, const spec::MessageRow& row,
             const spec::CauseRow& cause)
      : evidence_(evidence), sink_(sink), row_(row), cause_(cause) {}

  void asked(const Item& item) {
    const std::string_view method = method_of(item);
    if (item.kind != wire::MessageKind::kRequest) return;
    if (method == cause_.by) ever_ = true;
    if (method == cause_.by || method == cause_.ended) {
      open_.insert(&item);
      proved_ = false;
    } else {
      later_.insert(&item);
    }
  }

  void answered(const Item& request, const Item& reply) {
    before_.erase(&request);
    if (open_.erase(&request) > 0) {
      // Those that were asked before may go by what was before.
      before_.merge(later_);
      later_.clear();
      const json::Value* about = about_of(request);
      if (about == nullptr || !about->is_string() || reply.member("result") == nullptr) return;
      if (!cause_.order.empty()) {
        threshold_ = about->text;
      } else if (method_of(request) == cause_.by) {
        wanted_.insert(about->text);
        ended_.erase(about->text);
      } else {
        wanted_.erase(about->text);
        ended_.insert(about->text);
      }
    } else if (later_.erase(&request) > 0 && open_.empty()) {
      proved_ = true;
    }
  }

  void notified(const Item& item) {
    if (method_of(item) != row_.name) return;
    const json::Value* about = about_of(item);
    if (about == nullptr || !about->is_string()) return;
    if (!cause_.order.empty()) {
      const int now = place_of(about->text, cause_.order);
      const int least = place_of(threshold_, cause_.order);
      if (settled() && now >= 0 && now < least)
        tell(cause_.other, "nothing below " + threshold_, item);
      return;
    }
    if (!ever_) return tell(cause_.never, "none before " + cause_.by, item);
    const auto among = [&](const std::set<std::string>& some) {
      return std::any_of(some.begin(), some.end(),
                         [&](const std::string& one) { return is_within(about->text, one); });
    };
    if (!settled() || among(wanted_)) return;
    if (among(ended_)) return tell(cause_.after, "none after " + cause_.ended, item);
    tell(cause_.other, "none about another " + cause_.member, item);
  }

 private:
  const json::Value* about_of(const Item& item) const {
    const json::Value* params = item.member("params");
    return params != nullptr && params->is_object() ? params->find(cause_.member) : nullptr;
  }

  // Nothing that came before can still be on its way.
  bool settled() const { return proved_ && before_.empty() && open_.empty(); }

  void tell(const spec::Clauses& broken, std::string expected, const Item& item) {
    std::vector<const char*> clauses;
    for (const std::string& clause : broken) clauses.push_back(clause.c_str());
    report_best(evidence_, sink_, clauses,
                {row_.name + ": " + std::move(expected), shown(item.text), {item.seq}, row_.name});
  }

  const Evidence& evidence_;
  Sink& sink_;
  const spec::MessageRow& row_;
  const spec::CauseRow& cause_;
  std::set<const Item*> open_;    // those that say what is wanted
  std::set<const Item*> before_;  // others, unanswered when one of them was answered
  std::set<const Item*> later_;   // and behind them
  std::set<std::string> wanted_, ended_;
  std::string threshold_;
  bool ever_ = false;
  bool proved_ = false;  // a request was asked after the last of them was answered, and answered
};

class FeatureJudge {
 public:
  FeatureJudge(const Evidence& evidence, Sink& sink)
      : evidence_(evidence), sink_(sink), attribution_(trace::attribution_of(evidence)) {
    for (const Asked& asked : attribution_.pairing().asked())
      if (!asked.muted && asked.expected.sound() && !asked.expected.open() &&
          !asked.expected.notification())
        sound_.insert(asked.item);
    if (!evidence.stream() || !evidence.from_start() || !evidence.others.empty()) return;
    for (const spec::MessageRow& row : spec::protocol().messages())
      for (const spec::CauseRow& cause : row.causes)
        if (row.reach.has(evidence.profile) && cause.reach.has(evidence.profile))
          causes_.emplace_back(evidence, sink, row, cause);
  }

  void judge() {
    for (const Item& item : evidence_.items) {
      if (item.value == nullptr || !item.value->is_object()) continue;
      if (item.sent) {
        sent(item);
      } else if (trace::is_reply(item)) {
        replied(item);
      } else {
        for (CauseJudge& cause : causes_) cause.notified(item);
        if (known_.empty()) known(item);
        for (auto& [whose, known] : known_) known.notified(*item.value);
      }
    }
  }

 private:
  void sent(const Item& item) {
    for (CauseJudge& cause : causes_) cause.asked(item);
    if (item.kind != wire::MessageKind::kRequest || !sound_.contains(&item)) return;
    const spec::MessageRow* row =
        evidence_.profile.protocol().find(method_of(item), evidence_.profile);
    if (row == nullptr) return;
    requests_.emplace(&item, Open{row, {}});
    if (row->answers.empty()) return;
    if (evidence_.profile.era == spec::Era::kStateless && !is_stateless_request(evidence_, item))
      return;
    auto expected = spec::expect_feature(evidence_.profile, known(item), *item.value);
    if (!expected.open()) requests_.find(&item)->second.expected = std::move(expected);
  }

  void replied(const Item& item) {
    const trace::Answer& answer = attribution_.of(item);
    if (answer.whose != trace::Whose::kRequest) return;
    for (CauseJudge& cause : causes_) cause.answered(*answer.to, item);
    const auto open = requests_.find(answer.to);
    if (open == requests_.end()) return;
    judge_status(*answer.to, item);
    if (!is_refused_elsewhere(item)) rule(open->second.expected, *answer.to, item);
    for (const spec::YieldRow& yield : open->second.row->yields)
      judge_yield(*open->second.row, yield, *answer.to, item);
    known(*answer.to).replied(*open->second.row, *answer.to->value, *item.value);
  }

  void judge_yield(const spec::MessageRow& row, const spec::YieldRow& yield, const Item& request,
                   const Item& reply) {
    const json::Value* value = json::at(*reply.value, "/result/" + yield.member);
    const json::Value* failed = json::at(*reply.value, "/result/isError");
    if (value == nullptr || (failed != nullptr && json::write(*failed) == "true")) return;
    for (const spec::NamingRow& naming : row.names) {
      const json::Value* name = json::at(*request.value, "/params/" + naming.member);
      if (name == nullptr || !name->is_string()) continue;
      const spec::Known& known = this->known(request);
      const json::Value* item = known.find(naming, name->text, *request.value).item;
      const json::Value* schema = item != nullptr ? item->find(yield.by) : nullptr;
      if (schema == nullptr || !schema->is_object()) continue;
      const auto keyword = known.check_of(*item, yield.by).broken_keyword(*value);
      if (!keyword) continue;
      std::vector<const char*> clauses;
      for (const std::string& clause : yield.covers) clauses.push_back(clause.c_str());
      report_best(evidence_, sink_, clauses,
                  {yield.member + " that the " + yield.by + " of " + shown(*name) + " allows",
                   shown(*value) + " (" + *keyword + ")",
                   {request.seq, reply.seq},
                   shown(*name) + " " + *keyword});
    }
  }

  // HTTP: some errors come with a status of their own, and not on a stream.
  void judge_status(const Item& request, const Item& reply) {
    if (!evidence_.http() || !is_stateless_request(evidence_, request)) return;
    const json::Value* code = json::at(*reply.value, "/error/code");
    const auto number = code != nullptr ? json::as_integer(*code) : std::nullopt;
    const spec::ErrorRow* row =
        number ? evidence_.profile.protocol().find_error(*number, evidence_.profile) : nullptr;
    const wire::Frame& frame = evidence_.transcript.frames[reply.frame];
    const int status = frame.head ? frame.head->status : 200;
    if (row == nullptr || row->status == 0 || row->status == status) return;
    std::vector<const char*> clauses;
    for (const std::string& clause : row->status_covers) clauses.push_back(clause.c_str());
    report_best(
        evidence_, sink_, clauses,
        {"status " + std::to_string(row->status) + " with error " + std::to_string(row->code),
         "status " + std::to_string(status) + ": " + shown(reply.text),
         {request.seq, reply.seq},
         std::to_string(row->code)});
  }

  // HTTP: what stands in front of the server, or guards it, had the say.
  bool is_refused_elsewhere(const Item& reply) const {
    const wire::Frame& frame = evidence_.transcript.frames[reply.frame];
    const int status = frame.head ? frame.head->status : 200;
    return status != 200 && status != 400 && status != 404;
  }

  static Wanted wanted(const std::vector<spec::ReplyWord>& lawful) {
    using Kind = spec::ReplyWord::Kind;
    Wanted out;
    for (const spec::ReplyWord& word : lawful) {
      const bool error = word.kind == Kind::kCode || word.kind == Kind::kError;
      if (word.kind == Kind::kCode) out.codes.push_back(word.code);
      out.error |= error && !out.result;
      out.result |= !error;
    }
    return out;
  }

  void rule(const spec::FeatureExpectation& expected, const Item& request, const Item& reply) {
    if (expected.open()) return;
    const spec::Ruling ruling = expected.of(*reply.value);
    if (ruling.grade == Grade::kLawful || ruling.objection == nullptr) return;
    std::vector<const char*> clauses;
    for (const std::string& clause : *ruling.clauses) clauses.push_back(clause.c_str());
    Breach breach;
    breach.expected = spec::words_of(*ruling.objection->row) + ": " +
                      spec::words_of(*ruling.objection) + ". Sent: " + shown(request.text);
    breach.seen = shown(reply.text);
    breach.frames = {request.seq, reply.seq};
    breach.wanted = wanted(ruling.objection->row->with);
    breach.flaw = std::string(kKnown[static_cast<int>(ruling.objection->row->kind)]) + " " +
                  ruling.objection->row->member;
    if (ruling.grade == Grade::kTolerated) breach.at_most = Severity::kWarn;
    report_best(evidence_, sink_, clauses, std::move(breach));
  }

  // What is known of the session that a message is of: over HTTP several may be in one transcript,
  // and what is offered may differ by who asks.
  spec::Known& known(const Item& item) {
    std::string whose;
    const wire::Frame& frame = evidence_.transcript.frames[item.frame];
    for (const char* name : {"Mcp-Session-Id", "Authorization"}) {
      const std::string* value = frame.head ? frame.head->header(name) : nullptr;
      if (value != nullptr) whose += *value + "\n";
    }
    const auto [found, fresh] = known_.try_emplace(whose, evidence_.profile, evidence_.known);
    if (fresh && !evidence_.server_capabilities.is_null())
      found->second.declared(evidence_.server_capabilities);
    return found->second;
  }

  struct Open {
    const spec::MessageRow* row;
    spec::FeatureExpectation expected;
  };

  const Evidence& evidence_;
  Sink& sink_;
  const trace::Attribution& attribution_;
  std::set<const Item*> sound_;
  std::unordered_map<const Item*, Open> requests_;
  std::map<std::string, spec::Known> known_;
  std::deque<CauseJudge> causes_;
};

}  // namespace

std::vector<std::string> feature_clauses() { return spec::protocol().answer_clauses(); }

void judge_features(const Evidence& evidence, Sink& sink) {
  if (!evidence.profile.layered()) return;
  FeatureJudge(evidence, sink).judge();
}

}  // namespace harness::oracle
