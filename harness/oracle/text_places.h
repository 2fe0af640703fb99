// SPDX-License-Identifier: Apache-2.0
// The texts that we told a language server, and places in them, in the encoding that was agreed on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace harness::oracle {

enum class Unit : std::uint8_t { kUtf8, kUtf16, kUtf32 };

Unit unit_named(const json::Value* encoding);  // the LSP default if none is named

struct Place {
  std::int64_t line = 0, character = 0;
  auto operator<=>(const Place&) const = default;
};

struct Span {
  Place start, end;
  bool holds(Place place) const { return start <= place && place <= end; }
  bool holds(const Span& other) const { return start <= other.start && other.end <= end; }
  // They share more than an end point.
  bool overlaps(const Span& other) const { return start < other.end && other.start < end; }
  bool operator==(const Span&) const = default;
};

// Nothing: it has another shape, which the oracle `shapes` reports.
std::optional<Place> place_of(const json::Value* position);
std::optional<Span> span_of(const json::Value* range);

class PlacedText {
 public:
  PlacedText(std::string text, Unit unit);

  std::int64_t lines() const { return static_cast<std::int64_t>(starts_.size()); }
  std::int64_t length(std::int64_t line) const;  // in units; without the end of the line
  // In the text, or directly after it: at the start of the line that would follow.
  bool has_line(Place place) const;
  // On a line and between two of its characters.
  bool has(Place place) const {
    return place.line < lines() && place.character <= length(place.line) && offset(place);
  }
  // The text at a place, as a client cuts it; "" if a character is cut in two.
  std::string between(const Span& span) const;
  // Nothing: the change cannot be understood.
  std::optional<std::string> changed(const json::Value& change) const;
  bool operator==(const PlacedText& other) const { return text_ == other.text_; }

 private:
  std::string_view line(std::int64_t number) const;
  std::optional<std::size_t> offset(Place place) const;  // nothing: within a character

  std::string text_;
  Unit unit_;
  std::vector<std::size_t> starts_, ends_;  // of lines
};

// What we sent about one document.
struct ToldDocument {
  std::shared_ptr<const PlacedText> text;  // null: not open, or not known
  std::optional<std::int64_t> version;
  std::map<std::int64_t, std::shared_ptr<const PlacedText>> by_version;  // since it was opened
};

class ToldTexts {
 public:
  void use(Unit unit) { unit_ = unit; }
  // A notification of ours; unrelated ones are ignored.
  void told(std::string_view method, const json::Value& params);
  const ToldDocument* find(const std::string& uri) const;  // null: never opened

 private:
  Unit unit_ = Unit::kUtf16;
  std::map<std::string, ToldDocument> documents_;
};

}  // namespace harness::oracle
