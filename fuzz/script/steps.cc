// SPDX-License-Identifier: Apache-2.0
#include "fuzz/script/steps.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace fuzz {
namespace {

bool sends(const Step& step) {
  return std::holds_alternative<Frame>(step) || std::holds_alternative<Raw>(step);
}

bool ends_wait(const Step& step) {
  return std::holds_alternative<Sync>(step) || std::holds_alternative<Close>(step);
}

}  // namespace

std::size_t count_frames(const Script& script) {
  return static_cast<std::size_t>(
      std::count_if(script.steps.begin(), script.steps.end(),
                    [](const Step& step) { return std::holds_alternative<Frame>(step); }));
}

std::size_t step_of_frame(const Script& script, std::size_t position) {
  std::size_t step = 0;
  for (;; ++step) {
    if (!std::holds_alternative<Frame>(script.steps[step])) continue;
    if (position-- == 0) return step;
  }
}

std::size_t place_of(const Script& script, const Frame* frame) {
  return static_cast<std::size_t>(
      std::find_if(script.steps.begin(), script.steps.end(),
                   [&](const Step& step) { return std::get_if<Frame>(&step) == frame; }) -
      script.steps.begin());
}

std::size_t frame_number(const Script& script, std::size_t place) {
  return 1 + static_cast<std::size_t>(std::count_if(
                 script.steps.begin(), script.steps.begin() + static_cast<std::ptrdiff_t>(place),
                 [](const Step& step) { return std::holds_alternative<Frame>(step); }));
}

void renumber(Frame& frame, const std::function<std::size_t(std::size_t)>& number) {
  if (frame.bytes.find("${") == std::string::npos) return;
  std::string out;
  std::size_t copied = 0;
  for (const Reference& reference : references(frame.bytes)) {
    const std::size_t now = number(reference.frame);
    if (now == reference.frame || now == 0) continue;
    const std::size_t at = reference.begin + 2;
    out.append(frame.bytes, copied, at - copied);
    out += std::to_string(now);
    copied = frame.bytes.find_first_not_of("0123456789", at);
  }
  if (copied == 0) return;
  out.append(frame.bytes, copied);
  frame.bytes = std::move(out);
}

void renumber(Script& script, std::size_t from, std::ptrdiff_t by) {
  const auto now = [&](std::size_t number) {
    const std::ptrdiff_t moved = static_cast<std::ptrdiff_t>(number) + by;
    return number < from || moved < 1 ? number : static_cast<std::size_t>(moved);
  };
  for (Step& step : script.steps) {
    if (auto* frame = std::get_if<Frame>(&step)) renumber(*frame, now);
    auto* timing = std::get_if<Timing>(&step);
    if (timing && timing->kind == TimingKind::kAwait) timing->number = now(timing->number);
  }
}

void drop_steps(Script& script, std::size_t begin, std::size_t end) {
  const std::size_t first = frame_number(script, begin);
  const std::size_t behind = frame_number(script, end);
  renumber(script, behind,
           static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(behind));
  script.steps.erase(script.steps.begin() + static_cast<std::ptrdiff_t>(begin),
                     script.steps.begin() + static_cast<std::ptrdiff_t>(end));
}

std::optional<Script> in_lines(const Script& script) {
  Script out{script.profile, script.transport, {}};
  std::string bytes;  // of the steps that are one stream
  const auto line = [&](std::string_view text) {
    Frame frame;
    const bool crlf = text.ends_with('\r');
    frame.bytes = text.substr(0, text.size() - crlf);
    if (crlf) frame.delivery.eol = Eol::kCrlf;
    out.steps.emplace_back(std::move(frame));
  };
  const auto lines = [&] {
    std::string_view rest = bytes;
    for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos;) {
      line(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    if (!rest.empty()) line(rest);
    bytes.clear();
  };
  for (const Step& step : script.steps) {
    if (const auto* raw = std::get_if<Raw>(&step)) {
      bytes += raw->bytes;
      continue;
    }
    const auto* frame = std::get_if<Frame>(&step);
    if (frame && !references(frame->bytes).empty()) return std::nullopt;
    Delivery usual;
    if (frame) usual.eol = frame->delivery.eol;
    if (frame && frame->delivery == usual) {
      bytes += frame->bytes;
      bytes += end_of(frame->delivery.eol);
      continue;
    }
    lines();
    out.steps.push_back(step);
  }
  lines();
  if (out == script) return std::nullopt;
  return out;
}

Script one_by_one(const Script& script) {
  Script out{script.profile, script.transport, {}};
  bool open = false;
  for (const Step& step : script.steps) {
    if (sends(step) && open) out.steps.emplace_back(Sync{});
    if (ends_wait(step)) open = false;
    out.steps.push_back(step);
    open |= std::holds_alternative<Frame>(step);
  }
  return out;
}

bool is_schedule(const Script& script) {
  return std::any_of(script.steps.begin(), script.steps.end(), [](const Step& step) {
    const auto* answer = std::get_if<ClientAnswer>(&step);
    return std::holds_alternative<Timing>(step) || (answer && answer->kind == AnswerKind::kHeld);
  });
}

bool in_flight_together(const Script& script) {
  int open = 0;
  for (const Step& step : script.steps) {
    if (ends_wait(step)) open = 0;
    open += sends(step);
    if (open > 1) return true;
  }
  return false;
}

void append(Script& script, const Script& other) {
  const std::size_t before = count_frames(script);
  for (const Step& step : other.steps) {
    script.steps.push_back(step);
    if (auto* frame = std::get_if<Frame>(&script.steps.back()))
      renumber(*frame, [before](std::size_t number) { return number + before; });
    auto* timing = std::get_if<Timing>(&script.steps.back());
    if (timing && timing->kind == TimingKind::kAwait) timing->number += before;
  }
}

}  // namespace fuzz
