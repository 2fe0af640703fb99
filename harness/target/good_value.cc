// SPDX-License-Identifier: Apache-2.0
#include "harness/target/good_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harness::target {
namespace {

constexpr int kOptionalDepth = 4;  // deeper, members that are not required are left out
constexpr int kDeepestValue = 24;
constexpr std::size_t kMostValueMembers = 64;
constexpr std::size_t kMostValueItems = 256;
constexpr std::size_t kLongestValue = 4096;
constexpr std::size_t kMostSaid = 1000;  // characters of a default or example that is used

struct Format {
  const char* name;
  const char* value;
  const char* other;
};
constexpr Format kFormats[] = {
    {"date-time", "2025-01-02T03:04:05Z", "2024-02-29T23:59:59+01:00"},
    {"date", "2025-01-02", "2024-02-29"},
    {"time", "03:04:05Z", "23:59:59+01:00"},
    {"duration", "PT1H", "P1D"},
    {"email", "someone@example.com", "a@example.org"},
    {"idn-email", "someone@example.com", "a@example.org"},
    {"hostname", "example.com", "a.example.org"},
    {"idn-hostname", "example.com", "a.example.org"},
    {"ipv4", "192.0.2.1", "192.0.2.2"},
    {"ipv6", "2001:db8::1", "2001:db8::2"},
    {"uri", "https://example.com/", "https://example.org/a"},
    {"url", "https://example.com/", "https://example.org/a"},
    {"uri-reference", "https://example.com/", "/a"},
    {"iri", "https://example.com/", "https://example.org/a"},
    {"iri-reference", "https://example.com/", "/a"},
    {"uri-template", "https://example.com/{id}", "/{id}"},
    {"uuid", "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174001"},
    {"json-pointer", "/a", "/b"},
    {"relative-json-pointer", "0/a", "1/b"},
    {"regex", "^a$", "b"},
    {"byte", "dGV4dA==", "dGV4dHM="},
    {"binary", "text", "texts"},
    {"password", "text", "texts"},
};

double bound(const json::Value& schema, const char* name, double otherwise) {
  const json::Value* value = schema.find(name);
  return value ? json::as_double(*value) : otherwise;
}

std::size_t size_bound(const json::Value& schema, const char* name, std::size_t otherwise) {
  const double value = bound(schema, name, static_cast<double>(otherwise));
  return value >= static_cast<double>(otherwise) ? otherwise : static_cast<std::size_t>(value);
}

bool is_required(const json::Value& schema, const std::string& name) {
  const json::Value* required = schema.find("required");
  return required && std::any_of(required->items.begin(), required->items.end(),
                                 [&](const json::Value& one) { return one.text == name; });
}

Steps size_of(const json::Value& value) {
  Steps size = 1;
  for (const json::Value& item : value.items) size += size_of(item);
  for (const json::Member& member : value.members) size += size_of(member.value);
  return size;
}

// The types to try, the one that says most first.
std::vector<std::string> types_of(const json::Value& schema) {
  std::vector<std::string> types;
  if (const json::Value* type = schema.find("type")) {
    if (type->is_string()) types.push_back(type->text);
    for (const auto& one : type->items) types.push_back(one.text);
    std::stable_partition(types.begin(), types.end(),
                          [](const std::string& name) { return name != "null"; });
    return types;
  }
  struct Hint {
    const char* keyword;
    const char* type;
  };
  constexpr Hint kHints[] = {
      {"properties", "object"},
      {"required", "object"},
      {"additionalProperties", "object"},
      {"minProperties", "object"},
      {"items", "array"},
      {"minItems", "array"},
      {"contains", "array"},
      {"minimum", "number"},
      {"maximum", "number"},
      {"multipleOf", "number"},
      {"exclusiveMinimum", "number"},
      {"exclusiveMaximum", "number"},
  };
  for (const Hint& hint : kHints)
    if (schema.find(hint.keyword) && types.empty()) types.push_back(hint.type);
  for (const char* type : {"string", "integer", "object", "array", "boolean", "null"})
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  return types;
}

// The members of `more` join those of `out`: what both say has to hold twice where that is easily
// said; where it is not, the value is shown to the whole schema later.
void join_members(const json::Value& more, json::Value& out) {
  for (const json::Member& member : more.members) {
    json::Value* own = out.find(member.name);
    if (!own) {
      out.set(member.name, member.value);
    } else if (member.name == "properties") {
      for (const json::Member& property : member.value.members) {
        json::Value* before = own->find(property.name);
        if (before) {
          json::Value both = json::object();
          both.set("allOf", json::array({*before, property.value}));
          own->set(property.name, std::move(both));
        } else {
          own->set(property.name, property.value);
        }
      }
    } else if (member.name == "required") {
      for (const json::Value& name : member.value.items) own->items.push_back(name);
    } else if (member.name.starts_with("min") || member.name == "exclusiveMinimum") {
      if (json::as_double(member.value) > json::as_double(*own)) *own = member.value;
    } else if (member.name.starts_with("max") || member.name == "exclusiveMaximum") {
      if (json::as_double(member.value) < json::as_double(*own)) *own = member.value;
    } else if (member.name == "enum") {
      std::erase_if(own->items, [&](const json::Value& one) {
        return std::none_of(member.value.items.begin(), member.value.items.end(),
                            [&](const json::Value& other) { return json::equal(one, other); });
      });
    } else if (member.name == "type" && own->is_array()) {
      *own = member.value;
    } else if (member.name == "additionalProperties" && member.value.is_boolean()) {
      if (!member.value.boolean) *own = member.value;
    }
  }
}

}  // namespace

std::vector<std::string> values_of_format(const std::string& format) {
  for (const Format& row : kFormats)
    if (format == row.name) return {row.value, row.other};
  return {};
}

json::Value number_of(double value) {
  if (std::fabs(value) < 9e15 && value == std::floor(value))
    return json::number(static_cast<std::int64_t>(value));
  return json::number_spelled(fmt::format("{}", value));
}

void GoodValue::join(const json::Value& schema, int depth, json::Value& out) const {
  if (depth > 32 || steps_ < 0 || !schema.is_object()) return;
  steps_ -= 1 + size_of(schema);  // it is copied
  if (const json::Value* other = schema_.referred(schema)) return join(*other, depth + 1, out);
  json::Value own = schema;
  std::erase_if(own.members, [](const json::Member& member) {
    return member.name == "allOf" || member.name == "$defs" || member.name == "definitions";
  });
  join_members(own, out);
  if (const json::Value* all = schema.find("allOf"))
    for (const json::Value& one : all->items) join(one, depth + 1, out);
}

json::Value GoodValue::flat(const json::Value& schema, const json::Value* value) {
  json::Value out = json::object();
  join(schema, 0, out);
  if (!value) return out;
  for (const char* keyword : {"anyOf", "oneOf"}) {
    const json::Value* found = out.find(keyword);
    if (!found) continue;
    const json::Value choices = *found;
    for (const json::Value& choice : choices.items) {
      if (!fits(*value, choice)) continue;
      join(choice, 0, out);
      break;
    }
  }
  return out;
}

std::optional<json::Value> GoodValue::make(const json::Value& schema, int depth) {
  const auto failed = [&](const std::string& reason) {
    if (why_.empty()) why_ = (path_.empty() ? std::string() : path_ + ": ") + reason;
    return std::nullopt;
  };
  if (--steps_ < 0) return failed("the schema is too complicated");
  if (depth > kDeepestValue) return failed("it requires itself without end");
  if (schema.is_boolean()) {
    if (!schema.boolean) return failed("nothing is allowed there");
    return json::string("text");
  }
  const json::Value plain = flat(schema, nullptr);

  // What the schema itself names.
  if (const json::Value* only = plain.find("const"); only && fits(*only, schema)) return *only;
  const auto short_enough = [](const json::Value& value) {
    return value.items.size() <= kMostValueItems && value.text.size() <= kMostSaid;
  };
  if (!minimal_) {
    if (const json::Value* examples = plain.find("examples"))
      for (const json::Value& one : examples->items)
        if (short_enough(one) && fits(one, schema)) return one;
    const json::Value* usual = plain.find("default");
    const bool says = usual && !(usual->is_string() && usual->text.empty()) && !usual->is_null() &&
                      !(usual->is_array() && usual->items.empty());
    if (says && short_enough(*usual) && fits(*usual, schema)) return *usual;
  }
  if (const json::Value* values = plain.find("enum"))
    for (const json::Value& one : values->items)
      if (fits(one, schema)) return one;

  // Alternatives: one of them joined with the rest.
  for (const char* keyword : {"anyOf", "oneOf"}) {
    const json::Value* choices = plain.find(keyword);
    if (!choices) continue;
    json::Value rest = plain;
    std::erase_if(rest.members, [&](const json::Member& one) { return one.name == keyword; });
    for (int nulls = 0; nulls < 2; ++nulls) {
      for (const json::Value& choice : choices->items) {
        const json::Value* type = choice.is_object() ? choice.find("type") : nullptr;
        if ((type && type->text == "null") != (nulls == 1)) continue;
        json::Value both = rest;
        join(choice, 0, both);
        const auto found = make(both, depth + 1);
        if (found && fits(*found, schema)) return found;
        if (steps_ < 0) return failed("the schema is too complicated");
      }
    }
  }
  if (plain.find("if")) {
    json::Value rest = plain;
    std::erase_if(rest.members, [](const json::Member& one) {
      return one.name == "if" || one.name == "then" || one.name == "else";
    });
    for (int branch = 0; branch < 3; ++branch) {
      json::Value both = rest;
      const json::Value* taken = plain.find(branch == 0 ? "then" : "else");
      if (branch == 0) join(*plain.find("if"), 0, both);
      if (branch < 2 && taken) join(*taken, 0, both);
      const auto found = make(both, depth + 1);
      if (found && fits(*found, schema)) return found;
    }
  }
  for (const std::string& type : types_of(plain)) {
    auto found = of_type(plain, type, depth, schema);
    if (found) return found;
    if (steps_ < 0) return failed("the schema is too complicated");
  }
  return failed("no matching value was found");
}

std::optional<json::Value> GoodValue::of_type(const json::Value& schema, const std::string& type,
                                              int depth, const json::Value& whole) {
  if (type == "string") return string(schema, whole);
  if (type == "integer") return number(schema, true, whole);
  if (type == "number") return number(schema, false, whole);
  if (type == "array") return array(schema, depth, whole);
  if (type == "object") {
    auto full = object(schema, depth, minimal_ || depth > kOptionalDepth, whole);
    if (full || minimal_ || steps_ < 0) return full;
    return object(schema, depth, true, whole);
  }
  std::vector<json::Value> plain = {json::null()};
  if (type == "boolean") plain = {json::boolean(true), json::boolean(false)};
  for (const json::Value& one : plain)
    if (fits(one, whole)) return one;
  return std::nullopt;
}

std::optional<json::Value> GoodValue::string(const json::Value& schema, const json::Value& whole) {
  const std::size_t least = size_bound(schema, "minLength", kLongestValue + 1);
  const std::size_t shortest = schema.find("minLength") ? least : 0;
  const std::size_t most = size_bound(schema, "maxLength", kLongestValue);
  if (shortest > kLongestValue) {
    if (why_.empty()) why_ = path_ + ": texts of that length are not sent";
    return std::nullopt;
  }
  std::vector<std::string> tries;
  if (const json::Value* format = schema.find("format")) tries = values_of_format(format->text);
  if (const json::Value* expression = schema.find("pattern"))
    if (const Pattern* pattern = schema_.pattern(expression->text))
      for (std::string& text : pattern->samples(std::max<std::size_t>(shortest, 1), most))
        tries.push_back(std::move(text));
  std::string word = "text";
  while (word.size() < shortest) word += 'a';
  tries.push_back(word.substr(0, std::max(shortest, std::min<std::size_t>(most, word.size()))));
  tries.push_back("A1");
  tries.push_back("");
  for (const std::string& text : tries) {
    const json::Value value = json::string(text);
    if (fits(value, whole)) return value;
  }
  return std::nullopt;
}

std::optional<json::Value> GoodValue::number(const json::Value& schema, bool integer,
                                             const json::Value& whole) {
  const double low =
      std::max(bound(schema, "minimum", -INFINITY), bound(schema, "exclusiveMinimum", -INFINITY));
  const double high =
      std::min(bound(schema, "maximum", INFINITY), bound(schema, "exclusiveMaximum", INFINITY));
  std::vector<double> tries = {1, 0, 2, low, high, low + 1, high - 1, (low + high) / 2};
  if (const double step = bound(schema, "multipleOf", 0); step > 0) {
    const double first = std::isfinite(low) ? std::ceil(low / step) * step : step;
    tries.insert(tries.begin(), {std::max(first, step), first, first + step});
  }
  for (const double one : tries) {
    if (!std::isfinite(one)) continue;
    for (const double value : {one, std::ceil(one)}) {
      if (integer && value != std::floor(value)) continue;
      json::Value found = number_of(value);
      if (fits(found, whole)) return found;
    }
  }
  // Beyond what a double holds: as the schema spells it.
  for (const char* name : {"minimum", "maximum"})
    if (const json::Value* limit = schema.find(name); limit && fits(*limit, whole)) return *limit;
  return std::nullopt;
}

std::optional<json::Value> GoodValue::another(const json::Value& schema,
                                              const std::vector<json::Value>& others, int depth) {
  const auto fresh = [&](const json::Value& value) {
    return std::none_of(others.begin(), others.end(),
                        [&](const json::Value& one) { return json::equal(one, value); }) &&
           fits(value, schema);
  };
  const json::Value plain = flat(schema, others.empty() ? nullptr : &others.front());
  std::vector<json::Value> tries;
  if (const json::Value* values = plain.find("enum")) tries = values->items;
  if (!others.empty()) {
    const json::Value& first = others.front();
    const auto count = static_cast<std::int64_t>(others.size());
    const double step = bound(plain, "multipleOf", 1);
    if (first.is_number()) {
      tries.push_back(number_of(json::as_double(first) + step * static_cast<double>(count)));
      tries.push_back(number_of(json::as_double(first) - step * static_cast<double>(count)));
    } else if (first.is_string()) {
      tries.push_back(json::string(first.text + std::to_string(count + 1)));
      if (const json::Value* format = plain.find("format"))
        for (const std::string& text : values_of_format(format->text))
          tries.push_back(json::string(text));
      if (const json::Value* expression = plain.find("pattern"))
        if (const Pattern* pattern = schema_.pattern(expression->text))
          for (const std::string& text : pattern->samples(1, length_of(first.text) + others.size()))
            tries.push_back(json::string(text));
    } else if (first.is_object() && depth < 3) {
      for (const json::Member& member : first.members) {
        const json::Value* properties = plain.find("properties");
        const json::Value* own = properties ? properties->find(member.name) : nullptr;
        if (!own) continue;
        std::vector<json::Value> used;
        for (const json::Value& other : others)
          if (const json::Value* one = other.find(member.name)) used.push_back(*one);
        if (auto changed = another(*own, used, depth + 1)) {
          json::Value copy = first;
          copy.set(member.name, std::move(*changed));
          tries.push_back(std::move(copy));
        }
      }
    } else if (first.is_array()) {
      json::Value longer = first;
      if (!first.items.empty())
        for (std::int64_t i = 0; i < count && i < 8; ++i)
          longer.items.push_back(first.items.front());
      tries.push_back(std::move(longer));
    }
  }
  for (const json::Value& one : {json::boolean(true), json::boolean(false), json::string("text"),
                                 json::number(1), json::null(), json::object(), json::array()})
    tries.push_back(one);
  for (const json::Value& one : tries)
    if (fresh(one)) return one;
  return std::nullopt;
}

std::optional<json::Value> GoodValue::array(const json::Value& schema, int depth,
                                            const json::Value& whole) {
  const std::size_t least =
      schema.find("minItems") ? size_bound(schema, "minItems", kMostValueItems + 1) : 0;
  const std::size_t most = size_bound(schema, "maxItems", kMostValueItems);
  if (least > kMostValueItems) {
    if (why_.empty()) why_ = path_ + ": lists of that length are not sent";
    return std::nullopt;
  }
  const json::Value* items = schema.find("items");
  const json::Value* rest = schema.find("additionalItems");
  const json::Value* unique = schema.find("uniqueItems");
  const json::Value anything = json::boolean(true);
  std::size_t wanted = least;
  if (!minimal_ && depth <= kOptionalDepth)
    wanted = std::max<std::size_t>(
        wanted, items && items->is_array() ? items->items.size() : std::size_t{1});
  wanted = std::min(wanted, most);
  json::Value out = json::array();
  const std::string here = path_;
  if (const json::Value* needed = schema.find("contains")) {
    wanted = std::max<std::size_t>(wanted, 1);
    path_ = here + "/0";
    auto found = make(*needed, depth + 1);
    if (!found) {
      path_ = here;
      return std::nullopt;
    }
    out.items.push_back(std::move(*found));
  }
  while (out.items.size() < wanted && steps_ >= 0) {
    const std::size_t i = out.items.size();
    const json::Value* own = items ? items : &anything;
    if (items && items->is_array())
      own = i < items->items.size() ? &items->items[i] : rest ? rest : &anything;
    path_ = here + "/" + std::to_string(i);
    const bool apart = unique && unique->boolean && i > 0;
    auto found = apart ? another(*own, out.items) : make(*own, depth + 1);
    if (!found) break;
    out.items.push_back(std::move(*found));
  }
  path_ = here;
  if (fits(out, whole)) return out;
  out.items.clear();
  if (fits(out, whole)) return out;
  return std::nullopt;
}

std::optional<json::Value> GoodValue::object(const json::Value& schema, int depth, bool bare,
                                             const json::Value& whole) {
  json::Value out = json::object();
  const json::Value* properties = schema.find("properties");
  const json::Value* additional = schema.find("additionalProperties");
  const json::Value* patterns = schema.find("patternProperties");
  const std::size_t most = size_bound(schema, "maxProperties", kMostValueMembers);
  const json::Value anything = json::boolean(true);
  const std::string here = path_;
  const auto add = [&](const std::string& name, const json::Value& own) {
    path_ = here + "/" + name;
    auto found = make(own, depth + 1);
    path_ = here;
    if (!found) return false;
    out.set(name, std::move(*found));
    return true;
  };
  const auto schema_of = [&](const std::string& name) -> const json::Value& {
    if (const json::Value* own = properties ? properties->find(name) : nullptr) return *own;
    if (patterns)
      for (const json::Member& one : patterns->members)
        if (const Pattern* pattern = schema_.pattern(one.name); pattern->found_in(name))
          return one.value;
    return additional ? *additional : anything;
  };
  if (const json::Value* required = schema.find("required")) {
    for (const json::Value& name : required->items) {
      if (out.find(name.text)) continue;
      if (out.members.size() >= kMostValueMembers || !add(name.text, schema_of(name.text)))
        return std::nullopt;
    }
  }
  if (!bare && properties) {
    for (const json::Member& member : properties->members) {
      if (out.members.size() >= std::min(most, kMostValueMembers)) break;
      if (is_required(schema, member.name)) continue;
      const std::string before = why_;
      if (!add(member.name, member.value)) why_ = before;
      if (steps_ < 0) return std::nullopt;
    }
  }
  const std::size_t least =
      schema.find("minProperties") ? size_bound(schema, "minProperties", kMostValueMembers + 1) : 0;
  if (properties)
    for (const json::Member& member : properties->members)
      if (out.members.size() < least && !out.find(member.name)) add(member.name, member.value);
  for (int i = 1; out.members.size() < least && i < 100 && steps_ >= 0; ++i) {
    std::string name = "member" + std::to_string(i);
    if (patterns && additional && additional->is_boolean()) {
      const Pattern* pattern = schema_.pattern(patterns->members.front().name);
      const auto names =
          pattern->samples(static_cast<std::size_t>(i), static_cast<std::size_t>(i) + 8);
      if (!names.empty()) name = names.front();
    }
    if (out.find(name)) continue;
    if (!add(name, schema_of(name))) break;
  }
  if (fits(out, whole)) return out;
  return std::nullopt;
}

}  // namespace harness::target
