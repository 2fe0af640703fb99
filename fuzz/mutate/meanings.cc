// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/meanings.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/meaning_table.h"
#include "fuzz/mutate/tree.h"
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
constexpr std::size_t kTexts = std::size(kMeanings) + std::size(kApart);
constexpr std::size_t kNeighbours = 12;
constexpr std::size_t kTwice = 2;  // a member is added alone, and twice

std::string_view text_at(std::size_t number) {
  return number < std::size(kMeanings) ? kMeanings[number] : kApart[number - std::size(kMeanings)];
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
    case 0:
      return recased(was, true);
    case 1:
      return recased(was, false);
    case 2:
      return text + ' ';
    case 3:
      return ' ' + text;
    case 4:
      return text.substr(0, text.size() - 1);
    case 5:
      return text.substr(1);
    case 6:
      return text + text;
    case 7:
      return text + "\\u0000";
    case 8:
      return text + "\\n";
    case 9:
      return text + "\\u200b";
    case 10:
      return std::string(was.rbegin(), was.rend());
    default:
      return text.substr(0, text.size() - 1) + static_cast<char>(was.back() ^ 1);
  }
}

bool is_plain(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return harness::ascii::is_letter(c) || harness::ascii::is_digit(c) ||
           std::string_view(" -_./:").find(c) != std::string_view::npos;
  });
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
  ways_ = kTexts * std::size(kUses) + kNeighbours;
  names_ = std::size(kApart) * std::size(kValuesApart) * kTwice;
  groups_of_strings_ = groups(strings_.size());
  groups_of_objects_ = groups(objects_.size());
  // Coprime, and far from small fractions of the whole.
  const std::size_t early = named_.size() + kNeighbours * groups_of_strings_;
  const std::size_t all = std::max<std::size_t>(count() - early, 1);
  for (stride_ = all * 618 / 1000 + 1; std::gcd(stride_, all) != 1;) ++stride_;
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
        script.steps.emplace_back(Frame{R"({"jsonrpc":"2.0","id":)" + std::to_string(next_id_++) +
                                            R"(,"method":"tools/call","params":)" +
                                            call_params(vocabulary, tool, changed) + '}',
                                        {}});
      }
    }
  }
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

Script Meanings::of_strings(std::size_t way, std::size_t group) {
  Script out;
  out.profile = profile_;
  const std::size_t end = std::min((group + 1) * kMessages, strings_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) {
    const Place& place = strings_[i];
    const std::string_view was = std::string_view(requests_[place.request])
                                     .substr(place.begin + 1, place.end - place.begin - 2);
    std::string value;
    if (way < kNeighbours) {
      if (!is_plain(was)) continue;
      value = neighbour(was, way);
    } else {
      const std::size_t number = (way - kNeighbours) / std::size(kUses);
      value = used(kUses[(way - kNeighbours) % std::size(kUses)], was, text_at(number),
                   kEdges[(number + i) % std::size(kEdges)]);
    }
    add(out, place, '"' + value + '"');
  }
  return out;
}

Script Meanings::of_objects(std::size_t way, std::size_t group) {
  const std::string_view name = kApart[way / kTwice / std::size(kValuesApart)];
  const std::string_view value = kValuesApart[way / kTwice % std::size(kValuesApart)];
  std::string member = '"' + std::string(name) + "\":" + std::string(value);
  if (way % kTwice == 1) member += ',' + member;
  Script out;
  out.profile = profile_;
  const std::size_t end = std::min((group + 1) * kMessages, objects_.size());
  for (std::size_t i = group * kMessages; i < end; ++i) {
    const Place& place = objects_[i];
    const std::string was = requests_[place.request].substr(place.begin, place.end - place.begin);
    const bool empty = was.find('"') == std::string::npos;
    add(out, place, was.substr(0, was.rfind('}')) + (empty ? "" : ",") + member + '}');
  }
  return out;
}

// The words of schemas and what is next to what stands there first, of which there are few; then
// the rest, mixed.
std::optional<Script> Meanings::next() {
  const std::size_t early = named_.size() + kNeighbours * groups_of_strings_;
  while (next_ < count()) {
    std::size_t at = next_++;
    Script out;
    if (at < named_.size()) return named_[at];
    if (at < early) {
      at -= named_.size();
      out = of_strings(at / groups_of_strings_, at % groups_of_strings_);
    } else {
      at = (at - early) * stride_ % (count() - early);
      const std::size_t objects = names_ * groups_of_objects_;
      if (at < objects)
        out = of_objects(at / groups_of_objects_, at % groups_of_objects_);
      else
        out = of_strings(kNeighbours + (at - objects) / groups_of_strings_,
                         (at - objects) % groups_of_strings_);
    }
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
