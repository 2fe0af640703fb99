// SPDX-License-Identifier: Apache-2.0
// The matchers, one row each at the end of the file. To add one: a compare function, a sentence,
// a row, and a line in cases/GRAMMAR.md.
#include "harness/match/table.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/base/sha256.h"
#include "harness/base/text.h"
#include "harness/base/uri.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/match/data_matchers.h"
#include "harness/match/front_matter.h"
#include "harness/schema/instance_check.h"
#include "harness/spec/formats.h"
#include "harness/spec/protocol.h"
#include "harness/spec/type_check.h"

namespace harness::match {
namespace {

using json::Kind;
using json::Value;
using Outcome = std::optional<Mismatch>;

Outcome when(bool sound, const Walk& walk, const std::string& expected, const Value* seen) {
  if (sound) return std::nullopt;
  return departure(walk, expected, seen);
}

Error bad(const Value& argument, const std::string& file, const std::string& what,
          const std::string& remedy) {
  return {json::place(file, argument.mark), what, remedy};
}

// ---- kinds of values

template <Kind kKind>
Outcome of_kind(const Value&, const Value* seen, const Walk& walk) {
  const char* article = kKind == Kind::kArray || kKind == Kind::kObject ? "an " : "a ";
  return when(seen != nullptr && seen->kind == kKind, walk,
              kKind == Kind::kNull ? "null" : article + std::string(json::kind_name(kKind)), seen);
}

Outcome any(const Value&, const Value* seen, const Walk& walk) {
  return when(seen != nullptr, walk, "any value", seen);
}
Outcome absent(const Value&, const Value* seen, const Walk& walk) {
  return when(seen == nullptr, walk, "nothing", seen);
}
Outcome integer(const Value&, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && json::is_integer(*seen), walk, "an integer", seen);
}
Outcome nonempty(const Value&, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && seen->is_string() && !seen->text.empty(), walk,
              "a non-empty string", seen);
}
Outcome id(const Value&, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && (seen->is_string() || seen->is_number()), walk,
              "an id (a string or a number)", seen);
}

Outcome uri(const Value&, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && seen->is_string() && is_uri(seen->text), walk, "a URI", seen);
}

Outcome base64(const Value&, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && seen->is_string() && spec::is_base64(seen->text), walk,
              "Base64 text", seen);
}

// ---- combinations

std::string joined(const Value& patterns, const char* word) {
  std::string out;
  for (std::size_t i = 0; i < patterns.items.size(); ++i)
    out += (i == 0 ? "" : std::string(" ") + word + " ") + describe(patterns.items[i]);
  return out;
}

Outcome one_of(const Value& patterns, const Value* seen, const Walk& walk) {
  check(patterns.is_array(), "$one_of was played without a list");
  const bool fits = std::any_of(patterns.items.begin(), patterns.items.end(),
                                [&](const Value& p) { return !compare(p, seen, walk.same()); });
  return when(fits, walk, joined(patterns, "or"), seen);
}

Outcome all(const Value& patterns, const Value* seen, const Walk& walk) {
  check(patterns.is_array(), "$all was played without a list");
  for (const auto& pattern : patterns.items)
    if (auto off = compare(pattern, seen, walk.same())) return off;
  return std::nullopt;
}

Outcome negation(const Value& pattern, const Value* seen, const Walk& walk) {
  return when(compare(pattern, seen, walk.same()).has_value(), walk, "not " + describe(pattern),
              seen);
}

// ---- strings and numbers

const RE2::Options& quiet() {
  static const RE2::Options kOptions = [] {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }();
  return kOptions;
}

Outcome regex(const Value& argument, const Value* seen, const Walk& walk) {
  const RE2 expression(argument.text, quiet());
  check(argument.is_string() && expression.ok(), "$regex was played with a broken expression");
  return when(seen != nullptr && seen->is_string() && RE2::PartialMatch(seen->text, expression),
              walk, "a string like /" + argument.text + "/", seen);
}

Status check_regex(const Value& argument, const std::string& file, const Shapes*) {
  if (!argument.is_string())
    return bad(argument, file, "$regex takes a string", "write {$regex: \"^a\"}");
  if (argument.text.find("${") != std::string::npos) return Nothing{};
  const RE2 expression(argument.text, quiet());
  if (expression.ok()) return Nothing{};
  return bad(argument, file, "the regular expression cannot be read: " + expression.error(),
             "use RE2 syntax");
}

// -1, 0, 1. Exact for what fits 64 bits, by double beyond.
int order(const Value& a, const Value& b) {
  if (json::equal(a, b)) return 0;
  const auto x = json::as_integer(a);
  const auto y = json::as_integer(b);
  if (x && y) return *x < *y ? -1 : 1;
  return json::as_double(a) < json::as_double(b) ? -1 : 1;
}

std::string range_words(const Value& range) {
  if (!range.is_array() || range.items.size() != 2) return "a number in a range";
  const auto& low = range.items[0];
  const auto& high = range.items[1];
  if (low.is_null()) return "a number up to " + json::write(high);
  if (high.is_null()) return "a number from " + json::write(low);
  return "a number from " + json::write(low) + " to " + json::write(high);
}

Outcome range(const Value& argument, const Value* seen, const Walk& walk) {
  check(argument.is_array() && argument.items.size() == 2, "$range was played without two bounds");
  const auto& low = argument.items[0];
  const auto& high = argument.items[1];
  const bool fits = seen != nullptr && seen->is_number() &&
                    (low.is_null() || order(*seen, low) >= 0) &&
                    (high.is_null() || order(*seen, high) <= 0);
  return when(fits, walk, range_words(argument), seen);
}

Status check_range(const Value& argument, const std::string& file, const Shapes*) {
  const auto bound = [](const Value& v) { return v.is_number() || v.is_null() || is_reference(v); };
  if (argument.is_array() && argument.items.size() == 2 && bound(argument.items[0]) &&
      bound(argument.items[1]))
    return Nothing{};
  return bad(argument, file, "$range takes two numbers",
             "write {$range: [1, 10]}; null leaves a side open");
}

Outcome spelled(const Value& argument, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && seen->is_number() && seen->text == argument.text, walk,
              "the number spelled " + argument.text, seen);
}

Status check_string(const Value& argument, const std::string& file, const Shapes*) {
  if (argument.is_string()) return Nothing{};
  return bad(argument, file, "this matcher takes a string", "put it in quotes");
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

Outcome length(const Value& pattern, const Value* seen, const Walk& walk) {
  std::size_t size = 0;
  if (seen != nullptr && seen->is_string())
    size = code_points(seen->text);
  else if (seen != nullptr && seen->is_array())
    size = seen->items.size();
  else if (seen != nullptr && seen->is_object())
    size = seen->members.size();
  else
    return departure(walk, "a string, array or object", seen);
  const Value count = json::number(static_cast<std::int64_t>(size));
  if (!compare(pattern, &count, walk.same())) return std::nullopt;
  return departure(walk, "length " + describe(pattern), &count);
}

Outcome bytes(const Value& pattern, const Value* seen, const Walk& walk) {
  if (seen == nullptr || !seen->is_string()) return departure(walk, "a string", seen);
  const Value count = json::number(static_cast<std::int64_t>(seen->text.size()));
  if (!compare(pattern, &count, walk.same())) return std::nullopt;
  return departure(walk, "so many bytes: " + describe(pattern), &count);
}

Outcome decoded(const Value& pattern, const Value* seen, const Walk& walk) {
  const auto text = seen != nullptr && seen->is_string() ? from_base64(seen->text) : std::nullopt;
  if (!text) return departure(walk, "Base64 text", seen);
  const Value inside = json::string(*text);
  return compare(pattern, &inside, walk.same());
}

Outcome sum(const Value& pattern, const Value* seen, const Walk& walk) {
  if (seen == nullptr || !seen->is_array()) return departure(walk, "an array", seen);
  double total = 0;
  for (const Value& item : seen->items)
    if (item.is_number()) total += json::as_double(item);
  Value number = json::number(0);
  number.text = fmt::format("{}", total);
  return compare(pattern, &number, walk.same());
}

Outcome digest(const Value& pattern, const Value* seen, const Walk& walk) {
  if (seen == nullptr || !seen->is_string()) return departure(walk, "a string", seen);
  const Value sum = json::string("sha256:" + sha256_hex(seen->text));
  return compare(pattern, &sum, walk.same());
}

// The media type without its parameters, in small letters.
std::string media_type_of(const Value& value) {
  std::string_view text = value.text;
  text = text.substr(0, text.find(';'));
  while (text.ends_with(' ')) text.remove_suffix(1);
  return ascii::lower(text);
}

Outcome media_type(const Value& argument, const Value* seen, const Walk& walk) {
  return when(
      seen != nullptr && seen->is_string() && media_type_of(*seen) == media_type_of(argument), walk,
      "the media type " + printable(argument.text, 100), seen);
}

Outcome says(const Value& argument, const Value* seen, const Walk& walk) {
  return when(seen != nullptr && json::write(*seen).find(argument.text) != std::string::npos, walk,
              "JSON text that contains \"" + argument.text + "\"", seen);
}

// ---- elements

// The elements of an array or the member values of an object.
std::optional<std::vector<std::pair<std::string, const Value*>>> elements(const Value* seen) {
  if (seen == nullptr || (!seen->is_array() && !seen->is_object())) return std::nullopt;
  std::vector<std::pair<std::string, const Value*>> out;
  for (std::size_t i = 0; i < seen->items.size(); ++i)
    out.emplace_back(std::to_string(i), &seen->items[i]);
  for (const auto& member : seen->members) out.emplace_back(member.name, &member.value);
  return out;
}

Outcome contains(const Value& pattern, const Value* seen, const Walk& walk) {
  const auto list = elements(seen);
  const bool fits = list && std::any_of(list->begin(), list->end(), [&](const auto& element) {
                      return !compare(pattern, element.second, walk.into(element.first));
                    });
  return when(fits, walk, "some element that is " + describe(pattern), seen);
}

Outcome each(const Value& pattern, const Value* seen, const Walk& walk) {
  const auto list = elements(seen);
  if (!list) return departure(walk, "an array or object", seen);
  for (const auto& [name, value] : *list)
    if (auto off = compare(pattern, value, walk.into(name))) return off;
  return std::nullopt;
}

Outcome keys(const Value& pattern, const Value* seen, const Walk& walk) {
  if (seen == nullptr || !seen->is_object()) return departure(walk, "an object", seen);
  for (const auto& member : seen->members) {
    const Value name = json::string(member.name);
    if (compare(pattern, &name, walk.same()))
      return departure(walk, "member names that are " + describe(pattern), &name);
  }
  return std::nullopt;
}

// Gives every pattern an element of its own (augmenting paths), because one element may fit several
// patterns and a greedy choice could take the wrong one.
Outcome permutation(const Value& patterns, const Value* seen, const Walk& walk) {
  check(patterns.is_array(), "$permutation was played without a list");
  const auto count = patterns.items.size();
  if (seen == nullptr || !seen->is_array() || seen->items.size() != count)
    return departure(walk, "an array of " + std::to_string(count) + " elements", seen);
  std::vector<std::vector<bool>> fits(count, std::vector<bool>(count));
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t e = 0; e < count; ++e)
      fits[p][e] = !compare(patterns.items[p], &seen->items[e], walk.into(e));
  constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> owner(count, kNobody);
  for (std::size_t p = 0; p < count; ++p) {
    std::vector<bool> tried(count);
    const std::function<bool(std::size_t)> place = [&](std::size_t pattern) {
      for (std::size_t e = 0; e < count; ++e) {
        if (!fits[pattern][e] || tried[e]) continue;
        tried[e] = true;
        if (owner[e] == kNobody || place(owner[e])) {
          owner[e] = pattern;
          return true;
        }
      }
      return false;
    };
    if (!place(p))
      return departure(walk, "an element that is " + describe(patterns.items[p]), seen);
  }
  return std::nullopt;
}

// The same for equal values, however they are spelled.
std::size_t hash_of(const Value& value) {
  if (value.is_string()) return std::hash<std::string>()(value.text);
  if (value.is_number()) return std::hash<double>()(json::as_double(value));
  return value.items.size() + value.members.size();
}

Outcome unique(const Value& pointer, const Value* seen, const Walk& walk) {
  if (seen == nullptr || (!seen->is_array() && !seen->is_object()))
    return departure(walk, "an array or an object", seen);
  std::unordered_map<std::size_t, std::vector<const Value*>> met;
  const auto met_before = [&](const Value& element) -> const Value* {
    const auto* value = json::at(element, pointer.text);
    if (value == nullptr) return nullptr;  // its absence is for another pattern to judge
    auto& alike = met[hash_of(*value)];
    for (const auto* earlier : alike)
      if (json::equal(*earlier, *value)) return value;
    alike.push_back(value);
    return nullptr;
  };
  for (std::size_t i = 0; i < seen->items.size(); ++i) {
    const auto* again = met_before(seen->items[i]);
    if (again) return departure(walk.into(i), "a value different from all earlier elements", again);
  }
  for (const auto& member : seen->members) {
    const auto* again = met_before(member.value);
    if (again)
      return departure(walk.into(member.name), "a value different from all earlier members", again);
  }
  return std::nullopt;
}

Status check_pointer(const Value& argument, const std::string& file, const Shapes*) {
  if (argument.is_string() && (argument.text.empty() || argument.text.front() == '/'))
    return Nothing{};
  return bad(argument, file, "$unique takes a JSON Pointer",
             "write \"/name\", or \"\" for the elements themselves");
}

Outcome increasing(const Value& mode, const Value* seen, const Walk& walk) {
  if (seen == nullptr || !seen->is_array()) return departure(walk, "an array of numbers", seen);
  for (std::size_t i = 0; i < seen->items.size(); ++i) {
    const auto& item = seen->items[i];
    if (!item.is_number()) return departure(walk.into(i), "a number", &item);
    if (i == 0) continue;
    const int step = order(seen->items[i - 1], item);
    if (step < 0 || (step == 0 && mode.text == "weak")) continue;
    return departure(walk.into(i),
                     (mode.text == "weak" ? "a number not below " : "a number above ") +
                         json::write(seen->items[i - 1]),
                     &item);
  }
  return std::nullopt;
}

Status check_increasing(const Value& argument, const std::string& file, const Shapes*) {
  if (argument.is_string() && (argument.text == "strict" || argument.text == "weak"))
    return Nothing{};
  return bad(argument, file, "$increasing takes strict or weak", "write {$increasing: strict}");
}

// ---- data and shapes

// Where nobody can tell, the value fits.
Outcome valid_against(const Value& schema, const Value* seen, const Walk& walk) {
  if (seen == nullptr) return departure(walk, "a value that its schema allows", seen);
  const std::optional<std::string> broken = schema::broken_keyword(schema, *seen);
  return when(!broken, walk,
              "a value that its schema allows (" + broken.value_or("") + " in " +
                  printable(json::write(schema), 120) + ")",
              seen);
}

Status check_schema(const Value& argument, const std::string& file, const Shapes*) {
  if (argument.is_object() || argument.is_boolean()) return Nothing{};
  return bad(argument, file, "$valid_against takes a JSON Schema",
             "write {$valid_against: \"${call.tool.outputSchema}\"}");
}

Outcome json_text(const Value& pattern, const Value* seen, const Walk& walk) {
  const auto read = seen != nullptr && seen->is_string() ? json::read(seen->text) : json::read("");
  const auto* sound = std::get_if<json::Reading>(&read);
  const bool fits = sound != nullptr && !compare(pattern, &sound->value, walk.same());
  return when(fits, walk, "JSON text of " + describe(pattern), seen);
}

// Members and their kinds. What clauses ask of a value beyond its kind they ask by themselves, and
// the oracle `shapes` knows which.
Outcome is_of_type(const spec::TypeRow& type, const Value* seen, const Walk& walk) {
  using Breach = spec::TypeBreach::Kind;
  if (seen == nullptr) return departure(walk, "a valid " + type.name, seen);
  for (const auto& breach : spec::check_type(walk.context.profile, type, *seen)) {
    const bool beyond = breach.kind == Breach::kAlso || breach.kind == Breach::kOutside;
    if (beyond || breach.clauses == nullptr || breach.at_most != spec::AtMost::kFail) continue;
    Walk there = walk.same();
    there.path += breach.place;
    return departure(there, breach.expected,
                     breach.kind == Breach::kMissing ? nullptr : breach.seen);
  }
  return std::nullopt;
}

// A shape of the suite goes before a type of the protocol with its name.
Outcome shape(const Value& argument, const Value* seen, const Walk& walk) {
  const auto& context = walk.context;
  if (const auto* pattern = context.shapes.find(argument.text, context.profile))
    return compare(*pattern, seen, walk.same());
  const auto* type =
      context.shapes.knows(argument.text) ? nullptr : spec::protocol().find_type(argument.text);
  if (type == nullptr)
    throw Bug("shape '" + argument.text + "' has no variant for profile " + context.profile.name);
  return is_of_type(*type, seen, walk);
}

Status check_shape(const Value& argument, const std::string& file, const Shapes* shapes) {
  if (!argument.is_string())
    return bad(argument, file, "$shape takes the name of a shape", "write {$shape: Tool}");
  if (shapes == nullptr || shapes->knows(argument.text)) return Nothing{};
  if (spec::protocol().find_type(argument.text) != nullptr) return Nothing{};
  std::vector<std::string> names = shapes->names();
  for (const spec::TypeRow* type : spec::protocol().types()) names.push_back(type->name);
  const std::string near = nearest(argument.text, names);
  return bad(argument, file, "unknown shape '" + argument.text + "'",
             near.empty() ? "types are in cases/protocol/, other shapes in cases/shapes/"
                          : "did you mean '" + near + "'?");
}

// ---- readings for reports

template <const char* kText>
std::string words(const Value&) {
  return kText;
}
#define WORDS(name, text) constexpr char name[] = text
WORDS(kAny, "any value");
WORDS(kAbsent, "nothing");
WORDS(kNull, "null");
WORDS(kBoolean, "a boolean");
WORDS(kNumber, "a number");
WORDS(kInteger, "an integer");
WORDS(kString, "a string");
WORDS(kNonempty, "a non-empty string");
WORDS(kObject, "an object");
WORDS(kArray, "an array");
WORDS(kUri, "a URI");
WORDS(kBase64, "Base64 text");
WORDS(kId, "an id");
#undef WORDS

std::string say_one_of(const Value& v) { return joined(v, "or"); }
std::string say_all(const Value& v) { return joined(v, "and"); }
std::string say_not(const Value& v) { return "not " + describe(v); }
// Whatever the case of letters: with the flag that people know.
std::string say_regex(const Value& v) {
  std::string_view text = v.text;
  const bool any_case = text.starts_with("(?i)");
  if (any_case) text.remove_prefix(4);
  return "a string like /" + std::string(text) + (any_case ? "/i" : "/");
}
std::string say_length(const Value& v) { return "something of length " + describe(v); }
std::string say_bytes(const Value& v) {
  return "a string with this number of bytes: " + describe(v);
}
std::string say_decoded(const Value& v) { return "Base64 that decodes to " + describe(v); }
std::string say_sum(const Value& v) { return "numbers whose sum is " + describe(v); }
std::string say_digest(const Value& v) { return "text whose digest is " + describe(v); }
std::string say_front_matter(const Value& v) { return "front matter of " + describe(v); }
std::string say_media_type(const Value& v) { return "the media type " + printable(v.text, 100); }
std::string say_contains(const Value& v) {
  return "a list with some element that is " + describe(v);
}
std::string say_each(const Value& v) { return "a list whose elements are each " + describe(v); }
std::string say_keys(const Value& v) {
  return "an object whose member names are each " + describe(v);
}
std::string say_permutation(const Value& v) { return "in any order " + joined(v, "and"); }
std::string say_unique(const Value& v) {
  return v.text.empty() ? "a list of different elements"
                        : "a list whose elements differ at " + v.text;
}
std::string say_increasing(const Value& v) {
  return v.text == "weak" ? "numbers that never decrease" : "numbers that increase";
}
std::string say_spelled(const Value& v) { return "the number spelled " + v.text; }
// The shapes of the suite are named by what they are.
std::string say_shape(const Value& v) {
  return (spec::protocol().find_type(v.text) != nullptr ? "a valid " : "") + v.text;
}
std::string say_says(const Value& v) { return "JSON text that contains \"" + v.text + "\""; }
std::string say_valid_against(const Value& v) {
  return "a value that is valid against " + printable(json::write(v), 120);
}
std::string say_json_text(const Value& v) { return "JSON text of " + describe(v); }
constexpr auto kNone = Argument::kNone;
constexpr auto kPattern = Argument::kPattern;
constexpr auto kPatterns = Argument::kPatterns;
constexpr auto kData = Argument::kData;

}  // namespace

const std::vector<Matcher>& matcher_table() {
  static const std::vector<Matcher> kTable = {
      {"$any", "$any", "the member is present, null included", kNone, any, nullptr, words<kAny>},
      {"$absent", "$absent", "the member is absent", kNone, absent, nullptr, words<kAbsent>},
      {"$null", "$null", "null", kNone, of_kind<Kind::kNull>, nullptr, words<kNull>},
      {"$boolean", "$boolean", "true or false", kNone, of_kind<Kind::kBoolean>, nullptr,
       words<kBoolean>},
      {"$number", "$number", "any number", kNone, of_kind<Kind::kNumber>, nullptr, words<kNumber>},
      {"$integer", "$integer", "a whole number (1, 1.0, 1e2)", kNone, integer, nullptr,
       words<kInteger>},
      {"$string", "$string", "any string", kNone, of_kind<Kind::kString>, nullptr, words<kString>},
      {"$nonempty", "$nonempty", "a string of at least one character", kNone, nonempty, nullptr,
       words<kNonempty>},
      {"$object", "$object", "any object", kNone, of_kind<Kind::kObject>, nullptr, words<kObject>},
      {"$array", "$array", "any array", kNone, of_kind<Kind::kArray>, nullptr, words<kArray>},
      {"$uri", "$uri", "a string that is an absolute URI", kNone, uri, nullptr, words<kUri>},
      {"$base64", "$base64", "a string of padded Base64", kNone, base64, nullptr, words<kBase64>},
      {"$id", "$id", "a string or a number", kNone, id, nullptr, words<kId>},
      {"$one_of", "{$one_of: [M, …]}", "at least one of the patterns matches", kPatterns, one_of,
       nullptr, say_one_of},
      {"$all", "{$all: [M, …]}", "all of the patterns match", kPatterns, all, nullptr, say_all},
      {"$not", "{$not: M}", "the pattern does not match (an absent member counts as not matching)",
       kPattern, negation, nullptr, say_not},
      {"$regex", "{$regex: \"^a\"}", "a string in which RE2 finds it", kData, regex, check_regex,
       say_regex},
      {"$range", "{$range: [1, 10]}", "a number within the bounds; null leaves a side open", kData,
       range, check_range, range_words},
      {"$length", "{$length: M}", "the number of elements, characters or members matches", kPattern,
       length, nullptr, say_length},
      {"$bytes", "{$bytes: M}", "the number of bytes of a string, in UTF-8, matches", kPattern,
       bytes, nullptr, say_bytes},
      {"$decoded", "{$decoded: M}", "the decoded text of a string of padded Base64 matches",
       kPattern, decoded, nullptr, say_decoded},
      {"$sum", "{$sum: M}", "the sum of the numbers in an array matches", kPattern, sum, nullptr,
       say_sum},
      {"$digest", "{$digest: M}",
       "`sha256:` and the digest of the bytes of a string in hexadecimal digits matches", kPattern,
       digest, nullptr, say_digest},
      {"$front_matter", "{$front_matter: M}",
       "a string that begins with front matter in YAML, whose value matches", kPattern,
       front_matter, nullptr, say_front_matter},
      {"$media_type", "{$media_type: text/plain}",
       "a string that is this media type, with any parameters and letter case", kData, media_type,
       check_string, say_media_type},
      {"$contains", "{$contains: M}", "some element or member value matches", kPattern, contains,
       nullptr, say_contains},
      {"$each", "{$each: M}", "every element or member value matches", kPattern, each, nullptr,
       say_each},
      {"$keys", "{$keys: M}", "every member name matches", kPattern, keys, nullptr, say_keys},
      {"$permutation", "{$permutation: [M, …]}", "these elements in any order, and no others",
       kPatterns, permutation, nullptr, say_permutation},
      {"$unique", "{$unique: /pointer}",
       "elements or member values differ at the pointer (\"\": themselves)", kData, unique,
       check_pointer, say_unique},
      {"$increasing", "{$increasing: strict}", "numbers of an array increase; weak: never decrease",
       kData, increasing, check_increasing, say_increasing},
      {"$exact", "{$exact: V}", "exactly this value", kData, exact, nullptr, say_exact},
      {"$recorded", "{$recorded: V}", "the same, except for the messages of errors in it", kData,
       recorded, nullptr, say_exact},
      {"$spelled", "{$spelled: \"1.0\"}", "the number with exactly this spelling", kData, spelled,
       check_string, say_spelled},
      {"$shape", "{$shape: Tool}",
       "a type of the protocol under the profile, or a shape of cases/shapes/", kData, shape,
       check_shape, say_shape},
      {"$says", "{$says: text}", "the JSON text of the value contains it", kData, says,
       check_string, say_says},
      {"$valid_against", "{$valid_against: SCHEMA}",
       "valid against this JSON Schema, unless rpcspec cannot decide", kData, valid_against,
       check_schema, say_valid_against},
      {"$openrpc", "{$openrpc: valid}",
       "an OpenRPC document without a flaw against this clause openrpc.document.*", kData, openrpc,
       check_openrpc, say_openrpc},
      {"$json_text", "{$json_text: M}", "a string of JSON text whose value matches", kPattern,
       json_text, nullptr, say_json_text},
      {"$same_set", "{$same_set: [V, …]}", "the same elements in any order, ignoring repetition",
       kData, same_set, check_list, say_same_set},
      {"$renamed", "{$renamed: {value: V, from: a, to: b}}",
       "the value V, with every text a in its strings replaced by b", kData, renamed, check_renamed,
       say_renamed},
  };
  return kTable;
}

const Matcher* find_matcher(std::string_view name) {
  for (const auto& row : matcher_table())
    if (name == row.name) return &row;
  return nullptr;
}

}  // namespace harness::match
