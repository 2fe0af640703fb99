// SPDX-License-Identifier: Apache-2.0
// The "Steps" half of the grammar: what the kinds of fields let in, and how a step is put together
// of its action and what stands beside it.
#include <algorithm>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/json/write.h"
#include "harness/match/table.h"
#include "harness/suite/step_reader.h"

namespace harness::suite {
namespace {

bool is_hex_text(const json::Value& value) {
  if (match::is_reference(value)) return true;
  const auto digits = std::count_if(value.text.begin(), value.text.end(), ascii::is_hex);
  const auto blanks = std::count(value.text.begin(), value.text.end(), ' ');
  return digits % 2 == 0 && static_cast<std::size_t>(digits + blanks) == value.text.size();
}

// Pieces in which text that meets text is one piece.
class JoinedPieces {
 public:
  explicit JoinedPieces(const json::Mark& mark) : mark_(mark) {}

  void add(const std::string& text) {
    json::Value value = json::string(text);
    value.mark = mark_;
    add({TextPiece{std::move(value)}});
  }
  void add(const Piece& piece) {
    const auto* text = std::get_if<TextPiece>(&piece.what);
    auto* last = list_.empty() ? nullptr : std::get_if<TextPiece>(&list_.back().what);
    if (text != nullptr && last != nullptr)
      last->text.text += text->text.text;
    else
      list_.push_back(piece);
  }
  Pieces pieces() && {
    const auto* only = list_.size() == 1 ? std::get_if<TextPiece>(&list_.front().what) : nullptr;
    return only != nullptr ? Pieces{only->text, {}} : Pieces{json::null(), std::move(list_)};
  }

 private:
  json::Mark mark_;
  std::vector<Piece> list_;
};

bool is_later(const json::Value& reply) { return reply.is_string() && reply.text == "later"; }

// The type of the kinds that have no more to them; kAny for the others.
Type type_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kText: return Type::kText;
    case FieldKind::kScalar: return Type::kScalar;
    case FieldKind::kTexts: return Type::kTexts;
    case FieldKind::kList:
    case FieldKind::kIntegers:
    case FieldKind::kSteps: return Type::kList;
    case FieldKind::kFlag: return Type::kFlag;
    case FieldKind::kInteger: return Type::kInteger;
    case FieldKind::kNumber: return Type::kNumber;
    case FieldKind::kPattern: return Type::kPattern;
    case FieldKind::kHeaders:
    case FieldKind::kAwaits:
    case FieldKind::kCaptures:
    case FieldKind::kAnswers: return Type::kMapping;
    default: return Type::kAny;
  }
}

}  // namespace

bool StepReader::allows(const FieldRow& field, const json::Value& value) {
  const std::string name = "'" + std::string(field.name) + "'";
  const auto before = checker_.errors().size();
  const auto words_for = [&] { return checker_.word(value, "value of " + name, field.words); };
  switch (field.kind) {
    case FieldKind::kSwitch:
      if (!value.is_boolean()) checker_.complain(value.mark, name + " must be true or false");
      break;
    case FieldKind::kTrue:
      if (!value.is_boolean() || !value.boolean)
        checker_.complain(
            value.mark, (field.read == nullptr ? "this action" : name) + " takes no value but true",
            "write true");
      break;
    case FieldKind::kWord: words_for(); break;
    case FieldKind::kWordOrReference:
      if (!match::is_reference(value)) words_for();
      break;
    case FieldKind::kMeta:
      if (!value.is_object() && value.text != "none" && !match::is_reference(value))
        checker_.complain(value.mark, "'meta' must be none or a mapping of members",
                          "null removes one");
      break;
    case FieldKind::kPointer:
      if (!match::is_reference(value)) checker_.pointer(value, name);
      break;
    case FieldKind::kRequirement: checker_.requirement_or_column(value); break;
    case FieldKind::kWhen: checker_.when_of_step(value); break;
    case FieldKind::kEach:
      if (!value.is_object() || value.members.size() != 1 ||
          !(value.members.front().value.is_array() ||
            match::is_reference(value.members.front().value)))
        checker_.complain(value.mark, name + " binds one name to a list",
                          "write {one: \"${all}\"}");
      break;
    case FieldKind::kStepName: checker_.word(value, "step with an 'as'", step_names_); break;
    case FieldKind::kStepNames:
      if (!value.is_array()) checker_.word(value, "step with an 'as'", step_names_);
      for (const auto& one : value.items) checker_.word(one, "step with an 'as'", step_names_);
      break;
    case FieldKind::kUntil:
      if (value.is_string())
        checker_.word(value, "end of waiting", {"end"});
      else
        checker_.pattern(value);
      break;
    default: checker_.type(value, name, type_of(field.kind));
  }
  return checker_.errors().size() == before;
}

bool StepReader::mapping(const json::Value& value, const std::string& what,
                         const std::vector<FieldRow>& fields, void* record) {
  const auto before = checker_.errors().size();
  if (!checker_.type(value, what, Type::kMapping)) return false;
  for (const auto& member : value.members) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldRow& one) { return member.name == one.name; });
    if (field != fields.end()) {
      field->read(*this, *field, member.value, record);
      continue;
    }
    std::vector<std::string> valid;
    for (const FieldRow& one : fields) valid.emplace_back(one.name);
    checker_.unknown(member.mark, "key in " + what, member.name, valid);
  }
  for (const FieldRow& field : fields) {
    if (!field.required || value.find(field.name) != nullptr) continue;
    checker_.complain(value.mark, what + " has no '" + field.name + "'",
                      std::string("add '") + field.name + "'");
  }
  return checker_.errors().size() == before;
}

// --- values that hold others

void StepReader::store(const json::Value& value, std::vector<std::string>& out) {
  if (!value.is_array()) out = {value.text};
  for (const auto& item : value.items) out.push_back(item.text);
}

void StepReader::store(const json::Value& value, std::vector<json::Value>& out) {
  for (const auto& item : value.items) checker_.type(item, "a chunk's size", Type::kInteger);
  out = value.items;
}

void StepReader::store(const json::Value& value, std::vector<Step>& out) {
  if (value.items.empty()) checker_.complain(value.mark, "'pipelined' has no steps");
  pipelining_ = true;
  out = steps(value);
  pipelining_ = false;
}

void StepReader::store(const json::Value& value, std::vector<Capture>& out) {
  for (const auto& [name, source, mark] : value.members) {
    const std::string what = "capture '" + name + "'";
    checker_.define(name, mark, "the capture");
    if (!source.is_object()) {
      checker_.pointer(source, what);
      out.push_back({name, source.text, ""});
    } else if (checker_.fields(source, what, {{"header", Type::kText, true}})) {
      out.push_back({name, "", source.find("header")->text});
    }
  }
}

void StepReader::store(const json::Value& value, std::vector<Await::One>& out) {
  for (const auto& [name, outcomes, mark] : value.members) {
    if (std::find(later_.begin(), later_.end(), name) == later_.end())
      checker_.unknown(mark, "step with 'reply: later'", name, later_);
    out.push_back({name, read_outcomes(checker_, outcomes)});
  }
}

void StepReader::store(const json::Value& value, Pieces& out) {
  if (value.is_string()) {
    out.whole = value;
    return;
  }
  if (!value.is_array() && !value.is_object()) {
    checker_.complain(value.mark, "the bytes on the wire are written as text",
                      "quote it: '" + json::write(value) + "'");
    return;
  }
  if (!value.is_array() || value.items.empty()) {
    checker_.complain(
        value.mark, "a frame is text or a list of pieces",
        "quote the text, or write [{text: …}, {hex: \"ff\"}, {repeat: \"[\", count: 9}]");
    return;
  }
  for (const auto& item : value.items) check_piece(item);
  out.list = pieces_in(value);
}

void StepReader::check_piece(const json::Value& piece) {
  if (!checker_.fields(piece, "the piece",
                       {{"text", Type::kText},
                        {"hex", Type::kText},
                        {"repeat", Type::kText},
                        {"count", Type::kInteger},
                        {"ws", Type::kMapping}}))
    return;
  const auto* hex = piece.find("hex");
  const auto* frame = piece.find("ws");
  const bool repeats = piece.find("repeat") != nullptr;
  const int forms =
      (piece.find("text") != nullptr) + (hex != nullptr) + (frame != nullptr) + repeats;
  if (forms != 1 || repeats != (piece.find("count") != nullptr)) {
    checker_.complain(piece.mark, "a piece is one of text, hex, ws, or repeat with count",
                      "write {text: …}, {hex: \"ff fe\"} or {repeat: \"[\", count: 5000}");
  } else if (hex != nullptr && !is_hex_text(*hex)) {
    checker_.complain(hex->mark, "'hex' must be pairs of hexadecimal digits", "write \"ff fe\"");
  } else if (frame != nullptr) {
    WebsocketPiece looked_at;
    mapping(*frame, "'ws'", websocket_fields(), &looked_at);
  }
}

void StepReader::store(const json::Value& value, Headers& out) {
  for (const auto& [name, text, mark] : value.members) {
    Header header{json::string(name), std::nullopt};
    header.name.mark = mark;
    if (text.is_string() || text.is_array()) {
      store(text, header.value.emplace());
    } else if (!text.is_null()) {
      checker_.complain(text.mark, "header '" + name + "' must be text or a list of pieces",
                        "put the value in quotes; null leaves the header out");
    }
    out.push_back(std::move(header));
  }
}

Pieces StepReader::request_as_text(const json::Value& members) {
  constexpr std::pair<const char*, const char*> kUsual[] = {{"jsonrpc", "\"2.0\""},
                                                            {"id", "${id}"},
                                                            {"method", "\"${canary.method}\""},
                                                            {"params", "${canary.params}"}};
  mapping(members, "'frame'", frame_fields(), nullptr);
  JoinedPieces text(members.mark);
  const char* before = "{";
  for (const auto& [name, usual] : kUsual) {
    const json::Value* written = members.find(name);
    if (written != nullptr && written->is_null()) continue;
    text.add(std::string(before) + '"' + name + "\":");
    before = ",";
    Pieces value{json::string(usual), {}};
    if (written != nullptr) store(*written, value);
    if (value.list.empty()) text.add(value.whole.text);
    for (const Piece& piece : value.list) text.add(piece);
  }
  text.add("}");
  return std::move(text).pieces();
}

// A call by affordance, in full.
json::Value StepReader::written_out(const json::Value& call) {
  const auto* tool = call.is_object() ? call.find("tool") : nullptr;
  if (tool == nullptr || !checker_.type(*tool, "'tool'", Type::kText)) return call;
  const std::string affordance = "tool." + tool->text;
  if (!around_.affordances.contains(affordance))
    checker_.complain(tool->mark, "the case does not require the affordance '" + affordance + "'",
                      "add requires: [{affordance: " + affordance + "}]");
  const auto member = [&](const char* name) {
    json::Value value = json::string("${target." + affordance + "." + name + "}");
    value.mark = tool->mark;
    return value;
  };
  const auto* arguments = call.find("arguments");
  json::Value out = json::object(
      {{"method", json::string("tools/call")},
       {"params", json::object({{"name", member("name")},
                                {"arguments", arguments ? *arguments : member("arguments")}})}});
  out.mark = call.mark;
  for (const auto& one : call.members) {
    if (one.name == "tool" || one.name == "arguments") continue;
    if (out.find(one.name) != nullptr)
      checker_.complain(one.mark, "'" + one.name + "' does not go with 'tool'",
                        "remove one of them");
    else
      out.members.push_back(one);
  }
  checker_.references(out);
  return out;
}

void StepReader::store(const json::Value& value, Call& out) {
  const json::Value whole = written_out(value);
  mapping(whole, "'call'", find_action("call")->fields, &out);
  if (const auto* stray = whole.is_object() ? whole.find("arguments") : nullptr)
    checker_.complain(stray->mark, "'arguments' goes with 'tool'", "write params: {arguments: …}");
}

void StepReader::store(const json::Value& value, Write& out) {
  mapping(value, "'write'", write_fields(), &out);
}

void StepReader::store(const json::Value& value, Need& out) {
  out = value.text == "bare" ? Need::kBare : Need::kFresh;
}

void StepReader::store(const json::Value& value, Channel& out) {
  out = value.text == "stdout" ? Channel::kStdout : Channel::kStdin;
}

// --- steps

// The one action of the step, after complaining about every key that has no business there.
const json::Member* StepReader::action_in(const json::Value& step) {
  if (!checker_.type(step, "a step", Type::kMapping)) return nullptr;
  const json::Member* action = nullptr;
  bool unknown = false;
  for (const auto& member : step.members) {
    if (find_action(member.name) != nullptr) {
      if (action != nullptr) {
        checker_.complain(member.mark,
                          "a step must have one action; this one has '" + action->name + "' and '" +
                              member.name + "'",
                          member.name == "expect" || action->name == "expect"
                              ? "write 'reply' for what is expected of it"
                              : "make it two steps");
        return nullptr;
      }
      action = &member;
    } else if (find_extra(member.name) == nullptr) {
      const bool acts =
          std::any_of(step.members.begin(), step.members.end(), [](const json::Member& other) {
            return find_action(other.name) != nullptr && other.name != "expect";
          });
      // Beside an action, what is expected is its reply.
      if (acts && member.name.starts_with("expect")) {
        checker_.complain(member.mark, "unknown key in a step '" + member.name + "'",
                          "write 'reply' for what is expected of it");
        unknown = true;
        continue;
      }
      std::vector<std::string> valid;
      for (const ActionRow& row : actions()) valid.emplace_back(row.name);
      for (const ExtraRow& row : extras()) valid.emplace_back(row.field.name);
      checker_.unknown(member.mark, "key in a step", member.name, valid);
      unknown = true;  // the other mistakes of the step are reported as well
    }
  }
  if (action == nullptr && !unknown)
    checker_.complain(step.mark, "the step has no action", "add call, send, frame or another one");
  return action;
}

void StepReader::demand_transport(const json::Value& step, const json::Mark& mark,
                                  const std::string& name, On on) {
  if (on == On::kAll) return;
  using wire::TransportKind;
  const wire::TransportSet all = around_.transports;
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
  checker_.complain(
      mark, "'" + name + "' can be played over " + own + " only",
      "give the case transports: [" + own + "], or the step when: {transports: [" + own + "]}");
}

// Everything but the action. `repeat` and `order` belong to the action they stand beside.
void StepReader::read_extras(const json::Value& value, const ActionRow& action, Step& out) {
  for (const auto& [name, written, mark] : value.members) {
    const ExtraRow* extra = find_extra(name);
    if (extra == nullptr || extra->field.kind == FieldKind::kEach) continue;  // it was read first
    if (extra->beside != 0 && (action.beside & extra->beside) == 0) {
      checker_.complain(mark, "'" + name + "' does not go with '" + action.name + "'");
      continue;
    }
    demand_transport(value, mark, name, extra->on);
    void* record = extra->beside == kPipelined
                       ? static_cast<void*>(std::get_if<Pipelined>(&out.action))
                       : static_cast<void*>(&out);
    if (extra->field.kind != FieldKind::kReply)
      extra->field.read(*this, extra->field, written, record);
    else
      read_reply(written, out);
  }
}

void StepReader::read_reply(const json::Value& reply, Step& out) {
  out.later = is_later(reply);
  if (!out.later) {
    out.reply = read_outcomes(checker_, reply);
  } else if (pipelining_) {
    checker_.complain(reply.mark, "'pipelined' waits for all its replies", "state the reply");
  }
}

// The name of an element means something within the step alone.
void StepReader::read_each(const json::Value& step, const json::Value& each, Step& out) {
  const ExtraRow& row = *find_extra("each");
  row.field.read(*this, row.field, each, &out);
  if (!out.each) return;
  checker_.references(out.each->list);
  checker_.means(out.each->name, true);
  if (step.find("as") != nullptr || step.find("client") != nullptr || pipelining_)
    checker_.complain(each.mark, "'each' goes neither with 'as' and 'client' nor into 'pipelined'",
                      "make it a separate step");
}

// Names this step gives, for the steps behind it.
void StepReader::define_name(const json::Value& value, const Step& step) {
  const auto* as = value.find("as");
  if (as == nullptr || !as->is_string()) return;
  checker_.define(step.as, as->mark, "the step name");
  step_names_.push_back(step.as);
  if (step.later) later_.push_back(step.as);  // without a name nobody waits for it
}

bool StepReader::step(const json::Value& value, Step& out) {
  const json::Member* member = action_in(value);
  if (member == nullptr) return false;
  const ActionRow& row = *find_action(member->name);
  if (pipelining_ && !row.in_pipelined) {
    checker_.complain(member->mark, "'" + member->name + "' cannot be part of 'pipelined'",
                      "use call, notify, send, frame or bytes");
    return false;
  }
  out.mark = value.mark;
  demand_transport(value, member->mark, member->name, row.on);
  // Another client begins with nothing said, whatever this one's session has seen.
  const bool bare = around_.bare;
  const bool other = value.find("client") != nullptr;
  if (const auto* each = value.find("each")) read_each(value, *each, out);
  if (other) around_.bare = true;
  out.action = row.read(*this, row, member->value);
  if (other) around_.bare = bare;
  // What a step captures means something only behind it.
  if (!std::holds_alternative<Pipelined>(out.action)) checker_.references(value);
  if (out.each) checker_.means(out.each->name, false);
  read_extras(value, row, out);
  define_name(value, out);
  return true;
}

std::vector<Step> StepReader::steps(const json::Value& list) {
  std::vector<Step> out;
  out.reserve(list.items.size());  // steps are large
  for (const auto& item : list.items) {
    Step next;
    if (step(item, next)) out.push_back(std::move(next));
  }
  return out;
}

}  // namespace harness::suite
