// SPDX-License-Identifier: Apache-2.0
// The end of a connection: whoever is sent only what nobody can object to has no reason to leave
// before it has answered anything.
#include <algorithm>
#include <set>
#include <string_view>

#include "harness/base/text.h"
#include "harness/oracle/business.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/known.h"
#include "harness/spec/model.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kLargeMessage =
    64 * 1024;                       // bytes of a message that a server may refuse to read
constexpr std::ptrdiff_t kFew = 20;  // messages that any connection is good for

// Of the words a transport has for the end of a connection, those of one that the server ended.
bool is_plain_end(std::string_view how) {
  return how.starts_with("eof") || how.starts_with("reset") || how.starts_with("close 1011");
}

// What nobody can object to, nor to its size.
bool is_beyond_objection(const Evidence& evidence, const Item& item) {
  if (item.text.size() > kLargeMessage) return false;
  const bool array = item.kind == wire::MessageKind::kBatch && item.array == 0;
  if (!array) return is_proper(evidence, item);
  return spec::batches_in(evidence.profile) == spec::Batches::kServed && !item.value->items.empty();
}

// Nor to the order of what was sent: a session is opened once, and before anything is asked in it;
// and no id is used twice.
bool is_all_beyond_objection(const Evidence& evidence) {
  bool opened = !evidence.from_start() || evidence.profile.era != spec::Era::kHandshake;
  std::set<std::string_view> once;
  for (const Item& item : evidence.items) {
    const bool opens = method_of(item) == "initialize";
    if (!item.sent) {
      opened |= item.kind == wire::MessageKind::kResponse;
      continue;
    }
    if (!is_beyond_objection(evidence, item)) return false;
    const bool request = item.kind == wire::MessageKind::kRequest;
    if (request && !opens && !opened) return false;
    if (request && !once.insert(item.key).second) return false;
    const bool lifecycle = opens || method_of(item) == spec::initialized_method(evidence.profile);
    if (lifecycle && (!evidence.from_start() || !once.insert(method_of(item)).second)) return false;
  }
  return true;
}

// Anything but a handshake. Nothing says how many messages a connection is good for: who has
// taken some may be done with it before the next one is read.
bool has_served(const Evidence& evidence, const wire::Frame& close) {
  const Requests& requests = sent_requests(evidence);
  const auto sent = std::count_if(evidence.items.begin(), evidence.items.end(),
                                  [](const Item& item) { return item.sent; });
  if (sent > kFew) return true;
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    if (item.sent || item.seq > close.seq || !is_reply(item)) return false;
    const Item* asked = request_of(requests, item);
    return asked == nullptr || method_of(*asked) != "initialize";
  });
}

}  // namespace

void judge_connection(const Evidence& evidence, Sink& sink) {
  const auto& frames = evidence.transcript.frames;
  const bool socket = evidence.traits().frames || evidence.stream();
  if (evidence.process() || !socket || frames.size() > kFlood) return;
  const wire::Frame* close = nullptr;
  for (const wire::Frame& frame : frames) {
    const bool ours = frame.direction == wire::Direction::kSent;
    if (ours && (frame.channel == wire::Channel::kClose || frame.unframed)) return;
    if (ours || frame.channel != wire::Channel::kClose || frame.exchange != 0) continue;
    close = &frame;
    break;
  }
  if (close == nullptr || !is_plain_end(close->bytes)) return;
  if (!is_all_beyond_objection(evidence) || has_served(evidence, *close)) return;
  const Business business = business_at(evidence, *close);
  if (business.unanswered == nullptr || method_of(*business.unanswered) == "initialize") return;
  const std::string clause = spec::canary_requirement(evidence.profile, evidence.known.get());
  Breach breach{"a reply to " + shown_id(business.unanswered->member("id")),
                "the connection was closed (" + printable(close->bytes) + ")",
                {business.unanswered->seq, close->seq}};
  breach.flaw = printable(close->bytes.substr(0, close->bytes.find(' ', 6)));  // "close 1011"
  breach.at_least = Severity::kFail;
  breach.came = Observation{Ended{printable(close->bytes)}};
  report_best(evidence, sink, {clause.c_str()}, std::move(breach));
}

}  // namespace harness::oracle
