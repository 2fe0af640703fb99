// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/transport_kind.h"

#include <iterator>

namespace harness::wire {
namespace {

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kTransports); ++i)
    if (static_cast<std::size_t>(kTransports[i].kind) != i) return false;
  return true;
}
static_assert(in_order() && std::size(kTransports) <= 16, "a row a kind, a bit a row");

constexpr std::string_view kStream = "stream";
constexpr std::string_view kAll = "all";

constexpr TransportSet stream() {
  TransportSet out;
  for (const TransportTraits& row : kTransports)
    if (!row.exchanges) out.add(row.kind);
  return out;
}

}  // namespace

std::optional<TransportKind> transport_named(std::string_view name) {
  for (const TransportTraits& row : kTransports)
    if (name == row.name) return row.kind;
  return std::nullopt;
}

std::vector<std::string> TransportSet::words() const {
  if (is_all()) return {std::string(kAll)};
  std::vector<std::string> out;
  const bool group = (bits_ & stream().bits_) == stream().bits_;
  if (group) out.emplace_back(kStream);
  for (const TransportTraits& row : kTransports)
    if (has(row.kind) && !(group && stream().has(row.kind)) && *row.name != '\0')
      out.emplace_back(row.name);
  return out;
}

std::optional<TransportSet> transports_selected(std::string_view word) {
  if (word == kAll) return TransportSet::all();
  if (word == kStream) return stream();
  const auto kind = transport_named(word);
  if (!kind || *kind == TransportKind::kUnknown) return std::nullopt;
  return TransportSet{*kind};
}

const std::vector<std::string>& transport_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out;
    for (const TransportTraits& row : kTransports)
      if (row.of_targets) out.emplace_back(row.name);
    return out;
  }();
  return kNames;
}

const std::vector<std::string>& transport_selectors() {
  static const std::vector<std::string> kSelectors = [] {
    std::vector<std::string> out = transport_names();
    out.emplace_back(kStream);
    return out;
  }();
  return kSelectors;
}

}  // namespace harness::wire
