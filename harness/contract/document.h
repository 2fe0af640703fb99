// SPDX-License-Identifier: Apache-2.0
// Document: an OpenRPC document as a tree, and what its references lead to. Nothing is fetched.
//
//   text or value ─► Document ─► shape.h: is it built as the specification says
//                             ─► bundle(): one schema with all that it refers to
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::contract {

inline constexpr std::size_t kMostText = std::size_t{16} << 20;  // bytes of a document

// A value of the document and its place; the value is null if there is none.
struct Place {
  const json::Value* value = nullptr;
  std::string pointer;

  explicit operator bool() const { return value != nullptr; }
  const json::Value* find(std::string_view member) const {
    return value != nullptr && value->is_object() ? value->find(member) : nullptr;
  }
  const std::string& text(std::string_view member) const;  // "" unless it is a string
  bool flag(std::string_view member) const;                // false unless it is true
  Place member(std::string_view name) const;
  Place item(std::size_t index) const;
};

class Document {
 public:
  // `name` is the first part of places, as in "shop.json:12:3". An Error if the text is not JSON,
  // or exceeds kMostText or 500,000 values.
  static Result<Document> read(std::string_view text, std::string name);
  // Of a value that a server sent: its places have no line.
  Document(json::Value root, std::string name);

  const json::Value& root() const { return *root_; }
  Place top() const { return {root_.get(), ""}; }
  const std::string& name() const { return name_; }
  // "shop.json:12:3 /methods/0", without unknown parts.
  std::string where(const Place& place) const;

  // What one `$ref` leads to: a JSON Pointer after #, an $id or an $anchor.
  Place target(std::string_view reference) const;
  // A part that may be a reference, with references followed; none if one leads nowhere.
  Place follow(Place place) const;
  // Its reference leads back to it, and nothing on the way stands before it in pointer order.
  bool begins_circle(const Place& place) const;

 private:
  std::shared_ptr<const json::Value> root_;
  std::string name_;
  std::map<std::string, Place, std::less<>> named_;  // by "#anchor", or by $id

  friend struct Bundle bundle(const Document& document, const Place& schema);
  std::shared_ptr<std::size_t> bundled_ = std::make_shared<std::size_t>(0);  // values in bundles
};

// Whether a reference leads out of the document.
bool is_foreign(std::string_view reference);
// Whether it leads to the schema of OpenRPC documents, as in the result of rpc.discover.
bool is_meta_schema(std::string_view reference);

// A schema with everything it refers to: {"$ref": "#/definitions/…", "definitions": {…}}. The name
// of each definition is its JSON Pointer into the document, without the first slash.
struct Bundle {
  json::Value schema;
  std::vector<std::string> open;  // references that lead nowhere, or out of the document
  std::string refused;            // why there is no schema: all bundles together are limited
};
Bundle bundle(const Document& document, const Place& schema);
// The place in the document, "/components/schemas/A/type", for a place in a bundle,
// "/definitions/components~1schemas~1A/type".
std::string in_document(std::string_view place_in_bundle);

}  // namespace harness::contract
