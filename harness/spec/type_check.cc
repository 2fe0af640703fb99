// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/type_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>

#include "harness/base/uri.h"
#include "harness/json/write.h"
#include "harness/schema/instance_check.h"
#include "harness/spec/formats.h"

namespace harness::spec {
namespace {

using Form = TypeExpr::Form;
using json::Value;

const Clauses kNoClauses;

std::size_t length_of(const Value& value) {
  if (value.is_array()) return value.items.size();
  return static_cast<std::size_t>(std::count_if(value.text.begin(), value.text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool are_distinct(const Value& list, std::string_view member) {
  std::set<std::string> seen;
  return std::all_of(list.items.begin(), list.items.end(), [&](const Value& one) {
    const Value* value = one.is_object() ? one.find(member) : nullptr;
    return value == nullptr || seen.insert(json::write(*value)).second;
  });
}

bool is_format(const TypeExpr& expr, const std::string& text) {
  switch (expr.form) {
    case Form::kUri: return is_uri(text);
    case Form::kUriTemplate: return is_uri_template(text);
    case Form::kBase64: return is_base64(text);
    case Form::kBase64Any: return is_some_base64(text);
    case Form::kDateTime: return is_date_time(text);
    case Form::kMediaType: return is_media_type(text, expr.text);
    case Form::kDataBase64: return has_base64_data(text);
    case Form::kCharacters: return text.find_first_not_of(expr.text) == std::string::npos;
    case Form::kUriScheme: {
      const std::size_t end = text.find("://");
      return end == std::string::npos || !scheme_of(text.substr(0, end + 1)).empty();
    }
    case Form::kHttpsUri: return is_https_uri(text);
    case Form::kContains: return text.find(expr.text) != std::string::npos;
    case Form::kScheme: {
      const std::string scheme = scheme_of(text);
      return std::any_of(expr.inner.begin(), expr.inner.end(),
                         [&](const TypeExpr& one) { return one.literal.text == scheme; });
    }
    default: return false;
  }
}

// Whether it is of a JSON type that the expression takes, whatever its value.
bool has_kind(const Profile& profile, const TypeExpr& expr, const Value& value) {
  switch (expr.form) {
    case Form::kSchema:
    case Form::kAny: return true;
    case Form::kNull: return value.is_null();
    case Form::kBoolean: return value.is_boolean();
    case Form::kNumber:
    case Form::kInteger:
    case Form::kRange: return value.is_number();
    case Form::kId: return value.is_number() || value.is_string();
    case Form::kLength: return value.is_array() || value.is_string();
    case Form::kArray:
    case Form::kDistinct:
    case Form::kArrayOf: return value.is_array();
    case Form::kObject:
    case Form::kCounts:
    case Form::kOnly:
    case Form::kPrefixedNames:
    case Form::kMapOf: return value.is_object();
    case Form::kLiteral: return value.kind == expr.literal.kind;
    case Form::kOneOf:
      return std::any_of(expr.inner.begin(), expr.inner.end(),
                         [&](const TypeExpr& one) { return has_kind(profile, one, value); });
    case Form::kType: {
      if (expr.type->kind != TypeRow::Kind::kExpression) return value.is_object();
      const Row* row = expr.type->is.under(profile);
      return row == nullptr || has_kind(profile, row->is, value);
    }
    default: return value.is_string();
  }
}

// What a row, or the type it stands in, says of a breach.
struct Blame {
  const Clauses* clauses = &kNoClauses;  // null: none, whatever stands around
  AtMost at_most = AtMost::kFail;
};

class Checker {
 public:
  Checker(const Profile& profile, std::string_view root) : profile_(profile), root_(root) {}

  std::vector<TypeBreach> breaches;

  void member(const Member& member, const Value* seen, const Value& owner, const Clauses& around) {
    const Row* row = member.under(profile_);
    if (row == nullptr) {
      if (seen != nullptr && !member.outside.empty())
        breach(TypeBreach::Kind::kOutside, {&member.outside}, "nothing, in this revision", *seen);
      return;
    }
    const Blame blame = blame_of(*row, around);
    if (seen == nullptr) {
      if (row->optional) return;
      const Blame lack = {row->missing.empty() ? blame.clauses : &row->missing, row->at_most};
      return breach(TypeBreach::Kind::kMissing, lack, describe(row->is, &profile_), owner);
    }
    if (seen->is_null() && row->optional && !fits(profile_, row->is, *seen)) {
      return breach(TypeBreach::Kind::kNull, blame,
                    describe(row->is, &profile_) + ", or no such member", *seen);
    }
    const std::size_t before = breaches.size();
    this->row(*row, *seen, blame);
    const bool told = breaches.size() > before && breaches[before].seen == seen;
    if (told && !row->optional && row->missing.empty())
      breaches[before].other_kind = !has_kind(profile_, row->is, *seen);
  }

  void type(const TypeRow& type, const Value& value, Blame blame) {
    if (!type.covers.empty() && blame.clauses != nullptr) blame.clauses = &type.covers;
    switch (type.kind) {
      case TypeRow::Kind::kExpression:
        if (const Row* row = type.is.under(profile_)) this->row(*row, value, blame);
        return;
      case TypeRow::Kind::kByMember: return by_member(type, value, blame);
      case TypeRow::Kind::kByPresence: return by_presence(type, value, blame);
      case TypeRow::Kind::kObject: return object(type, value, blame);
    }
  }

 private:
  static Blame blame_of(const Row& row, const Clauses& around) {
    if (row.silent) return {nullptr, row.at_most};
    if (!row.covers.empty()) return {&row.covers, row.at_most};
    const bool own = around.empty() && row.is.form == Form::kType;
    return {own ? &row.is.type->covers : &around, row.at_most};
  }

  void row(const Row& row, const Value& value, const Blame& blame) {
    const std::size_t before = breaches.size();
    expression(row.is, value, blame);
    if (breaches.size() != before) return;
    for (const AlsoRow& also : row.also) {
      if (also.is.form == Form::kSchema) {
        held_to_schema(*also.is.schema, value, {&also.covers, also.at_most});
        for (std::size_t i = before; i < breaches.size(); ++i)
          breaches[i].kind = TypeBreach::Kind::kAlso;
        if (breaches.size() != before) return;
      }
      if (fits(profile_, also.is, value)) continue;
      return breach(TypeBreach::Kind::kAlso, {&also.covers, also.at_most},
                    describe(also.is, &profile_), value);
    }
  }

  void expression(const TypeExpr& expr, const Value& value, const Blame& blame) {
    if (expr.form == Form::kSchema) return held_to_schema(*expr.schema, value, blame);
    if (!fits(profile_, expr, value))
      return breach(TypeBreach::Kind::kWrong, blame, describe(expr, &profile_), value);
    if (expr.form == Form::kType) return type(*expr.type, value, blame);
    if (expr.form == Form::kOneOf) return nearest(expr, value, blame);
    if (expr.form != Form::kArrayOf && expr.form != Form::kMapOf) return;
    const TypeExpr& inner = expr.inner.front();
    Blame within = blame;
    if (inner.form == Form::kType && !inner.type->covers.empty() && blame.clauses != nullptr)
      within.clauses = &inner.type->covers;
    path_.emplace_back("*");
    for (const Value& item : value.items) expression(inner, item, within);
    for (const json::Member& one : value.members) expression(inner, one.value, within);
    path_.pop_back();
  }

  // Held to the alternative with the fewest breaches, the first of several.
  void nearest(const TypeExpr& expr, const Value& value, const Blame& blame) {
    const std::size_t before = breaches.size();
    std::optional<std::vector<TypeBreach>> fewest;
    for (const TypeExpr& one : expr.inner) {
      if (!fits(profile_, one, value)) continue;
      expression(one, value, blame);
      const auto own = breaches.begin() + static_cast<std::ptrdiff_t>(before);
      if (!fewest || static_cast<std::size_t>(breaches.end() - own) < fewest->size())
        fewest.emplace(own, breaches.end());
      breaches.erase(own, breaches.end());
      if (fewest->empty()) return;
    }
    breaches.insert(breaches.end(), fewest->begin(), fewest->end());
  }

  void held_to_schema(const schema::InstanceCheck& schema, const Value& value, const Blame& blame) {
    const auto broken = schema.breach(value);
    if (!broken) return;
    const Value* seen = json::at(value, broken->place);
    breach(TypeBreach::Kind::kWrong, blame, "what `" + broken->keyword + "` of its schema says",
           seen != nullptr ? *seen : value);
    if (!breaches.empty()) breaches.back().place += broken->place;
  }

  void object(const TypeRow& type, const Value& value, const Blame& blame) {
    const Clauses& around =
        type.covers.empty() && blame.clauses != nullptr ? *blame.clauses : type.covers;
    if (!type.any_of.empty() &&
        std::none_of(type.any_of.begin(), type.any_of.end(),
                     [&](const std::string& name) { return value.find(name) != nullptr; })) {
      std::string names;
      for (const std::string& name : type.any_of) names += (names.empty() ? "" : " or ") + name;
      breach(TypeBreach::Kind::kMissing, {&type.any_of_covers}, names, value);
    }
    for (const Member& one : type.members) {
      if (breaches.size() >= kMostBreaches) return;
      path_.push_back(one.name);
      member(one, value.find(one.name), value, around);
      path_.pop_back();
    }
  }

  void by_member(const TypeRow& type, const Value& value, const Blame& blame) {
    const Value* tag = value.find(type.tag);
    if (tag == nullptr && !type.absent.rows.empty()) return variant(type.absent, value, blame);
    path_.push_back(type.tag);
    told_by(type, tag, value, blame);
    path_.pop_back();
    if (tag == nullptr || !tag->is_string()) return;
    for (const Member& one : type.variants)
      if (one.name == tag->text) return variant(one, value, blame);
  }

  // Whether the tag names a variant of this revision.
  void told_by(const TypeRow& type, const Value* tag, const Value& value, const Blame& blame) {
    const Blame lack = {type.untagged.empty() ? blame.clauses : &type.untagged};
    if (tag == nullptr) return breach(TypeBreach::Kind::kMissing, lack, "a string", value);
    if (!tag->is_string()) return breach(TypeBreach::Kind::kWrong, blame, "a string", *tag);
    std::string names;
    for (const Member& one : type.variants) {
      const bool here = one.under(profile_) != nullptr;
      if (one.name == tag->text) {
        const Clauses& against = one.outside.empty() ? type.unknown : one.outside;
        if (here || against.empty()) return;
        return breach(TypeBreach::Kind::kWrong, {&against}, "a type of this revision", *tag);
      }
      if (here) names += (names.empty() ? "" : " or ") + json::write(json::string(one.name));
    }
    if (type.open) return;
    breach(TypeBreach::Kind::kWrong, {type.unknown.empty() ? blame.clauses : &type.unknown}, names,
           *tag);
  }

  void by_presence(const TypeRow& type, const Value& value, const Blame& blame) {
    std::string names;
    const Member* chosen = nullptr;
    for (const Member& one : type.variants) {
      names += (names.empty() ? "" : " or ") + one.name;
      const Value* found = one.under(profile_) == nullptr ? nullptr : value.find(one.name);
      // null beside the other one is that serializer's way to leave a member out
      if (found != nullptr && (chosen == nullptr || value.find(chosen->name)->is_null()))
        chosen = &one;
    }
    if (chosen == nullptr && !type.absent.rows.empty()) chosen = &type.absent;
    if (chosen != nullptr) return variant(*chosen, value, blame);
    breach(TypeBreach::Kind::kMissing, blame, names, value);
  }

  void variant(const Member& one, const Value& value, const Blame& blame) {
    if (const Row* found = one.under(profile_)) row(*found, value, blame);
  }

  void breach(TypeBreach::Kind kind, const Blame& blame, std::string expected, const Value& seen) {
    if (breaches.size() >= kMostBreaches) return;
    TypeBreach out;
    out.kind = kind;
    out.clauses = blame.clauses;
    out.at_most = blame.at_most;
    out.expected = std::move(expected);
    out.seen = &seen;
    out.place = root_;
    for (const std::string_view name : path_) {
      out.place += '/';
      for (const char c : name) out.place += c == '/' ? "~1" : std::string(1, c);
    }
    breaches.push_back(std::move(out));
  }

  const Profile& profile_;
  std::string_view root_;
  std::vector<std::string_view> path_;  // names of members from there, * for any element
};

}  // namespace

bool fits(const Profile& profile, const TypeExpr& expr, const Value& value) {
  switch (expr.form) {
    case Form::kSchema: return !expr.schema->broken_keyword(value);
    case Form::kAny: return true;
    case Form::kNull: return value.is_null();
    case Form::kBoolean: return value.is_boolean();
    case Form::kNumber: return value.is_number();
    case Form::kInteger: return json::is_integer(value);
    case Form::kString: return value.is_string();
    case Form::kObject:
    case Form::kMapOf: return value.is_object();
    case Form::kArray:
    case Form::kArrayOf: return value.is_array();
    case Form::kId: {
      // Whoever reads numbers as doubles takes 1e-400 for 0.
      const double number = json::as_double(value);
      return value.is_string() || (value.is_number() && number == std::trunc(number));
    }
    case Form::kLiteral: return json::equal(expr.literal, value);
    case Form::kOneOf:
      return std::any_of(expr.inner.begin(), expr.inner.end(),
                         [&](const TypeExpr& one) { return fits(profile, one, value); });
    case Form::kRange:
      return value.is_number() && json::as_double(value) >= expr.low &&
             json::as_double(value) <= expr.high;
    case Form::kLength: {
      if (!value.is_string() && !value.is_array()) return false;
      const auto length = static_cast<double>(length_of(value));
      return length >= expr.low && length <= expr.high;
    }
    case Form::kCounts: {
      const Value* number = value.find(expr.inner[0].literal.text);
      const Value* list = value.find(expr.inner[1].literal.text);
      return number == nullptr || list == nullptr || !number->is_number() || !list->is_array() ||
             json::as_double(*number) >= static_cast<double>(list->items.size());
    }
    case Form::kOnly:
      return value.is_object() &&
             std::all_of(value.members.begin(), value.members.end(), [&](const json::Member& one) {
               return std::any_of(expr.inner.begin(), expr.inner.end(), [&](const TypeExpr& name) {
                 return name.literal.text == one.name;
               });
             });
    case Form::kPrefixedNames:
      return value.is_object() &&
             std::all_of(value.members.begin(), value.members.end(),
                         [](const json::Member& one) { return is_prefixed_name(one.name); });
    case Form::kDistinct: return value.is_array() && are_distinct(value, expr.text);
    case Form::kType: {
      if (expr.type->kind != TypeRow::Kind::kExpression) return value.is_object();
      const Row* row = expr.type->is.under(profile);
      return row == nullptr || fits(profile, row->is, value);
    }
    default: return value.is_string() && is_format(expr, value.text);
  }
}

std::vector<TypeBreach> check_member(const Profile& profile, const Member& member,
                                     const Value* value, const std::string& place) {
  Checker checker(profile, place);
  static const Value kNothing;
  checker.member(member, value, kNothing, kNoClauses);
  return std::move(checker.breaches);
}

std::vector<TypeBreach> check_type(const Profile& profile, const TypeRow& type,
                                   const Value& value) {
  Checker checker(profile, "");
  TypeExpr expr;
  expr.form = Form::kType;
  expr.type = &type;
  Row row;
  row.is = expr;
  Member whole;
  whole.rows.push_back(row);
  checker.member(whole, &value, value, type.covers);
  return std::move(checker.breaches);
}

}  // namespace harness::spec
