// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/shape.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/embed.h"
#include "harness/base/text.h"
#include "harness/json/yaml.h"

RPCSPEC_EMBEDDED(openrpc_document);

namespace harness::contract {
namespace {

// A member of a part of the document, as cases/openrpc_document.yaml has it.
struct Row {
  std::string member;
  std::string form;  // "text", "part", "list" …
  std::string of;    // the kind of the part, or of each of them
  bool required = true;
  bool refers = false;  // a reference may stand in its place, or in that of each element
};

struct Kind {
  std::vector<Row> rows;
  bool open = false;  // other members are free

  const Row* find(std::string_view member) const {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.member == member; });
    return found == rows.end() ? nullptr : &*found;
  }
};

// "list of method or $ref"
Row row_of(std::string member, std::string_view form) {
  constexpr std::string_view kOf = " of ", kRefers = " or $ref";
  Row out;
  out.required = !member.ends_with('?');
  if (!out.required) member.pop_back();
  out.member = std::move(member);
  out.refers = form.ends_with(kRefers);
  if (out.refers) form.remove_suffix(kRefers.size());
  const std::size_t of = form.find(kOf);
  out.form = form.substr(0, of);
  if (of != form.npos) out.of = form.substr(of + kOf.size());
  return out;
}

const Kind& kind_of(std::string_view name) {
  static const std::map<std::string, Kind, std::less<>> kKinds = [] {
    const Result<json::Value> read = json::read_yaml(openrpc_document(), "openrpc_document.yaml");
    check(static_cast<bool>(read), "cases/openrpc_document.yaml is no YAML");
    std::map<std::string, Kind, std::less<>> out;
    for (const json::Member& kind : read->members)
      for (const json::Member& one : kind.value.members)
        if (one.name == "$open")
          out[kind.name].open = true;
        else
          out[kind.name].rows.push_back(row_of(one.name, one.value.text));
    return out;
  }();
  return kKinds.at(std::string(name));
}

// Values that are no parts.
struct Scalar {
  std::string_view form;
  const char* expected;
  bool (*fits)(const json::Value& value);
};
constexpr Scalar kScalars[] = {
    {"text", "a string", [](const json::Value& value) { return value.is_string(); }},
    {"name", "a string that is not empty",
     [](const json::Value& value) { return value.is_string() && !value.text.empty(); }},
    {"flag", "true or false", [](const json::Value& value) { return value.is_boolean(); }},
    {"texts", "a list of strings",
     [](const json::Value& value) {
       return value.is_array() && std::ranges::all_of(value.items, &json::Value::is_string);
     }},
    {"structure", "by-position, by-name or either",
     [](const json::Value& value) {
       return value.is_string() &&
              (value.text == "by-name" || value.text == "either" || value.text == "by-position");
     }},
};

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
    if (!document_.root().is_object()) return;
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
    if (kind == "schema") return schemas_.push_back(at);
    if (!at.value->is_object()) return wrong(at, "an object");
    const Kind& known = kind_of(kind);
    names_differ(at);
    for (const Row& row : known.rows) {
      const Place member = at.member(row.member);
      if (member) {
        value(member, row);
      } else if (row.required) {
        flaws_.add_some("valid", Weight::kFail, at,
                        "`" + row.member + "` is missing in the " + std::string(kind));
      }
    }
    if (kind == "example" && at.find("value") == nullptr && at.find("externalValue") == nullptr)
      flaws_.add_some("valid", Weight::kFail, at, "`value` is missing in the example");
    if (known.open) return;
    for (const json::Member& member : at.value->members)
      if (!member.name.starts_with("x-") && known.find(member.name) == nullptr)
        flaws_.add_some("valid", Weight::kWarn, at.member(member.name),
                        "`" + printable(member.name, 60) + "` is no member of the " +
                            std::string(kind) + "; members of your own begin with x-");
  }

  void names_differ(const Place& at) {
    std::set<std::string_view> names;
    for (const json::Member& member : at.value->members)
      if (!names.insert(member.name).second)
        flaws_.add_some("valid", Weight::kFail, {&member.value, at.member(member.name).pointer},
                        "`" + printable(member.name, 60) + "` stands twice in the object");
  }

  void value(const Place& at, const Row& row) {
    const json::Value& value = *at.value;
    if (row.form == "schema") return schemas_.push_back(at);
    if (row.form == "part") return element(at, row);
    if (row.form == "list") {
      if (!value.is_array()) return wrong(at, "a list");
      for (std::size_t i = 0; i < value.items.size(); ++i) element(at.item(i), row);
    } else if (row.form == "map") {
      if (!value.is_object()) return wrong(at, "an object");
      names_differ(at);
      for (const json::Member& member : value.members) element(at.member(member.name), row);
    } else if (row.form == "code" && !json::is_integer(value)) {
      flaws_.add("error-codes-unique", Weight::kFail, at,
                 "`code` is " + shown(value) + ", not a whole number");
    }
    for (const Scalar& one : kScalars)
      if (one.form == row.form && !one.fits(value)) wrong(at, one.expected);
  }

  // A part that may be a reference.
  void element(const Place& at, const Row& row) {
    const json::Value* reference = row.refers ? at.find("$ref") : nullptr;
    if (reference == nullptr) return part(at, row.of);
    if (!reference->is_string()) return wrong(at.member("$ref"), "a string");
    if (!document_.follow(at)) flaws_.add_open(document_, at);
  }

  void component_names() {
    const Place components = document_.top().member("components");
    if (!components || !components.value->is_object()) return;
    for (const json::Member& kind : components.value->members) {
      if (!kind.value.is_object() || kind_of("components").find(kind.name) == nullptr) continue;
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
