// SPDX-License-Identifier: Apache-2.0
// Which messages are sent, in what order, and which of them are in flight together.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "fuzz/mutate/chains.h"
#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/values.h"

namespace fuzz {
namespace {

using Offset = std::ptrdiff_t;

bool insert_request(Script& script, const Vocabulary& vocabulary, Random& random) {
  return insert_frame(script, pick_place(script, random),
                      request_text(vocabulary, random, fresh_id(random)));
}

bool insert_notification(Script& script, const Vocabulary& vocabulary, Random& random) {
  const std::size_t place = pick_place(script, random);
  // Some in a row now and then: whoever takes one for a request may do so only then.
  bool any = false;
  for (std::size_t count = random.one_in(3) ? random.between(2, 6) : 1; count > 0; --count)
    any |= insert_frame(script, place, notification_text(vocabulary, random));
  return any;
}

bool drop_step(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.size() < 2) return false;
  const std::size_t place = random.below(script.steps.size());
  drop_steps(script, place, place + 1);
  return true;
}

// All behind a place, or all before it.
bool drop_many(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.size() < 3) return false;
  const std::size_t place = random.between(1, script.steps.size() - 1);
  if (random.one_in(2)) {
    script.steps.resize(place);
    return true;
  }
  drop_steps(script, 0, place);
  return true;
}

bool swap(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.size() < 2) return false;
  const std::size_t a = random.below(script.steps.size());
  const std::size_t b = random.below(script.steps.size());
  if (a == b) return false;
  std::swap(script.steps[a], script.steps[b]);
  return true;
}

bool reverse(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.size() < 3) return false;
  const std::size_t begin = random.below(script.steps.size() - 2);
  const std::size_t end = random.between(begin + 3, script.steps.size());
  std::reverse(script.steps.begin() + static_cast<Offset>(begin),
               script.steps.begin() + static_cast<Offset>(end));
  return true;
}

// The same frame again, with the same id.
bool duplicate(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.empty()) return false;
  const std::size_t place = random.below(script.steps.size());
  Step copy = script.steps[place];
  return insert_step(script, random.one_in(2) ? place + 1 : pick_place(script, random),
                     std::move(copy));
}

// Copies of the frame with the id of each its own.
std::string with_id(const std::string& bytes, const Node& id, std::string_view text) {
  std::string out = bytes.substr(0, id.begin);
  return (out += text).append(bytes, id.end, std::string::npos);
}

bool repeat(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.size() >= kMostSteps) return false;
  Opened opened;
  if (!opened.object(script, random) || opened.message != 0) return false;
  const std::size_t member = opened.member("id");
  const Node id = member == Tree::kNone ? Node{} : opened.tree[member];
  const Frame frame = *opened.frame;
  const std::size_t place = place_of(script, opened.frame) + 1;
  const std::size_t most = std::min<std::size_t>(kMostSteps - script.steps.size(), 32);
  std::size_t next = random.between(1000, 999'999);
  bool any = false;
  for (std::size_t count = random.between(1, most); count > 0; --count) {
    Frame copy = frame;
    if (member != Tree::kNone) copy.bytes = with_id(frame.bytes, id, std::to_string(next++));
    if (!insert_step(script, place, std::move(copy))) break;
    any = true;
  }
  return any;
}

// Frames that are JSON as one batch.
bool joined_as_batch(std::vector<Frame>& frames) {
  std::string batch;
  Tree tree;
  for (const Frame& frame : frames)
    if (tree.read(frame.bytes)) (batch += batch.empty() ? '[' : ',') += frame.bytes;
  if (batch.empty()) return false;
  frames.assign(1, Frame{batch + ']', {}});
  return true;
}

// Many messages, each with a rule broken: what one message can do is tried in as few as possible.
bool variants(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr Level kLevels[] = {Level::kArguments, Level::kArguments, Level::kArguments,
                               Level::kArguments, Level::kEnvelope,  Level::kEnvelope,
                               Level::kJsonText,  Level::kJsonText,  Level::kFraming};
  constexpr std::size_t kMostOfOne = 1024;
  const std::size_t enough = std::min<std::size_t>(vocabulary.room, 16u << 10);
  std::vector<Frame> kept;
  std::size_t bytes = 0;
  const std::size_t room = kMostBytes - std::min(bytes_of(script), kMostBytes - 1);
  for (std::size_t count = random.between(8, 32); count > 0 && bytes < enough; --count) {
    Script alone;
    const Frame* own = random.one_in(4) ? pick_frame(script, random) : nullptr;
    if (own && own->bytes.size() > kMostOfOne) own = nullptr;
    alone.steps.emplace_back(own ? *own
                                 : Frame{request_text(vocabulary, random, fresh_id(random)), {}});
    for (int changes = random.one_in(4) ? 2 : 1; changes > 0; --changes)
      mutate_if_easy(alone, random.pick(kLevels), vocabulary, random);
    if (alone.steps.size() != 1 || !std::holds_alternative<Frame>(alone.steps.front())) continue;
    const std::size_t size = bytes_of(alone);
    if (bytes + size > bytes_of(script) + room / 2) continue;
    bytes += size;
    kept.push_back(std::move(std::get<Frame>(alone.steps.front())));
  }
  if (kept.empty()) return false;
  if (random.one_in(8) && bytes + kept.size() + 2 <= room) joined_as_batch(kept);
  script.steps.assign(std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  return true;
}

// Whatever stands beside a large message is not kept for long, nor is it in such company: alone,
// and with nothing else about it, it is told by any wrong answer.
bool fill_buffer(Script& script, const Vocabulary& vocabulary, Random& random) {
  std::string text = request_text(vocabulary, random, fresh_id(random));
  // What goes beyond most buffers may be refused by whoever has a limit.
  const std::size_t edge = edge_of_buffer(11, random.one_in(4) ? 17 : 13, random);
  if (edge <= text.size()) return false;
  text.insert(text.size() - 1, edge - text.size(), ' ');
  script.steps.clear();
  script.steps.emplace_back(Frame{std::move(text), {}});
  return true;
}

// Params of the same name get the value they have in the first text.
void speak_of_the_same(std::vector<std::string>& texts) {
  constexpr std::string_view kThings[] = {"uri", "name", "taskId", "requestState"};
  for (const std::string_view thing : kThings) {
    std::string value;
    for (std::string& text : texts) {
      Tree tree;
      if (!tree.read(text)) continue;
      const std::size_t params = tree.member(text, 0, "params");
      if (params == Tree::kNone) continue;
      const std::size_t member = tree.member(text, params, thing);
      if (member == Tree::kNone) continue;
      const Node& node = tree[member];
      if (value.empty())
        value = text_of(text, node);
      else
        text.replace(node.begin, node.end - node.begin, value);
    }
  }
}

std::string_view family(std::string_view method) { return method.substr(0, method.find('/')); }

// Valid requests of a few methods in any order, mostly of one family and about the same thing:
// what a server keeps between them is where it goes wrong. With nothing broken beside them every
// wrong answer tells.
bool conversation(Script& script, const Vocabulary& vocabulary, Random& random) {
  const std::vector<Method>& methods = vocabulary.methods();
  if (methods.empty() || script.steps.size() >= kMostSteps) return false;
  const std::string_view one_family = family(random.pick(methods).name);
  const bool related = random.one_in(2);
  std::vector<std::string> texts;
  for (std::size_t tries = random.between(2, 5); tries > 0; --tries) {
    const Method* method = &random.pick(methods);
    for (int i = 0; related && i < 32 && family(method->name) != one_family; ++i)
      method = &random.pick(methods);
    texts.push_back(request_text(vocabulary, *method, random, "1"));
  }
  if (random.one_in(4)) texts.push_back(notification_text(vocabulary, random));
  if (!random.one_in(4)) speak_of_the_same(texts);
  if (random.one_in(2)) script.steps.clear();
  const std::size_t place = random.one_in(2) ? script.steps.size() : pick_place(script, random);
  bool any = false;
  const bool waits = random.one_in(4), cancels = random.one_in(4);
  Tree tree;
  std::size_t at = place;
  for (std::size_t count = random.between(3, 16); count > 0; --count) {
    const std::string& text = random.pick(texts);
    if (!tree.read(text)) continue;
    const std::size_t member = tree.member(text, 0, "id");
    const std::string id = fresh_id(random);
    if (!insert_frame(script, at, member == Tree::kNone ? text : with_id(text, tree[member], id)))
      break;
    ++at;
    if (cancels && member != Tree::kNone && random.one_in(3) &&
        insert_frame(script, at, cancel_text(vocabulary, id, "")))
      ++at;
    if (waits && insert_step(script, at, Sync{})) ++at;
    any = true;
  }
  return any;
}

// Some steps again elsewhere.
bool splice(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.empty() || script.steps.size() >= kMostSteps) return false;
  const std::size_t begin = random.below(script.steps.size());
  const std::size_t most = std::min(script.steps.size() - begin, kMostSteps - script.steps.size());
  const std::size_t count = random.between(1, std::min<std::size_t>(most, 16));
  const std::vector<Step> copies(script.steps.begin() + static_cast<Offset>(begin),
                                 script.steps.begin() + static_cast<Offset>(begin + count));
  const std::size_t place = pick_place(script, random);
  std::size_t put = 0;
  while (put < copies.size() && insert_step(script, place + put, copies[put])) ++put;
  return put > 0;
}

// Each frame twice, with another id: two clients' worth on one connection.
bool interleave(Script& script, const Vocabulary&, Random& random) {
  const std::size_t frames = count_frames(script);
  if (frames == 0 || !has_steps(script, frames)) return false;
  std::size_t next = random.between(1000, 999'999);
  bool any = false;
  Tree tree;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const Frame* frame = std::get_if<Frame>(&script.steps[i]);
    if (!frame || !tree.read(frame->bytes)) continue;
    const std::size_t id = tree.member(frame->bytes, 0, "id");
    if (id == Tree::kNone) continue;
    Frame copy{with_id(frame->bytes, tree[id], std::to_string(next++)), frame->delivery};
    any = insert_step(script, i + 1, std::move(copy)) || any;
    ++i;
  }
  return any;
}

// A frame in the middle is changed; what comes behind it is kept, and ends in a request that has to
// be answered as ever.
bool middle(Script& script, const Vocabulary& vocabulary, Random& random) {
  const std::size_t frames = count_frames(script);
  if (frames == 0 || !has_steps(script, 2)) return false;
  const std::size_t place = step_of_frame(script, random.below(frames));
  Script alone;
  alone.steps.push_back(script.steps[place]);
  constexpr Level kLevels[] = {Level::kEnvelope, Level::kArguments, Level::kJsonText};
  const Mutator* used = mutate_if_easy(alone, random.pick(kLevels), vocabulary, random);
  if (!used || alone.steps.size() != 1) return false;
  const std::size_t grown = bytes_of(alone);
  const std::size_t before = bytes_of(script.steps[place]);
  if (grown > before && !has_room(script, grown - before)) return false;
  script.steps[place] = std::move(alone.steps.front());
  if (place + 1 == script.steps.size()) {
    insert_step(script, place + 1, Sync{});
    insert_frame(script, place + 2, canary_text(vocabulary, fresh_id(random)));
  }
  return true;
}

// A request is cancelled while it may be under way.
bool cancel(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr const char* kReasons[] = {"", R"(,"reason":"")", R"(,"reason":"no longer needed")",
                                      R"(,"reason":null)", R"(,"reason":1)"};
  Opened opened;
  if (!opened.with_member(script, random, "id")) return false;
  const std::string id(text_of(opened.text(), opened.tree[opened.member("id")]));
  std::string text = cancel_text(vocabulary, id, random.pick(kReasons));
  // Behind it mostly; before it now and then, or far behind, when it has been answered.
  std::size_t place = place_of(script, opened.frame);
  if (!random.one_in(6)) ++place;
  if (random.one_in(8)) place = script.steps.size();
  const std::string again =
      opened.message == 0 && random.one_in(2)
          ? with_id(opened.frame->bytes, opened.tree[opened.member("id")], fresh_id(random))
          : "";
  if (!insert_frame(script, place, std::move(text))) return false;
  // What was cancelled has to work the next time.
  if (!again.empty()) insert_frame(script, place + 1, again);
  return true;
}

const Method* find_method(const std::vector<Method>& methods, std::string_view name) {
  for (const Method& method : methods)
    if (method.name == name) return &method;
  return nullptr;
}

// A handshake where there has been one, or half of it.
bool handshake(Script& script, const Vocabulary& vocabulary, Random& random) {
  const Method* initialize = find_method(vocabulary.methods(), "initialize");
  if (!initialize || !has_steps(script, 2)) return false;
  const std::size_t place = pick_place(script, random);
  const std::size_t part = random.below(4);  // 0: only the request, 1: only the notification
  std::size_t put = 0;
  if (part != 1)
    put += insert_frame(script, place,
                        request_text(vocabulary, *initialize, random, fresh_id(random)));
  if (part != 0)
    put += insert_frame(script, place + put,
                        R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  return put > 0;
}

// What has been in flight together is not any more, or the other way round.
bool sync_insert(Script& script, const Vocabulary&, Random& random) {
  if (script.steps.empty()) return false;
  return insert_step(script, pick_place(script, random), Sync{});
}

bool sync_drop(Script& script, const Vocabulary&, Random& random) {
  const auto is_wait = [](const Step& step) {
    return std::holds_alternative<Sync>(step) || std::holds_alternative<Pause>(step);
  };
  const auto waits =
      static_cast<std::size_t>(std::count_if(script.steps.begin(), script.steps.end(), is_wait));
  if (waits == 0) return false;
  if (random.one_in(3)) {
    std::erase_if(script.steps, is_wait);
    return true;
  }
  std::size_t chosen = random.below(waits);
  for (auto step = script.steps.begin(); step != script.steps.end(); ++step) {
    if (!is_wait(*step) || chosen-- != 0) continue;
    script.steps.erase(step);
    break;
  }
  return true;
}

bool pause(Script& script, const Vocabulary&, Random& random) {
  constexpr int kPauses[] = {0, 1, 1, 2, 5, 20};
  return insert_step(script, pick_place(script, random), Pause{random.pick(kPauses)});
}

bool close(Script& script, const Vocabulary&, Random& random) {
  return insert_step(script, pick_place(script, random), Close{});
}

// The same request as ever, to see whether what came before has changed its answer.
bool again_at_end(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "id") || opened.message != 0 || !has_steps(script, 2))
    return false;
  const Node& id = opened.tree[opened.member("id")];
  std::string bytes = with_id(opened.frame->bytes, id, fresh_id(random));
  if (!has_room(script, bytes.size())) return false;
  insert_step(script, script.steps.size(), Sync{});
  return insert_frame(script, script.steps.size(), std::move(bytes));
}

std::string_view method_of(const Opened& opened) {
  const std::size_t method = opened.member("method");
  if (method == Tree::kNone || opened.tree[method].kind != Kind::kString) return "";
  return inside(opened.text(), opened.tree[method]);
}

// A member of params, which are made when there are none.
bool set_param(Script& alone, Random& random, std::string_view name, const std::string& value) {
  Opened opened;
  if (!opened.object(alone, random)) return false;
  const std::string member = '"' + std::string(name) + "\":" + value;
  const std::size_t params = opened.member("params");
  if (params == Tree::kNone) return opened.set_member("params", '{' + member + '}');
  if (opened.tree[params].kind != Kind::kObject) return false;
  const std::size_t known = opened.tree.member(opened.text(), params, name);
  if (known != Tree::kNone) return opened.replace_value(known, value);
  return opened.add(params, member, false);
}

std::string input_responses(const Vocabulary& vocabulary, Random& random) {
  std::string out = "{";
  const auto& keys = vocabulary.input_keys();
  if (!keys.empty() || random.one_in(2)) {
    const bool unasked = keys.empty() || random.one_in(2);
    out += unasked ? std::string("\"input\"") : random.pick(keys);
    (out += ':') += random.pick(texts("input responses"));
  }
  return out + '}';
}

// The request that `alone` consists of, once more with the state its reply gives and an answer.
bool answer_input(Script& alone, const Vocabulary& vocabulary, Random& random,
                  const std::string& reply) {
  return set_param(alone, random, "requestState", reply + "requestState}\"") &&
         set_param(alone, random, "inputResponses", input_responses(vocabulary, random));
}

// A request is sent, and again with the state that it gives, should it ask for something: one that
// did before, or the call of a tool.
bool ask_and_follow_up(Script& script, const Vocabulary& vocabulary, Random& random) {
  std::string request;
  if (!vocabulary.asking().empty() && !random.one_in(4)) {
    request = random.pick(vocabulary.asking());
  } else {
    const Tool& tool = random.pick(vocabulary.tools());
    request = call_text(vocabulary, tool, random.pick(tool.valid), "1");
  }
  const std::size_t place = script.steps.size();
  Script alone;
  alone.steps.emplace_back(Frame{std::move(request), {}});
  Opened first;
  if (!first.object(alone, random) || !first.set_member("id", fresh_id(random)) ||
      !insert_frame(script, place, first.frame->bytes))
    return false;
  const std::string reply = "\"${" + std::to_string(frame_number(script, place)) + "/result/";
  Opened next;
  if (answer_input(alone, vocabulary, random, reply) && next.object(alone, random) &&
      next.set_member("id", fresh_id(random)) && insert_step(script, place + 1, Sync{}))
    insert_frame(script, place + 2, std::move(next.frame->bytes));
  return true;
}

// A call, and behind its reply one that takes an argument from it.
bool append_chain(Script& script, const Vocabulary& vocabulary, Random& random) {
  const Chain& chain = random.pick(vocabulary.chains());
  const Tool &from = vocabulary.tools()[chain.from], &to = vocabulary.tools()[chain.to];
  const auto& kind = random.one_in(3) && !to.boundary.empty() ? to.boundary : to.valid;
  if (from.valid.empty() || kind.empty()) return false;
  const std::size_t place = script.steps.size();
  if (!insert_frame(script, place,
                    call_text(vocabulary, from, random.pick(from.valid), fresh_id(random))))
    return false;
  const auto own = with_reference(random.pick(kind), chain, frame_number(script, place));
  if (own && insert_step(script, place + 1, Sync{}))
    insert_frame(script, place + 2, call_text(vocabulary, to, *own, fresh_id(random)));
  return true;
}

// What a client would ask next with what the reply will say: the next page, the state it was given,
// the task that was begun, the resource that was listed.
bool follow_up(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (!has_steps(script, 3)) return false;
  if (!vocabulary.chains().empty() && random.one_in(2))
    return append_chain(script, vocabulary, random);
  const bool stateless = vocabulary.profile().era == harness::spec::Era::kStateless;
  // Among all that is said, calls that are asked something back are few.
  if (stateless && !vocabulary.tools().empty() && random.one_in(2))
    return ask_and_follow_up(script, vocabulary, random);
  Opened opened;
  if (!opened.with_member(script, random, "id") || opened.message != 0) return false;
  const std::string method(method_of(opened));
  const std::size_t place = place_of(script, opened.frame);
  const std::string reply = "\"${" + std::to_string(frame_number(script, place)) + "/result/";

  Script alone;
  alone.steps.emplace_back(Frame{opened.frame->bytes, {}});
  const auto become = [&](const std::string& other, std::string_view param,
                          std::string_view where) {
    std::string bytes = R"({"jsonrpc":"2.0","id":1,"method":")" + other + R"(","params":{)";
    if (!vocabulary.meta().empty()) bytes += "\"_meta\":" + vocabulary.meta() + ',';
    bytes += '"' + std::string(param) + "\":" + reply + std::string(where) + "}\"}}";
    alone.steps.front() = Frame{std::move(bytes), {}};
    return true;
  };
  bool made = false;
  if (method == "resources/list" && random.one_in(2)) {
    made = become("resources/read", "uri", "resources/0/uri");
  } else if (method.ends_with("/list")) {
    made = set_param(alone, random, "cursor", reply + "nextCursor}\"");
  } else if (method == "tools/call" || method == "prompts/get" || method == "resources/read") {
    constexpr const char* kTaskMethods[] = {"tasks/get", "tasks/result", "tasks/cancel",
                                            "tasks/update"};
    if (vocabulary.profile().is("mcp>=2025-11-25") && random.one_in(3)) {
      made = become(random.pick(kTaskMethods), "taskId", stateless ? "taskId" : "task/taskId");
    } else if (stateless) {
      made = answer_input(alone, vocabulary, random, reply);
    }
  }
  Opened next;
  if (!made || !next.object(alone, random) || !next.set_member("id", fresh_id(random)))
    return false;
  if (!has_room(script, next.frame->bytes.size())) return false;
  insert_step(script, place + 1, Sync{});
  return insert_frame(script, place + 2, std::move(next.frame->bytes));
}

}  // namespace

std::vector<MutatorCode> sequence_mutators() {
  return {{"insert-request", insert_request},
          {"insert-notification", insert_notification},
          {"drop-step", drop_step},
          {"drop-many", drop_many},
          {"swap-steps", swap},
          {"reverse-steps", reverse},
          {"duplicate-step", duplicate},
          {"repeat", repeat},
          {"variants", variants},
          {"fill-buffer", fill_buffer},
          {"conversation", conversation},
          {"splice", splice},
          {"interleave", interleave},
          {"middle", middle},
          {"cancel", cancel},
          {"handshake", handshake},
          {"follow-up", follow_up},
          {"sync-insert", sync_insert},
          {"sync-drop", sync_drop},
          {"pause", pause},
          {"close", close},
          {"again-at-end", again_at_end}};
}

}  // namespace fuzz
