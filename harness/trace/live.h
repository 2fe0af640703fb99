// SPDX-License-Identifier: Apache-2.0
// LiveAttribution: whose reply a message is, when it comes: for who waits for a reply and cannot
// know what comes later. What it is sure of, Attribution says as well; the rest is left open.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/used_ids.h"

namespace harness::trace {

// A message we sent, as far as replies can show that they belong to it.
struct Question {
  std::uint64_t seq = 0;
  std::string id_key;  // of the id that a server can read in it; "" if there is none
  bool is_json = false;
  bool is_batch = false;
  int exchange = 0;  // HTTP: the reply comes in it
  int post = 0;      // HTTP+SSE: its status comes in it, the reply on the stream
};

// A message that came.
struct Incoming {
  wire::MessagePtr message;
  std::string key;      // of a reply: id_key of its id, "null" if it has none
  int exchange = 0;     // it came on
  bool again = false;   // came_again()
  bool second = false;  // is_second()
};

// The same, as a session keeps it.
struct Inbound : Incoming {
  std::uint64_t seq = 0;
  wire::Channel channel = wire::Channel::kStdout;
  bool claimed = false;  // somebody took it
  bool noise = false;    // a line that does not begin as a message does: skipped, as clients do
};

// From worst to best.
enum class Fit {
  kNo,       // it belongs to another message, or is not a reply
  kPerhaps,  // nothing shows what it belongs to
  kOwn,      // it names the message, or came in its exchange
};

// Which row of a table a received message belongs to, as far as the message itself shows it.
enum class RowOf {
  kUnsaid,
  kEarlier,  // it names a request from before the row, or came in its exchange
  kThis,
};

// Of one session.
class LiveAttribution {
 public:
  // `message` was sent; `unframed`: as bytes that a server may or may not read as a message.
  void sent(const wire::Message& message, std::string_view text, bool unframed);
  // Requests sent so far count from now on as sent before the slice.
  void begin_slice();
  // Requests sent so far count from now on as those of an earlier row.
  void begin_row() { ++row_; }
  // HTTP: something was sent in this exchange.
  void began_exchange(int exchange) { exchanges_.insert_or_assign(exchange, row_); }
  // Until it is released, replies with this id belong to nothing else.
  void reserve(const std::string& key) { reserved_.insert(key); }
  void release(const std::string& key) { reserved_.erase(key); }
  bool reserved(const std::string& key) const { return reserved_.contains(key); }
  // The reply with this id is no longer awaited; if it still comes, it belongs to nothing later.
  void give_up(const std::string& key) { given_up_.insert(key); }
  // Of this slice.
  const wire::Keys& given_up() const { return given_up_; }

  Fit fit(const Incoming& incoming, const Question& question) const;
  // Whether the reply belongs to the question, when nothing else is awaited. Until the server was
  // seen to keep an id, a reply without a matching id counts, too.
  bool takes(const Incoming& incoming, const Question& question);
  // Whether it takes the reply though it does not name the question: of what fits perhaps.
  bool may_pass(const Incoming& incoming, const Question& question) const;

  // A reply came with this id and this text. True if an equal one came before, to a request of this
  // slice with that id: then it is a second reply to it, and belongs to nothing later.
  bool came_again(const std::string& key, std::string_view text);

  // A reply came with this id. True if one came before, to whatever request has that id.
  bool is_second(const std::string& key) { return used(key) && !answered_.insert(key); }

  // By its exchange; otherwise by the id of a reply, the request that opened a subscription, or the
  // token of progress.
  RowOf row_of(const Incoming& incoming) const;

  // A reply came under the id of its request.
  bool keeps_ids() const { return keeps_ids_; }
  // The first reply came with an id that nobody used.
  bool alters_ids() const { return alters_ids_; }
  // And it was the id of the request, as another type.
  bool retypes_ids() const { return retypes_ids_; }
  // That happened on another session.
  void expect_altered(bool retyped) {
    alters_ids_ = true;
    retypes_ids_ = retyped;
  }
  // Results without an id answer notifications: what was asked meanwhile had its own reply.
  void saw_notes_answered() { answers_notes_ |= notified_; }
  void expect_answered_notes() { answers_notes_ = true; }  // seen on another session
  bool answers_notes() const { return answers_notes_; }
  // Replies to what names no request come under this id, also where something else used it.
  void expect_stand_in(std::string key) { stand_in_ = std::move(key); }
  bool used(const std::string& key) const { return ids_.contains(key) || earlier_.contains(key); }
  // Whether a reply with this id may come at any time and means nothing new: this slice sent it, or
  // a cancelled request may have been answered already.
  bool may_come(const std::string& key) const {
    return ids_.contains(key) || cancelled_.contains(key);
  }
  // By an earlier slice, which did not wait for the reply.
  bool asked_before(const std::string& key) const {
    return earlier_.contains(key) && !loose_.contains(key);
  }
  // Those from before the slice, and those that a lenient reader may find in the invalid requests
  // of the slice.
  const wire::UsedIds& earlier() const { return earlier_; }

 private:
  // By key, the latest row that used it.
  using Rows = std::unordered_map<std::string, int, wire::KeyHash, std::equal_to<>>;

  void note_loose(const std::string& key);
  bool answers_earlier(const wire::Message& array) const;
  void note_asked(const json::Value& message);
  RowOf row_of(int row) const { return row == row_ ? RowOf::kThis : RowOf::kEarlier; }

  int row_ = 0;
  Rows ids_;     // asked in this slice
  Rows tokens_;  // of progress, likewise
  std::map<int, int> exchanges_;
  std::unordered_map<std::string, std::size_t> came_;  // by key, of the first reply the hash
  wire::UsedIds earlier_, answered_;
  wire::Keys loose_;  // of earlier_: those that this slice added
  wire::Keys reserved_, given_up_;
  wire::Keys cancelled_;  // whenever
  std::string stand_in_;
  bool alters_ids_ = false;
  bool notified_ = false;       // a notification was sent
  bool answers_notes_ = false;  // by a result without an id
  bool retypes_ids_ = false;
  bool keeps_ids_ = false;
};

// Whether the reply has the id of the question as another type: "1" for 1.
bool reads_as_own(const Incoming& incoming, const Question& question);

// Whether an id names a message that can get a reply.
bool is_usable_id(const json::Value* id);

}  // namespace harness::trace
