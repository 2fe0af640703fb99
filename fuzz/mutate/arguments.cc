// SPDX-License-Identifier: Apache-2.0
// What is inside of params: arguments made from the schemas of tools, values at the edge of their
// kind, values the Target said earlier. Every result is JSON.
#include <charconv>
#include <cstdint>
#include <string>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/values.h"
#include "harness/base/ascii.h"

namespace fuzz {
namespace {

// A place in params: `params` itself when there is nothing in it.
struct Place {
  Opened opened;
  std::size_t params = 0;
  std::size_t node = 0;
};

// Prefers what is inside of `arguments`, and leaves `_meta` mostly alone: its own mutator does
// that.
bool pick_place(Script& script, Random& random, Place& place) {
  Opened& opened = place.opened;
  if (!opened.with_member(script, random, "params")) return false;
  place.params = opened.member("params");
  std::size_t within = place.params;
  const std::size_t arguments = opened.tree.member(opened.text(), within, "arguments");
  if (arguments != Tree::kNone && opened.tree.children(arguments) > 0 && !random.one_in(4))
    within = arguments;
  place.node = opened.pick_node(within, random);
  const std::size_t meta = opened.tree.member(opened.text(), place.params, "_meta");
  if (meta != Tree::kNone && place.node >= meta && place.node < opened.tree[meta].next &&
      !random.one_in(8)) {
    place.node = opened.tree[meta].next < opened.tree[place.params].next ? opened.tree[meta].next
                                                                         : place.params;
  }
  return true;
}

// One of the container kinds at or around the place.
bool pick_container(Script& script, Random& random, Place& place, Kind kind) {
  if (!pick_place(script, random, place)) return false;
  while (place.node != place.params && place.opened.tree[place.node].kind != kind)
    place.node = place.opened.tree[place.node].parent;
  return place.opened.tree[place.node].kind == kind;
}

// Below params: these are not replaced as a whole.
bool pick_inner(Script& script, Random& random, Place& place) {
  return pick_place(script, random, place) && place.node != place.params;
}

// That of the name that stands there, a method or else a tool; `params` of a tool are around it.
const Tool* tool_called(const Vocabulary& vocabulary, const Opened& opened, std::size_t name) {
  if (name == Tree::kNone) return nullptr;
  const bool is_method = opened.tree[name].parent == opened.message;
  for (const Tool& tool : vocabulary.tools())
    if (tool.is_method == is_method && tool.name == text_of(opened.text(), opened.tree[name]))
      return &tool;
  return nullptr;
}

const std::vector<std::string>& broken(const Tool& tool) { return tool.broken; }
const std::vector<std::string>& boundary(const Tool& tool) { return tool.boundary; }
const std::vector<std::string>& valid(const Tool& tool) { return tool.valid; }

// Other arguments for a call that is there, else a call in place of some request.
template <const std::vector<std::string>& (*kFrom)(const Tool&)>
bool call(Script& script, const Vocabulary& vocabulary, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "method")) return false;
  const std::string_view text = opened.text();
  const std::size_t params = opened.member("params");
  if (params != Tree::kNone && random.below(4) != 0) {
    const Tool* method = tool_called(vocabulary, opened, opened.member("method"));
    const std::size_t arguments = method ? params : opened.tree.member(text, params, "arguments");
    const Tool* tool =
        method ? method : tool_called(vocabulary, opened, opened.tree.member(text, params, "name"));
    if (tool && arguments != Tree::kNone && !kFrom(*tool).empty())
      return opened.replace_value(arguments, random.pick(kFrom(*tool)));
  }
  // Each of the arguments as often as any other, so tools with many constraints more often.
  std::size_t count = 0;
  for (const Tool& one : vocabulary.tools()) count += kFrom(one).size();
  if (count == 0) return false;
  std::size_t chosen = random.below(count);
  const Tool* tool = &vocabulary.tools().front();
  for (; chosen >= kFrom(*tool).size(); ++tool) chosen -= kFrom(*tool).size();
  const std::size_t id = opened.member("id");
  const std::string own =
      id == Tree::kNone ? fresh_id(random) : std::string(text_of(text, opened.tree[id]));
  return opened.replace_value(opened.message,
                              call_text(vocabulary, *tool, kFrom(*tool)[chosen], own));
}

// A value in an unwonted place: of another kind.
bool type_swap(Script& script, const Vocabulary&, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Node& node = place.opened.tree[place.node];
  const std::string own(text_of(place.opened.text(), node));
  switch (random.below(3)) {
    case 0:
      return place.opened.replace_value(
          place.node, random.one_in(2) ? '[' + own + ']' : "{\"value\":" + own + '}');
    case 1:
      if (node.kind == Kind::kNumber || node.kind == Kind::kBoolean || node.kind == Kind::kNull)
        return place.opened.replace_value(place.node, '"' + own + '"');
      [[fallthrough]];
    default:
      if (node.kind == Kind::kNumber)
        return place.opened.replace_value(place.node, random.pick(texts("strings")));
      if (node.kind == Kind::kString)
        return place.opened.replace_value(place.node, random.one_in(2)
                                                          ? random.pick(texts("numbers"))
                                                          : random.pick(texts("others")));
      return place.opened.replace_value(place.node, random.pick(texts("others")));
  }
}

bool value_other(Script& script, const Vocabulary&, Random& random) {
  Place place;
  return pick_inner(script, random, place) &&
         place.opened.replace_value(place.node, random.one_in(2) ? random.pick(texts("others"))
                                                                 : random.pick(texts("numbers")));
}

// Signs that end, begin or escape something for whoever passes the string on.
bool string_special(Script& script, const Vocabulary&, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Tree& tree = place.opened.tree;
  // The next string from there on, round to the beginning.
  const std::size_t end = tree[place.params].next;
  std::size_t left = end - place.params - 1;
  for (; left > 0 && tree[place.node].kind != Kind::kString; --left)
    if (++place.node == end) place.node = place.params + 1;
  const Node& node = tree[place.node];
  if (node.kind != Kind::kString) return false;
  const std::string_view special = random.pick(texts("specials"));
  if (random.one_in(3))
    return place.opened.replace_value(place.node, '"' + std::string(special) + '"');
  const std::size_t at = random.one_in(2) ? node.begin + 1u : node.end - 1u;
  return place.opened.replace(at, at, special);
}

// The same kind at its edge.
bool value_edge(Script& script, const Vocabulary&, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  switch (place.opened.tree[place.node].kind) {
    case Kind::kNumber:
      return place.opened.replace_value(place.node, random.pick(texts("numbers")));
    case Kind::kString:
      return place.opened.replace_value(place.node, random.pick(texts("strings")));
    case Kind::kBoolean:
      return place.opened.replace_value(
          place.node,
          text_of(place.opened.text(), place.opened.tree[place.node]) == "true" ? "false" : "true");
    case Kind::kArray: return place.opened.replace_value(place.node, "[]");
    case Kind::kObject: return place.opened.replace_value(place.node, "{}");
    case Kind::kNull: break;
  }
  return false;
}

// A small change of a number or a string.
bool value_nudge(Script& script, const Vocabulary&, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Node& node = place.opened.tree[place.node];
  std::string text(text_of(place.opened.text(), node));
  if (node.kind == Kind::kNumber) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && text.size() < 18) {
      constexpr int kSteps[] = {1, -1, 2, -2, 10, -10, 100, 256, -256, 65'536};
      text = std::to_string(value + random.pick(kSteps));
    } else if (text.front() == '-') {
      text.erase(0, 1);
    } else {
      text.insert(0, 1, '-');
    }
    return place.opened.replace_value(place.node, text);
  }
  if (node.kind != Kind::kString || text.find('\\') != std::string::npos || text.size() < 3)
    return false;
  // Whole characters only: bytes of longer ones stay together.
  std::size_t at = random.between(1, text.size() - 2);
  while (at > 1 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  std::size_t end = at + 1;
  while (end < text.size() - 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  switch (random.below(4)) {
    case 0: text.erase(at, end - at); break;
    case 1: text.insert(at, text.substr(at, end - at)); break;
    case 2: text.replace(at, end - at, 1, static_cast<char>('a' + random.below(26))); break;
    default: text.insert(text.size() - 1, text.substr(1, text.size() - 2));
  }
  return place.opened.replace_value(place.node, text);
}

bool is_handle(std::string_view name) {
  return name.ends_with("ursor") || name.ends_with("State") || name.ends_with("Id") ||
         name.ends_with("Token") || name == "uri";
}

// What the target gave out, with one character changed into another of its kind.
bool value_forged(Script& script, const Vocabulary& vocabulary, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Tree& tree = place.opened.tree;
  const std::string_view text = place.opened.text();
  for (std::size_t i = place.params + 1; i < tree[place.params].next; ++i) {
    const Node& node = tree[i];
    if (!node.is_member() || node.kind != Kind::kString) continue;
    if (is_handle(text.substr(node.name + 1, node.name_end - node.name - 2))) place.node = i;
  }
  const bool own = tree[place.node].kind == Kind::kString && random.one_in(2);
  const auto& from =
      vocabulary.handles().empty() || (!vocabulary.cursors().empty() && random.one_in(2))
          ? vocabulary.cursors()
          : vocabulary.handles();
  if (!own && from.empty()) return false;
  std::string forged(own ? text_of(text, tree[place.node]) : std::string_view(random.pick(from)));
  if (forged.find_first_of("\\$") != std::string::npos || forged.size() < 3) return false;
  char& c = forged[random.between(1, forged.size() - 2)];
  const auto within = [&](char first, char last) { return c >= first && c <= last; };
  if (within('0', '9'))
    c = static_cast<char>('0' + (c - '0' + 1) % 10);
  else if (within('a', 'f'))
    c = static_cast<char>('a' + (c - 'a' + 1) % 6);
  else if (within('g', 'y') || within('A', 'Y'))
    ++c;
  else
    return false;
  return place.opened.replace_value(place.node, forged);
}

bool value_mined(Script& script, const Vocabulary& vocabulary, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Node& node = place.opened.tree[place.node];
  const std::vector<std::string>* from = &vocabulary.strings();
  if (node.kind == Kind::kNumber && !random.one_in(8)) from = &vocabulary.numbers();
  if (node.is_member()) {
    const std::string_view name =
        place.opened.text().substr(node.name + 1, node.name_end - node.name - 2);
    if (name == "cursor" && !vocabulary.cursors().empty()) from = &vocabulary.cursors();
    if (name == "uri" && !random.one_in(4))
      from = vocabulary.uris().empty() || random.one_in(2) ? &vocabulary.mined_uris()
                                                           : &vocabulary.uris();
  }
  if (from->empty() || random.one_in(6)) from = &vocabulary.handles();
  return !from->empty() && place.opened.replace_value(place.node, random.pick(*from));
}

// What the reply to an earlier frame will have: a cursor, a state, an id.
bool value_reference(Script& script, const Vocabulary& vocabulary, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  std::size_t number = 0;  // of this frame
  for (const Step& step : script.steps) {
    const Frame* frame = std::get_if<Frame>(&step);
    if (!frame) continue;
    ++number;
    if (frame == place.opened.frame) break;
  }
  if (number < 2) return false;
  return place.opened.replace_value(place.node, "\"${" +
                                                    std::to_string(random.between(1, number - 1)) +
                                                    random.pick(vocabulary.pointers()) + "}\"");
}

bool string_long(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kLengths[] = {127,  128,  255,    256,    257,    1023,
                                      1024, 4096, 65'535, 65'536, 131'072};
  constexpr const char* kUnits[] = {"a", "A", " ", "0", "/", "é", "\\n", "\\u0000", "\\\\", "😀"};
  Place place;
  if (!pick_inner(script, random, place)) return false;
  if (place.opened.tree[place.node].kind != Kind::kString) return false;
  const std::string_view unit = random.pick(kUnits);
  std::string text = "\"";
  for (std::size_t left = random.pick(kLengths) >> (random.one_in(4) ? 0 : 4); left > 0; --left)
    text += unit;
  return place.opened.replace_value(place.node, text + '"');
}

bool value_deep(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kDepths[] = {2, 8, 31, 32, 33, 64, 100, 128, 200, 500, 512};
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const std::size_t depth = random.pick(kDepths);
  const bool arrays = random.one_in(2);
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += arrays ? "[" : "{\"a\":";
  text += text_of(place.opened.text(), place.opened.tree[place.node]);
  text.append(depth, arrays ? ']' : '}');
  return place.opened.replace_value(place.node, text);
}

bool value_wide(Script& script, const Vocabulary&, Random& random) {
  constexpr std::size_t kWidths[] = {2, 10, 64, 100, 256, 1000, 4096};
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const std::size_t width = random.pick(kWidths);
  std::string unit(text_of(place.opened.text(), place.opened.tree[place.node]));
  if (unit.size() > 64) unit = "0";
  const bool array = random.one_in(2);
  std::string text = array ? "[" : "{";
  for (std::size_t i = 0; i < width; ++i) {
    if (i > 0) text += ',';
    if (!array) ((text += "\"k") += std::to_string(i)) += "\":";
    text += unit;
  }
  return place.opened.replace_value(place.node, text += array ? ']' : '}');
}

bool extra_member(Script& script, const Vocabulary& vocabulary, Random& random) {
  Place place;
  if (!pick_container(script, random, place, Kind::kObject)) return false;
  std::string text;
  if (random.one_in(3)) {
    ((text += '"') += random.pick(vocabulary.words())) += '"';
  } else {
    text += random.pick(texts("member names"));
  }
  text += ':';
  text += random.one_in(2) ? random.pick(texts("others")) : random.pick(texts("strings"));
  return place.opened.add(place.node, text, random.one_in(2));
}

// What a client answers to the questions of a result that asks for input.
bool input_response(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr int kMostTries = 4;
  Opened opened;
  std::size_t responses = Tree::kNone;
  for (int tries = 0; tries < kMostTries && responses == Tree::kNone; ++tries) {
    if (!opened.with_member(script, random, "params")) return false;
    responses = opened.tree.member(opened.text(), opened.member("params"), "inputResponses");
  }
  if (responses == Tree::kNone || opened.tree[responses].kind != Kind::kObject) return false;
  const bool none = opened.tree.children(responses) == 0;
  const std::size_t way = none ? 0 : random.below(4);
  if (way == 0) {  // one nobody asked for, or one of another question
    const auto& keys = vocabulary.input_keys();
    const std::string key =
        keys.empty() || random.one_in(2) ? random.pick(texts("member names")) : random.pick(keys);
    return opened.add(responses, key + ':' + random.pick(texts("others")), random.one_in(2));
  }
  const std::size_t one =
      opened.tree.child(responses, random.below(opened.tree.children(responses)));
  if (way == 1) return opened.remove(one);
  if (way == 2) return opened.replace_value(one, random.pick(texts("others")));
  const Node& node = opened.tree[one];
  return opened.replace(node.name, node.name_end, random.pick(texts("member names")));
}

bool drop(Script& script, const Vocabulary&, Random& random) {
  Place place;
  return pick_inner(script, random, place) && place.opened.remove(place.node);
}

bool rename(Script& script, const Vocabulary& vocabulary, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Node& node = place.opened.tree[place.node];
  if (!node.is_member()) return false;
  std::string name = random.one_in(2) ? '"' + random.pick(vocabulary.words()) + '"'
                                      : std::string(random.pick(texts("member names")));
  if (random.one_in(2)) {  // the same in the other case
    name = place.opened.text().substr(node.name, node.name_end - node.name);
    if (name.size() < 3 || name.find('\\') != std::string::npos) return false;
    char& first = name[1];
    if (!harness::ascii::is_letter(first)) return false;
    first = harness::ascii::swapped_case(first);
  }
  return place.opened.replace(node.name, node.name_end, name);
}

// A copy of an element of an array.
bool element_twice(Script& script, const Vocabulary&, Random& random) {
  Place place;
  if (!pick_container(script, random, place, Kind::kArray)) return false;
  const std::size_t elements = place.opened.tree.children(place.node);
  if (elements == 0) return place.opened.add(place.node, random.pick(texts("others")), true);
  const Node& element =
      place.opened.tree[place.opened.tree.child(place.node, random.below(elements))];
  const std::string own(text_of(place.opened.text(), element));
  return place.opened.add(place.node, own, random.one_in(2));
}

// Two values swapped.
bool swap_values(Script& script, const Vocabulary&, Random& random) {
  Place place;
  if (!pick_inner(script, random, place)) return false;
  const Tree& tree = place.opened.tree;
  std::size_t a = place.node;
  std::size_t b = random.between(place.params + 1, tree[place.params].next - 1);
  if (a > b) std::swap(a, b);
  if (a == b || b < tree[a].next) return false;
  const std::string_view text = place.opened.text();
  std::string swapped(text_of(text, tree[b]));
  swapped += text.substr(tree[a].end, tree[b].begin - tree[a].end);
  swapped += text_of(text, tree[a]);
  return place.opened.replace(tree[a].begin, tree[b].end, swapped);
}

// A value from another frame, or another place of this one.
bool graft(Script& script, const Vocabulary&, Random& random) {
  Place place;
  Opened source;
  if (!pick_inner(script, random, place) || !source.any(script, random)) return false;
  const std::string value(text_of(source.text(), source.tree[source.pick_node(0, random)]));
  return place.opened.replace_value(place.node, value);
}

}  // namespace

std::vector<MutatorCode> arguments_mutators() {
  return {{"call-valid", call<valid>},
          {"call-boundary", call<boundary>},
          {"call-broken", call<broken>},
          {"type-swap", type_swap},
          {"value-other", value_other},
          {"string-special", string_special},
          {"value-edge", value_edge},
          {"value-nudge", value_nudge},
          {"value-mined", value_mined},
          {"value-forged", value_forged},
          {"value-reference", value_reference},
          {"string-long", string_long},
          {"value-deep", value_deep},
          {"value-wide", value_wide},
          {"extra-member", extra_member},
          {"input-response", input_response},
          {"drop", drop},
          {"rename", rename},
          {"element-twice", element_twice},
          {"swap-values", swap_values},
          {"graft", graft}};
}

}  // namespace fuzz
