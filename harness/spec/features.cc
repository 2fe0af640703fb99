// SPDX-License-Identifier: Apache-2.0
// Which objections there are to a request of a feature, and what they make of a reply.
#include "harness/spec/features.h"

#include <algorithm>
#include <utility>

#include "harness/spec/type_check.h"
#include "harness/wire/message.h"

namespace harness::spec {
namespace {

using json::Value;
using Kind = AnswerRow::Kind;
using Presence = Known::Presence;

constexpr std::string_view kCursor = "cursor";  // of every list that has pages

const Value* member_of(const Value* value, std::string_view path) {
  while (value != nullptr && value->is_object() && !path.empty()) {
    const std::size_t dot = path.find('.');
    value = value->find(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return path.empty() ? value : nullptr;
}

// "/params/argument/value" → "argument.value"
std::string member_at(std::string_view place) {
  constexpr std::string_view kParams = "/params/";
  if (!place.starts_with(kParams)) return "params";
  std::string out(place.substr(kParams.size()));
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

// An argument with a default is not missing, whatever `required` says.
bool has_defaults(const Value& schema) {
  const Value* properties = schema.is_object() ? schema.find("properties") : nullptr;
  return properties != nullptr &&
         std::any_of(properties->members.begin(), properties->members.end(),
                     [](const json::Member& one) {
                       return one.value.is_object() && one.value.find("default") != nullptr;
                     });
}

bool is_empty(const Value& result) {
  bool lists = false, filled = false;
  for (const json::Member& member : result.members) {
    if (!member.value.is_array()) continue;
    lists = true;
    filled |= !member.value.items.empty();
  }
  return lists && !filled;
}

bool says_error(const Value& result) {
  const Value* flag = result.is_object() ? result.find("isError") : nullptr;
  return flag != nullptr && flag->is_boolean() && flag->boolean;
}

}  // namespace

class FeatureModeller {
 public:
  FeatureModeller(const Profile& profile, const Known& known, const Value& request)
      : profile_(profile), known_(known), request_(request) {
    const Value* params = request.find("params");
    params_ = params != nullptr && params->is_object() ? params : nullptr;
  }

  FeatureExpectation made() {
    const Value* method = request_.find("method");
    row_ = method != nullptr && method->is_string()
               ? profile_.protocol().find(method->text, profile_)
               : nullptr;
    if (row_ == nullptr || row_->answers.empty()) return {};
    out_.profile_ = &profile_;
    out_.message_ = row_;
    if (!declared()) return std::move(out_);
    params();
    for (const NamingRow& naming : row_->names) named(naming);
    if (!row_->lists.empty()) cursor();
    for (const auto& [member, by] : row_->fits) fits(member, by);
    of_the_item();
    if (has_unknown_members()) objections().push_back({});
    return std::move(out_);
  }

 private:
  std::vector<Objection>& objections() { return out_.objections_; }

  const AnswerRow* find(Kind kind, std::string_view member, std::string_view keyword = {}) const {
    for (const AnswerRow& row : row_->answers) {
      if (row.kind != kind || row.member != member || !row.reach.has(profile_) || !row.at.empty())
        continue;
      if (!row.capability.empty() && !is_declared(row.capability, known_.capabilities())) continue;
      if (row.of.empty() || std::find(row.of.begin(), row.of.end(), keyword) != row.of.end())
        return &row;
    }
    return nullptr;
  }

  void object(const AnswerRow* row, std::string detail = {}, std::string_view state = {}) {
    objections().push_back({row, std::move(detail), state});
  }
  void promise(const AnswerRow* row) {
    if (row != nullptr) out_.promises_.push_back({row, {}, {}});
  }

  // False when the capability is not declared, which is all there is to say.
  bool declared() {
    const std::string_view capability = row_->capability_in(profile_);
    const Value* own = known_.capabilities();
    if (capability.empty() || own == nullptr) return true;
    const bool there = is_declared(capability, own);
    if (there) {
      promise(find(Kind::kDeclared, ""));
    } else {
      object(find(Kind::kUndeclared, ""));
    }
    return there;
  }

  void params() {
    for (const TypeBreach& breach :
         check_member(profile_, row_->params, request_.find("params"), "/params"))
      broken(breach);
    // What is as its row has it may still be one of few values: those are known.
    for (const AnswerRow& row : row_->answers) {
      if (row.kind != Kind::kKnown || !row.reach.has(profile_) || row.member == kCursor) continue;
      const bool sound = member_of(params_, row.member) != nullptr && !is_broken(row.member);
      if (sound && !is_named(row.member)) promise(&row);
    }
  }

  void broken(const TypeBreach& breach) {
    const std::string member = member_at(breach.place);
    broken_.push_back(member);
    if (breach.kind == TypeBreach::Kind::kMissing) return object(find(Kind::kMissing, member));
    // Null for nothing is a habit of serializers; a list of one page has no use for cursors.
    const bool passable =
        breach.kind == TypeBreach::Kind::kNull || (member == kCursor && !known_.has_pages(*row_));
    if (passable) return object(nullptr);
    // A string that is none of those there are, or has another form than such a name.
    if (breach.seen != nullptr && breach.seen->is_string()) {
      const AnswerRow* row = find(is_named(member) ? Kind::kUnfit : Kind::kUnknown, member);
      if (row != nullptr) return object(row, breach.expected);
    }
    // A row about the whole speaks of its parts.
    for (std::string part = member;; part.resize(part.rfind('.'))) {
      const AnswerRow* row = find(Kind::kWrong, part);
      if (row != nullptr || part.find('.') == std::string::npos)
        return object(row, breach.expected);
    }
  }

  bool is_broken(std::string_view member) const {
    return std::any_of(broken_.begin(), broken_.end(), [&](std::string_view one) {
      return one == member || one == "params" ||
             (one.starts_with(member) && one.substr(member.size()).starts_with('.'));
    });
  }

  bool is_named(std::string_view member) const {
    return std::any_of(row_->names.begin(), row_->names.end(),
                       [&](const NamingRow& one) { return one.member == member; });
  }

  void named(const NamingRow& naming) {
    const Value* name = member_of(params_, naming.member);
    if (name == nullptr || !name->is_string() || is_broken(naming.member)) return;
    const Known::Found found = known_.find(naming, name->text, request_);
    if (found.presence == Presence::kThere) {
      if (item_ == nullptr) item_ = found.item;
      promise(find(Kind::kKnown, naming.member));
      ended(naming, name->text);
    } else if (found.presence == Presence::kNot) {
      object(find(Kind::kUnknown, naming.member));
    } else {
      object(nullptr);
    }
  }

  void ended(const NamingRow& naming, std::string_view id) {
    const std::string_view state = known_.final_state(naming, id);
    const AnswerRow* row = state.empty() ? nullptr : find(Kind::kEnded, naming.member);
    if (row != nullptr) object(row, {}, state);
  }

  void cursor() {
    const Value* cursor = member_of(params_, kCursor);
    if (cursor == nullptr || !cursor->is_string() || is_broken(kCursor)) return;
    switch (known_.cursor(*row_, cursor->text)) {
      case Presence::kThere: return promise(find(Kind::kKnown, kCursor));
      case Presence::kNot: return object(find(Kind::kUnknown, kCursor));
      case Presence::kUnclear: return object(nullptr);
    }
  }

  // What the named item wants of another param.
  void fits(const std::string& member, const std::string& by) {
    const Value* wanted = item_ != nullptr ? item_->find(by) : nullptr;
    if (wanted == nullptr || is_broken(member)) return;
    const Value* given = member_of(params_, member);
    const Value none = json::object();
    const auto keyword =
        known_.check_of(*item_, by).broken_keyword(given != nullptr ? *given : none);
    if (!keyword) return;
    const bool defaulted = *keyword == "required" && has_defaults(*wanted);
    object(defaulted ? nullptr : find(Kind::kUnfit, member, *keyword), *keyword);
  }

  // Rows that count for some items only.
  void of_the_item() {
    if (item_ == nullptr) return;
    for (const AnswerRow& row : row_->answers) {
      if (row.at.empty() || !row.reach.has(profile_)) continue;
      const bool there = member_of(params_, row.member) != nullptr;
      if (there != (row.kind == Kind::kPresent)) continue;
      if (!row.capability.empty() && !is_declared(row.capability, known_.capabilities())) continue;
      const Value* value = json::at(*item_, row.at);
      const bool meant = std::any_of(row.is.begin(), row.is.end(), [&](const Value& one) {
        return value == nullptr ? one.is_null() : json::equal(one, *value);
      });
      if (meant) object(&row);
    }
  }

  // What nobody knows of may be refused as well as passed over.
  bool has_unknown_members() const {
    const Row* row = row_->params.under(profile_);
    if (row == nullptr || row->is.type == nullptr || params_ == nullptr) return false;
    return std::any_of(params_->members.begin(), params_->members.end(),
                       [&](const json::Member& one) {
                         const Member* known = row->is.type->find(one.name);
                         return known == nullptr || known->under(profile_) == nullptr;
                       });
  }

  const Profile& profile_;
  const Known& known_;
  const Value& request_;
  const Value* params_ = nullptr;
  const MessageRow* row_ = nullptr;
  const Value* item_ = nullptr;  // that is named
  std::vector<std::string> broken_;
  FeatureExpectation out_;
};

bool FeatureExpectation::is_instead(const Value& result) const {
  const Value* type = result.is_object() ? result.find("resultType") : nullptr;
  return std::any_of(message_->instead.begin(), message_->instead.end(), [&](const Member& one) {
    if (one.under(*profile_) == nullptr) return false;
    const bool told = type != nullptr && type->is_string() && type->text == one.name;
    return told || (result.is_object() && result.find(one.name) != nullptr);
  });
}

bool FeatureExpectation::matches(const ReplyWord& word, const Value& reply,
                                 std::string_view state) const {
  const Value* result = wire::result_in(reply);
  const Value* error = wire::error_in(reply);
  const Value* code = error != nullptr && error->is_object() ? error->find("code") : nullptr;
  switch (word.kind) {
    case ReplyWord::Kind::kCode: return code != nullptr && json::as_integer(*code) == word.code;
    case ReplyWord::Kind::kError: return error != nullptr;
    case ReplyWord::Kind::kResult: return result != nullptr;
    case ReplyWord::Kind::kIsError: return result != nullptr && says_error(*result);
    case ReplyWord::Kind::kEmpty: return result != nullptr && is_empty(*result);
    case ReplyWord::Kind::kInstead: return result != nullptr && is_instead(*result);
    case ReplyWord::Kind::kSame: break;
  }
  if (result == nullptr || !result->is_object()) return false;
  for (const NamingRow& naming : message_->names) {
    const Value* now = naming.state.empty() ? nullptr : result->find(naming.state);
    if (now != nullptr && now->is_string() && now->text != state) return false;
  }
  return true;
}

Ruling FeatureExpectation::judged(const Objection& one, const Value& reply) const {
  const AnswerRow& row = *one.row;
  const auto any = [&](const std::vector<ReplyWord>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const ReplyWord& word) { return matches(word, reply, one.state); });
  };
  if (row.with.empty() ? !any(row.not_with) : any(row.with)) return {};
  const Value* result = reply.find("result");
  // What is asked for, or made a task of, is not served yet.
  if (result != nullptr && is_instead(*result) && !any(row.not_with)) return {};
  const bool mild = row.at_most != AtMost::kFail || any(row.near);
  const bool by_code = result == nullptr && !row.code.empty();
  return {mild ? Grade::kTolerated : Grade::kWrong, &one, by_code ? &row.code : &row.covers};
}

Ruling FeatureExpectation::of(const Value& reply) const {
  const Value* result = wire::result_in(reply);
  const Value* error = wire::error_in(reply);
  if ((result == nullptr) == (error == nullptr)) return {};
  const Value* code = error != nullptr && error->is_object() ? error->find("code") : nullptr;
  const auto number = code != nullptr ? json::as_integer(*code) : std::nullopt;
  if (error != nullptr && !number) return {};
  if (number)
    if (const ErrorRow* row = profile_->protocol().find_error(*number, *profile_); row && row->any)
      return {};
  if (objections_.empty()) {
    for (const Objection& one : promises_)
      if (const Ruling ruling = judged(one, reply); ruling.grade != Grade::kLawful) return ruling;
    return {};
  }
  // Served where all allow it, refused where one does.
  Ruling chosen;
  for (const Objection& one : objections_) {
    const Ruling ruling = one.row != nullptr ? judged(one, reply) : Ruling{};
    if (error != nullptr && ruling.grade == Grade::kLawful) return {};
    const bool better =
        error != nullptr ? ruling.grade < chosen.grade : ruling.grade > chosen.grade;
    if (chosen.objection == nullptr || better) chosen = ruling;
  }
  return chosen;
}

FeatureExpectation expect_feature(const Profile& profile, const Known& known,
                                  const Value& request) {
  return FeatureModeller(profile, known, request).made();
}

}  // namespace harness::spec
