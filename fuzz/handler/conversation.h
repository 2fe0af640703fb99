// SPDX-License-Identifier: Apache-2.0
// Conversation: plays a Script on a handler, a function that answers one message, in this process.
// It judges nothing; HandlerSlices hold what it saw.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/script/script.h"
#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/suite/answer.h"
#include "harness/trace/trace.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/message_cache.h"

namespace fuzz {

using Handle = std::function<std::string(std::string_view message)>;

// The transport named in Transcripts of handlers. No clause applies to it alone.
inline constexpr auto kHandler = harness::wire::TransportKind::kHandler;

// Everything said to one server, from its first message to its last.
struct HandlerSlice : harness::trace::Slice {
  std::shared_ptr<harness::wire::Transcript> recording;  // its transcript, being written
  bool deaf = false;   // a request that is known to be answered was not, several times
  bool flood = false;  // its output exceeds what we keep: the rest is missing
};

// The messages that a handler returned: one, perhaps over several lines, or several, one per line.
std::vector<std::string> messages_of(std::string_view said);

class Conversation {
 public:
  // `make` makes a new server.
  Conversation(const harness::spec::Profile& profile, std::function<Handle()> make);

  // Hands over frames and raw bytes one by one, unchanged; their delivery has no meaning here. A
  // slice of the script in which `initialize` is not sent gets a server that is ready. After it,
  // sends requests whose reply is known, to detect a silence.
  const std::vector<HandlerSlice>& play(const Script& script);

  // What play() saw. During play(), and after the handler threw, what was seen so far.
  const std::vector<HandlerSlice>& slices() const { return slices_; }
  std::size_t frames() const { return frames_; }  // of scripts, ever

  // A new server, ready if the profile has a handshake, and one request: the `result` of the reply,
  // or null. Used for the survey of a server.
  void meet();
  bool ready() const { return ready_; }
  const harness::json::Value& agreed() const { return agreed_; }  // of the last handshake
  harness::json::Value ask(std::string_view method, harness::json::Value params);

 private:
  void open(bool handshake);
  void say(std::string text, std::size_t number);
  void hear(std::string_view said, std::size_t number);
  void take(std::string text, harness::wire::MessagePtr message, std::size_t number);
  void answer_requests();
  void answer(const harness::json::Value& request);
  void shake_hands();
  void settle();
  bool canary();  // whether it was answered
  std::string expanded(const std::string& bytes) const;
  HandlerSlice& now() { return slices_.back(); }
  std::uint64_t record(harness::wire::Direction direction, std::string text,
                       harness::wire::MessagePtr message);

  const harness::spec::Profile& profile_;
  std::function<Handle()> make_;
  Handle handle_;
  harness::wire::MessageCache cache_;
  std::vector<HandlerSlice> slices_;
  harness::suite::Answers answers_;          // how requests of the server are answered
  std::vector<harness::json::Value> asked_;  // requests of the server, to be answered
  std::vector<harness::json::Value> late_;   // responses that wait until the server sends something
  std::vector<std::pair<std::size_t, std::string>> replies_;  // number of the frame → reply
  std::string initialize_id_;                                 // id_key of the last one
  harness::json::Value agreed_;
  std::int64_t next_id_ = 0;
  std::uint64_t next_seq_ = 0;
  std::size_t received_ = 0;  // bytes, on this slice
  std::size_t frames_ = 0;
  int answered_ = 0;     // requests of the server, in this slice
  bool ready_ = false;   // canaries are known to be answered
  bool owing_ = false;   // something that may need a reply got none
  bool wanted_ = false;  // a reference needs replies
  bool heard_ = false;   // the last message got some reply
};

}  // namespace fuzz
