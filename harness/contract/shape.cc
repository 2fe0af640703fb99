// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/shape.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"

namespace harness::contract {
namespace {

enum class Form {
  kAny,
  kText,
  kName,  // a text that is not empty
  kFlag,
  kCode,    // a whole number
  kTexts,   // a list of texts
  kWord,    // of paramStructure
  kSchema,  // JSON Schema
  kPart,    // an object of the kind `of`
  kList,    // a list of them
  kMap,     // an object of them, by name
};

struct Row {
  const char* object;
  const char* member;
  Form form;
  const char* of = "";
  bool required = false;
  bool refers = false;  // a reference may stand in its place, or in that of each element
};

constexpr Row kRows[] = {
    {"document", "openrpc", Form::kAny},
    {"document", "info", Form::kPart, "info", true},
    {"document", "externalDocs", Form::kPart, "externalDocs"},
    {"document", "servers", Form::kList, "server"},
    {"document", "methods", Form::kList, "method", true, true},
    {"document", "components", Form::kPart, "components"},
    {"document", "$schema", Form::kText},
    {"info", "title", Form::kText, "", true},
    {"info", "version", Form::kText, "", true},
    {"info", "description", Form::kText},
    {"info", "termsOfService", Form::kText},
    {"info", "contact", Form::kPart, "contact"},
    {"info", "license", Form::kPart, "license"},
    {"contact", "name", Form::kText},
    {"contact", "email", Form::kText},
    {"contact", "url", Form::kText},
    {"license", "name", Form::kText},
    {"license", "url", Form::kText},
    {"externalDocs", "url", Form::kText, "", true},
    {"externalDocs", "description", Form::kText},
    {"server", "url", Form::kText, "", true},
    {"server", "name", Form::kText},
    {"server", "description", Form::kText},
    {"server", "summary", Form::kText},
    {"server", "variables", Form::kMap, "variable"},
    {"variable", "default", Form::kText, "", true},
    {"variable", "description", Form::kText},
    {"variable", "enum", Form::kTexts},
    {"method", "name", Form::kName, "", true},
    {"method", "description", Form::kText},
    {"method", "summary", Form::kText},
    {"method", "servers", Form::kList, "server"},
    {"method", "tags", Form::kList, "tag", false, true},
    {"method", "paramStructure", Form::kWord},
    {"method", "params", Form::kList, "contentDescriptor", true, true},
    {"method", "result", Form::kPart, "contentDescriptor", false, true},
    {"method", "errors", Form::kList, "error", false, true},
    {"method", "links", Form::kList, "link", false, true},
    {"method", "examples", Form::kList, "examplePairing", false, true},
    {"method", "deprecated", Form::kFlag},
    {"method", "externalDocs", Form::kPart, "externalDocs"},
    {"contentDescriptor", "name", Form::kName, "", true},
    {"contentDescriptor", "description", Form::kText},
    {"contentDescriptor", "summary", Form::kText},
    {"contentDescriptor", "schema", Form::kSchema, "", true},
    {"contentDescriptor", "required", Form::kFlag},
    {"contentDescriptor", "deprecated", Form::kFlag},
    {"error", "code", Form::kCode, "", true},
    {"error", "message", Form::kText, "", true},
    {"error", "data", Form::kAny},
    {"link", "name", Form::kText},
    {"link", "summary", Form::kText},
    {"link", "method", Form::kText},
    {"link", "description", Form::kText},
    {"link", "params", Form::kAny},
    {"link", "server", Form::kPart, "server"},
    {"examplePairing", "name", Form::kName, "", true},
    {"examplePairing", "description", Form::kText},
    {"examplePairing", "params", Form::kList, "example", true, true},
    {"examplePairing", "result", Form::kPart, "example", false, true},
    {"example", "name", Form::kName, "", true},
    {"example", "summary", Form::kText},
    {"example", "description", Form::kText},
    {"tag", "name", Form::kName, "", true},
    {"tag", "description", Form::kText},
    {"tag", "externalDocs", Form::kPart, "externalDocs"},
    {"components", "schemas", Form::kMap, "schema"},
    {"components", "links", Form::kMap, "link", false, true},
    {"components", "errors", Form::kMap, "error", false, true},
    {"components", "examples", Form::kMap, "example", false, true},
    {"components", "examplePairings", Form::kMap, "examplePairing", false, true},
    {"components", "examplePairingObjects", Form::kMap, "examplePairing", false,
     true},  // of the text
    {"components", "contentDescriptors", Form::kMap, "contentDescriptor", false, true},
    {"components", "tags", Form::kMap, "tag", false, true},
};
// Other members are free there.
constexpr std::string_view kOpen[] = {"examplePairing", "example", "variable", "components"};

struct Version {
  int major = 0, minor = 0;
  bool sound = false;
};

Version version_of(const json::Value* value) {
  Version out;
  if (value == nullptr || !value->is_string()) return out;
  const std::string& text = value->text;
  std::size_t at = 0;
  int numbers[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const std::size_t begin = at;
    while (at < text.size() && ascii::is_digit(text[at]) && at - begin < 6)
      numbers[i] = numbers[i] * 10 + (text[at++] - '0');
    out.major = numbers[0];
    out.minor = numbers[1];
    if (at == begin || (i < 2 && (at == text.size() || text[at++] != '.'))) return out;
  }
  out.sound = at == text.size() || text[at] == '-' || text[at] == '+';
  return out;
}

class Shape {
 public:
  Shape(const Document& document, Flaws& flaws) : document_(document), flaws_(flaws) {}

  std::vector<Place> run() {
    version();
    part(document_.top(), "document");
    component_names();
    return std::move(schemas_);
  }

 private:
  void version() {
    const Place at = document_.top().member("openrpc");
    const Version version = version_of(at.value);
    if (!at)
      flaws_.add("version", Weight::kFail, document_.top(),
                 "the member `openrpc` is missing; write the version of the specification, as "
                 "\"1.3.2\"");
    else if (!version.sound || version.major == 0)
      flaws_.add("version", Weight::kFail, at,
                 "`openrpc` is " + shown(*at.value) +
                     ", not a version of the specification; write three numbers, as \"1.3.2\"");
    else if (version.major > 1 || version.minor > 4)
      flaws_.add("version", Weight::kInfo, at,
                 "version " + shown(*at.value) + " is not known yet and is read as 1.4");
  }

  void part(const Place& at, std::string_view kind) {
    if (kind == "schema") return schema(at);
    if (!at.value->is_object()) return wrong(at, "an object");
    for (const Row& row : kRows) {
      if (row.object != kind) continue;
      const Place member = at.member(row.member);
      if (member) {
        value(member, row);
      } else if (row.required) {
        flaws_.add_some("valid", Weight::kFail, at,
                        "`" + std::string(row.member) + "` is missing in the " + std::string(kind));
      }
    }
    if (kind == "example" && at.find("value") == nullptr && at.find("externalValue") == nullptr)
      flaws_.add_some("valid", Weight::kFail, at, "`value` is missing in the example");
    if (std::find(std::begin(kOpen), std::end(kOpen), kind) != std::end(kOpen)) return;
    for (const json::Member& member : at.value->members)
      if (!member.name.starts_with("x-") && !is_known(kind, member.name))
        flaws_.add_some("valid", Weight::kWarn, at.member(member.name),
                        "a " + std::string(kind) + " has no member `" + printable(member.name, 60) +
                            "`; members of your own begin with x-");
  }

  static bool is_known(std::string_view kind, std::string_view member) {
    return std::any_of(std::begin(kRows), std::end(kRows),
                       [&](const Row& row) { return row.object == kind && row.member == member; });
  }

  void value(const Place& at, const Row& row) {
    const json::Value& value = *at.value;
    switch (row.form) {
      case Form::kAny:
        return;
      case Form::kText:
        return unless(value.is_string(), at, "a string");
      case Form::kName:
        return unless(value.is_string() && !value.text.empty(), at, "a non-empty string");
      case Form::kFlag:
        return unless(value.is_boolean(), at, "true or false");
      case Form::kCode:
        if (!json::is_integer(value))
          flaws_.add("error-codes-unique", Weight::kFail, at,
                     "`code` is " + shown(value) + ", not a whole number");
        return;
      case Form::kTexts:
        return unless(
            value.is_array() && std::all_of(value.items.begin(), value.items.end(),
                                            [](const auto& one) { return one.is_string(); }),
            at, "a list of strings");
      case Form::kWord:
        return unless(value.is_string() && (value.text == "by-name" || value.text == "either" ||
                                            value.text == "by-position"),
                      at, "by-position, by-name or either");
      case Form::kSchema:
        return schema(at);
      case Form::kPart:
        return element(at, row);
      case Form::kList:
        if (!value.is_array()) return wrong(at, "a list");
        for (std::size_t i = 0; i < value.items.size(); ++i) element(at.item(i), row);
        return;
      case Form::kMap:
        if (!value.is_object()) return wrong(at, "an object");
        for (const json::Member& member : value.members) element(at.member(member.name), row);
        return;
    }
  }

  // A part that may be a reference.
  void element(const Place& at, const Row& row) {
    const json::Value* reference = row.refers ? at.find("$ref") : nullptr;
    if (reference == nullptr) return part(at, row.of);
    if (!reference->is_string()) return wrong(at.member("$ref"), "a string");
    if (!document_.follow(at)) tell_open(at, reference->text);
  }

  void schema(const Place& at) { schemas_.push_back(at); }

  void tell_open(const Place& at, const std::string& reference) {
    if (is_foreign(reference))
      flaws_.add("refs-resolve", Weight::kInfo, at.member("$ref"),
                 "`$ref` leads out of the document, to " + printable(reference, 100) +
                     ", which is not fetched; what needs it is not judged");
    else
      flaws_.add("refs-resolve", Weight::kFail, at.member("$ref"),
                 "`$ref` leads nowhere: the document has no " + printable(reference, 100));
  }

  void component_names() {
    const Place components = document_.top().member("components");
    if (!components || !components.value->is_object()) return;
    for (const json::Member& kind : components.value->members) {
      if (!kind.value.is_object() || !is_known("components", kind.name)) continue;
      for (const json::Member& one : kind.value.members) {
        const bool sound =
            !one.name.empty() && std::all_of(one.name.begin(), one.name.end(), [](char c) {
              return ascii::is_alphanumeric(c) || c == '.' || c == '_' || c == '-';
            });
        // The meta-schema lets more in, and whoever refers to it gets there.
        if (!sound)
          flaws_.add("components-named", Weight::kWarn,
                     components.member(kind.name).member(one.name),
                     "the name `" + printable(one.name, 60) +
                         "` has characters other than letters, digits, dot, dash and underscore");
      }
    }
  }

  void unless(bool sound, const Place& at, const char* expected) {
    if (!sound) wrong(at, expected);
  }
  void wrong(const Place& at, const char* expected) {
    std::string pointer = at.pointer, name = "the document";
    const std::size_t slash = pointer.rfind('/');
    if (slash != std::string::npos) {
      const bool element = slash + 1 < pointer.size() && ascii::is_digit(pointer[slash + 1]);
      if (element) pointer.resize(slash);
      name = (element ? "an element of `" : "`") + pointer.substr(pointer.rfind('/') + 1) + "`";
    }
    flaws_.add_some("valid", Weight::kFail, at,
                    name + " is " + shown(*at.value) + ", not " + expected);
  }

  const Document& document_;
  Flaws& flaws_;
  std::vector<Place> schemas_;
};

}  // namespace

std::vector<Place> check_shape(const Document& document, Flaws& flaws) {
  return Shape(document, flaws).run();
}

std::string edition_of(const Document& document) {
  const Version version = version_of(document.root().find("openrpc"));
  if (version.major == 1 && version.minor < 3) return "openrpc-1.2";
  return version.major == 0 || (version.major == 1 && version.minor == 3) ? "openrpc-1.3"
                                                                          : "openrpc-1.4";
}

}  // namespace harness::contract
