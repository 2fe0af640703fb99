// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/values.h"

#include <map>

#include "harness/base/embed.h"
#include "harness/json/read.h"

RPCSPEC_EMBEDDED(mutate_values);

namespace fuzz {
namespace {

using harness::json::Member;
using harness::json::Value;

const Value& rows_of_values() {
  static const Value kRows = harness::json::parse(mutate_values());
  return kRows;
}

// Groups have names for people alone.
void add_texts(const Value& value, Texts& into) {
  for (const Value& one : value.items) into.push_back(one.text);
  for (const Member& group : value.members) add_texts(group.value, into);
}

}  // namespace

const Texts& texts(std::string_view name) {
  static const std::map<std::string, Texts, std::less<>> kAll = [] {
    std::map<std::string, Texts, std::less<>> out;
    for (const Member& row : rows_of_values().members) add_texts(row.value, out[row.name]);
    return out;
  }();
  return kAll.find(name)->second;
}

const std::vector<Run>& runs() {
  static const std::vector<Run> kRuns = [] {
    std::vector<Run> out;
    for (const Member& one : rows_of_values().find("runs")->members)
      out.push_back({one.name, one.value.text});
    return out;
  }();
  return kRuns;
}

const std::vector<HeaderChange>& odd_headers() {
  static const std::vector<HeaderChange> kHeaders = [] {
    std::vector<HeaderChange> out;
    for (const Member& header : rows_of_values().find("headers")->members)
      for (const Value& one : header.value.items) {
        out.push_back({header.name, std::nullopt});
        if (one.is_string()) out.back().value = one.text;
      }
    return out;
  }();
  return kHeaders;
}

}  // namespace fuzz
