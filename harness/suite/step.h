// SPDX-License-Identifier: Apache-2.0
// Step: one step of a case as it was read: an action with its fields, and what stands beside it.
// Only the reader in steps.cc knows how a case spells these; code that plays, counts or converts
// steps visits the variant. Values that may hold `${references}` stay json::Values, with the place
// in their file: they are filled in when the step is played.
//
// A new action is a struct here, a row in actions.cc, and what the compiler then asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/json/value.h"
#include "harness/suite/answer.h"
#include "harness/suite/outcome.h"
#include "harness/suite/when.h"

namespace harness::suite {

// The session a case requires; see `session` in cases/GRAMMAR.md.
enum class Need { kReady, kOwn, kBare, kFresh, kDisposable };

// --- frames in pieces

struct Piece;
struct Step;

// A text, or a reference that may stand for a text, a message or a whole list of pieces (`whole`);
// or the pieces themselves.
struct Pieces {
  json::Value whole;
  std::vector<Piece> list;  // not empty: these, and `whole` is unused
};

struct TextPiece {
  json::Value text;
};
struct HexPiece {
  json::Value digits;
};
struct RepeatedPiece {
  json::Value unit;   // ${n} in it counts from 0
  json::Value count;  // a whole number
};
// One WebSocket frame, lawful or not.
struct WebsocketPiece {
  Pieces payload;
  std::optional<json::Value> opcode, last, masked, reserved, claims;
};

struct Piece {
  std::variant<TextPiece, HexPiece, RepeatedPiece, WebsocketPiece> what;
};

// True for a list of mappings of which the first has the form of a piece.
bool is_list_of_pieces(const json::Value& value);
// The pieces of such a list, as a column of a table may hold one. Leaves out what is not a piece.
std::vector<Piece> pieces_in(const json::Value& list);

// --- fields beside an action

struct Header {
  json::Value name;             // a string
  std::optional<Pieces> value;  // nothing: the header is left out
};
using Headers = std::vector<Header>;

// How a message is written.
struct Write {
  bool each_byte = false;
  bool pings = false;
  std::vector<json::Value> chunks;  // sizes of the first writes
  std::optional<std::string> eol;
  std::optional<json::Value> header;  // a whole header block; # in it: the length of the message
  std::optional<json::Value> fragments, chunked, times;
};

struct Capture {
  std::string name;
  std::string pointer;  // into the reply
  std::string header;   // not empty: the value of this HTTP header instead
};

// The elements for which a step is played.
struct Each {
  std::string name;  // the name that an element is bound to
  json::Value list;  // a list, or a reference that may stand for one
};

// --- actions

// The topic of an action. The reference page is in this order, and each topic has its own player
// file.
enum class Topic { kMessage, kConnection, kObservation };

struct Call {
  static constexpr Topic kTopic = Topic::kMessage;
  json::Value method;
  std::optional<json::Value> params, id, meta;
};
struct Notify {
  static constexpr Topic kTopic = Topic::kMessage;
  json::Value method;
  std::optional<json::Value> params, meta;
};
struct Send {
  static constexpr Topic kTopic = Topic::kMessage;
  json::Value message;
};
struct Frame {
  static constexpr Topic kTopic = Topic::kMessage;
  Pieces text;
};
struct Bytes {
  static constexpr Topic kTopic = Topic::kMessage;
  Pieces bytes;
};
struct Pipelined {
  static constexpr Topic kTopic = Topic::kMessage;
  std::vector<Step> steps;
  std::optional<json::Value> repeat;
  std::vector<std::string> order;  // names of steps
};

struct Handshake {
  static constexpr Topic kTopic = Topic::kConnection;
  std::optional<json::Value> version, capabilities, client_info, params, id, initialized;
};
struct Reconnect {
  static constexpr Topic kTopic = Topic::kConnection;
  Need need = Need::kFresh;  // or kBare
};
enum class Channel { kStdin, kStdout };
struct Close {
  static constexpr Topic kTopic = Topic::kConnection;
  Channel channel = Channel::kStdin;
};
struct Signal {
  static constexpr Topic kTopic = Topic::kConnection;
  std::string name;  // "TERM"
};
struct Pause {
  static constexpr Topic kTopic = Topic::kConnection;
  json::Value seconds;
};
struct Exit {
  static constexpr Topic kTopic = Topic::kConnection;
  std::optional<json::Value> within, status;
};
struct Http {
  static constexpr Topic kTopic = Topic::kConnection;
  json::Value method;
  std::optional<json::Value> path, body, keep_open, expect_continue, answers;
  Headers headers;
};
struct Disconnect {
  static constexpr Topic kTopic = Topic::kConnection;
  std::string of;  // name of a step
};
struct Upgrade {
  static constexpr Topic kTopic = Topic::kConnection;
  std::optional<json::Value> path;
  Headers headers;
};
struct Ping {
  static constexpr Topic kTopic = Topic::kConnection;
  Pieces payload;
};

struct Await {
  static constexpr Topic kTopic = Topic::kObservation;
  struct One {
    std::string name;  // of a step with `reply: later`
    Outcomes reply;
  };
  std::vector<One> all;
};
struct Expect {
  static constexpr Topic kTopic = Topic::kObservation;
  json::Value message;  // a pattern
  bool optional = false;
  bool absent = false;
  bool all = false;
};
struct Silence {
  static constexpr Topic kTopic = Topic::kObservation;
};
struct Canary {
  static constexpr Topic kTopic = Topic::kObservation;
};
struct Stream {
  static constexpr Topic kTopic = Topic::kObservation;
  std::vector<std::string> of;  // names of steps
  bool to_its_end = false;
  std::optional<json::Value> until;  // a pattern; not with to_its_end
  std::optional<json::Value> to;     // a pattern
  bool optional = false;
  std::string because;
};
struct Compare {
  static constexpr Topic kTopic = Topic::kObservation;
  std::optional<json::Value> value, values;  // one of the two
  json::Value to;                            // a pattern
  bool optional = false;
  std::string because;
};
struct Walk {
  static constexpr Topic kTopic = Topic::kObservation;
  Call call;
  std::string items;  // a JSON Pointer
  std::optional<json::Value> pages;
};

using Action = std::variant<Call, Notify, Send, Frame, Bytes, Pipelined, Handshake, Reconnect,
                            Close, Signal, Pause, Exit, Http, Disconnect, Upgrade, Ping, Await,
                            Expect, Silence, Canary, Stream, Compare, Walk>;

struct Step {
  Action action;
  json::Mark mark;
  std::string as, label, covers;  // "" if the step has none
  std::string client;             // "other", or ""
  std::vector<Capture> captures;
  std::optional<When> when;
  std::optional<Each> each;
  std::optional<json::Value> within;  // seconds
  bool later = false;                 // `reply: later`
  std::optional<Outcomes> reply;      // nothing when `later`
  Write write;
  Headers headers;
  std::optional<json::Value> auth;    // how the credentials of the target are sent
  std::optional<json::Value> proof;   // instead: a bound token, with this proof (jose/proof.h)
  std::optional<json::Value> rounds;  // how often an input_required result is answered
  std::optional<Answers> answers;     // to requests of the server from here on; nothing: unchanged
};

template <class T>
const T* action_of(const Step& step) {
  return std::get_if<T>(&step.action);
}

inline Topic topic_of(const Step& step) {
  return std::visit([]<class T>(const T&) { return T::kTopic; }, step.action);
}

// For std::visit.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace harness::suite
