// SPDX-License-Identifier: Apache-2.0
#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/yaml.h"
#include "harness/schema/instance_check.h"
#include "harness/spec/protocol_fields.h"

namespace harness::spec {
namespace {

using Form = TypeExpr::Form;
using json::Value;

struct Word {
  const char* name;
  Form form;
};
constexpr Word kWords[] = {{"$any", Form::kAny},
                           {"$null", Form::kNull},
                           {"$boolean", Form::kBoolean},
                           {"$number", Form::kNumber},
                           {"$integer", Form::kInteger},
                           {"$string", Form::kString},
                           {"$object", Form::kObject},
                           {"$array", Form::kArray},
                           {"$id", Form::kId},
                           {"$uri", Form::kUri},
                           {"$uri-scheme", Form::kUriScheme},
                           {"$uri-template", Form::kUriTemplate},
                           {"$base64", Form::kBase64},
                           {"$base64-any", Form::kBase64Any},
                           {"$date-time", Form::kDateTime},
                           {"$media-type", Form::kMediaType},
                           {"$data-base64", Form::kDataBase64},
                           {"$https-uri", Form::kHttpsUri},
                           {"$prefixed-names", Form::kPrefixedNames}};
constexpr Word kOperators[] = {{"$one_of", Form::kOneOf},
                               {"$array", Form::kArrayOf},
                               {"$map", Form::kMapOf},
                               {"$range", Form::kRange},
                               {"$length", Form::kLength},
                               {"$characters", Form::kCharacters},
                               {"$media-type", Form::kMediaType},
                               {"$scheme", Form::kScheme},
                               {"$distinct", Form::kDistinct},
                               {"$counts", Form::kCounts},
                               {"$only", Form::kOnly},
                               {"$contains", Form::kContains},
                               {"$schema", Form::kSchema}};

// "a-z_" written out.
std::string characters_of(const std::string& ranges) {
  std::string out;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (i + 2 < ranges.size() && ranges[i + 1] == '-') {
      for (int c = ranges[i]; c <= ranges[i + 2]; ++c) out += static_cast<char>(c);
      i += 2;
    } else {
      out += ranges[i];
    }
  }
  return out;
}

class ExpressionReader {
 public:
  ExpressionReader(const std::string& file, std::vector<TypeReference>& references)
      : file_(file), references_(references) {}

  TypeExpr expression(const Value& value) {
    TypeExpr expr;
    if (value.is_object()) return operation(value);
    if (value.is_array()) {
      refuse(value, "a type expression is not a list",
             "write \"{$one_of: […]}\" or \"{$array: …}\"");
    }
    expr.form = Form::kLiteral;
    expr.literal = value;
    if (!value.is_string() || !value.text.starts_with('$')) return expr;
    if (value.text.size() > 1 && ascii::is_upper(value.text[1])) {
      expr.form = Form::kType;
      expr.text = value.text.substr(1);
      references_.push_back({expr.text, json::place(file_, value.mark)});
      return expr;
    }
    for (const Word& word : kWords) {
      if (value.text != word.name) continue;
      expr.form = word.form;
      expr.literal = {};
      return expr;
    }
    std::vector<std::string> known;
    for (const Word& word : kWords) known.emplace_back(word.name);
    refuse(value, "unknown type '" + value.text + "'", suggestion(value.text, known));
  }

 private:
  TypeExpr operation(const Value& value) {
    if (value.members.size() != 1) {
      refuse(value, "a type expression has one key that begins with $",
             "write \"{$array: $string}\", or make it a separate type");
    }
    const json::Member& only = value.members.front();
    for (const Word& word : kOperators) {
      if (only.name != word.name) continue;
      TypeExpr expr;
      expr.form = word.form;
      argument(only, expr);
      return expr;
    }
    std::vector<std::string> known;
    for (const Word& word : kOperators) known.emplace_back(word.name);
    refuse(only.mark, "unknown type expression '" + only.name + "'", suggestion(only.name, known));
  }

  void argument(const json::Member& only, TypeExpr& expr) {
    switch (expr.form) {
      case Form::kOneOf:
      case Form::kScheme:
      case Form::kCounts:
      case Form::kOnly:
        if (!only.value.is_array() || only.value.items.empty() ||
            (expr.form == Form::kCounts && only.value.items.size() != 2))
          refuse(only.value, only.name + " takes a list", "write \"{" + only.name + ": [a, b]}\"");
        for (const Value& one : only.value.items) expr.inner.push_back(expression(one));
        return;
      case Form::kSchema:
        expr.schema = std::make_shared<schema::InstanceCheck>(
            only.value, schema::InstanceCheck::Readings::kAll);
        return;
      case Form::kArrayOf:
      case Form::kMapOf: expr.inner.push_back(expression(only.value)); return;
      case Form::kRange:
      case Form::kLength: {
        const auto& ends = only.value.items;
        const auto fits = [](const Value& end) { return end.is_null() || end.is_number(); };
        if (ends.size() != 2 || !fits(ends[0]) || !fits(ends[1])) {
          refuse(only.value, only.name + " takes two numbers, null for none",
                 "write \"{" + only.name + ": [0, null]}\"");
        }
        if (ends[0].is_number()) expr.low = json::as_double(ends[0]);
        if (ends[1].is_number()) expr.high = json::as_double(ends[1]);
        return;
      }
      default:
        if (!only.value.is_string() || only.value.text.empty())
          refuse(only.value, only.name + " takes a word", "write it without brackets");
        expr.text = only.value.text;
        if (expr.form == Form::kCharacters) expr.text = characters_of(expr.text);
    }
  }

  [[noreturn]] void refuse(const json::Mark& mark, std::string what, std::string remedy) const {
    throw ProtocolMistake{{json::place(file_, mark), std::move(what), std::move(remedy)}};
  }
  [[noreturn]] void refuse(const Value& at, std::string what, std::string remedy) const {
    refuse(at.mark, std::move(what), std::move(remedy));
  }

  const std::string& file_;
  std::vector<TypeReference>& references_;
};

}  // namespace

TypeExpr read_expression(const Value& value, const std::string& file,
                         std::vector<TypeReference>& references) {
  return ExpressionReader(file, references).expression(value);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  return "use one of " + all;
}

}  // namespace harness::spec
