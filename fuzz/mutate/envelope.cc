// SPDX-License-Identifier: Apache-2.0
// The members of a message: id, jsonrpc, method, params, and what is around it. Every result is
// JSON; what an answer to it may be is for the model to say.
#include <string>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/values.h"
#include "harness/base/ascii.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

// What no request may have.
constexpr const char* kNoIds[] = {"null", "true", "false",       "[]",
                                  "{}",   "[1]",  R"({"id":1})", R"(["a"])"};

constexpr const char* kVersions[] = {
    R"("1.0")",  R"("2")",     R"("2.1")",   R"("3.0")",       R"("2.0 ")",
    R"(" 2.0")", R"("2.00")",  R"("02.0")",  R"("")",          "2.0",
    "2",         "20e-1",      "null",       "true",           "[]",
    "{}",        R"(["2.0"])", R"("２.０")", R"("2.0\u0000")", R"("JSONRPC 2.0")",
};

constexpr const char* kNoMethods[] = {
    "null", "1", "0", "true", "[]", "{}", R"("")", R"(" ")", R"(["ping"])", R"({"name":"ping"})"};

constexpr const char* kParams[] = {"[]",        "{}",     "null",        "0",        "1",
                                   "true",      R"("")",  R"("params")", "[[]]",     "[{}]",
                                   R"({"":0})", "[null]", "-1",          R"([1,2])", R"({"0":0})"};

constexpr const char* kScalars[] = {"null", "true",  "false",     "0",  "1",  "-1",
                                    "1.5",  R"("")", R"("ping")", "{}", "[]", "1e400"};

bool id_value(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kFalsy[] = {"0", R"("")", "-0", R"("0")"};  // taken for none most easily
  Opened opened;
  return opened.with_member(script, random, "method") &&
         opened.set_member("id", random.one_in(3) ? random.pick(kFalsy) : random.pick(kIds));
}

bool id_kind(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.with_member(script, random, "method") &&
         opened.set_member("id", random.pick(kNoIds));
}

bool id_long(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kLengths[] = {64, 128, 256, 1024, 4096, 65'536};
  Opened opened;
  if (!opened.with_member(script, random, "method")) return false;
  const std::size_t length = random.pick(kLengths);
  const std::string text =
      random.one_in(3) ? std::string(length, '7') : '"' + std::string(length, 'i') + '"';
  return opened.set_member("id", text);
}

bool id_absent(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.with_member(script, random, "id") && opened.remove(opened.member("id"));
}

bool id_in_flight(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "id")) return false;
  Opened other;
  if (!other.with_member(script, random, "id") || other.frame == opened.frame) return false;
  const std::string id(text_of(other.text(), other.tree[other.member("id")]));
  return opened.set_member("id", id);
}

// 1 and "1" are different ids.
bool id_twin(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "id")) return false;
  const std::size_t id = opened.member("id");
  const Node& node = opened.tree[id];
  if (node.kind == Kind::kNumber)
    return opened.replace_value(id, '"' + std::string(text_of(opened.text(), node)) + '"');
  if (node.kind != Kind::kString) return false;
  const std::string digits(inside(opened.text(), node));
  if (digits.empty() || digits.size() > 18 || digits.front() == '0' ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return false;
  return opened.replace_value(id, digits);
}

bool version_value(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.object(script, random) && opened.set_member("jsonrpc", random.pick(kVersions));
}

bool method_other(Script& script, const Vocabulary& vocabulary, Random& random) {
  if (vocabulary.methods().empty() && vocabulary.notifications().empty()) return false;
  Opened opened;
  if (!opened.with_member(script, random, "method")) return false;
  const std::size_t methods = vocabulary.methods().size();
  const std::size_t chosen = random.below(methods + vocabulary.notifications().size());
  const Method& method = chosen < methods ? vocabulary.methods()[chosen]
                                          : vocabulary.notifications()[chosen - methods];
  return opened.set_member("method", json::quoted(method.name));
}

bool method_foreign(Script& script, const Vocabulary& vocabulary, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "method")) return false;
  if (!vocabulary.strings().empty() && random.one_in(6))
    return opened.set_member("method", random.pick(vocabulary.strings()));
  return opened.set_member("method", json::quoted(random.pick(vocabulary.foreign_methods())));
}

// A look-alike of an ASCII letter, "" when there is none.
const char* confusable(char c) {
  switch (c) {
    case 'a': return "а";
    case 'e': return "е";
    case 'i': return "і";
    case 'o': return "о";
    case 'p': return "р";
    case 's': return "ѕ";
    case 'c': return "с";
    case 'l': return "ⅼ";
    case '/': return "∕";
    default: return "";
  }
}

// A name (JSON text without quotation marks and escapes) that is nearly `name`.
std::string near_miss(std::string name, Random& random) {
  constexpr const char* kEnds[] = {" ", "/", ".",    "s",       "\\u0000", "\\n", "\\t",
                                   "x", "_", "/../", "\\ufeff", "\\u200b", "?",   "#"};
  const std::size_t at = random.below(name.size());
  switch (random.below(9)) {
    case 0: name[at] = harness::ascii::swapped_case(name[at]); break;
    case 1:
      for (char& c : name) c = harness::ascii::swapped_case(c);
      break;
    case 2: name.erase(at, 1); break;
    case 3: name.insert(at, 1, name[at]); break;
    case 4: name += random.pick(kEnds); break;
    case 5: name.insert(0, random.pick(kEnds)); break;
    case 6: name.resize(at); break;
    case 7:
      if (at + 1 < name.size()) std::swap(name[at], name[at + 1]);
      break;
    default:
      if (const char* other = confusable(name[at]); *other != 0)
        name.replace(at, 1, other);
      else
        name.insert(at, "\\u00ad");
  }
  return name;
}

bool method_near(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "method")) return false;
  const std::size_t method = opened.member("method");
  if (opened.tree[method].kind != Kind::kString) return false;
  const std::string_view name = inside(opened.text(), opened.tree[method]);
  // With escapes in it a change could break the text.
  if (name.empty() || name.find('\\') != std::string_view::npos) return false;
  for (const char c : name)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return opened.replace_value(method, '"' + near_miss(std::string(name), random) + '"');
}

bool method_kind(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.with_member(script, random, "method") &&
         opened.set_member("method", random.pick(kNoMethods));
}

bool params_kind(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.with_member(script, random, "method") &&
         opened.set_member("params", random.pick(kParams));
}

bool params_wrapped(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "params")) return false;
  const std::size_t params = opened.member("params");
  const std::string text(text_of(opened.text(), opened.tree[params]));
  return opened.replace_value(params,
                              random.one_in(2) ? '[' + text + ']' : "{\"params\":" + text + '}');
}

bool member_missing(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.object(script, random)) return false;
  const std::size_t members = opened.tree.children(opened.message);
  if (members == 0) return false;
  return opened.remove(opened.tree.child(opened.message, random.below(members)));
}

bool member_extra(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kMembers[] = {
      R"("extra":1)",       R"("":null)",          R"("result":{})",
      R"("result":null)",   R"("error":null)",     R"("error":{"code":-32603,"message":"no"})",
      R"("__proto__":{})",  R"("jsonrpc2":"2.0")", R"("Method":"ping")",
      R"("ID":7)",          R"("meta":{})",        R"("_meta":{})",
      R"("version":"1.1")", R"("auth":"token")",
  };
  Opened opened;
  return opened.object(script, random) &&
         opened.add(opened.message, random.pick(kMembers), random.one_in(2));
}

bool member_renamed(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.object(script, random)) return false;
  const std::size_t members = opened.tree.children(opened.message);
  if (members == 0) return false;
  const Node& node = opened.tree[opened.tree.child(opened.message, random.below(members))];
  std::string name(opened.text().substr(node.name + 1, node.name_end - node.name - 2));
  if (name.empty() || name.find('\\') != std::string::npos) return false;
  for (const char c : name)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return opened.replace(node.name, node.name_end, '"' + near_miss(std::move(name), random) + '"');
}

bool batch_wrap(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  return opened.replace(opened.tree[0].end, opened.tree[0].end, "]") &&
         opened.replace(opened.tree[0].begin, opened.tree[0].begin, "[");
}

// Several frames as one batch.
bool batch_join(Script& script, const Vocabulary&, Random& random) {
  const std::size_t frames = count_frames(script);
  if (frames < 2) return false;
  const std::size_t first = random.below(frames - 1);
  const std::size_t count = random.between(2, std::min<std::size_t>(frames - first, 8));
  const std::size_t begin = step_of_frame(script, first);
  std::string batch = "[";
  Tree tree;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& bytes =
        std::get<Frame>(script.steps[step_of_frame(script, first + i)]).bytes;
    if (!tree.read(bytes)) return false;
    if (i > 0) batch += ',';
    batch += bytes;
  }
  if (!has_room(script, count + 1)) return false;
  std::get<Frame>(script.steps[begin]).bytes = batch + ']';
  for (std::size_t i = 1; i < count; ++i)
    script.steps.erase(script.steps.begin() +
                       static_cast<std::ptrdiff_t>(step_of_frame(script, first + 1)));
  renumber(script, first + 1 + count, 1 - static_cast<std::ptrdiff_t>(count));
  return true;
}

bool batch_odd(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kBatches[] = {"[]",   "[[]]",   "[1]",         "[1,2,3]",  "[null]",
                                      "[{}]", "[[[]]]", R"(["ping"])", "[{},[],1]"};
  Opened opened;
  return opened.any(script, random) && opened.replace_value(0, random.pick(kBatches));
}

// A stranger in a batch; a frame that is none becomes one.
bool batch_mixed(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr const char* kStrangers[] = {// no objects
                                        "1", "null", "[]", "{}", R"("ping")",

                                        // objects
                                        R"({"jsonrpc":"2.0","method":1,"id":7})",
                                        R"({"jsonrpc":"2.0","id":7,"result":{}})"};
  Opened opened;
  if (!opened.any(script, random)) return false;
  std::string stranger = random.one_in(3)   ? notification_text(vocabulary, random)
                         : random.one_in(3) ? request_text(vocabulary, random, fresh_id(random))
                                            : std::string(random.pick(kStrangers));
  if (opened.tree[0].kind == Kind::kArray) return opened.add(0, stranger, random.one_in(2));
  const std::string own(text_of(opened.text(), opened.tree[0]));
  return opened.replace_value(
      0, random.one_in(2) ? '[' + own + ',' + stranger + ']' : '[' + stranger + ',' + own + ']');
}

// The same message many times, with ids of their own.
bool batch_many(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kMany = 100;
  constexpr std::size_t kCounts[] = {3, 10, 33, kMany, 1000};
  Opened opened;
  if (!opened.with_member(script, random, "id") || opened.message != 0) return false;
  const Node& id = opened.tree[opened.member("id")];
  const std::string_view text = opened.text();
  const std::size_t count = random.pick(kCounts);
  std::size_t next = random.between(1000, 999'999);
  std::string batch = "[";
  if (!has_room(script, (text.size() + 8) * count)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) batch += ',';
    ((batch += text.substr(0, id.begin)) += std::to_string(next++)) += text.substr(id.end);
  }
  if (!opened.replace(0, text.size(), batch + ']')) return false;
  // What stands beside a large message is not kept for long, and seldom the message.
  if (count >= kMany) script.steps = {Step(Frame(*opened.frame))};
  return true;
}

bool response_shaped(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kOutcomes[] = {R"("result":{})",
                                       R"("result":null)",
                                       R"("error":{"code":-32601,"message":"no"})",
                                       R"("error":{})",
                                       R"("error":null)",
                                       R"("result":{},"error":{"code":1,"message":""})",
                                       R"("error":{"code":"1","message":2})",
                                       R"("result":[])"};
  Opened opened;
  if (!opened.object(script, random)) return false;
  const std::size_t id = opened.member("id");
  std::string text = R"({"jsonrpc":"2.0",)";
  if (id != Tree::kNone && random.one_in(2))
    ((text += "\"id\":") += text_of(opened.text(), opened.tree[id])) += ',';
  else if (!random.one_in(4))
    ((text += "\"id\":") += random.pick(kIds)) += ',';
  text += random.pick(kOutcomes);
  return opened.replace_value(opened.message, text + '}');
}

bool top_scalar(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.any(script, random) && opened.replace_value(0, random.pick(kScalars));
}

// The members a stateless request must carry, and what a handshake agrees on.
bool revision_value(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kRevisions[] = {
      // revisions
      R"("2024-11-05")", R"("2025-03-26")", R"("2025-06-18")", R"("2025-11-25")", R"("2026-07-28")",

      // what is none
      R"("1999-01-01")", R"("9999-12-31")", R"("2025-06-18 ")", R"("DRAFT-2026-v1")", R"("")",
      "20250618", "null", "[]", "{}", R"("1.0")"};
  Opened opened;
  if (!opened.with_member(script, random, "params")) return false;
  const std::size_t params = opened.member("params");
  for (std::size_t i = params; i < opened.tree[params].next; ++i) {
    const Node& node = opened.tree[i];
    if (!node.is_member()) continue;
    const std::string_view name =
        opened.text().substr(node.name + 1, node.name_end - node.name - 2);
    if (name.ends_with("rotocolVersion")) return opened.replace_value(i, random.pick(kRevisions));
  }
  return false;
}

bool meta_value(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kMetas[] = {
      // without a token
      "null", "[]", "{}", "1", R"("")",

      // with members
      R"({"progressToken":0})", R"({"progressToken":"p"})", R"({"progressToken":null})",
      R"({"progressToken":1.5})", R"({"progressToken":{}})",
      R"({"progressToken":9007199254740993})", R"({"":1})", R"({"a/b/c":{}})"};
  Opened opened;
  if (!opened.with_member(script, random, "params")) return false;
  const std::size_t params = opened.member("params");
  if (opened.tree[params].kind != Kind::kObject) return false;
  const std::size_t meta = opened.tree.member(opened.text(), params, "_meta");
  if (meta == Tree::kNone) {
    std::string text = "\"_meta\":";
    return opened.add(params, text += random.pick(kMetas), false);
  }
  const std::size_t members =
      opened.tree[meta].kind == Kind::kObject ? opened.tree.children(meta) : 0;
  if (members == 0 || random.one_in(3)) return opened.replace_value(meta, random.pick(kMetas));
  const std::size_t member = opened.tree.child(meta, random.below(members));
  if (random.one_in(2)) return opened.remove(member);
  return opened.replace_value(member, random.pick(kScalars));
}

}  // namespace

std::vector<Mutator> envelope_mutators() {
  const auto row = [](const char* name, int weight, const char* help, auto apply) {
    return Mutator{name, help, Level::kEnvelope, weight, apply};
  };
  return {
      row("id-value", 8, "A valid id in a spelling that implementations lose", id_value),
      row("id-kind", 4, "An id that is null, a boolean, an array or an object", id_kind),
      row("id-long", 1, "An id of up to 64 KiB", id_long),
      row("id-absent", 3, "A request without id: a notification", id_absent),
      row("id-in-flight", 4, "The id of another request of the script", id_in_flight),
      row("id-twin", 3, "A number id as a string, or the reverse", id_twin),
      row("version-value", 4, "Another value of `jsonrpc`", version_value),
      row("method-other", 6, "Another method of the profile, with these params", method_other),
      row("method-foreign", 4, "A method of another revision or of the other side, or none",
          method_foreign),
      row("method-near", 5, "A method that is almost right: letter case, lookalike letters, ends",
          method_near),
      row("method-kind", 2, "A method that is not a string, or is empty", method_kind),
      row("params-kind", 6, "Params of another kind, or empty", params_kind),
      row("params-wrapped", 2, "Params nested in an array or object", params_wrapped),
      row("member-missing", 4, "A member of the message is left out", member_missing),
      row("member-extra", 3, "An undefined member, or one of a response", member_extra),
      row("member-renamed", 3, "A member whose name is almost right", member_renamed),
      row("batch-wrap", 4, "A frame as a batch of one; batches nest", batch_wrap),
      row("batch-join", 4, "Several frames as one batch", batch_join),
      row("batch-odd", 2, "An empty batch, or one without messages", batch_odd),
      row("batch-mixed", 3, "A batch with one invalid element", batch_mixed),
      row("batch-many", 2, "A batch of the same request up to 1,000 times", batch_many),
      row("response-shaped", 3, "A response in place of a request", response_shaped),
      row("top-scalar", 2, "A scalar in place of a message", top_scalar),
      row("revision-value", 3, "Another protocolVersion", revision_value),
      row("meta-value", 4, "Another `_meta`, or other members in it", meta_value),
  };
}

}  // namespace fuzz
