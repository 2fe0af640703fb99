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

// A message we sent, as far as replies can tell that they are its.
struct Question {
  std::uint64_t seq = 0;
  std::string id_key;  // of the id a server can read in it; "" when there is none
  bool is_json = false;
  bool is_batch = false;
  int exchange = 0;  // HTTP: the reply comes in it
  int post = 0;      // HTTP+SSE: its status comes in it, the reply on the stream
};

// A message that came.
struct Incoming {
  wire::MessagePtr message;
  std::string key;     // of a reply: id_key of its id, "null" where it has none
  int exchange = 0;    // it came on
  bool again = false;  // came_again()
};

// The same as a session keeps it.
struct Inbound : Incoming {
  std::uint64_t seq = 0;
  wire::Channel channel = wire::Channel::kStdout;
  bool claimed = false;  // somebody took it
  bool noise = false;    // a line that does not begin as a message does: passed over, as clients do
};

// From worst to best.
enum class Fit {
  kNo,       // it is another's, or no reply
  kPerhaps,  // nothing says whose it is
  kOwn,      // it names the message, or came in its exchange
};

// Which row of a table what came belongs to, as far as it says that itself.
enum class RowOf {
  kUnsaid,
  kEarlier,  // it names what was asked before the row, or came in its exchange
  kThis,
};

// Of one session.
class LiveAttribution {
 public:
  // `message` was sent; `unframed`: as bytes that a server may read as a message or not.
  void sent(const wire::Message& message, std::string_view text, bool unframed);
  // What was asked so far was asked before from now on.
  void begin_slice();
  // What was asked so far was asked by an earlier row from now on.
  void begin_row() { ++row_; }
  // HTTP: something was asked in this exchange.
  void began_exchange(int exchange) { exchanges_.insert_or_assign(exchange, row_); }
  // No reply under this id is for anything else, until it is released.
  void reserve(const std::string& key) { reserved_.insert(key); }
  void release(const std::string& key) { reserved_.erase(key); }
  bool reserved(const std::string& key) const { return reserved_.contains(key); }
  // The message with this id is not waited for any more; should its reply come yet, it is not that
  // to something later.
  void give_up(const std::string& key) { given_up_.insert(key); }
  // Of this slice.
  const wire::Keys& given_up() const { return given_up_; }

  Fit fit(const Incoming& incoming, const Question& question) const;
  // Whether the reply is taken for that to the question, by who waits for nothing else. As long as
  // the server was not seen to keep an id, what names nobody passes for it.
  bool takes(const Incoming& incoming, const Question& question);

  // A reply came under this id, as this text. True where it did before, to what this slice asked
  // under that id: then it answers that a second time and nothing later.
  bool came_again(const std::string& key, std::string_view text);

  // By the exchange it came on; else by the id of a reply, the request a subscription was opened
  // with, or the token of progress.
  RowOf row_of(const Incoming& incoming) const;

  // The first reply came under an id nobody used.
  bool alters_ids() const { return alters_ids_; }
  // And it was the id that was asked with, as another type.
  bool retypes_ids() const { return retypes_ids_; }
  // So it was on another session.
  void expect_altered(bool retyped) {
    alters_ids_ = true;
    retypes_ids_ = retyped;
  }
  bool used(const std::string& key) const { return ids_.contains(key) || earlier_.contains(key); }
  // Whether a reply under this id may come at any time and tells nothing new: this slice asked, or
  // a request was cancelled that may have been answered already.
  bool may_come(const std::string& key) const {
    return ids_.contains(key) || cancelled_.contains(key);
  }
  // By an earlier slice, which did not wait for the reply.
  bool asked_before(const std::string& key) const {
    return earlier_.contains(key) && !loose_.contains(key);
  }
  // Those of before the slice, and those that a lenient reader may find in what it sent that is no
  // sound request.
  const wire::UsedIds& earlier() const { return earlier_; }

 private:
  // By key, the row that used it last.
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
  wire::UsedIds earlier_;
  wire::Keys loose_;  // of earlier_: those that this slice added
  wire::Keys reserved_, given_up_;
  wire::Keys cancelled_;  // whenever
  bool alters_ids_ = false;
  bool retypes_ids_ = false;
  bool keeps_ids_ = false;
};

// Whether the reply has the id of the question as another type: "1" for 1.
bool reads_as_own(const Incoming& incoming, const Question& question);

// Whether an id names a message that a reply can come to.
bool is_usable_id(const json::Value* id);

}  // namespace harness::trace
