// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/text_places.h"

#include <algorithm>

namespace harness::oracle {
namespace {

using json::Value;

std::size_t bytes_of_character(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

std::int64_t units_of_character(unsigned char first, Unit unit) {
  switch (unit) {
    case Unit::kUtf8: return static_cast<std::int64_t>(bytes_of_character(first));
    case Unit::kUtf16: return first < 0xF0 ? 1 : 2;
    case Unit::kUtf32: return 1;
  }
  return 1;
}

std::optional<std::int64_t> count(const Value& owner, const char* name) {
  const Value* found = owner.is_object() ? owner.find(name) : nullptr;
  return found != nullptr ? json::as_integer(*found) : std::nullopt;
}

}  // namespace

Unit unit_named(const Value* encoding) {
  if (encoding == nullptr || !encoding->is_string()) return Unit::kUtf16;
  return encoding->text == "utf-8"    ? Unit::kUtf8
         : encoding->text == "utf-32" ? Unit::kUtf32
                                      : Unit::kUtf16;
}

std::optional<Place> place_of(const Value* position) {
  if (position == nullptr) return std::nullopt;
  const auto line = count(*position, "line"), character = count(*position, "character");
  if (!line || !character || *line < 0 || *character < 0) return std::nullopt;
  return Place{*line, *character};
}

std::optional<Span> span_of(const Value* range) {
  if (range == nullptr || !range->is_object()) return std::nullopt;
  const auto start = place_of(range->find("start")), end = place_of(range->find("end"));
  if (!start || !end) return std::nullopt;
  return Span{*start, *end};
}

PlacedText::PlacedText(std::string text, Unit unit)
    : text_(std::move(text)), unit_(unit), starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] != '\n' && text_[i] != '\r') continue;
    ends_.push_back(i);
    if (text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n') ++i;
    starts_.push_back(i + 1);
  }
  ends_.push_back(text_.size());
}

std::string_view PlacedText::line(std::int64_t number) const {
  const auto at = static_cast<std::size_t>(number);
  return std::string_view(text_).substr(starts_[at], ends_[at] - starts_[at]);
}

std::int64_t PlacedText::length(std::int64_t number) const {
  if (number >= lines()) return 0;
  std::int64_t units = 0;
  const std::string_view all = line(number);
  for (std::size_t i = 0; i < all.size();) {
    const auto first = static_cast<unsigned char>(all[i]);
    units += units_of_character(first, unit_);
    i += bytes_of_character(first);
  }
  return units;
}

bool PlacedText::has_line(Place place) const {
  return place.line < lines() || (place.line == lines() && place.character == 0);
}

std::optional<std::size_t> PlacedText::offset(Place place) const {
  if (place.line >= lines()) return text_.size();
  const std::string_view all = line(place.line);
  std::size_t at = 0;
  std::int64_t units = 0;
  while (at < all.size() && units < place.character) {
    const auto first = static_cast<unsigned char>(all[at]);
    units += units_of_character(first, unit_);
    at += bytes_of_character(first);
  }
  if (at < all.size() && units > place.character) return std::nullopt;
  return starts_[static_cast<std::size_t>(place.line)] + std::min(at, all.size());
}

std::string PlacedText::between(const Span& span) const {
  const auto from = offset(span.start), to = offset(span.end);
  return from && to && *from <= *to ? text_.substr(*from, *to - *from) : "";
}

std::optional<std::string> PlacedText::changed(const Value& change) const {
  const Value* text = change.is_object() ? change.find("text") : nullptr;
  if (text == nullptr || !text->is_string()) return std::nullopt;
  if (change.find("range") == nullptr) return text->text;
  const auto span = span_of(change.find("range"));
  if (!span) return std::nullopt;
  const auto from = offset(span->start), to = offset(span->end);
  if (!from || !to || *from > *to) return std::nullopt;
  return text_.substr(0, *from) + text->text + text_.substr(*to);
}

void ToldTexts::told(std::string_view method, const Value& params) {
  const bool opens = method == "textDocument/didOpen", changes = method == "textDocument/didChange";
  if (!opens && !changes && method != "textDocument/didClose") return;
  const Value* document = params.is_object() ? params.find("textDocument") : nullptr;
  const Value* uri = document != nullptr && document->is_object() ? document->find("uri") : nullptr;
  if (uri == nullptr || !uri->is_string()) return;
  ToldDocument& told = documents_[uri->text];
  const auto version = count(*document, "version");
  std::shared_ptr<const PlacedText> now;
  if (opens) {
    const Value* text = document->find("text");
    const bool twice = told.text != nullptr;  // an error of ours
    told = {};
    if (!twice && text != nullptr && text->is_string())
      now = std::make_shared<PlacedText>(text->text, unit_);
  } else if (changes) {
    now = told.text;
    const Value* all = params.find("contentChanges");
    if (all == nullptr || !all->is_array()) now = nullptr;
    for (std::size_t i = 0; now != nullptr && i < all->items.size(); ++i) {
      const auto text = now->changed(all->items[i]);
      now = text ? std::make_shared<PlacedText>(*text, unit_) : nullptr;
    }
    if (!version || (told.version && *version <= *told.version)) now = nullptr;
  } else {
    told.by_version.clear();
  }
  told.text = std::move(now);
  told.version = version;
  if (told.text != nullptr && version) told.by_version[*version] = told.text;
}

const ToldDocument* ToldTexts::find(const std::string& uri) const {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

}  // namespace harness::oracle
