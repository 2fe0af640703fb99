// SPDX-License-Identifier: Apache-2.0
// The "Steps" half of the grammar. One row an action says what may stand beside it and checks what
// is in it; names are defined in the order of the steps, so a reference cannot look ahead.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "harness/match/table.h"
#include "harness/suite/case.h"
#include "harness/suite/checker.h"

namespace harness::suite {
namespace {

// State while the steps of one case are checked.
struct Walkthrough {
  Checker& checker;
  Surroundings around;
  std::vector<std::string> step_names;  // of `as`
  std::vector<std::string> later;       // `as` of steps whose reply is awaited later
  bool judges = false;
  bool in_flight = false;
};

using Check = void (*)(Walkthrough&, const json::Value&);

void check_call(Walkthrough& walk, const json::Value& value) {
  auto& checker = walk.checker;
  if (!checker.fields(value, "'call'",
                      {{"method", Type::kText, true}, {"params"}, {"id"}, {"meta"}}))
    return;
  const auto* meta = value.find("meta");
  if (meta != nullptr && !meta->is_object() && meta->text != "none") {
    checker.complain(meta->mark, "'meta' must be none or a mapping of members", "null removes one");
  }
}

void check_notify(Walkthrough& walk, const json::Value& value) {
  auto& checker = walk.checker;
  if (!checker.fields(value, "'notify'", {{"method", Type::kText, true}, {"params"}, {"meta"}}))
    return;
  const auto* meta = value.find("meta");
  if (meta != nullptr && !meta->is_object() && meta->text != "none") {
    checker.complain(meta->mark, "'meta' must be none or a mapping of members", "null removes one");
  }
}

void check_anything(Walkthrough&, const json::Value&) {}

bool is_hex_text(const json::Value& value) {
  if (match::is_reference(value)) return true;
  const auto digits = std::count_if(value.text.begin(), value.text.end(),
                                    [](unsigned char c) { return std::isxdigit(c) != 0; });
  const auto blanks = std::count(value.text.begin(), value.text.end(), ' ');
  return digits % 2 == 0 && static_cast<std::size_t>(digits + blanks) == value.text.size();
}

void check_text_or_pieces(Walkthrough& walk, const json::Value& value) {
  auto& checker = walk.checker;
  if (value.is_string()) return;
  if (!value.is_array() || value.items.empty()) {
    checker.complain(
        value.mark, "a frame is text or a list of pieces",
        "quote the text, or write [{text: …}, {hex: \"ff\"}, {repeat: \"[\", count: 9}]");
    return;
  }
  for (const auto& piece : value.items) {
    if (!checker.fields(piece, "the piece",
                        {{"text", Type::kText},
                         {"hex", Type::kText},
                         {"repeat", Type::kText},
                         {"count", Type::kInteger},
                         {"ws", Type::kMapping}})) {
      continue;
    }
    const auto* hex = piece.find("hex");
    const bool repeats = piece.find("repeat") != nullptr;
    const auto* frame = piece.find("ws");
    const int forms =
        (piece.find("text") != nullptr) + (hex != nullptr) + (frame != nullptr) + repeats;
    if (forms != 1 || repeats != (piece.find("count") != nullptr)) {
      checker.complain(piece.mark, "a piece is one of text, hex, ws, or repeat with count",
                       "write {text: …}, {hex: \"ff fe\"} or {repeat: \"[\", count: 5000}");
    } else if (hex != nullptr && !is_hex_text(*hex)) {
      checker.complain(hex->mark, "'hex' must be pairs of hexadecimal digits", "write \"ff fe\"");
    } else if (frame != nullptr && checker.fields(*frame, "'ws'",
                                                  {{"opcode", Type::kInteger},
                                                   {"payload"},
                                                   {"last", Type::kFlag},
                                                   {"masked", Type::kFlag},
                                                   {"reserved", Type::kInteger},
                                                   {"claims", Type::kInteger}})) {
      if (const auto* payload = frame->find("payload")) check_text_or_pieces(walk, *payload);
    }
  }
}

void check_step(Walkthrough& walk, const json::Value& step);

void check_pipelined(Walkthrough& walk, const json::Value& value) {
  if (!walk.checker.type(value, "'pipelined'", Type::kList)) return;
  if (value.items.empty()) walk.checker.complain(value.mark, "'pipelined' has no steps");
  walk.in_flight = true;
  for (const auto& step : value.items) check_step(walk, step);
  walk.in_flight = false;
}

void check_await(Walkthrough& walk, const json::Value& value) {
  if (!walk.checker.type(value, "'await'", Type::kMapping)) return;
  for (const auto& [name, reply, mark] : value.members) {
    if (std::find(walk.later.begin(), walk.later.end(), name) == walk.later.end()) {
      walk.checker.unknown(mark, "step with 'reply: later'", name, walk.later);
    }
    check_reply(walk.checker, reply);
  }
  walk.judges = true;
}

void check_expect(Walkthrough& walk, const json::Value& value) {
  if (!walk.checker.fields(value, "'expect'",
                           {{"message", Type::kPattern, true},
                            {"optional", Type::kFlag},
                            {"absent", Type::kFlag}})) {
    return;
  }
  const auto* optional = value.find("optional");
  if (optional == nullptr || !optional->boolean) walk.judges = true;
}

void check_true(Walkthrough& walk, const json::Value& value) {
  if (!value.is_boolean() || !value.boolean) {
    walk.checker.complain(value.mark, "this action takes no value but true", "write true");
  }
  walk.judges = true;
}

void check_handshake(Walkthrough& walk, const json::Value& value) {
  walk.checker.fields(value, "'handshake'",
                      {{"version"},
                       {"capabilities"},
                       {"clientInfo"},
                       {"id"},
                       {"params"},
                       {"initialized", Type::kFlag}});
  if (!walk.around.bare) {
    walk.checker.complain(value.mark, "the session has had its handshake here",
                          "give the case 'session: bare', or reconnect: bare before");
  }
  walk.judges = true;
}

void check_reconnect(Walkthrough& walk, const json::Value& value) {
  if (walk.checker.word(value, "state to reconnect to", {"bare", "ready", "fresh"})) {
    walk.around.bare = value.text == "bare";
  }
}

void check_close(Walkthrough& walk, const json::Value& value) {
  walk.checker.word(value, "channel to close", {"stdin", "stdout"});
}

void check_signal(Walkthrough& walk, const json::Value& value) {
  walk.checker.word(value, "signal", {"TERM", "INT", "HUP", "KILL", "PIPE"});
}

void check_exit(Walkthrough& walk, const json::Value& value) {
  walk.checker.fields(value, "'exit'", {{"within", Type::kNumber}, {"status", Type::kPattern}});
  walk.judges = true;
}

void check_headers(Walkthrough& walk, const json::Value& value) {
  auto& checker = walk.checker;
  if (!checker.type(value, "'headers'", Type::kMapping)) return;
  for (const auto& [name, text, mark] : value.members) {
    if (text.is_string() || text.is_null()) continue;
    if (text.is_array()) {
      check_text_or_pieces(walk, text);
      continue;
    }
    checker.complain(text.mark, "header '" + name + "' must be text or a list of pieces",
                     "put the value in quotes; null leaves the header out");
  }
}

void check_upgrade(Walkthrough& walk, const json::Value& value) {
  const json::Value* headers = nullptr;
  if (walk.checker.fields(value, "'upgrade'", {{"path", Type::kText}, {"headers", Type::kMapping}}))
    headers = value.find("headers");
  if (headers) check_headers(walk, *headers);
}

void check_ping(Walkthrough& walk, const json::Value& value) {
  check_text_or_pieces(walk, value);
  walk.judges = true;
}

void check_http(Walkthrough& walk, const json::Value& value) {
  if (!walk.checker.fields(value, "'http'",
                           {{"method", Type::kText, true},
                            {"path", Type::kText},
                            {"headers", Type::kMapping},
                            {"body"},
                            {"keep_open", Type::kFlag},
                            {"expect_continue", Type::kFlag},
                            {"answers", Type::kInteger}})) {
    return;
  }
  if (const auto* headers = value.find("headers")) check_headers(walk, *headers);
}

void check_step_name(Walkthrough& walk, const json::Value& name) {
  walk.checker.word(name, "step with an 'as'", walk.step_names);
}

void check_stream(Walkthrough& walk, const json::Value& value) {
  if (!walk.checker.fields(value, "'stream'",
                           {{"of"},
                            {"until"},
                            {"to", Type::kPattern},
                            {"optional", Type::kFlag},
                            {"because", Type::kText}})) {
    return;
  }
  const auto* of = value.find("of");
  if (of == nullptr) {
    walk.checker.complain(value.mark, "'stream' must say of which step", "add 'of'");
  } else if (of->is_array()) {
    for (const auto& one : of->items) check_step_name(walk, one);
  } else {
    check_step_name(walk, *of);
  }
  const auto* until = value.find("until");
  if (until != nullptr && until->is_string()) {
    walk.checker.word(*until, "end of waiting", {"end"});
  } else if (until != nullptr) {
    walk.checker.pattern(*until);
  }
  const auto* optional = value.find("optional");
  const bool judges = value.find("to") != nullptr;
  if (judges || (until != nullptr && (optional == nullptr || !optional->boolean))) {
    walk.judges = true;
  }
}

void check_compare(Walkthrough& walk, const json::Value& value) {
  walk.judges = true;
  if (!walk.checker.fields(value, "'compare'",
                           {{"value"}, {"values", Type::kList}, {"to", Type::kPattern, true}})) {
    return;
  }
  if ((value.find("value") != nullptr) == (value.find("values") != nullptr)) {
    walk.checker.complain(value.mark, "'compare' takes either 'value' or 'values'");
  }
}

void check_walk(Walkthrough& walk, const json::Value& value) {
  walk.judges = true;
  if (!walk.checker.fields(value, "'walk'",
                           {{"call", Type::kMapping, true},
                            {"items", Type::kText, true},
                            {"pages", Type::kInteger}})) {
    return;
  }
  check_call(walk, *value.find("call"));
  walk.checker.pointer(*value.find("items"), "'items'");
}

// What may stand beside an action, besides what may stand beside all of them.
enum Beside : unsigned { kReply = 1, kWrite = 2, kHeaders = 4, kPipelined = 8, kAuth = 16 };
// Where an action can be played.
enum class On { kBoth, kStdio, kHttp, kWebsocket, kConnections };

struct Action {
  const char* name;
  unsigned beside;
  On on;
  bool in_flight;
  Check check;
};

const std::vector<Action>& actions() {
  constexpr unsigned kMessage = kReply | kWrite | kHeaders | kAuth;
  static const std::vector<Action> kActions = {
      {"call", kMessage, On::kBoth, true, check_call},
      {"notify", kMessage, On::kBoth, true, check_notify},
      {"send", kMessage, On::kBoth, true, check_anything},
      {"frame", kMessage, On::kBoth, true, check_text_or_pieces},
      {"bytes", kMessage, On::kBoth, true, check_text_or_pieces},
      {"pipelined", kPipelined, On::kBoth, false, check_pipelined},
      {"await", 0, On::kBoth, false, check_await},
      {"expect", 0, On::kBoth, false, check_expect},
      {"silence", 0, On::kBoth, false, check_true},
      {"canary", 0, On::kBoth, false, check_true},
      {"handshake", kReply, On::kBoth, false, check_handshake},
      {"reconnect", 0, On::kBoth, false, check_reconnect},
      {"close", 0, On::kStdio, false, check_close},
      {"signal", 0, On::kStdio, false, check_signal},
      {"exit", kReply, On::kStdio, false, check_exit},
      {"http", kReply | kWrite | kAuth, On::kHttp, false, check_http},
      {"stream", 0, On::kHttp, false, check_stream},
      {"disconnect", 0, On::kHttp, false, check_step_name},
      {"upgrade", kReply, On::kWebsocket, false, check_upgrade},
      {"ping", 0, On::kWebsocket, false, check_ping},
      {"compare", 0, On::kBoth, false, check_compare},
      {"walk", kReply, On::kBoth, false, check_walk},
  };
  return kActions;
}

struct Extra {
  const char* name;
  unsigned bit;  // 0: stands beside every action
};
constexpr Extra kExtras[] = {{"as", 0},
                             {"label", 0},
                             {"covers", 0},
                             {"capture", 0},
                             {"when", 0},
                             {"client", 0},
                             {"within", 0},
                             {"reply", kReply},
                             {"write", kWrite},
                             {"headers", kHeaders},
                             {"auth", kAuth},
                             {"repeat", kPipelined},
                             {"order", kPipelined}};

const Extra* find_extra(std::string_view name) {
  const auto* found = std::find_if(std::begin(kExtras), std::end(kExtras),
                                   [&](const Extra& extra) { return name == extra.name; });
  return found == std::end(kExtras) ? nullptr : found;
}

const Action* find_action(std::string_view name) {
  const auto& all = actions();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Action& action) { return name == action.name; });
  return found == all.end() ? nullptr : &*found;
}

// The one action of the step, after complaining about every key that has no business there.
const json::Member* find_member(Walkthrough& walk, const json::Value& step) {
  auto& checker = walk.checker;
  if (!checker.type(step, "a step", Type::kMapping)) return nullptr;
  const json::Member* action = nullptr;
  for (const auto& member : step.members) {
    if (find_action(member.name) != nullptr) {
      if (action != nullptr) {
        checker.complain(
            member.mark,
            "a step has one action; this one has '" + action->name + "' and '" + member.name + "'",
            "make it two steps");
        return nullptr;
      }
      action = &member;
    } else if (find_extra(member.name) == nullptr) {
      std::vector<std::string> valid;
      for (const auto& row : actions()) valid.emplace_back(row.name);
      for (const auto& extra : kExtras) valid.emplace_back(extra.name);
      checker.unknown(member.mark, "key in a step", member.name, valid);
      return nullptr;
    }
  }
  if (action == nullptr) {
    checker.complain(step.mark, "the step has no action", "add call, send, frame or another one");
  }
  return action;
}

void check_write(Walkthrough& walk, const json::Value& value) {
  auto& checker = walk.checker;
  if (!checker.fields(value, "'write'",
                      {{"each_byte", Type::kFlag},
                       {"chunks", Type::kList},
                       {"eol", Type::kText},
                       {"fragments", Type::kInteger},
                       {"pings", Type::kFlag},
                       {"chunked", Type::kInteger},
                       {"times", Type::kInteger}})) {
    return;
  }
  const auto* chunks = value.find("chunks");
  if (chunks == nullptr) return;
  for (const auto& size : chunks->items) checker.type(size, "a chunk's size", Type::kInteger);
}

void check_where(Walkthrough& walk, const json::Value& step, const json::Mark& mark,
                 const std::string& name, On on) {
  if (on == On::kBoth) return;
  using wire::TransportKind;
  const wire::TransportSet all = walk.around.transports;
  // Further clients need a server that several can be connected to: over HTTP, unless it is said.
  const bool websocket =
      on == On::kWebsocket ||
      (on == On::kConnections && all == wire::TransportSet{TransportKind::kWebSocket});
  const bool stray = std::any_of(
      std::begin(wire::kTransports), std::end(wire::kTransports),
      [&](const wire::TransportTraits& row) {
        const bool has = on == On::kStdio ? row.process : websocket ? row.frames : row.http;
        return all.has(row.kind) && !has;
      });
  if (!stray) return;
  const std::string own = wire::transport_name(on == On::kStdio ? TransportKind::kStdio
                                               : websocket      ? TransportKind::kWebSocket
                                                                : TransportKind::kHttp);
  const auto* when = step.find("when");
  const auto* list = when != nullptr && when->is_object() ? when->find("transports") : nullptr;
  if (list != nullptr && list->items.size() == 1 && list->items.front().text == own) return;
  walk.checker.complain(
      mark, "'" + name + "' can be played over " + own + " only",
      "give the case transports: [" + own + "], or the step when: {transports: [" + own + "]}");
}

// Everything but the action and `reply`.
void check_extras(Walkthrough& walk, const json::Value& step, const Action& action) {
  auto& checker = walk.checker;
  for (const auto& [name, value, mark] : step.members) {
    const auto* extra = find_extra(name);
    if (extra == nullptr) continue;
    if (extra->bit != 0 && (action.beside & extra->bit) == 0) {
      checker.complain(mark, "'" + name + "' does not go with '" + action.name + "'");
      continue;
    }
    if (name == "as" || name == "client") checker.type(value, "'" + name + "'", Type::kText);
    if (name == "label") checker.type(value, "'label'", Type::kScalar);
    if (name == "client") check_where(walk, step, mark, name, On::kConnections);
    if (name == "auth") check_where(walk, step, mark, name, On::kHttp);
    if (name == "auth" && !match::is_reference(value))
      checker.word(value, "way to show credentials", credential_showings());
    if (name == "within") checker.type(value, "'within'", Type::kNumber);
    if (name == "repeat") checker.type(value, "'repeat'", Type::kInteger);
    if (name == "when") checker.when_of_step(value);
    if (name == "write") check_write(walk, value);
    if (name == "headers") check_headers(walk, value);
    if (name == "covers") checker.requirement(value);
  }
}

bool is_later(const json::Value& reply) { return reply.is_string() && reply.text == "later"; }

void check_step_reply(Walkthrough& walk, const json::Value& step) {
  const auto* reply = step.find("reply");
  if (reply == nullptr) return;
  if (!is_later(*reply)) {
    check_reply(walk.checker, *reply);
    walk.judges = true;
    return;
  }
  const auto* as = step.find("as");
  if (walk.in_flight) {
    walk.checker.complain(reply->mark, "'pipelined' waits for all its replies",
                          "say what the reply is");
  } else if (as != nullptr) {  // without a name nobody waits for it
    walk.later.push_back(as->text);
  }
}

// Names this step gives, for the steps behind it.
void define_names(Walkthrough& walk, const json::Value& step) {
  auto& checker = walk.checker;
  if (const auto* as = step.find("as"); as != nullptr && as->is_string()) {
    checker.define(as->text, as->mark, "the step name");
    walk.step_names.push_back(as->text);
  }
  const auto* capture = step.find("capture");
  if (capture == nullptr || !checker.type(*capture, "'capture'", Type::kMapping)) return;
  for (const auto& [name, pointer, mark] : capture->members) {
    checker.define(name, mark, "the capture");
    if (pointer.is_object()) {
      checker.fields(pointer, "capture '" + name + "'", {{"header", Type::kText, true}});
    } else {
      checker.pointer(pointer, "capture '" + name + "'");
    }
  }
}

void check_order(Walkthrough& walk, const json::Value& step) {
  const auto* order = step.find("order");
  if (order == nullptr || !walk.checker.type(*order, "'order'", Type::kTexts)) return;
  for (const auto& name : order->items) walk.checker.word(name, "step", walk.step_names);
  walk.judges = true;
}

void check_step(Walkthrough& walk, const json::Value& step) {
  const auto* member = find_member(walk, step);
  if (member == nullptr) return;
  const auto& action = *find_action(member->name);
  if (walk.in_flight && !action.in_flight) {
    walk.checker.complain(member->mark, "'" + member->name + "' cannot be part of 'pipelined'",
                          "use call, notify, send, frame or bytes");
    return;
  }
  check_extras(walk, step, action);
  check_where(walk, step, member->mark, member->name, action.on);
  // Another client begins with nothing said, whatever this one's session has seen.
  const bool bare = walk.around.bare;
  if (step.find("client") != nullptr) walk.around.bare = true;
  action.check(walk, member->value);
  if (step.find("client") != nullptr) walk.around.bare = bare;
  if ((action.beside & kReply) != 0) check_step_reply(walk, step);
  // The steps of pipelined have been looked at one by one.
  if (action.name != std::string_view("pipelined")) walk.checker.references(step);
  define_names(walk, step);
  check_order(walk, step);
}

}  // namespace

bool check_steps(Checker& checker, const json::Value& steps, const Surroundings& around) {
  if (!checker.type(steps, "'steps'", Type::kList)) return true;
  Walkthrough walk{checker, around, {}, {}, false, false};
  for (const auto& step : steps.items) check_step(walk, step);
  return walk.judges;
}

}  // namespace harness::suite
