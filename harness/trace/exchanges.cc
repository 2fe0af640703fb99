// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/exchanges.h"

#include <algorithm>

namespace harness::trace {
namespace {

constexpr std::size_t kModestHead = 2048;  // bytes

bool is_stream(const wire::Frame& head) {
  const std::string* type = head.head ? head.head->header("Content-Type") : nullptr;
  return type != nullptr && type->starts_with("text/event-stream");
}

bool is_http_token(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

}  // namespace

bool is_modest(const wire::HttpHead& head) {
  constexpr std::string_view kOfConnection[] = {
      "Connection", "Host", "Expect", "Upgrade", "Keep-Alive", "Trailer", "TE", "Content-Length"};
  std::size_t size = head.target.size();
  for (const wire::Header& header : head.headers) {
    const std::string_view value = header.value;
    const bool left_out = value == std::string_view("\0", 1);
    const auto odd = [](char c) { return (c < ' ' && c != '\t') || c == 0x7f; };
    if (!left_out && std::any_of(value.begin(), value.end(), odd)) return false;
    if (!is_http_token(header.name)) return false;
    size += header.name.size() + value.size();
    for (const std::string_view name : kOfConnection)
      if (head.header(name) != nullptr) return false;
  }
  return size <= kModestHead;
}

Exchanges::Exchanges(const Trace& trace) {
  if (!trace.http()) return;
  for (const wire::Frame& frame : trace.transcript.frames) {
    const bool ours = frame.direction == wire::Direction::kSent;
    if (frame.channel == wire::Channel::kClose) {
      if (!ours) left_.emplace(frame.exchange, frame.bytes);
    } else if (ours && frame.channel == wire::Channel::kHttp && frame.head) {
      posts_[frame.exchange] = &frame;
      sessions_ |= frame.head->header("Mcp-Session-Id") != nullptr;
      over_ |= frame.head->method == "DELETE";
    } else if (!ours && frame.channel == wire::Channel::kHttp) {
      answers_[frame.exchange] = &frame;
    } else if (!ours && frame.channel == wire::Channel::kSse) {
      streams_.insert(frame.exchange);
    }
  }
}

void Exchanges::heard(int exchange) {
  spoke_.insert(exchange);
  if (const auto post = posts_.find(exchange); post != posts_.end())
    endpoints_.insert(post->second->head->target);
}

bool Exchanges::was_posted(int exchange) const {
  const auto post = posts_.find(exchange);
  return post != posts_.end() && post->second->head->method == "POST";
}

// An exchange that is over tells what did not come, whatever else was asked; of one that is not, or
// was left without a word, what was asked later does.
Exchanges::Missing Exchanges::missing(int exchange) const {
  if (spoke_.contains(exchange)) return Missing::kUnknown;
  const auto post = posts_.find(exchange);
  if (post == posts_.end() || !endpoints_.contains(post->second->head->target))
    return Missing::kUnknown;
  const auto answer = answers_.find(exchange);
  const auto left = left_.find(exchange);
  const std::string_view how = left == left_.end() ? "" : left->second;
  const bool head_only = answer != answers_.end() && is_stream(*answer->second) && how.empty() &&
                         !streams_.contains(exchange);
  if (answer == answers_.end() || head_only) {
    if (over_) return Missing::kUnknown;
    if (how.empty() || how == "timeout") return Missing::kOpen;
    const bool theirs = how == "eof" || how == "reset";  // neither by us, nor as HTTP has it
    return theirs && is_modest(*post->second->head) ? Missing::kLeft : Missing::kUnknown;
  }
  const wire::Frame& head = *answer->second;
  if (!head.head || head.unframed || head.size > head.bytes.size()) return Missing::kUnknown;
  if (how != "end" || is_stream(head)) return Missing::kUnknown;
  const int status = head.head->status;
  if (status >= 200 && status < 300)
    return head.bytes.empty() ? Missing::kEmpty : Missing::kUnknown;
  return status == 500 ? Missing::kServerError : Missing::kUnknown;
}

}  // namespace harness::trace
