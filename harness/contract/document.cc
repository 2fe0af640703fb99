// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/document.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/base/uri.h"
#include "harness/json/marked.h"
#include "harness/json/yaml.h"
#include "harness/schema/schema_check.h"

namespace harness::contract {
namespace {

using schema::pointer_token;

constexpr std::size_t kMostValues = 500'000;
constexpr std::size_t kMostBundled = 25'000;  // more than a schema may hold
constexpr std::size_t kMostInAll = 300'000;   // in the bundles of a document
constexpr int kMostFollowed = 32;
constexpr std::string_view kDefinitions = "/definitions/";

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Names that references may use beside pointers.
void collect_names(const Place& place, std::map<std::string, Place, std::less<>>& out, int depth) {
  if (depth > 200) return;
  const json::Value& value = *place.value;
  for (std::size_t i = 0; i < value.items.size(); ++i)
    if (!value.items[i].items.empty() || !value.items[i].members.empty())
      collect_names(place.item(i), out, depth + 1);
  for (const json::Member& member : value.members) {
    if (member.value.is_string() && member.name == "$anchor")
      out.emplace("#" + member.value.text, place);
    if (member.value.is_string() && member.name == "$id" && !place.pointer.empty())
      out.emplace(member.value.text, place);
    if (!member.value.items.empty() || !member.value.members.empty())
      collect_names({&member.value, place.pointer + "/" + pointer_token(member.name)}, out,
                    depth + 1);
  }
}

// Collects the definitions of a bundle.
class Bundler {
 public:
  explicit Bundler(const Document& document) : document_(document) {}

  Bundle run(const Place& schema) {
    Bundle out;
    const std::string first = refer(schema);
    json::Value definitions = json::object();
    while (!waiting_.empty() && values_ <= kMostBundled) {
      const Place next = std::move(waiting_.back());
      waiting_.pop_back();
      json::Value copy = *next.value;
      rename(copy);
      definitions.members.push_back({next.pointer.substr(1), std::move(copy), {}});
    }
    out.schema = json::object({{"$ref", json::string(first)}});
    out.schema.set("definitions", std::move(definitions));
    out.open = std::move(open_);
    return out;
  }

  std::size_t values() const { return values_; }

  static const json::Value kAny;

 private:
  // The reference to a definition, which is made unless it is there.
  std::string refer(const Place& place) {
    if (done_.insert(place.pointer).second) waiting_.push_back(place);
    std::string out = "#" + std::string(kDefinitions);
    for (const char c : pointer_token(place.pointer.substr(1)))
      out += c == '%' ? "%25" : std::string(1, c);
    return out;
  }

  void rename(json::Value& schema) {
    if (++values_ > kMostBundled) return;
    for (json::Value& item : schema.items) rename(item);
    for (json::Member& member : schema.members) {
      const std::string& name = member.name;
      if (name == "$ref" && member.value.is_string()) {
        reference(member.value);
      } else if (is_any_of(name, {"properties", "patternProperties", "definitions", "$defs",
                                  "dependentSchemas", "dependencies"})) {
        for (json::Member& one : member.value.members) rename(one.value);
      } else if (!is_any_of(name, {"enum", "const", "default", "examples", "example"})) {
        rename(member.value);
      }
    }
  }

  void reference(json::Value& text) {
    const Place found =
        is_meta_schema(text.text) ? Place{&kAny, "/$any"} : document_.target(text.text);
    if (!found) open_.push_back(text.text);
    text.text = refer(found && !found.pointer.empty() ? found : Place{&kAny, "/$any"});
  }

  const Document& document_;
  std::vector<Place> waiting_;
  std::set<std::string> done_;
  std::vector<std::string> open_;
  std::size_t values_ = 0;
};
const json::Value Bundler::kAny = json::boolean(true);

}  // namespace

const std::string& Place::text(std::string_view member) const {
  static const std::string kNone;
  const json::Value* found = find(member);
  return found != nullptr && found->is_string() ? found->text : kNone;
}

bool Place::flag(std::string_view member) const {
  const json::Value* found = find(member);
  return found != nullptr && found->is_boolean() && found->boolean;
}

Place Place::member(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return {};
  return {found, pointer + "/" + pointer_token(name)};
}

Place Place::item(std::size_t index) const {
  if (value == nullptr || index >= value->items.size()) return {};
  return {&value->items[index], pointer + "/" + std::to_string(index)};
}

Result<Document> Document::read(std::string_view text, std::string name) {
  if (text.size() > kMostText)
    return Error{name, "the document has more than 16 MiB", "name a smaller one"};
  Result<json::Value> root = json::read_marked(text, name, {.max_values = kMostValues});
  if (!root) return root.error();
  return Document(std::move(*root), std::move(name));
}

Document::Document(json::Value root, std::string name)
    : root_(std::make_shared<const json::Value>(std::move(root))), name_(std::move(name)) {
  collect_names(top(), named_, 0);
}

std::string Document::where(const Place& place) const {
  const std::string at = place.value != nullptr ? json::place(name_, place.value->mark) : name_;
  return place.pointer.empty() ? at : at + " " + place.pointer;
}

Place Document::target(std::string_view reference) const {
  if (const auto found = named_.find(reference); found != named_.end()) return found->second;
  if (!reference.starts_with('#')) return {};
  std::string pointer = percent_decoded(reference.substr(1));
  if (!pointer.empty() && pointer[0] != '/') return {};
  const json::Value* found = json::at(*root_, pointer);
  return found != nullptr ? Place{found, std::move(pointer)} : Place{};
}

Place Document::follow(Place place) const {
  for (int turn = 0; turn < kMostFollowed; ++turn) {
    const json::Value* reference = place.find("$ref");
    if (reference == nullptr || !reference->is_string()) return place;
    place = target(reference->text);
  }
  return {};
}

bool Document::begins_circle(const Place& place) const {
  Place next = place;
  for (int turn = 0; turn < kMostFollowed && next; ++turn) {
    next = target(next.text("$ref"));
    if (next.pointer <= place.pointer) return next && next.pointer == place.pointer;
  }
  return false;
}

bool is_foreign(std::string_view reference) { return !reference.starts_with('#'); }

bool is_meta_schema(std::string_view reference) {
  return reference.starts_with("https://meta.open-rpc.org") ||
         (reference.starts_with("https://raw.githubusercontent.com/open-rpc/meta-schema/") &&
          reference.ends_with("schema.json"));
}

Bundle bundle(const Document& document, const Place& schema) {
  // What is nothing but a reference is what it leads to.
  Place start = schema;
  if (start.value->is_object() && start.value->members.size() == 1)
    if (const Place found = document.follow(start); found && !found.pointer.empty()) start = found;
  const bool spent = *document.bundled_ > kMostInAll;
  if (spent) start = {&Bundler::kAny, "/$any"};
  Bundler bundler(document);
  Bundle out = bundler.run(start);
  *document.bundled_ += bundler.values();
  if (spent) out.refused = "the schemas of the document are too large together";
  return out;
}

std::string in_document(std::string_view place_in_bundle) {
  if (!place_in_bundle.starts_with(kDefinitions)) return std::string(place_in_bundle);
  place_in_bundle.remove_prefix(kDefinitions.size());
  const std::size_t end = std::min(place_in_bundle.find('/'), place_in_bundle.size());
  std::string out = "/";
  for (std::size_t i = 0; i < end; ++i) {
    if (place_in_bundle[i] == '~' && i + 1 < end) {
      out += place_in_bundle[++i] == '1' ? '/' : '~';
    } else {
      out += place_in_bundle[i];
    }
  }
  return out + std::string(place_in_bundle.substr(end));
}

}  // namespace harness::contract
