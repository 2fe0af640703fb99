// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/meanings.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/tree.h"
#include "fuzz/mutate/values.h"
#include "harness/base/ascii.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr std::size_t kMessages = 16;  // of a script
constexpr std::size_t kFirstId = 3'000'000;
constexpr std::size_t kMostPlaces = 1024;
constexpr std::size_t kMostNamed = 512;
// Behind a text so long that with it that is the length, or one more.
constexpr std::size_t kEdges[] = {16,  17,  32,   33,   64,   65,   128,  129,
                                  256, 257, 1024, 1025, 4096, 4097, 8192, 8193};

enum class Use { kAlone, kTwice, kBehind, kBefore, kAtAnEdge };
constexpr Use kUses[] = {Use::kAlone, Use::kTwice, Use::kBehind, Use::kBefore, Use::kAtAnEdge};
constexpr std::size_t kNeighbours = 12;
constexpr std::size_t kRunLength = 48;  // bytes, at least
constexpr std::size_t kFirstRuns = 4;   // those of one letter, digit or blank come first
constexpr std::size_t kTwice = 2;       // a member is added alone, and twice
// So many together in one string, or in one object.
constexpr std::size_t kJoined = 8;
constexpr Use kJoinedUses[] = {Use::kBehind, Use::kAlone};

// Names of members are texts as well.
std::size_t all_texts() { return texts("meanings").size() + texts("apart").size(); }
std::size_t joined_texts() { return (all_texts() + kJoined - 1) / kJoined; }
std::size_t joined_names() { return (texts("apart").size() + kJoined - 1) / kJoined; }
std::size_t ways_to_add() { return texts("values apart").size() * kTwice; }

std::string_view text_at(std::size_t number) {
  const Texts& meanings = texts("meanings");
  return number < meanings.size() ? meanings[number] : texts("apart")[number - meanings.size()];
}

std::string used(Use use, std::string_view was, std::string_view text, std::size_t edge) {
  std::string out;
  if (use == Use::kAtAnEdge) out.assign(edge > text.size() ? edge - text.size() : 0, 'a');
  if (use == Use::kBehind) out += was;
  out += text;
  if (use == Use::kTwice) out += text;
  if (use == Use::kBefore) out += was;
  return out;
}

std::string recased(std::string_view was, bool all) {
  std::string out(was);
  for (std::size_t i = 0; i < out.size() && (all || i == 0); ++i) {
    if (i > 0 && out[i - 1] == '\\') continue;
    if (out[i] >= 'a' && out[i] <= 'z')
      out[i] = static_cast<char>(out[i] - 'a' + 'A');
    else if (out[i] >= 'A' && out[i] <= 'Z')
      out[i] = static_cast<char>(out[i] - 'A' + 'a');
  }
  return out;
}

// A little other than what stands there, which is plain.
std::string neighbour(std::string_view was, std::size_t number) {
  const std::string text(was);
  switch (number) {
    case 0: return recased(was, true);
    case 1: return recased(was, false);
    case 2: return text + ' ';
    case 3: return ' ' + text;
    case 4: return text.substr(0, text.size() - 1);
    case 5: return text.substr(1);
    case 6: return text + text;
    case 7: return text + "\\u0000";
    case 8: return text + "\\n";
    case 9: return text + "\\u200b";
    case 10: return std::string(was.rbegin(), was.rend());
    default: return text.substr(0, text.size() - 1) + static_cast<char>(was.back() ^ 1);
  }
}

bool is_plain(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return harness::ascii::is_letter(c) || harness::ascii::is_digit(c) ||
           std::string_view(" -_./:").find(c) != std::string_view::npos;
  });
}

// Each of so many once, far from its neighbours.
std::size_t mixed(std::size_t number, std::size_t all) {
  std::size_t stride = all * 618 / 1000 + 1;
  while (std::gcd(stride, all) != 1) ++stride;
  return number * stride % all;
}

}  // namespace

Meanings::Meanings(const Vocabulary& vocabulary)
    : profile_(vocabulary.profile().name), next_id_(kFirstId) {
  for (const Script& script : requests(vocabulary))
    if (const auto* frame = std::get_if<Frame>(&script.steps.front()))
      requests_.push_back(frame->bytes);
  find_places();
  find_named(vocabulary);
  const auto groups = [](std::size_t places) { return (places + kMessages - 1) / kMessages; };
  groups_of_strings_ = groups(strings_.size());
  groups_of_objects_ = groups(objects_.size());
}

void Meanings::find_places() {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    Tree tree;
    if (!tree.read(requests_[i])) continue;
    const std::size_t params = tree.member(requests_[i], 0, "params");
    if (params == Tree::kNone) continue;
    for (std::size_t at = params; at < tree[params].next; ++at) {
      const Node& node = tree[at];
      std::vector<Place>* places = node.kind == Kind::kString   ? &strings_
                                   : node.kind == Kind::kObject ? &objects_
                                                                : nullptr;
      if (places && places->size() < kMostPlaces) places->push_back({i, node.begin, node.end});
    }
  }
}

// Each word of an enumeration in its place: one alone may be what is not served.
void Meanings::find_named(const Vocabulary& vocabulary) {
  for (const Tool& tool : vocabulary.tools()) {
    const json::Value* properties =
        tool.schema.is_object() ? tool.schema.find("properties") : nullptr;
    Tree tree;
    const std::string& arguments = tool.valid.back();
    if (!properties || !properties->is_object() || !tree.read(arguments)) continue;
    for (const json::Member& property : properties->members) {
      const std::size_t member = tree.member(arguments, 0, property.name);
      const json::Value* words = property.value.is_object() ? property.value.find("enum") : nullptr;
      if (!words || member == Tree::kNone) continue;
      for (const json::Value& word : words->items) {
        if (named_.size() >= kMostNamed) return;
        std::string changed = arguments;
        changed.replace(tree[member].begin, tree[member].end - tree[member].begin,
                        json::write(word));
        Script& script = named_.emplace_back();
        script.profile = profile_;
        script.steps.emplace_back(
            Frame{call_text(vocabulary, tool, changed, std::to_string(next_id_++)), {}});
      }
    }
  }
}

std::string_view Meanings::text_in(const Place& place) const {
  return std::string_view(requests_[place.request])
      .substr(place.begin + 1, place.end - place.begin - 2);
}

void Meanings::add(Script& script, const Place& place, std::string_view value) {
  std::string text = requests_[place.request];
  text.replace(place.begin, place.end - place.begin, value);
  Tree tree;
  const std::size_t id = tree.read(text) ? tree.member(text, 0, "id") : Tree::kNone;
  if (id != Tree::kNone)
    text.replace(tree[id].begin, tree[id].end - tree[id].begin, std::to_string(next_id_++));
  script.steps.emplace_back(Frame{std::move(text), {}});
}

Script Meanings::empty() const {
  Script out;
  out.profile = profile_;
  return out;
}

Script Meanings::of_neighbours(std::size_t way, std::size_t group) {
  Script out = empty();
  const std::size_t end = std::min((group + 1) * kMessages, strings_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) {
    const std::string_view was = text_in(strings_[i]);
    if (is_plain(was)) add(out, strings_[i], '"' + neighbour(was, way) + '"');
  }
  return out;
}

Script Meanings::of_runs(std::size_t way, std::size_t group) {
  std::string text;
  while (text.size() < kRunLength) text += runs()[way].unit;
  text += runs()[way].end;
  Script out = empty();
  const std::size_t end = std::min((group + 1) * kMessages, strings_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) add(out, strings_[i], '"' + text + '"');
  return out;
}

// What any of them does wherever it stands in a text, in an eighth of the messages.
Script Meanings::of_joined(std::size_t way, std::size_t group) {
  std::string texts;
  const std::size_t first = way / std::size(kJoinedUses) * kJoined;
  for (std::size_t i = first; i < std::min(first + kJoined, all_texts()); ++i)
    (texts += ' ') += text_at(i);
  const Use use = kJoinedUses[way % std::size(kJoinedUses)];
  Script out = empty();
  const std::size_t end = std::min((group + 1) * kMessages, strings_.size());
  for (std::size_t i = group * kMessages; i < end; ++i)
    add(out, strings_[i], '"' + used(use, text_in(strings_[i]), texts, 0) + '"');
  return out;
}

Script Meanings::of_strings(std::size_t text, std::size_t pass, std::size_t group) {
  Script out = empty();
  const std::size_t end = std::min((group + 1) * kMessages, strings_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) {
    const Use use = kUses[(text + i + pass) % std::size(kUses)];
    const std::size_t edge = kEdges[(text + i) % std::size(kEdges)];
    add(out, strings_[i], '"' + used(use, text_in(strings_[i]), text_at(text), edge) + '"');
  }
  return out;
}

Script Meanings::of_joined_members(std::size_t way, std::size_t group) {
  const std::string_view value = texts("values apart")[way % texts("values apart").size()];
  std::string members;
  const std::size_t first = way / texts("values apart").size() * kJoined;
  for (std::size_t i = first; i < std::min(first + kJoined, texts("apart").size()); ++i)
    (((members += members.empty() ? "\"" : ",\"") += texts("apart")[i]) += "\":") += value;
  Script out = empty();
  const std::size_t end = std::min((group + 1) * kMessages, objects_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) add_member(out, objects_[i], members);
  return out;
}

Script Meanings::of_objects(std::size_t name, std::size_t pass, std::size_t group) {
  Script out = empty();
  const std::size_t end = std::min((group + 1) * kMessages, objects_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) {
    const std::size_t way = (name + i + pass) % ways_to_add();
    std::string member =
        '"' + std::string(texts("apart")[name]) + "\":" + texts("values apart")[way / kTwice];
    if (way % kTwice == 1) member += ',' + member;
    add_member(out, objects_[i], member);
  }
  return out;
}

void Meanings::add_member(Script& script, const Place& place, std::string_view member) {
  std::string object = requests_[place.request].substr(place.begin, place.end - place.begin);
  const bool none = object.find('"') == std::string::npos;
  object.resize(object.rfind('}'));
  add(script, place, ((object += none ? "" : ",") += member) += '}');
}

std::size_t Meanings::count() const {
  return named_.size() +
         groups_of_strings_ *
             (kNeighbours + runs().size() + joined_texts() * std::size(kJoinedUses) +
              all_texts() * std::size(kUses)) +
         groups_of_objects_ * (joined_names() * texts("values apart").size() +
                               texts("apart").size() * ways_to_add());
}

// The script of that number; empty where no place takes it.
Script Meanings::at(std::size_t number) {
  if (number < named_.size()) return named_[number];
  number -= named_.size();
  // Whether it is one of `ways` of each of these groups; else it counts from the next.
  const auto is_of = [&](std::size_t ways, std::size_t groups) {
    if (number < ways * groups) return true;
    number -= ways * groups;
    return false;
  };
  const std::size_t strings = groups_of_strings_, objects = groups_of_objects_;
  if (is_of(kNeighbours, strings)) return of_neighbours(number / strings, number % strings);
  const std::size_t of_joined_texts = joined_texts() * std::size(kJoinedUses) * strings;
  const std::size_t of_joined_names = joined_names() * texts("values apart").size() * objects;
  if (is_of(kFirstRuns, strings)) return of_runs(number / strings, number % strings);
  const std::size_t in_runs = (runs().size() - kFirstRuns) * strings;
  if (is_of(1, in_runs + of_joined_texts + of_joined_names)) {
    number = mixed(number, in_runs + of_joined_texts + of_joined_names);
    if (number < in_runs) return of_runs(kFirstRuns + number / strings, number % strings);
    number -= in_runs;
    if (number < of_joined_texts) return of_joined(number / strings, number % strings);
    number -= of_joined_texts;
    return of_joined_members(number / objects, number % objects);
  }
  for (std::size_t pass = 0; pass < std::max(std::size(kUses), ways_to_add()); ++pass) {
    const std::size_t of_texts = pass < std::size(kUses) ? all_texts() * strings : 0;
    const std::size_t of_names = pass < ways_to_add() ? texts("apart").size() * objects : 0;
    if (!is_of(1, of_texts + of_names)) continue;
    number = mixed(number, of_texts + of_names);
    if (number < of_texts) return of_strings(number / strings, pass, number % strings);
    number -= of_texts;
    return of_objects(number / objects, pass, number % objects);
  }
  return empty();
}

std::optional<Script> Meanings::next() {
  while (next_ < count()) {
    Script out = at(next_++);
    if (!out.steps.empty()) return out;
  }
  return std::nullopt;
}

std::vector<Script> with_long_strings(const Vocabulary& vocabulary, std::size_t most) {
  std::vector<Script> out;
  for (const Script& script : requests(vocabulary)) {
    const auto* frame = std::get_if<Frame>(&script.steps.front());
    Tree tree;
    if (frame == nullptr || !tree.read(frame->bytes)) continue;
    const std::size_t params = tree.member(frame->bytes, 0, "params");
    if (params == Tree::kNone) continue;
    std::size_t longest = 0;
    for (const Node& node : tree.nodes())
      if (node.kind == Kind::kString)
        longest = std::max<std::size_t>(longest, node.end - node.begin);
    const std::size_t meta = tree.member(frame->bytes, params, "_meta");
    for (std::size_t at = params + 1; at < tree[params].next && out.size() < most; ++at) {
      const Node& node = tree[at];
      const bool of_profile = meta != Tree::kNone && at >= meta && at < tree[meta].next;
      if (node.kind != Kind::kString || of_profile) continue;
      Script& longer = out.emplace_back(script);
      std::get<Frame>(longer.steps.front())
          .bytes.replace(node.begin, node.end - node.begin, '"' + std::string(longest, 'a') + '"');
    }
  }
  return out;
}

}  // namespace fuzz
