// SPDX-License-Identifier: Apache-2.0
#include "harness/session/resumption.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace harness::session {

void Resumption::asked(int exchange, std::string id_key) {
  streams_[exchange].id_key = std::move(id_key);
}

int Resumption::origin(int exchange) const {
  const auto found = origins_.find(exchange);
  return found == origins_.end() ? exchange : found->second;
}

void Resumption::take_event(int exchange, const wire::HttpHead& head) {
  const auto stream = streams_.find(exchange);
  if (stream == streams_.end()) return;
  if (const std::string* id = head.header("id")) stream->second.last_id = *id;
  const std::string* retry = head.header("retry");
  if (retry == nullptr) return;
  constexpr int kMost = 60'000;
  int value = 0;
  const auto [end, error] = std::from_chars(retry->data(), retry->data() + retry->size(), value);
  if (error == std::errc() && end == retry->data() + retry->size() && value >= 0)
    stream->second.retry = std::chrono::milliseconds(std::min(value, kMost));
}

void Resumption::answered(int exchange, const std::string& id_key) {
  const auto stream = streams_.find(exchange);
  if (stream != streams_.end() && stream->second.id_key == id_key) streams_.erase(stream);
}

bool Resumption::ended(int exchange, Time now) {
  const auto stream = streams_.find(exchange);
  if (stream == streams_.end() || stream->second.last_id.empty()) return false;
  stream->second.due = now + stream->second.retry;
  return true;
}

std::optional<Resumption::Due> Resumption::next() const {
  std::optional<Due> first;
  for (const auto& [exchange, stream] : streams_)
    if (stream.due && (!first || *stream.due < first->at))
      first = Due{exchange, stream.last_id, *stream.due};
  return first;
}

void Resumption::resumed(const Due& due, int exchange) {
  origins_[exchange] = due.exchange;
  const auto stream = streams_.find(due.exchange);
  if (stream == streams_.end()) return;
  stream->second.due.reset();
  stream->second.current = exchange;
}

int Resumption::current(int exchange) const {
  const auto stream = streams_.find(exchange);
  return stream == streams_.end() ? 0 : stream->second.current;
}

}  // namespace harness::session
