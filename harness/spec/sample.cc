// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/sample.h"

#include <cmath>
#include <utility>
#include <vector>

#include "harness/spec/profile.h"

namespace harness::spec {
namespace {

using json::Value;
using Form = TypeExpr::Form;

constexpr int kDeepest = 5;

class Sampler {
 public:
  Sampler(const Profile& profile, const SampleOptions& options)
      : profile_(profile), options_(options) {}

  Value make(const TypeRow& type, int depth) const {
    switch (type.kind) {
      case TypeRow::Kind::kExpression: {
        const Row* row = type.is.under(profile_);
        return row == nullptr ? Value() : make(row->is, depth);
      }
      case TypeRow::Kind::kByMember:
      case TypeRow::Kind::kByPresence: return variant(type, depth);
      case TypeRow::Kind::kObject: break;
    }
    Value out = json::object();
    for (const Member& member : type.members) {
      const Row* row = member.under(profile_);
      const bool wanted = options_.optional && depth < kDeepest;
      if (row == nullptr || (row->optional && !wanted)) continue;
      out.set(member.name, make(row->is, depth + 1));
    }
    return out;
  }

  Value make(const TypeExpr& expr, int depth) const {
    switch (expr.form) {
      case Form::kNull: return json::null();
      case Form::kBoolean: return json::boolean(true);
      case Form::kNumber:
      case Form::kInteger: return json::number(1);
      case Form::kRange:
        return json::number(std::isfinite(expr.low) && expr.low > 1 ? std::int64_t(expr.low) : 1);
      case Form::kObject:
      case Form::kPrefixedNames:
      case Form::kOnly:
      case Form::kMapOf: {
        Value map = json::object();
        if (!expr.inner.empty() && depth < kDeepest) map.set("a", make(expr.inner[0], depth + 1));
        return map;
      }
      case Form::kArray:
      case Form::kArrayOf: {
        Value list = json::array();
        if (!expr.inner.empty() && depth < kDeepest)
          list.items.push_back(make(expr.inner[0], depth + 1));
        return list;
      }
      case Form::kLiteral: return expr.literal;
      case Form::kOneOf: return make(chosen(expr.inner), depth);
      case Form::kType: return make(*expr.type, depth);
      default: return json::string(text_of(expr));
    }
  }

 private:
  // Of plain kinds the first will do.
  const TypeExpr& chosen(const std::vector<TypeExpr>& all) const {
    const Form first = all.front().form;
    const bool plain = first < Form::kUri || first == Form::kAny;
    return all[plain ? 0 : static_cast<std::size_t>(options_.turn) % all.size()];
  }

  Value variant(const TypeRow& type, int depth) const {
    std::vector<std::pair<const Row*, const Member*>> rows;
    for (const Member& one : type.variants)
      if (const Row* row = one.under(profile_)) rows.emplace_back(row, &one);
    if (const Row* row = type.absent.under(profile_)) rows.emplace_back(row, nullptr);
    if (rows.empty()) return json::null();
    const auto& [row, named] = rows[static_cast<std::size_t>(options_.turn) % rows.size()];
    Value out = make(row->is, depth);
    if (named && type.kind == TypeRow::Kind::kByMember && out.is_object() && !out.find(type.tag))
      out.set(type.tag, json::string(named->name));
    return out;
  }

  static std::string text_of(const TypeExpr& expr) {
    switch (expr.form) {
      case Form::kUri:
      case Form::kHttpsUri:
      case Form::kUriScheme: return "https://example.com/a";
      case Form::kUriTemplate: return "test://{a}";
      case Form::kBase64:
      case Form::kBase64Any: return "YQ==";
      case Form::kDateTime: return "2025-01-01T00:00:00Z";
      case Form::kMediaType: return (expr.text.empty() ? "text" : expr.text) + "/plain";
      case Form::kDataBase64: return "data:text/plain;base64,YQ==";
      default: return "text";
    }
  }

  const Profile& profile_;
  const SampleOptions options_;
};

}  // namespace

json::Value sample(const TypeRow& type, const Profile& profile, const SampleOptions& options) {
  return Sampler(profile, options).make(type, 0);
}

json::Value sample(const TypeExpr& type, const Profile& profile, const SampleOptions& options) {
  return Sampler(profile, options).make(type, 0);
}

}  // namespace harness::spec
