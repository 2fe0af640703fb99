// SPDX-License-Identifier: Apache-2.0
// Oracle: a pure function from a Transcript to Findings. Oracles run over every Transcript of every
// Case and of every fuzz input; they see what nobody wrote a case for.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/secrets.h"
#include "harness/json/value.h"
#include "harness/oracle/finding.h"
#include "harness/oracle/readable_ids.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/used_ids.h"

namespace harness::oracle {

// One message standing alone: a whole frame, a line of raw bytes we wrote, or an element of an
// array. An array is an Item itself and is followed by one Item for each element.
struct Item {
  std::size_t frame = 0;                        // index into transcript.frames
  std::uint64_t seq = 0;                        // of that frame
  bool sent = false;                            // by us
  const wire::Message* text_message = nullptr;  // the whole text read
  const json::Value* value = nullptr;           // null when the text is not JSON
  wire::MessageKind kind = wire::MessageKind::kMalformed;
  int array = 0;          // number of the array it is an element of; 0: none
  std::string_view key;   // wire::id_key() of its id; "" when it has none
  std::string_view text;  // of the whole text

  const json::Value* member(std::string_view name) const {
    return value != nullptr && value->is_object() ? value->find(name) : nullptr;
  }
};

// What was sent under one id.
struct SentUnder {
  std::vector<const Item*> requests;  // in order
  int open = 0;                       // not answered, at the end
  // Two messages had it while neither was answered, or one that is no JSON to us may have it: whose
  // is the reply?
  bool ambiguous = false;
};
using Requests = std::map<std::string_view, SentUnder>;  // by key

// What an Oracle looks at. `messages` runs parallel to transcript.frames; frames that carry no
// message have a default one.
struct Evidence {
  const wire::Transcript& transcript;

 private:
  wire::Messages own_messages_;

 public:
  const wire::Messages& messages;
  const spec::Profile& profile;
  const spec::Registry& registry;
  // id_key of requests sent on this session before the slice; that of null when a reply without an
  // id may still come for one.
  wire::UsedIds earlier_ids;
  json::Value server_capabilities;   // as negotiated; null when there was no handshake
  json::Value client_capabilities;   // as we declared them
  const Secrets* secrets = nullptr;  // our credentials; null where they are not known
  // Everything that was said, in order. Sent raw bytes are cut into the lines a server reads;
  // received HTTP bodies are here only when they are meant as JSON-RPC.
  std::vector<Item> items;
  mutable std::optional<Requests> requests;                 // for sent_requests()
  mutable std::map<const Item*, ReadableIds> readable_ids;  // for may_have_read_id()

  Evidence(const wire::Transcript& t, const spec::Profile& p, const spec::Registry& r);
  // `read` are its messages, and outlive the Evidence.
  Evidence(const wire::Transcript& t, const wire::Messages& read, const spec::Profile& p,
           const spec::Registry& r);
  Evidence(const Evidence&) = delete;  // items point into it
  Evidence& operator=(const Evidence&) = delete;
  const wire::TransportTraits& traits() const { return wire::traits_of(transcript.transport); }
  // The target is a process whose standard streams we hold.
  bool process() const { return traits().process; }
  // All messages share a stream, on which they have to be told apart.
  bool stream() const { return traits().byte_stream; }
  bool lines() const { return stream() && transcript.framing.empty(); }
  bool http() const { return traits().exchanges; }
  // True when the transcript begins with the session and not in the middle of it.
  bool from_start() const {
    return earlier_ids.empty() && (transcript.frames.empty() || transcript.frames.front().seq <= 1);
  }

 private:
  struct Line {
    std::string text;
    wire::Message message;
  };
  std::deque<Line> lines_;        // those that are not exactly one frame
  std::deque<std::string> keys_;  // of elements
  int arrays_ = 0;

  void collect();
  void add_items(std::size_t frame, const wire::Message& message, std::string_view text);
  void add_sent(std::size_t frame, std::string& partial);
};

using Sink = std::vector<Finding>;

struct Oracle {
  const char* name;
  const char* help;                 // one line for `list oracles`
  std::vector<std::string> covers;  // the requirements it can report
  void (*judge)(const Evidence&, Sink&);
  std::vector<std::string> falsified_by;  // Faults of the reference server it is proved with
};

const std::vector<Oracle>& oracles();

// All oracles in table order. A finding whose requirement does not apply under the profile is
// dropped; its severity is lowered to what the profile makes of the requirement's level.
std::vector<Finding> judge(const Evidence& evidence);

// For oracles: reports a breach of `requirement`. The severity is that of the requirement's level
// (MUST fail, SHOULD warn, MAY info) and is capped at `at_most`.
void report(const Evidence& evidence, Sink& sink, const char* requirement, std::string expected,
            std::string seen, std::vector<std::uint64_t> frames,
            Severity at_most = Severity::kFail);

}  // namespace harness::oracle
