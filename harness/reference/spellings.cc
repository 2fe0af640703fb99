// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/spellings.h"

#include <string>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::reference {
namespace {

using json::Value;

struct Spelling {
  FaultName fault;
  std::string_view from, to;
};

// What a lenient reader takes for something else.
constexpr Spelling kTolerated[] = {
    {"json-null-all-capitals", R"(:NULL)", R"(:null)"},
    {"json-yes", R"(:yes)", R"(:true)"},
    {"json-nan-in-small", R"(:nan)", R"(:0)"},
    {"json-inf", R"(:inf)", R"(:0)"},
    {"json-plus-infinity", R"(:+Infinity)", R"(:0)"},
    {"json-hex-with-capital-x", R"(0X1F)", R"(31)"},
    {"json-apostrophe-in-number", R"(1'000)", R"(1000)"},
    {"json-number-with-type", R"(:1L)", R"(:1)"},
    {"json-blank-before-exponent", R"(1 e5)", R"(1e5)"},
    {"json-comment-in-front", R"(/*c*/{"jsonrpc")", R"({"jsonrpc")"},
    {"json-semicolon-behind", R"(};)", R"(})"},
    {"json-escape-e", R"(\e)", R"()"},
    {"json-escape-percent", R"(\%)", R"(%)"},
    {"json-backticks", R"(`x`)", R"("x")"},
    {"json-string-with-prefix", R"(u"x")", R"("x")"},
    {"json-triple-quotes", R"("""x""")", R"("x")"},
    {"json-name-with-dash", R"({a-b:)", R"({"a-b":)"},
    {"json-tuple", R"((1))", R"([1])"},
    {"json-next-line-as-space", "\xc2\x85", ""},
    {"json-zero-width-as-space", "\xe2\x80\x8b", ""},
    {"json-form-feed-in-string", "\f", ""},
    {"json-vertical-tab-in-string", "\v", ""},
};

// What happens to a part of a string id.
constexpr Spelling kParts[] = {
    {"id-plus-as-blank", R"(+)", R"( )"},       {"id-percent-decoded", R"(%41)", R"(A)"},
    {"id-entities", R"(&)", R"(&amp;)"},        {"id-angle-entities", R"(<)", R"(&lt;)"},
    {"id-nbsp-as-blank", "\xc2\xa0", " "},      {"id-bidi-marks-dropped", "\xe2\x80\x8f", ""},
    {"id-joiners-dropped", "\xe2\x80\x8d", ""}, {"id-ligatures-resolved", "\xef\xac\x81", "fi"},
    {"id-blanks-collapsed", R"(  )", R"( )"},
};

// What happens to an id, as JSON text.
constexpr Spelling kIds[] = {
    {"id-big-digits-as-number", R"("9007199254740993")", R"(9007199254740993)"},
    {"id-negative-string-as-number", R"("-1")", R"(-1)"},
    {"id-false-string-as-boolean", R"("false")", R"(false)"},
    {"id-infinity-as-null", R"("Infinity")", R"(null)"},
    {"id-blank-as-empty", R"(" ")", R"("")"},
    {"id-int32-wrapped", R"(2147483648)", R"(-2147483648)"},
    {"id-uint32-wrapped", R"(4294967296)", R"(0)"},
};

// What is served as tools/list.
constexpr struct {
  FaultName fault;
  std::string_view name;
} kNames[] = {
    {"method-slash-at-end", R"(tools/list/)"},     {"method-slash-doubled", R"(tools//list)"},
    {"method-dot-as-slash", R"(tools.list)"},      {"method-underscore-as-slash", R"(tools_list)"},
    {"method-percent-decoded", R"(tools%2Flist)"}, {"method-prefix-matched", R"(tools/list/all)"},
    {"method-query-cut", R"(tools/list?all=1)"},   {"method-fragment-cut", R"(tools/list#all)"},
    {"method-slash-in-front", R"(/tools/list)"},   {"method-backslash-as-slash", R"(tools\list)"},
    {"method-camel-case", R"(toolsList)"},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string trimmed_copy(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string read_oddly(const Faults& faults, std::string_view text) {
  std::string out(text);
  for (const Spelling& one : kTolerated)
    if (faults.has(one.fault)) replace_all(out, one.from, one.to);
  return out;
}

void respell_method(const Faults& faults, std::string& method) {
  for (const auto& [fault, name] : kNames)
    if (faults.has(fault) && method == name) method = "tools/list";
  if (faults.has("method-trimmed")) method = trimmed_copy(method);
}

void respell_id(const Faults& faults, Value& id) {
  if (id.is_string()) {
    for (const Spelling& one : kParts)
      if (faults.has(one.fault)) replace_all(id.text, one.from, one.to);
    if (faults.has("id-trimmed")) id.text = trimmed_copy(id.text);
    if (faults.has("id-string-lowercased")) id.text = ascii::lower(id.text);
  }
  for (const Spelling& one : kIds)
    if (faults.has(one.fault) && json::write(id) == one.from)
      id = json::parse(std::string(one.to).c_str());
}

}  // namespace harness::reference
