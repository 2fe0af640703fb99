// SPDX-License-Identifier: Apache-2.0
// The rows. A field is bound to the member of the struct that takes its value; what a row cannot
// say (one of two, only on a bare session) is in settle().
#include "harness/suite/actions.h"

#include <algorithm>
#include <utility>

#include "harness/suite/step_reader.h"

namespace harness::suite {
namespace {

using K = FieldKind;
constexpr bool kRequired = true;

// --- what no table says

template <class T>
void settle(StepReader&, const json::Value&, T&) {}

void settle(StepReader& reader, const json::Value& value, Handshake&) {
  if (reader.bare()) return;
  reader.checker().complain(value.mark, "the handshake of this session is already done",
                            "give the case 'session: bare', or reconnect: bare before");
}

void settle(StepReader& reader, const json::Value&, Reconnect& reconnect) {
  reader.becomes(reconnect.need);
}

void settle(StepReader& reader, const json::Value& value, Compare& compare) {
  if (compare.value.has_value() == compare.values.has_value())
    reader.checker().complain(value.mark, "'compare' takes either 'value' or 'values'");
}

void settle(StepReader&, const json::Value&, Stream& stream) {
  stream.to_its_end = stream.until && stream.until->is_string();
  if (stream.to_its_end) stream.until.reset();
}

// --- rows

template <class T>
Action read_mapping(StepReader& reader, const ActionRow& row, const json::Value& value) {
  T action;
  reader.mapping(value, "'" + std::string(row.name) + "'", row.fields, &action);
  if (value.is_object()) settle(reader, value, action);
  return action;
}

template <class T>
Action read_value(StepReader& reader, const ActionRow& row, const json::Value& value) {
  T action;
  row.fields.front().read(reader, row.fields.front(), value, &action);
  settle(reader, value, action);
  return action;
}

// Of an action that takes no value but true.
template <class T>
Action read_true(StepReader& reader, const ActionRow& row, const json::Value& value) {
  reader.allows(row.fields.front(), value);
  return T{};
}

FieldRow nothing_but_true(const char* name) { return {name, K::kTrue, false, "", {}, nullptr}; }

// Fields that a shorter spelling stands for: the reader of steps has put them in full.
void read_in_full(StepReader&, const FieldRow&, const json::Value&, void*) {}

std::vector<FieldRow> fields_of_call() {
  return {field<&Call::method>("method", K::kText, "the name of the method", kRequired),
          field<&Call::params>("params", K::kAny, "omitted unless given"),
          field<&Call::id>("id", K::kAny, "a fresh number unless given"),
          field<&Call::meta>("meta", K::kMeta,
                             "members to add to the `_meta` that the revision requires; `null` "
                             "removes one, `none` all of it"),
          {"tool",
           K::kText,
           false,
           "instead of `method` and `params`: `slow` calls the tool of the affordance `tool.slow`, "
           "which the case requires",
           {},
           read_in_full},
          {"arguments",
           K::kAny,
           false,
           "with `tool`: instead of the arguments of the affordance",
           {},
           read_in_full}};
}

Action read_call(StepReader& reader, const ActionRow&, const json::Value& value) {
  Call call;
  reader.store(value, call);
  return call;
}

Action read_frame(StepReader& reader, const ActionRow&, const json::Value& value) {
  Frame frame;
  if (value.is_object())
    frame.text = reader.request_as_text(value);
  else
    reader.store(value, frame.text);
  return frame;
}

ActionRow row(const char* name, Topic topic, const char* help, const char* example, unsigned beside,
              On on, bool in_pipelined, bool mapping, std::vector<FieldRow> fields,
              decltype(ActionRow::read) read) {
  return {name, topic, help, example, beside, on, in_pipelined, mapping, std::move(fields), read};
}

constexpr unsigned kMessage = kReply | kWrite | kHeaders | kAuth;

std::vector<ActionRow> rows_of_messages() {
  return {
      row("call", Topic::kMessage,
          "A valid request. It has `jsonrpc`, an id and the `_meta` that the revision requires. "
          "Without `reply`, any response passes.",
          "- call: {method: tools/list}\n"
          "  reply: {result: {tools: $array}}\n",
          kMessage | kRounds, On::kAll, true, true, fields_of_call(), read_call),
      row("notify", Topic::kMessage, "A valid notification.",
          "- notify: {method: notifications/initialized}\n"
          "  reply: silence\n",
          kMessage, On::kAll, true, true,
          {field<&Notify::method>("method", K::kText, "the name of the method", kRequired),
           field<&Notify::params>("params", K::kAny, "omitted unless given"),
           field<&Notify::meta>("meta", K::kMeta, "as in `call`; none is required")},
          read_mapping<Notify>),
      row("send", Topic::kMessage,
          "A message exactly as written, any member odd or missing. An array is a batch.",
          "- send: {jsonrpc: \"1.0\", id: \"${id}\", method: ping}\n"
          "  reply: {error: {code: -32600}}\n",
          kMessage, On::kAll, true, false, {field<&Send::message>("send", K::kAny)},
          read_value<Send>),
      row("frame", Topic::kMessage,
          "Text sent as one frame, JSON or not. It may be given in pieces. A mapping is the "
          "request of the canary as text, with these members instead of its own: the value is the "
          "JSON text of the member, or pieces; `null` leaves the member out.",
          "- frame: [{text: '{\"a\":\"'}, {hex: \"c3 28\"}, {text: '\"}'}]\n"
          "  reply: parse-error\n"
          "- frame: {id: '\"a\\u0062c\"'}\n"
          "  reply: {result: $any, id: abc}\n",
          kMessage, On::kAll, true, false, frame_fields(), read_frame),
      row("bytes", Topic::kMessage,
          "Raw bytes without framing. They fit only the framing that they were written for; over "
          "HTTP they are the body.",
          "- bytes: \"{\\\"jsonrpc\\\": \\n\"\n"
          "  reply: parse-error\n",
          kMessage, On::kAll, true, false, {field<&Bytes::bytes>("bytes", K::kPieces)},
          read_value<Bytes>),
      row("pipelined", Topic::kMessage,
          "Sends the messages of several steps in one write, and waits for all replies, in any "
          "order. Each step has its own `reply`.",
          "- pipelined:\n"
          "    - {call: {method: ping}, as: one, reply: {result: {}}}\n"
          "    - {call: {method: ping}, as: two, reply: {result: {}}}\n"
          "  order: [one, two]\n",
          kPipelined, On::kAll, false, false, {field<&Pipelined::steps>("pipelined", K::kSteps)},
          read_value<Pipelined>),
  };
}

std::vector<ActionRow> rows_of_connections() {
  return {
      row("handshake", Topic::kConnection,
          "The whole handshake, with changes, on a bare session. `reply` judges the reply to "
          "initialize; the default is a result.",
          "- reconnect: bare\n"
          "- handshake: {version: \"1999-01-01\"}\n"
          "  reply: [{result: $any}, {error: $any}]\n",
          kReply, On::kAll, false, true,
          {field<&Handshake::version>("version", K::kAny, "`protocolVersion`"),
           field<&Handshake::capabilities>("capabilities", K::kAny, "of the client"),
           field<&Handshake::client_info>("clientInfo", K::kAny),
           field<&Handshake::params>("params", K::kAny, "the whole params, instead of the above"),
           field<&Handshake::id>("id", K::kAny, "a fresh number unless given"),
           field<&Handshake::initialized>("initialized", K::kFlag,
                                          "false: no notification follows the reply")},
          read_mapping<Handshake>),
      row("reconnect", Topic::kConnection,
          "Ends this session and opens another: with a handshake (`ready` or `fresh`) or without.",
          "- reconnect: fresh\n"
          "- canary: true\n",
          0, On::kAll, false, false,
          {field<&Reconnect::need>("reconnect", K::kWord, "", false, {"bare", "ready", "fresh"})},
          read_value<Reconnect>),
      row("close", Topic::kConnection, "Closes a channel of the process.",
          "- close: stdin\n"
          "- exit: {within: 5}\n",
          0, On::kStdio, false, false,
          {field<&Close::channel>("close", K::kWord, "", false, {"stdin", "stdout"})},
          read_value<Close>),
      row("signal", Topic::kConnection, "Sends the process a signal.",
          "- signal: TERM\n"
          "- exit: {within: 5}\n",
          0, On::kStdio, false, false,
          {field<&Signal::name>("signal", K::kWord, "", false,
                                {"TERM", "INT", "HUP", "KILL", "PIPE"})},
          read_value<Signal>),
      row("pause", Topic::kConnection,
          "Waits this many seconds, at most 10, and keeps what arrives meanwhile.",
          "- call: {method: ping}\n"
          "- pause: 1.5\n"
          "- call: {method: ping}\n",
          0, On::kAll, false, false, {field<&Pause::seconds>("pause", K::kNumber)},
          read_value<Pause>),
      row("exit", Topic::kConnection,
          "Waits for the process to end. `reply` is judged by `exited` and `alive`.",
          "- close: stdin\n"
          "- exit: {within: 5, status: exit 0}\n",
          kReply, On::kStdio, false, true,
          {field<&Exit::within>("within", K::kNumber,
                                "seconds; by default the target's usual time to reply"),
           field<&Exit::status>("status", K::kPattern, "how it ends: `exit 0`, `signal 9`")},
          read_mapping<Exit>),
      row("http", Topic::kConnection,
          "One HTTP exchange as written, judged by `reply`. HTTP+SSE: `body` is the first event of "
          "a stream, header `event` its type; `expect` sees what a message causes on the session's "
          "stream.",
          "- http: {method: GET, headers: {Accept: text/event-stream}, keep_open: true}\n"
          "  reply: [{http: 200}, {http: 405}]\n",
          kReply | kWrite | kAuth, On::kHttp, false, true,
          {field<&Http::method>("method", K::kText, "", kRequired),
           field<&Http::path>("path", K::kText,
                              "default: that of the target's url; HTTP+SSE: the announced address, "
                              "or for a GET that of the stream"),
           field<&Http::headers>("headers", K::kHeaders, "`null` leaves a header out"),
           field<&Http::body>("body", K::kAny, "text, or a value in JSON"),
           field<&Http::keep_open>("keep_open", K::kFlag,
                                   "an event stream may stay open; its head is judged"),
           field<&Http::expect_continue>("expect_continue", K::kFlag,
                                         "the body is sent after an interim 100"),
           field<&Http::answers>("answers", K::kInteger,
                                 "on its own connection, from which this many answers are read")},
          read_mapping<Http>),
      row("disconnect", Topic::kConnection,
          "Breaks the connection of an earlier step's exchange. At the end of a row, everything "
          "still open is closed.",
          "- http: {method: GET, keep_open: true}\n"
          "  as: listening\n"
          "  reply: {http: 200}\n"
          "- disconnect: listening\n",
          0, On::kHttp, false, false, {field<&Disconnect::of>("disconnect", K::kStepName)},
          read_value<Disconnect>),
      row("upgrade", Topic::kConnection,
          "WebSocket: an opening handshake as written, on its own connection, which is closed "
          "after the response. `reply` judges the response.",
          "- upgrade: {headers: {Sec-WebSocket-Version: \"12\"}}\n"
          "  reply: {http: 4xx}\n",
          kReply, On::kWebsocket, false, true,
          {field<&Upgrade::path>("path", K::kText, "default: that of the target's url"),
           field<&Upgrade::headers>(
               "headers", K::kHeaders,
               "replace, add or (`null`) leave out headers of a valid handshake")},
          read_mapping<Upgrade>),
      row("ping", Topic::kConnection,
          "WebSocket: a ping frame with this payload. A pong with the same payload must come back; "
          "other pongs may come as well.",
          "- ping: hello\n", 0, On::kWebsocket, false, false,
          {field<&Ping::payload>("ping", K::kPieces)}, read_value<Ping>),
  };
}

std::vector<ActionRow> rows_of_observations() {
  return {
      row("await", Topic::kObservation,
          "Waits for the replies to earlier steps with `reply: later`.",
          "- call: {method: ping}\n"
          "  as: first\n"
          "  reply: later\n"
          "- await: {first: {result: {}}}\n",
          0, On::kAll, false, false, {field<&Await::all>("await", K::kAwaits)}, read_value<Await>),
      row("expect", Topic::kObservation,
          "Waits for the next message of the server that matches, requests and notifications "
          "included. Other messages are kept for later steps of the row; those of an earlier row "
          "are not used.",
          "- expect: {message: {method: notifications/tools/list_changed}}\n", 0, On::kAll, false,
          true,
          {field<&Expect::message>("message", K::kPattern, "", kRequired),
           field<&Expect::optional>(
               "optional", K::kSwitch,
               "it need not come; if it does not and the step captures from it, the row ends"),
           field<&Expect::absent>("absent", K::kSwitch,
                                  "it must not come before a canary is answered"),
           field<&Expect::all>("all", K::kSwitch,
                               "takes all that come before a canary is answered, or none; "
                               "`capture` reads the list of them")},
          read_mapping<Expect>),
      row("silence", Topic::kObservation,
          "What was sent before gets no reply, as a canary proves. Notifications may come.",
          "- send: {jsonrpc: \"2.0\", id: 7402, result: {}}\n"
          "- silence: true\n",
          0, On::kAll, false, false, {nothing_but_true("silence")}, read_true<Silence>),
      row("canary", Topic::kObservation,
          "The server still works: it answers the canary. A canary always follows the last step of "
          "each row as well.",
          "- canary: true\n", 0, On::kAll, false, false, {nothing_but_true("canary")},
          read_true<Canary>),
      row("stream", Topic::kObservation,
          "What has come so far on the exchanges of earlier steps: waits for an event or the end, "
          "then judges the whole. The whole has `status`, `ended`, `messages` (in JSON, of events "
          "or of a plain body), `last_message`, `events` (each with `data`, `complete` and, if "
          "present, `message`, `id`, `event`, `retry`), the `first` of them, `ids`, `last_id` and "
          "the last `retry`. `capture` reads it too.",
          "- call: {method: tools/list}\n"
          "  as: listed\n"
          "  reply: {result: $any}\n"
          "- stream: {of: listed, until: end, to: {ids: {$unique: \"\"}}}\n",
          0, On::kHttp, false, true,
          {field<&Stream::of>("of", K::kStepNames, "the step, or a list of them", kRequired),
           field<&Stream::until>("until", K::kUntil, "an event that matches, or `end`"),
           field<&Stream::to>("to", K::kPattern, "a matcher for the whole"),
           field<&Stream::optional>("optional", K::kSwitch,
                                    "if one of the two fails, the row ends there"),
           field<&Stream::because>("because", K::kText, "why, for the report")},
          read_mapping<Stream>),
      row("compare", Topic::kObservation, "Judges captured values.",
          "- call: {method: tools/list}\n"
          "  capture: {tools: /result/tools}\n"
          "- compare: {value: \"${tools}\", to: {$unique: /name}}\n",
          0, On::kAll, false, true,
          {field<&Compare::value>("value", K::kAny, "the value"),
           field<&Compare::values>("values", K::kList, "instead: several values, as one array"),
           field<&Compare::to>("to", K::kPattern, "the matcher", kRequired),
           field<&Compare::optional>("optional", K::kSwitch,
                                     "if it does not match, the row ends there without a breach"),
           field<&Compare::because>("because", K::kText, "why, for the report")},
          read_mapping<Compare>),
      row("walk", Topic::kObservation,
          "Calls for all pages of a list, by `nextCursor`. Each page is judged by `reply`. "
          "`capture` reads the `items` of all and their `keys` (uris or names), the results "
          "(`pages`), the `cursors` as issued, the `last` message, and the `end`: `last page`, "
          "`page that came before`, `error` or `bound`.",
          "- walk: {call: {method: tools/list}, items: /result/tools}\n"
          "  capture: {all: /items}\n"
          "- compare: {value: \"${all}\", to: {$unique: /name}}\n",
          kReply, On::kAll, false, true,
          {field<&Walk::call>("call", K::kCall, "the first page, as in `call`", kRequired),
           field<&Walk::items>("items", K::kPointer, "the place of the items in a reply",
                               kRequired),
           field<&Walk::pages>("pages", K::kInteger, "at most this many pages (50)")},
          read_mapping<Walk>),
  };
}

}  // namespace

const std::vector<ActionRow>& actions() {
  static const std::vector<ActionRow> kActions = [] {
    std::vector<ActionRow> all = rows_of_messages();
    for (auto more : {rows_of_connections(), rows_of_observations()})
      for (ActionRow& row : more) all.push_back(std::move(row));
    return all;
  }();
  return kActions;
}

const ActionRow* find_action(std::string_view name) {
  const auto& all = actions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ActionRow& row) { return name == row.name; });
  return found == all.end() ? nullptr : &*found;
}

const std::vector<ExtraRow>& extras() {
  static const std::vector<ExtraRow> kExtras = {
      {field<&Step::as>("as", K::kText,
                        "a name by which later steps refer to the request, its reply "
                        "or its exchange"),
       0},
      {field<&Step::label>("label", K::kScalar, "for reports"), 0},
      {field<&Step::covers>("covers", K::kRequirement,
                            "the clause that a breach of this step cites"),
       0},
      {field<&Step::captures>("capture", K::kCaptures,
                              "`{name: /pointer}` into the reply, where `*` means every element "
                              "(`/items/*/name`); over HTTP also `{name: {header: "
                              "Mcp-Session-Id}}`, \"\" if there is none"),
       0},
      {field<&Step::when>("when", K::kWhen,
                          "`{profiles: […], transports: […]}`: skipped elsewhere; `{value: "
                          "\"${name}\", is: M}`: skipped unless the captured value matches; "
                          "`$absent` means that nothing was captured. A case of which no step is "
                          "played is not_applicable"),
       0},
      {field<&Step::each>("each", K::kEach,
                          "`{one: \"${list}\"}`: once for every element of a list, as `${one}`. "
                          "Nested lists are flattened, equal elements count once, and of a long "
                          "list only some are played. What is captured is then a list with one "
                          "entry for each"),
       0},
      {field<&Step::within>(
           "within", K::kNumber,
           "seconds to wait for a reply; only if the clause itself gives a time, or the same "
           "request was just answered. The default follows the target's measured latency"),
       0},
      {field<&Step::answers>("answers", K::kAnswers,
                             "as in the head: from this step to the end of the row"),
       0},
      {field<&Step::client>("client", K::kWord,
                            "`other`: sent by a second client with its own session, ready unless "
                            "its first step is a handshake; only HTTP, HTTP+SSE and WebSocket",
                            false, {"other"}),
       0, On::kConnections},
      {{"reply",
        K::kReply,
        false,
        "outcomes (below), or `later`: awaited by a later step, which needs `as`",
        {},
        nullptr},
       kReply},
      {field<&Step::rounds>("rounds", K::kInteger,
                            "2026-07-28: after an `input_required` result, repeats the call with "
                            "a response (`answers`) to each of its `inputRequests`, at most so "
                            "often, unless one of the responses is not a result. `reply` judges "
                            "the last reply"),
       kRounds},
      {field<&Step::write>("write", K::kWrite, "how it is written (below)"), kWrite},
      {field<&Step::headers>("headers", K::kHeaders,
                             "HTTP headers to add, replace or (`null`) leave out. Names may "
                             "contain references, and a value may be in pieces. Headers that the "
                             "revision requires are present already, in 2026-07-28 `Mcp-Method`, "
                             "`Mcp-Name` and the `Mcp-Param-…` of discovered tools"),
       kHeaders},
      {field<&Step::auth>(
           "auth", K::kWordOrReference,
           "HTTP: how the target's credentials are sent: `wrong`: others of the same length, "
           "`cut`: without the last character, `unsigned`: a token that claims to need no "
           "signature, `lower-case`: header name and scheme",
           false, {"usual", "none", "wrong", "cut", "unsigned", "lower-case"}),
       kAuth, On::kHttp},
      {field<&Step::proof>(
           "proof", K::kAny,
           "HTTP: instead of the credentials the token of `auth.dpop`, with a proof of possession "
           "(RFC 9449). `{}` is a good one. Changes: members of `header` and `claims` (`null` "
           "leaves one out), `age` (seconds), `nonce`, `key: other`, `signed` (other-key, altered, "
           "none or symmetric), another `text`, `times` it is there, `token`, `scheme`; `but`: "
           "more of these, as a column has them"),
       kAuth, On::kHttp},
      {field<&Pipelined::repeat>("repeat", K::kInteger, "plays the list of steps this many times"),
       kPipelined},
      {field<&Pipelined::order>("order", K::kStepNames, "requires the replies in this order"),
       kPipelined},
  };
  return kExtras;
}

const ExtraRow* find_extra(std::string_view name) {
  const auto& all = extras();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ExtraRow& row) { return name == row.field.name; });
  return found == all.end() ? nullptr : &*found;
}

const std::vector<FieldRow>& write_fields() {
  static const std::vector<FieldRow> kFields = {
      field<&Write::each_byte>("each_byte", K::kSwitch, "byte by byte"),
      field<&Write::chunks>("chunks", K::kIntegers, "`[3, 1]`: cut after 3 bytes and 1 more"),
      field<&Write::eol>("eol", K::kText, "another line end, if lines are the framing"),
      field<&Write::header>("header", K::kText,
                            "Content-Length framing: this header block instead of the usual one, "
                            "with its line ends and empty line; `#` is replaced by the length"),
      field<&Write::fragments>("fragments", K::kInteger,
                               "WebSocket: the message in frames of this many bytes each"),
      field<&Write::pings>("pings", K::kSwitch, "WebSocket: with a ping after each frame"),
      field<&Write::chunked>("chunked", K::kInteger,
                             "HTTP: the body in chunked coding, this many bytes per chunk"),
      field<&Write::times>("times", K::kInteger,
                           "sends the frame this many times in one write, each with a fresh "
                           "`${id}`"),
  };
  return kFields;
}

const std::vector<FieldRow>& frame_fields() {
  const auto member = [](const char* name, const char* help) {
    return FieldRow{name, K::kPieces, false, help, {}, read_in_full};
  };
  static const std::vector<FieldRow> kFields = {
      member("jsonrpc", "`\"2.0\"` unless given"), member("id", "`${id}` unless given"),
      member("method", "`\"${canary.method}\"` unless given"),
      member("params", "`${canary.params}` unless given")};
  return kFields;
}

const std::vector<FieldRow>& websocket_fields() {
  static const std::vector<FieldRow> kFields = {
      field<&WebsocketPiece::opcode>("opcode", K::kInteger, "1 unless given"),
      field<&WebsocketPiece::payload>("payload", K::kPieces),
      field<&WebsocketPiece::last>("last", K::kFlag, "false: more frames of the message follow"),
      field<&WebsocketPiece::masked>("masked", K::kFlag),
      field<&WebsocketPiece::reserved>("reserved", K::kInteger, "the three bits, 0 to 7"),
      field<&WebsocketPiece::claims>("claims", K::kInteger, "another length than it has"),
  };
  return kFields;
}

}  // namespace harness::suite
