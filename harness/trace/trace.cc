// SPDX-License-Identifier: Apache-2.0
// How a Transcript becomes Items. Each received text is read once. What we sent is cut the way a
// server cuts it: raw bytes run on until a newline, whichever frame that comes in.
#include "harness/trace/trace.h"

#include <set>
#include <string_view>
#include <utility>

#include "harness/trace/traffic.h"
#include "harness/wire/encoded_body.h"

namespace harness::trace {
namespace {

using wire::Channel;
using wire::Direction;

// Error pages, metadata documents and token answers are JSON too; only what answers a posted
// JSON-RPC message, or says of itself that it is one, is judged as one.
bool is_meant_as_message(const wire::Frame& frame, const wire::Message& message,
                         const wire::Message* posted) {
  const json::Value* head = &message.value;
  if (head->is_array() && !head->items.empty()) head = &head->items.front();
  if (head->is_object() && head->find("jsonrpc") != nullptr) return true;
  const int status = frame.head ? frame.head->status : 0;
  if (status < 200 || status > 299 || posted == nullptr) return false;
  return posted->kind == wire::MessageKind::kRequest || posted->kind == wire::MessageKind::kBatch;
}

}  // namespace

Trace::Trace(const wire::Transcript& t, const spec::Profile& p)
    : transcript(t), own_messages_(t.frames.size()), messages(own_messages_), profile(p) {
  for (std::size_t i = 0; i < t.frames.size(); ++i)
    if (wire::carries_message(t.frames[i]))
      own_messages_.set(i, wire::read_shared(t.frames[i].bytes));
  collect();
}

Trace::Trace(const Slice& slice, const spec::Profile& p)
    : transcript(*slice.transcript), messages(slice.messages), profile(p),
      earlier_ids(slice.earlier_ids), server_capabilities(slice.server_capabilities),
      client_capabilities(slice.client_capabilities), known(slice.known) {
  collect();
}

void Trace::collect() {
  const wire::Transcript& t = transcript;
  struct Post {
    const wire::Frame* frame;
    const wire::Message* message;
  };
  std::map<int, Post> posts;  // by exchange
  std::string partial;
  for (std::size_t i = 0; i < t.frames.size(); ++i) {
    const wire::Frame& frame = t.frames[i];
    const bool sent = frame.direction == Direction::kSent;
    if (sent && frame.channel == Channel::kHttp) {
      posts[frame.exchange] = {&frame, &messages[i]};
      if (std::optional<std::string> body = wire::decoded_body(frame)) {
        lines_.push_back({std::move(*body), {}});
        lines_.back().message = wire::read_message(lines_.back().text);
        posts[frame.exchange].message = &lines_.back().message;
        add_items(i, lines_.back().message, lines_.back().text);
        continue;
      }
    }
    if (sent && (frame.channel == Channel::kStdin || frame.channel == Channel::kSocket)) {
      add_sent(i, partial);
      continue;
    }
    // A POST without a body is refused as text that is not JSON, like the blank lines of others.
    const bool posted_nothing = sent && frame.channel == Channel::kHttp && frame.bytes.empty() &&
                                frame.head && frame.head->method == "POST";
    if (posted_nothing) {
      lines_.push_back({});
      add_items(i, lines_.back().message, lines_.back().text);
      continue;
    }
    if (!wire::carries_message(frame) || (!sent && !messages[i].is_json)) continue;
    if (!sent && frame.channel == Channel::kHttp) {
      const auto post = posts.find(frame.exchange);
      // What is no HTTP is refused by HTTP, in whatever words.
      if (post != posts.end() && post->second.frame->unframed && frame.head &&
          frame.head->status >= 400)
        continue;
      // Where replies come on a stream, a body is anything, unless it says otherwise.
      const wire::Message* posted = post == posts.end() || !http() ? nullptr : post->second.message;
      if (!is_meant_as_message(frame, messages[i], posted)) continue;
    }
    add_items(i, messages[i], frame.bytes);
  }
  std::set<std::string_view> replies;
  for (const Item& item : items)
    if (item.sent && is_reply(item) && earlier_ids.contains(item.key)) replies.insert(item.key);
  answered_by_us_ = replies.size();
}

void Trace::add_sent(std::size_t frame, std::string& partial) {
  const wire::Frame& sent = transcript.frames[frame];
  const bool whole =
      !lines() || (partial.empty() && !sent.unframed && sent.bytes.find('\n') == std::string::npos);
  if (whole) {
    if (wire::carries_message(sent)) {
      add_items(frame, messages[frame], sent.bytes);
    } else {
      lines_.push_back({sent.bytes, {}});
      add_items(frame, lines_.back().message, lines_.back().text);
    }
    return;
  }
  partial += sent.bytes;
  if (!sent.unframed) partial += '\n';
  std::size_t from = 0;
  for (std::size_t to; (to = partial.find('\n', from)) != std::string::npos; from = to + 1) {
    lines_.push_back({partial.substr(from, to - from), {}});
    lines_.back().message = wire::read_message(lines_.back().text);
    add_items(frame, lines_.back().message, lines_.back().text);
  }
  partial.erase(0, from);
}

void Trace::add_items(std::size_t frame, const wire::Message& message, std::string_view text) {
  const wire::Frame& source = transcript.frames[frame];
  Item item;
  item.frame = frame;
  item.seq = source.seq;
  item.sent = source.direction == Direction::kSent;
  item.text_message = &message;
  item.text = text;
  item.kind = message.kind;
  item.key = message.key;
  if (message.is_json) item.value = &message.value;
  items.push_back(item);
  if (message.kind != wire::MessageKind::kBatch) return;
  arrays_++;
  for (const json::Value& element : message.value.items) {
    item.value = &element;
    item.kind = wire::kind_of(element);
    const json::Value* id = element.is_object() ? element.find("id") : nullptr;
    item.key = id == nullptr ? std::string_view() : keys_.emplace_back(wire::id_key(*id));
    item.array = arrays_;
    items.push_back(item);
  }
}

}  // namespace harness::trace
