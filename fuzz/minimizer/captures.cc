// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/captures.h"

#include <fmt/format.h>

#include "harness/json/write.h"

namespace fuzz {

Captures::Captures(const Script& script, const Execution& execution) : execution_(execution) {
  for (std::size_t step = 0; step < script.steps.size(); ++step) {
    const auto* frame = std::get_if<Frame>(&script.steps[step]);
    if (frame == nullptr) continue;
    for (const Reference& one : references(frame->bytes)) {
      const std::string pointer(one.pointer);
      if (!was_filled_in(step, frame->bytes.substr(one.begin, one.end - one.begin))) continue;
      names_.emplace(std::make_pair(one.frame, pointer), fmt::format("seen{}", names_.size()));
    }
  }
}

Text Captures::named(std::size_t step, const std::string& bytes) const {
  Text text;
  std::size_t at = 0;
  for (const Reference& one : references(bytes)) {
    const auto name = names_.find({one.frame, std::string(one.pointer)});
    const std::string written = bytes.substr(one.begin, one.end - one.begin);
    if (name == names_.end() || !was_filled_in(step, written)) continue;
    if (one.begin > at) text.push_back({bytes.substr(at, one.begin - at)});
    text.push_back({name->second, true});
    at = one.end;
  }
  if (at < bytes.size() || text.empty()) text.push_back({bytes.substr(at)});
  return text;
}

std::string Captures::of_reply_to(std::size_t frame) const {
  std::map<std::string, std::string> sorted;
  for (const auto& [what, name] : names_)
    if (what.first == frame) sorted.emplace(name, what.second);
  std::string list;
  for (const auto& [name, pointer] : sorted)
    list += (list.empty() ? "" : ", ") + name + ": " + harness::json::quoted(pointer);
  return list;
}

bool Captures::was_filled_in(std::size_t step, const std::string& reference) const {
  for (const Execution::SentStep& sent : execution_.sent) {
    if (sent.step != step || sent.slice >= execution_.slices.size()) continue;
    for (const auto& frame : execution_.slices[sent.slice].transcript->frames)
      if (frame.seq == sent.seq) return frame.bytes.find(reference) == std::string::npos;
  }
  return false;
}

}  // namespace fuzz
