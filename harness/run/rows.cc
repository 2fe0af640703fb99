// SPDX-License-Identifier: Apache-2.0
#include "harness/run/rows.h"

#include <algorithm>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/target/synthesis.h"

namespace harness::run {
namespace {

// Of a loop over arguments: tools, and instances of each.
constexpr int kMostSynthesised = 24;
constexpr std::size_t kMostInstances = 12;

// Arguments made from the inputSchemas of tools that may be called.
Rows rows_of_arguments(const suite::Case& scenario, const Offer& offer,
                       const std::vector<json::Value>& rows) {
  Rows out;
  const target::Arguments kind = target::arguments_kind(scenario.for_each_kind);
  int tools = 0;
  bool cut = false;
  for (const json::Value& tool : offer.tools.items) {
    const json::Value* name = tool.find("name");
    const json::Value* schema = tool.find("inputSchema");
    if (!name || !name->is_string() || !schema) continue;
    if (offer.forbidden.contains(name->text)) {
      out.withheld.insert(name->text);
      continue;
    }
    cut |= ++tools > kMostSynthesised;
    if (cut) break;
    std::size_t made = 0;
    for (const target::Instance& one : target::synthesise(*schema, kind).instances) {
      const auto& of = scenario.for_each_of;
      if (!of.empty() && std::find(of.begin(), of.end(), one.keyword) == of.end()) continue;
      if (++made > kMostInstances) break;
      for (json::Value row : rows) {
        row.set(scenario.for_each_name, json::object({{"tool", tool},
                                                      {"name", *name},
                                                      {"arguments", one.value},
                                                      {"what", json::string(one.what)}}));
        row.set("row", json::string(name->text + " " + one.what));
        out.rows.push_back(std::move(row));
      }
    }
    cut |= made > kMostInstances;
  }
  if (cut) out.note = "not all arguments that can be made were played";
  if (out.rows.empty() && out.withheld.empty())
    out.not_applicable = "no tool's inputSchema gives " + scenario.for_each_kind + " arguments" +
                         (scenario.for_each_of.empty() ? "" : " of this kind");
  return out;
}

}  // namespace

Rows rows_of(const suite::Case& scenario, const Offer& offer) {
  Rows out;
  std::vector<json::Value> rows = scenario.table;
  if (rows.empty()) rows.push_back(json::object());
  if (scenario.for_each_name.empty()) return {std::move(rows), "", "", "", "", {}};
  if (scenario.for_each_list == "arguments") return rows_of_arguments(scenario, offer, rows);
  const json::Value& list = scenario.for_each_list == "tools"       ? offer.tools
                            : scenario.for_each_list == "resources" ? offer.resources
                            : scenario.for_each_list == "versions"  ? offer.versions
                                                                    : offer.prompts;
  for (const json::Value& item : list.items) {
    for (json::Value row : rows) {
      row.set(scenario.for_each_name, item);
      const json::Value* name = item.is_object() ? item.find("name") : &item;
      row.set("row", json::string(scenario.for_each_name + " " + (name ? name->text : "")));
      out.rows.push_back(std::move(row));
    }
  }
  if (out.rows.empty()) {
    out.inconclusive = "the target lists no " + scenario.for_each_list;
    out.remedy = "nothing to add: there is nothing to exercise";
  }
  return out;
}

std::string label_of(const suite::Case& scenario, const json::Value& row) {
  if (scenario.table.size() <= 1 && scenario.for_each_name.empty()) return "";
  if (const json::Value* name = row.find("row")) return name->text;
  std::string label;
  for (const json::Member& member : row.members) {
    if (member.name == "when") continue;
    const std::string text =
        member.value.is_string() ? member.value.text : json::write(member.value);
    label += (label.empty() ? "" : ", ") + member.name + " = " + printable(text, 60);
  }
  return label;
}

}  // namespace harness::run
