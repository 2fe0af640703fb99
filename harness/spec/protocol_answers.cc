// SPDX-License-Identifier: Apache-2.0
// Reads what rows say of answers: `names`, `fits`, `yields` and `answers` of a request.
#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/spec/protocol_fields.h"

namespace harness::spec {
namespace {

using json::Value;
using Kind = AnswerRow::Kind;

constexpr struct {
  const char* name;
  Kind kind;
  bool whole;  // it speaks of the request, and of no member
} kKinds[] = {
    {"undeclared", Kind::kUndeclared, true}, {"declared", Kind::kDeclared, true},
    {"missing", Kind::kMissing, false},      {"present", Kind::kPresent, false},
    {"wrong", Kind::kWrong, false},          {"unknown", Kind::kUnknown, false},
    {"known", Kind::kKnown, false},          {"unfit", Kind::kUnfit, false},
    {"ended", Kind::kEnded, false},
};

constexpr struct {
  const char* name;
  ReplyWord::Kind kind;
} kReplyWords[] = {
    {"error", ReplyWord::Kind::kError},      {"result", ReplyWord::Kind::kResult},
    {"is-error", ReplyWord::Kind::kIsError}, {"empty", ReplyWord::Kind::kEmpty},
    {"same-state", ReplyWord::Kind::kSame},
};

class AnswerReader {
 public:
  AnswerReader(const RowFields& fields, const MessageRow& row) : fields_(fields), row_(row) {}

  std::vector<AnswerRow> answers(const json::Member& field) const {
    std::vector<AnswerRow> out;
    if (!field.value.is_object())
      fields_.refuse(field.value, "'answers' maps what is known of a request to what answers it",
                     "write \"missing name: {covers: …}\"");
    for (const json::Member& entry : field.value.members) {
      if (entry.value.is_array())
        for (const Value& one : entry.value.items) out.push_back(answer(entry, one));
      else
        out.push_back(answer(entry, entry.value));
    }
    return out;
  }

 private:
  AnswerRow answer(const json::Member& entry, const Value& value) const {
    AnswerRow out;
    const auto own = row_.reach.dialect;
    const bool layer = own == Reach::Dialect::kLsp || own == Reach::Dialect::kAcp;
    out.reach.dialect = layer ? own : Reach::Dialect::kMcp;
    situation(entry, out);
    if (!value.is_object())
      fields_.refuse(value, "what answers '" + entry.name + "' is a mapping of fields",
                     "write \"" + entry.name + ": {with: [-32602], covers: …}\"");
    for (const json::Member& field : value.members) {
      const std::string& name = field.name;
      if (name == "with") {
        out.with = words(field);
      } else if (name == "near") {
        out.near = words(field);
      } else if (name == "not") {
        out.not_with = words(field);
      } else if (name == "covers") {
        out.covers = fields_.clauses(field);
      } else if (name == "code") {
        out.code = fields_.clauses(field);
      } else if (name == "of") {
        out.of = fields_.clauses(field);
      } else if (name == "capability") {
        out.capability = fields_.text(field);
      } else if (name == "at") {
        out.at = fields_.text(field);
      } else if (name == "is") {
        out.is = field.value.items;
      } else if (name == "at_most") {
        out.at_most = fields_.at_most(field);
      } else if (!fields_.reach(field, out.reach)) {
        fields_.unknown_field(field, {"with", "near", "not", "covers", "code", "of", "capability",
                                      "at", "is", "at_most", "since", "until", "dialect"});
      }
    }
    if (out.covers.empty())
      fields_.refuse(entry.mark, "'" + entry.name + "' needs the clauses that other answers break",
                     "write \"covers: …\"");
    if (out.with.empty() == out.not_with.empty())
      fields_.refuse(entry.mark, "'" + entry.name + "' says what answers it, or what does not",
                     "write \"with: [-32602]\" or \"not: [-32601]\"");
    if (out.at.empty() != out.is.empty())
      fields_.refuse(entry.mark, "'at' is a place in an item, and 'is' what may stand there",
                     "write \"at: /execution/taskSupport, is: [required]\"");
    return out;
  }

  void situation(const json::Member& entry, AnswerRow& out) const {
    const std::size_t space = entry.name.find(' ');
    const std::string word = entry.name.substr(0, space);
    if (space != std::string::npos) out.member = entry.name.substr(space + 1);
    const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const auto& one) { return one.name == word; });
    if (kind == std::end(kKinds)) {
      std::vector<std::string> known;
      for (const auto& one : kKinds) known.emplace_back(one.name);
      fields_.refuse(entry.mark, "nothing is known of a request by the word '" + word + "'",
                     suggestion(word, known));
    }
    if (kind->whole != out.member.empty())
      fields_.refuse(entry.mark,
                     "'" + word + "' speaks of " +
                         (kind->whole ? "the request as a whole" : "one member of params"),
                     kind->whole ? "write \"" + word + "\" alone" : "write \"" + word + " name\"");
    out.kind = kind->kind;
  }

  std::vector<ReplyWord> words(const json::Member& field) const {
    std::vector<ReplyWord> out;
    if (!field.value.is_array())
      fields_.refuse(field.value, "'" + field.name + "' is a list of replies",
                     "write \"" + field.name + ": [-32602, is-error]\"");
    for (const Value& one : field.value.items) out.push_back(word(one));
    return out;
  }

  ReplyWord word(const Value& value) const {
    ReplyWord out;
    if (const auto code = json::as_integer(value)) {
      out.code = static_cast<int>(*code);
      return out;
    }
    std::vector<std::string> known;
    for (const auto& one : kReplyWords) {
      known.emplace_back(one.name);
      out.kind = one.kind;
      if (value.is_string() && value.text == one.name) return out;
    }
    out.kind = ReplyWord::Kind::kInstead;
    for (const Member& other : row_.instead) {
      known.push_back(other.name);
      out.text = other.name;
      if (value.is_string() && value.text == other.name) return out;
    }
    fields_.refuse(value, "no reply is called '" + value.text + "'", suggestion(value.text, known));
  }

  const RowFields& fields_;
  const MessageRow& row_;
};

}  // namespace

void read_answers(const RowFields& fields, const json::Member& field, MessageRow& row) {
  row.answers = AnswerReader(fields, row).answers(field);
}

void read_names(const RowFields& fields, const json::Member& field, MessageRow& row) {
  for (const json::Member& one : field.value.members) {
    NamingRow naming;
    naming.member = one.name;
    if (!one.value.is_object()) {
      naming.lists = fields.clauses(one);
      row.names.push_back(std::move(naming));
      continue;
    }
    for (const json::Member& part : one.value.members)
      if (part.name == "state")
        naming.state = fields.text(part);
      else if (part.name == "final")
        naming.final_states = fields.clauses(part);
      else
        fields.unknown_field(part, {"state", "final"});
    row.names.push_back(std::move(naming));
  }
}

void read_causes(const RowFields& fields, const json::Member& field, MessageRow& row) {
  CauseRow cause;
  cause.reach.dialect = Reach::Dialect::kMcp;
  for (const json::Member& part : field.value.members) {
    const std::string& name = part.name;
    if (name == "by") {
      cause.by = fields.text(part);
    } else if (name == "ended") {
      cause.ended = fields.text(part);
    } else if (name == "member") {
      cause.member = fields.text(part);
    } else if (name == "order") {
      cause.order = fields.text(part);
    } else if (name == "never") {
      cause.never = fields.clauses(part);
    } else if (name == "other") {
      cause.other = fields.clauses(part);
    } else if (name == "after") {
      cause.after = fields.clauses(part);
    } else if (!fields.reach(part, cause.reach)) {
      fields.unknown_field(part, {"by", "ended", "member", "order", "never", "other", "after",
                                  "since", "until", "dialect"});
    }
  }
  if (cause.by.empty() || cause.member.empty())
    fields.refuse(field.mark, "'follows' names the request and the member that both have",
                  "write \"{by: resources/subscribe, member: uri, …}\"");
  row.causes.push_back(std::move(cause));
}

void read_gates(const RowFields& fields, const json::Member& field, MessageRow& row) {
  for (const Value& one : field.value.items) {
    GateRow gate;
    for (const json::Member& part : one.members)
      if (part.name == "at")
        gate.at = fields.text(part);
      else if (part.name == "is")
        gate.is = part.value;
      else if (part.name == "client")
        gate.client = "client." + fields.text(part);
      else if (part.name == "covers")
        gate.covers = fields.clauses(part);
      else if (part.name == "at_most")
        gate.at_most = fields.at_most(part);
      else
        fields.unknown_field(part, {"at", "is", "client", "covers", "at_most"});
    if (gate.at.empty() || gate.client.empty() || gate.covers.empty())
      fields.refuse(field.mark, "a gate needs a place, a capability and clauses",
                    "write \"{at: members, client: a.b, covers: …}\"");
    row.gates.push_back(std::move(gate));
  }
}

void read_fits(const RowFields& fields, const json::Member& field, MessageRow& row) {
  for (const json::Member& one : field.value.members)
    row.fits.emplace_back(one.name, fields.text(one));
}

void read_yields(const RowFields& fields, const json::Member& field, MessageRow& row) {
  for (const json::Member& one : field.value.members) {
    YieldRow yield{one.name, {}, {}};
    for (const json::Member& part : one.value.members)
      if (part.name == "by")
        yield.by = fields.text(part);
      else if (part.name == "covers")
        yield.covers = fields.clauses(part);
      else
        fields.unknown_field(part, {"by", "covers"});
    if (yield.by.empty() || yield.covers.empty())
      fields.refuse(one.mark, "'" + one.name + "' needs a schema and clauses",
                    "write \"{by: outputSchema, covers: …}\"");
    row.yields.push_back(std::move(yield));
  }
}

}  // namespace harness::spec
