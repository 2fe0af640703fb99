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

bool id_value(Script& script, const Vocabulary&, Random& random) {
  constexpr const char* kFalsy[] = {"0", R"("")", "-0", R"("0")"};  // taken for none most easily
  Opened opened;
  return opened.with_member(script, random, "method") &&
         opened.set_member("id",
                           random.one_in(3) ? random.pick(kFalsy) : random.pick(texts("ids")));
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
  return opened.object(script, random) &&
         opened.set_member("jsonrpc", random.pick(texts("no versions of JSON-RPC")));
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
  const std::size_t at = random.below(name.size());
  switch (random.below(9)) {
    case 0: name[at] = harness::ascii::swapped_case(name[at]); break;
    case 1:
      for (char& c : name) c = harness::ascii::swapped_case(c);
      break;
    case 2: name.erase(at, 1); break;
    case 3: name.insert(at, 1, name[at]); break;
    case 4: name += random.pick(texts("ends of names")); break;
    case 5: name.insert(0, random.pick(texts("ends of names"))); break;
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
  Opened opened;
  return opened.object(script, random) &&
         opened.add(opened.message, random.pick(texts("extra members")), random.one_in(2));
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
  Opened opened;
  return opened.any(script, random) && opened.replace_value(0, random.pick(texts("odd batches")));
}

// A stranger in a batch; a frame that is none becomes one.
bool batch_mixed(Script& script, const Vocabulary& vocabulary, Random& random) {
  Opened opened;
  if (!opened.any(script, random)) return false;
  std::string stranger = random.one_in(3) ? notification_text(vocabulary, random)
                         : random.one_in(3)
                             ? request_text(vocabulary, random, fresh_id(random))
                             : std::string(random.pick(texts("strangers in a batch")));
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
  Opened opened;
  if (!opened.object(script, random)) return false;
  const std::size_t id = opened.member("id");
  std::string text = R"({"jsonrpc":"2.0",)";
  if (id != Tree::kNone && random.one_in(2))
    ((text += "\"id\":") += text_of(opened.text(), opened.tree[id])) += ',';
  else if (!random.one_in(4))
    ((text += "\"id\":") += random.pick(texts("ids"))) += ',';
  text += random.pick(texts("outcomes"));
  return opened.replace_value(opened.message, text + '}');
}

bool top_scalar(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  return opened.any(script, random) && opened.replace_value(0, random.pick(texts("scalars")));
}

// The members a stateless request must carry, and what a handshake agrees on.
bool revision_value(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "params")) return false;
  const std::size_t params = opened.member("params");
  for (std::size_t i = params; i < opened.tree[params].next; ++i) {
    const Node& node = opened.tree[i];
    if (!node.is_member()) continue;
    const std::string_view name =
        opened.text().substr(node.name + 1, node.name_end - node.name - 2);
    if (name.ends_with("rotocolVersion"))
      return opened.replace_value(i, random.pick(texts("revisions")));
  }
  return false;
}

bool meta_value(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "params")) return false;
  const std::size_t params = opened.member("params");
  if (opened.tree[params].kind != Kind::kObject) return false;
  const std::size_t meta = opened.tree.member(opened.text(), params, "_meta");
  if (meta == Tree::kNone) {
    std::string text = "\"_meta\":";
    return opened.add(params, text += random.pick(texts("metas")), false);
  }
  const std::size_t members =
      opened.tree[meta].kind == Kind::kObject ? opened.tree.children(meta) : 0;
  if (members == 0 || random.one_in(3))
    return opened.replace_value(meta, random.pick(texts("metas")));
  const std::size_t member = opened.tree.child(meta, random.below(members));
  if (random.one_in(2)) return opened.remove(member);
  return opened.replace_value(member, random.pick(texts("scalars")));
}

}  // namespace

std::vector<MutatorCode> envelope_mutators() {
  return {{"id-value", id_value},
          {"id-long", id_long},
          {"id-absent", id_absent},
          {"id-in-flight", id_in_flight},
          {"id-twin", id_twin},
          {"version-value", version_value},
          {"method-other", method_other},
          {"method-foreign", method_foreign},
          {"method-near", method_near},
          {"params-wrapped", params_wrapped},
          {"member-missing", member_missing},
          {"member-extra", member_extra},
          {"member-renamed", member_renamed},
          {"batch-wrap", batch_wrap},
          {"batch-join", batch_join},
          {"batch-odd", batch_odd},
          {"batch-mixed", batch_mixed},
          {"batch-many", batch_many},
          {"response-shaped", response_shaped},
          {"top-scalar", top_scalar},
          {"revision-value", revision_value},
          {"meta-value", meta_value}};
}

}  // namespace fuzz
