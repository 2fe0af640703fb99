// SPDX-License-Identifier: Apache-2.0
// The one place that sees RapidJSON. It parses a copy iteratively, and in place, into SAX events; a
// Builder makes Values of them and watches the depth. RapidJSON refuses two things the grammar
// allows: unpaired surrogate escapes, and numbers no double can hold. Where they may be, one linear
// scan replaces them beforehand, in that copy, by something of the same length it accepts; the true
// spelling of such a number is put back when it arrives.
#include "harness/json/read.h"

#include <rapidjson/reader.h>
#include <rapidjson/stream.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "harness/base/result.h"
#include "harness/base/text.h"
#include "harness/json/number.h"

namespace harness::json {
namespace {

struct Span {
  std::size_t offset = 0;
  std::size_t length = 0;
};

// The text as RapidJSON shall see it. It is overwritten with what its strings say.
struct Prepared {
  std::string copy;
  std::vector<Span> numbers;  // replaced by 0 and blanks, in the order of the text
  bool lone_surrogate = false;
};

// The code unit of the escape \uXXXX at `at`, if there is one.
std::optional<unsigned> unicode_escape(std::string_view text, std::size_t at) {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  unsigned unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const char c = text[i];
    unit <<= 4;
    if (c >= '0' && c <= '9')
      unit |= static_cast<unsigned>(c - '0');
    else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
      unit |= static_cast<unsigned>((c | 0x20) - 'a' + 10);
    else
      return std::nullopt;
  }
  return unit;
}

class Preparation {
 public:
  explicit Preparation(std::string_view text) : text_(text) { out_.copy = text; }

  Prepared run() {
    for (std::size_t at = 0; at < text_.size();) {
      const char c = text_[at];
      if (c == '"')
        at = after_string(at + 1);
      else if (c == '-' || (c >= '0' && c <= '9'))
        at = after_number(at);
      else
        ++at;
    }
    return std::move(out_);
  }

 private:
  std::size_t after_string(std::size_t at) {
    while (at < text_.size() && text_[at] != '"')
      at = text_[at] == '\\' ? after_escape(at) : at + 1;
    return at + 1;
  }

  std::size_t after_escape(std::size_t at) {
    const std::optional<unsigned> unit = unicode_escape(text_, at);
    if (!unit) return at + 2;
    if (*unit >= 0xD800 && *unit <= 0xDBFF) {
      const std::optional<unsigned> next =
          at + 6 < text_.size() ? unicode_escape(text_, at + 6) : std::nullopt;
      if (next && *next >= 0xDC00 && *next <= 0xDFFF) return at + 12;
    }
    if (*unit >= 0xD800 && *unit <= 0xDFFF) {
      out_.copy.replace(at, 6, "\\uFFFD");
      out_.lone_surrogate = true;
    }
    return at + 6;
  }

  std::size_t after_number(std::size_t at) {
    // Below this length and without an exponent every number fits a double.
    constexpr std::size_t kSurelyFits = 15;
    const NumberPrefix prefix = number_prefix(text_.substr(at));
    // Behind what may be a number (`12-3e4`, `1.-2e3`) the 0 would make one number of both.
    const bool alone = at == 0 || std::string_view("0123456789.eE+-").find(text_[at - 1]) ==
                                      std::string_view::npos;
    if (alone && prefix.complete &&
        (prefix.length > kSurelyFits ||
         text_.substr(at, prefix.length).find_first_of("eE") != std::string_view::npos)) {
      out_.copy[at] = '0';
      std::fill_n(out_.copy.begin() + static_cast<std::ptrdiff_t>(at) + 1, prefix.length - 1, ' ');
      out_.numbers.push_back({at, prefix.length});
    }
    return at + std::max<std::size_t>(prefix.length, 1);
  }

  std::string_view text_;
  Prepared out_;
};

// The first name that is repeated within one object. Many are sorted by hash first, because that is
// quick, and by name where hashes are equal, so that no choice of names makes it slow.
const std::string* repeated_name(const std::vector<Member>& members) {
  struct Named {
    std::size_t hash;
    std::size_t index;
  };
  constexpr std::size_t kFew = 8;
  if (members.size() <= kFew) {
    for (std::size_t i = 1; i < members.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (members[i].name == members[j].name) return &members[i].name;
    return nullptr;
  }
  std::vector<Named> order(members.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = {std::hash<std::string>()(members[i].name), i};
  std::sort(order.begin(), order.end(), [&](const Named& a, const Named& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int names = members[a.index].name.compare(members[b.index].name);
    return names != 0 ? names < 0 : a.index < b.index;
  });
  std::size_t first = members.size();
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Named &one = order[i - 1], &next = order[i];
    if (one.hash == next.hash && members[one.index].name == members[next.index].name)
      first = std::min(first, next.index);
  }
  return first == members.size() ? nullptr : &members[first].name;
}

class Builder {
 public:
  Builder(std::string_view text, const Prepared& prepared, const ReadLimits& limits)
      : text_(text), prepared_(prepared), limits_(limits) {
    open_.reserve(8);
  }

  Reading reading;
  bool too_deep = false;
  bool too_many = false;

  bool Null() { return place(Kind::kNull) != nullptr; }
  bool Bool(bool value) {
    Value* placed = place(Kind::kBoolean);
    if (placed != nullptr) placed->boolean = value;
    return placed != nullptr;
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    Value* placed = place(Kind::kString);
    if (placed != nullptr) placed->text.assign(text, length);
    return placed != nullptr;
  }
  bool RawNumber(const char* begin, rapidjson::SizeType length, bool) {
    Span span{static_cast<std::size_t>(begin - prepared_.copy.data()), length};
    if (next_number_ < prepared_.numbers.size() &&
        prepared_.numbers[next_number_].offset == span.offset)
      span = prepared_.numbers[next_number_++];
    Value* placed = place(Kind::kNumber);
    if (placed != nullptr) placed->text = text_.substr(span.offset, span.length);
    return placed != nullptr;
  }
  // Never called: numbers arrive as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

  bool Key(const char* text, rapidjson::SizeType length, bool) {
    std::vector<Member>& members = open_.back()->members;
    // A message and what stands directly in it usually have a few.
    if (members.empty() && open_.size() <= 2) members.reserve(4);
    members.emplace_back().name.assign(text, length);
    return true;
  }
  bool StartObject() { return open(Kind::kObject); }
  bool StartArray() { return open(Kind::kArray); }
  bool EndObject(rapidjson::SizeType) {
    if (reading.duplicate_name.empty()) {
      if (const std::string* name = repeated_name(open_.back()->members)) {
        // The empty name has to show as something, since "" says that no name was repeated.
        reading.duplicate_name = name->empty() ? "\"\"" : *name;
      }
    }
    trim(open_.back()->members);
    open_.pop_back();
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    trim(open_.back()->items);
    open_.pop_back();
    return true;
  }

 private:
  // Room for many more than there are is given back.
  template <class Items>
  static void trim(Items& items) {
    constexpr std::size_t kMany = 4096;
    const std::size_t unused = items.capacity() - items.size();
    if (unused > std::max(kMany, items.size() / 2)) items.shrink_to_fit();
  }

  bool open(Kind kind) {
    if (reading.values < limits_.max_values && open_.size() >= limits_.max_depth) {
      too_deep = true;
      return false;
    }
    Value* placed = place(kind);
    if (placed != nullptr) open_.push_back(placed);
    return placed != nullptr;
  }

  // One more value where the next belongs; null when it is one too many. Pointers to open
  // containers stay good: a container does not grow while one inside it is open.
  Value* place(Kind kind) {
    too_many = ++reading.values > limits_.max_values;
    if (too_many) return nullptr;
    Value* placed = &reading.value;
    if (!open_.empty()) {
      Value& parent = *open_.back();
      placed = parent.is_array() ? &parent.items.emplace_back() : &parent.members.back().value;
    }
    placed->kind = kind;
    return placed;
  }

  std::string_view text_;
  const Prepared& prepared_;
  const ReadLimits& limits_;
  std::size_t next_number_ = 0;
  std::vector<Value*> open_;
};

ReadError syntax(std::size_t offset, std::string reason) {
  return {ReadFault::kSyntax, offset, std::move(reason)};
}

ReadError syntax_error(std::string_view text, rapidjson::ParseErrorCode code, std::size_t offset) {
  const bool at_end = offset >= text.size();
  const bool control = !at_end && static_cast<unsigned char>(text[offset]) < 0x20;
  switch (code) {
    case rapidjson::kParseErrorDocumentEmpty: return syntax(offset, "the text holds no value");
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return syntax(offset, "something follows the end of the value");
    case rapidjson::kParseErrorObjectMissName:
      return syntax(offset, "a member name in double quotes was expected");
    case rapidjson::kParseErrorObjectMissColon:
      return syntax(offset, "a colon was expected after the member name");
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return syntax(offset, "a comma or a closing brace was expected");
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return syntax(offset, "a comma or a closing bracket was expected");
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return syntax(offset, "\\u must be followed by four hexadecimal digits");
    case rapidjson::kParseErrorStringMissQuotationMark:
    case rapidjson::kParseErrorStringEscapeInvalid:
      if (control) return syntax(offset, "a control character in a string is not escaped");
      if (at_end) return syntax(offset, "the text ends inside a string");
      return syntax(offset, "a backslash starts no known escape");
    case rapidjson::kParseErrorNumberMissFraction:
      return syntax(offset, "a digit was expected after the decimal point");
    case rapidjson::kParseErrorNumberMissExponent:
      return syntax(offset, "a digit was expected in the exponent");
    case rapidjson::kParseErrorNumberTooBig:
      // Complete numbers were replaced beforehand, so this one breaks off.
      return syntax(offset + number_prefix(text.substr(offset)).length,
                    "a digit was expected in the number");
    default:
      return syntax(offset,
                    at_end ? "the text ends where a value was expected" : "a value was expected");
  }
}

struct Outcome {
  std::variant<Reading, ReadError> result;
  bool number_too_big = false;  // for RapidJSON
};

Outcome read_prepared(std::string_view text, Prepared prepared, const ReadLimits& limits) {
  using Allocator = rapidjson::MemoryPoolAllocator<>;
  char pool[1024];
  Allocator allocator(pool, sizeof pool);
  rapidjson::InsituStringStream stream(prepared.copy.data());
  Builder builder(text, prepared, limits);
  rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, Allocator> reader(&allocator);
  constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);

  if (builder.too_deep) {
    return {ReadError{ReadFault::kTooDeep, result.Offset(),
                      "values are nested more than " + std::to_string(limits.max_depth) + " deep"}};
  }
  if (builder.too_many) {
    return {ReadError{ReadFault::kTooDeep, result.Offset(),
                      "it holds more than " + std::to_string(limits.max_values) + " values"}};
  }
  // RapidJSON takes a NUL for the end of the text.
  if (const std::size_t end = stream.Tell();
      end < text.size() && text[end] == '\0' &&
      (!result.IsError() || result.Code() != rapidjson::kParseErrorStringMissQuotationMark))
    return {syntax(end, "a NUL byte is outside of a string")};
  if (result.IsError()) {
    return {syntax_error(text, result.Code(), result.Offset()),
            result.Code() == rapidjson::kParseErrorNumberTooBig};
  }
  builder.reading.lone_surrogate = prepared.lone_surrogate;
  return {std::move(builder.reading)};
}

}  // namespace

std::variant<Reading, ReadError> read(std::string_view text, const ReadLimits& limits) {
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos)
    return ReadError{ReadFault::kEncoding, bad, "a byte is not part of well-formed UTF-8"};
  if (text.starts_with("\xEF\xBB\xBF")) return syntax(0, "a byte order mark precedes the value");

  if (text.find("\\u") == std::string_view::npos) {
    Outcome outcome = read_prepared(text, {std::string(text), {}, false}, limits);
    if (!outcome.number_too_big) return std::move(outcome.result);
  }
  return read_prepared(text, Preparation(text).run(), limits).result;
}

bool opens(std::string_view text, std::size_t depth) {
  std::size_t open = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size() && open < depth; ++i) {
    if (text[i] == '\\' && in_string) {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      open += text[i] == '[' || text[i] == '{';
      open -= open > 0 && (text[i] == ']' || text[i] == '}');
    }
  }
  return open >= depth;
}

Value parse(std::string_view text) {
  auto outcome = read(text);
  if (const auto* error = std::get_if<ReadError>(&outcome))
    throw Bug("our own text is not JSON: " + error->reason);
  return std::move(std::get<Reading>(outcome).value);
}

}  // namespace harness::json
