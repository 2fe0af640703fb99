// SPDX-License-Identifier: Apache-2.0
// transport/sse.
//
//   1. The same events however the stream was cut, within bounds.
//   2. With room enough they are those of a plain reading of the standard, written here once more.
#include <memory>

#include "fuzz/targets/property.h"
#include "harness/transport/sse.h"

using namespace harness;
using fuzz::hold;
using transport::SseEvent;

namespace {

constexpr std::size_t kFieldRoom = 64;

std::vector<SseEvent> events_of(std::size_t max_event,
                                const std::vector<std::string_view>& chunks) {
  std::vector<SseEvent> out;
  transport::SseSplitter splitter(max_event);
  for (const std::string_view chunk : chunks) {
    const auto own = std::make_unique<char[]>(chunk.size());
    chunk.copy(own.get(), chunk.size());
    splitter.give({own.get(), chunk.size()});
    while (auto event = splitter.next()) out.push_back(std::move(*event));
  }
  if (auto event = splitter.rest()) out.push_back(std::move(*event));
  hold(!splitter.rest(), "there is one rest");
  return out;
}

bool same(const SseEvent& a, const SseEvent& b) {
  return a.data == b.data && a.size == b.size && a.terminated == b.terminated &&
         a.event == b.event && a.id == b.id && a.retry == b.retry;
}

// The data of the events a browser would dispatch, line by line over the whole text.
std::vector<std::string> dispatched(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> out;
  std::string data;
  bool any = false;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
    if (line.empty()) {
      if (any) out.push_back(data.substr(0, data.size() - 1));
      data.clear();
      any = false;
    } else if (line == "data" || line.starts_with("data:")) {
      std::string_view value = line.substr(std::min<std::size_t>(line.size(), 5));
      if (value.starts_with(' ')) value.remove_prefix(1);
      data += std::string(value) + '\n';
      any = true;
    }
  }
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const std::string_view seed = fuzz::take_line(text);
  for (const std::size_t most : {std::size_t{1} << 20, std::size_t{16}, std::size_t{1}}) {
    const auto whole = events_of(most, {text});
    const auto chunked = events_of(most, fuzz::cut(text, seed));
    hold(whole.size() == chunked.size(), "chunks do not change how many there are");
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const SseEvent& event = whole[i];
      hold(same(event, chunked[i]), "chunks do not change an event", event.data);
      hold(event.data.size() == std::min<std::uint64_t>(event.size, most), "data is cut there",
           event.data);
      for (const auto& field : {event.event, event.id, event.retry}) {
        hold(!field || field->size() <= most + kFieldRoom, "a field is bounded");
      }
    }
  }
  std::vector<std::string> complete;
  for (const auto& event : events_of(text.size() + 1, {text})) {
    if (event.terminated && event.size > 0) complete.push_back(event.data);
  }
  std::vector<std::string> wanted = dispatched(text);
  std::erase(wanted, "");
  hold(complete == wanted, "events are those of the standard", text);
  return 0;
}
