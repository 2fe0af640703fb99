// SPDX-License-Identifier: Apache-2.0
// Both say the same: under what the target was judged, and how that ended.
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "harness/base/text.h"
#include "harness/json/escaped.h"
#include "harness/json/write.h"
#include "reports/formats.h"
#include "reports/layout.h"

namespace reports {
namespace {

namespace json = harness::json;
namespace run = harness::run;

struct Badge {
  std::string label, message;
  const char* colour;  // as shields.io names them
  const char* hex;
};

std::size_t count(const Record& record, run::Verdict verdict) {
  std::size_t n = 0;
  for (const run::CaseResult& result : record.cases)
    n += result.verdict == verdict && !result.baselined;
  return n;
}

Badge badge_of(const Record& record) {
  Badge badge;
  badge.label =
      harness::printable(record.started.profile.empty() ? "rpcspec" : record.started.profile, 60);
  const std::size_t failed = count(record, run::Verdict::kFail);
  const std::size_t warned = count(record, run::Verdict::kWarn);
  const std::size_t passed = count(record, run::Verdict::kPass);
  if (failed > 0) {
    badge.message = fmt::format("{} of {} failed", failed, failed + warned + passed);
    badge.colour = "red";
    badge.hex = "#c53030";
  } else if (!record.finished.gate_passed) {
    badge.message = record.finished.interrupted ? "interrupted" : "failed";
    badge.colour = "red";
    badge.hex = "#c53030";
  } else if (warned > 0) {
    badge.message = fmt::format("{} passed, {} warned", passed, warned);
    badge.colour = "yellow";
    badge.hex = "#8a6100";
  } else {
    badge.message = fmt::format("{} passed", passed);
    badge.colour = passed > 0 ? "brightgreen" : "lightgrey";
    badge.hex = passed > 0 ? "#2a7d2e" : "#6b6b6b";
  }
  return badge;
}

// Without two code points that are UTF-8 but not XML.
std::string badge_xml(const std::string& safe) {
  std::string out;
  for (std::size_t i = 0; i < safe.size();) {
    const CodePoint point = code_point_at(safe, i);
    out += point.value == 0xfffe || point.value == 0xffff ? "?" : safe.substr(i, point.next - i);
    i = point.next;
  }
  return out;
}

// What text of 11 px is wide in the usual fonts, about; the text is stretched to it.
std::size_t pixels(const std::string& text) { return 10 + width_of(text) * 13 / 2; }

}  // namespace

std::string render_badge_json(const Record& record, const ReportOptions&) {
  const Badge badge = badge_of(record);
  json::Value out = json::object({
      {"schemaVersion", json::number(1)},
      {"label", json::string(badge.label)},
      {"message", json::string(badge.message)},
      {"color", json::string(badge.colour)},
  });
  if (!record.finished.gate_passed) out.set("isError", json::boolean(true));
  return json::escaped_for_eyes(json::write(out)) + "\n";
}

std::string render_badge(const Record& record, const ReportOptions&) {
  const Badge badge = badge_of(record);
  const std::string label = badge_xml(badge.label), message = badge_xml(badge.message);
  const std::size_t left = pixels(label), right = pixels(message);
  pugi::xml_document document;
  pugi::xml_node svg = document.append_child("svg");
  const auto set = [](pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name).set_value(value.c_str());
  };
  set(svg, "xmlns", "http://www.w3.org/2000/svg");
  set(svg, "width", std::to_string(left + right));
  set(svg, "height", "20");
  set(svg, "role", "img");
  set(svg, "aria-label", label + ": " + message);
  svg.append_child("title").text().set((label + ": " + message).c_str());
  pugi::xml_node clip = svg.append_child("clipPath");
  set(clip, "id", "round");
  const auto rectangle = [&](pugi::xml_node in, std::size_t x, std::size_t width,
                             const char* colour) {
    pugi::xml_node node = in.append_child("rect");
    set(node, "x", std::to_string(x));
    set(node, "width", std::to_string(width));
    set(node, "height", "20");
    if (colour != nullptr) set(node, "fill", colour);
    return node;
  };
  set(rectangle(clip, 0, left + right, nullptr), "rx", "3");
  pugi::xml_node ground = svg.append_child("g");
  set(ground, "clip-path", "url(#round)");
  rectangle(ground, 0, left, "#444");
  rectangle(ground, left, right, badge.hex);
  pugi::xml_node words = svg.append_child("g");
  set(words, "fill", "#fff");
  set(words, "font-family", "Verdana,DejaVu Sans,sans-serif");
  set(words, "font-size", "11");
  const auto write = [&](std::size_t x, std::size_t width, const std::string& text) {
    pugi::xml_node node = words.append_child("text");
    set(node, "x", std::to_string(x + 5));
    set(node, "y", "14");
    set(node, "textLength", std::to_string(width - 10));
    node.text().set(text.c_str());
  };
  write(0, left, label);
  write(left, right, message);
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return out.str() + "\n";
}

}  // namespace reports
