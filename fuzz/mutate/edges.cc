// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/edges.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/tree.h"
#include "fuzz/mutate/values.h"
#include "harness/base/ascii.h"
#include "harness/spec/protocol.h"

namespace fuzz {
namespace {

constexpr std::size_t kFirstEdgeId = 7'000'000;
constexpr std::size_t kMostEdges = 1024;        // scripts; of more, some
constexpr std::size_t kMessagesOfEdge = 16;     // of a script
constexpr std::size_t kBytesOfEdge = 64 << 10;  // likewise
constexpr std::size_t kLongestText = 8192;
constexpr std::size_t kLengthsAcross[] = {100, 400, 1500, 6000, 12000};
constexpr std::size_t kManyMembers[] = {33, 100, 257, 1000};
constexpr std::size_t kManyTimes = 1000;

// Each of so many bytes that, behind as many others, one of them lies across each power of two.
struct UnitAcross {
  const char* unit;
  std::size_t before;
};
constexpr UnitAcross kUnitsAcross[] = {{"é", 1}, {"€", 0}, {"€", 1}, {"😀", 1}, {"😀", 2}};

std::string called_in(std::string_view text) {
  Tree tree;
  if (!tree.read(text)) return {};
  const std::size_t member = tree.member(text, 0, "method");
  return member == Tree::kNone ? "" : std::string(inside(text, tree[member]));
}

bool changes_state(const Vocabulary& vocabulary, const std::string& method) {
  const harness::spec::MessageRow* row = vocabulary.profile().protocol().find(method);
  return row != nullptr && !row->safe && method != "tools/call";
}

class EdgeScripts {
 public:
  explicit EdgeScripts(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Messages of one way stand together: a bug that one shows hides little else.
  void add(const std::string& way, std::string text) {
    std::vector<Script>& scripts = ways_[way];
    std::size_t& bytes = bytes_[way];
    const bool full = scripts.empty() || scripts.back().steps.size() == kMessagesOfEdge ||
                      bytes + text.size() > kBytesOfEdge;
    if (full) {
      scripts.push_back({vocabulary_.profile().name, {}, {}});
      bytes = 0;
    }
    bytes += text.size();
    scripts.back().steps.emplace_back(Frame{numbered(std::move(text)), {}});
  }

  // With an id of its own in place of the first that is 0, which is that of the message.
  std::string numbered(std::string text) {
    constexpr std::string_view kId = R"("id":0)";
    const std::size_t id = text.find(kId);
    if (id == std::string::npos) return text;
    return text.replace(id + kId.size() - 1, 1, std::to_string(next_id_++));
  }

  void add_script(Script script) {
    script.profile = vocabulary_.profile().name;
    alone_.push_back(std::move(script));
  }
  // Behind all others, because it costs as much as hundreds of them.
  void add_last(Script script) {
    script.profile = vocabulary_.profile().name;
    last_.push_back(std::move(script));
  }

  std::vector<Script> scripts() {
    std::vector<Script> out;
    for (auto& [way, scripts] : ways_)
      std::move(scripts.begin(), scripts.end(), back_inserter(out));
    Random random(1);  // mixed, because a slow target gets through the first ones only
    const auto mix = [&] {
      for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
    };
    mix();
    out.resize(std::min(out.size(), kMostEdges));
    std::move(alone_.begin(), alone_.end(), back_inserter(out));
    mix();
    std::move(last_.begin(), last_.end(), back_inserter(out));
    return out;
  }

 private:
  const Vocabulary& vocabulary_;
  std::size_t next_id_ = kFirstEdgeId;
  std::map<std::string, std::vector<Script>> ways_;
  std::map<std::string, std::size_t> bytes_;  // of the last script of a way
  std::vector<Script> alone_;
  std::vector<Script> last_;
};

std::string with_stretch(std::string text, std::size_t begin, std::size_t end,
                         std::string_view by) {
  return text.replace(begin, end - begin, by);
}

// As long as a power of two, one less and one more; and so that a character lies across it.
void add_lengths(EdgeScripts& out, const std::string& text, const Node& node) {
  const auto put = [&](const std::string& way, const std::string& value) {
    out.add(way, with_stretch(text, node.begin, node.end, '"' + value + '"'));
  };
  for (std::size_t size = 16; size <= kLongestText; size *= 2)
    for (const std::size_t length : {size - 1, size, size + 1})
      put("as long as " + std::to_string(size), std::string(length, 'a'));
  for (const auto& [unit, before] : kUnitsAcross)
    for (const std::size_t length : kLengthsAcross) {
      std::string value(before, 'a');
      while (value.size() < length) value += unit;
      put("across " + std::to_string(length), value);
    }
}

std::string in_capitals(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

// The first letter as "%65".
std::string percent_encoded(std::string_view was) {
  constexpr const char* kHex = "0123456789abcdef";
  const auto letter = static_cast<unsigned char>(was.front());
  return std::string("%") + kHex[letter / 16] + kHex[letter % 16] + std::string(was.substr(1));
}

// What is looked up, with what a reader of paths, URIs or formats takes for its own.
void add_looked_up(EdgeScripts& out, const std::string& text, const Node& node, bool uri) {
  const std::string was(inside(text, node));
  if (was.empty() || was.find('\\') != std::string::npos) return;
  const auto put = [&](const std::string& value) {
    out.add(uri ? "uri" : "name", with_stretch(text, node.begin, node.end, '"' + value + '"'));
  };
  for (const std::string& more : texts("behind names")) put(was + more);
  for (const std::string& value :
       {in_capitals(was), percent_encoded(was), was + was, was.substr(0, was.size() - 1), ' ' + was,
        '/' + was, "./" + was, "../" + was})
    put(value);
  const std::size_t scheme = was.find("://");
  if (!uri || scheme == std::string::npos) return;
  const std::string begin = was.substr(0, scheme), rest = was.substr(scheme + 3);
  const std::size_t slash = rest.rfind('/');
  for (const std::string& value :
       {begin, begin + ':', begin + "://", begin + ":/" + rest, begin + ":///" + rest,
        in_capitals(begin) + "://" + rest, rest, "//" + rest, begin + "://../" + rest,
        begin + "://a@" + rest, begin + "://a:1/" + rest})
    put(value);
  if (slash == std::string::npos) return;
  for (const char* between : {"//", "/./", "/../", "/a/../", "/%2e%2e/", "%2f", "\\\\"})
    put(begin + "://" + rest.substr(0, slash) + between + rest.substr(slash + 1));
}

void add_members(EdgeScripts& out, const std::string& text, const Tree& tree, std::size_t object) {
  const Insertion place = insertion(tree, object, false);
  for (const std::size_t count : kManyMembers) {
    std::string members = place.comma_before ? "," : "";
    for (std::size_t i = 0; i < count; ++i)
      members += (i ? ",\"m" : "\"m") + std::to_string(i) + "\":\"a\"";
    out.add("many members", with_stretch(text, place.at, place.at, members));
  }
}

void add_values(EdgeScripts& out, const std::string& text) {
  Tree tree;
  if (!tree.read(text)) return;
  const std::size_t params = tree.member(text, 0, "params");
  if (params == Tree::kNone) return;
  const std::size_t meta = tree.member(text, params, "_meta");
  for (std::size_t i = params; i < tree[params].next; ++i) {
    const Node& node = tree[i];
    if (meta != Tree::kNone && i >= meta && i < tree[meta].next) continue;
    if (node.kind == Kind::kObject) add_members(out, text, tree, i);
    if (node.kind != Kind::kString) continue;
    add_lengths(out, text, node);
    if (!node.is_member()) continue;
    const std::string_view name =
        std::string_view(text).substr(node.name + 1, node.name_end - node.name - 2);
    if (name == "uri" || name == "name") add_looked_up(out, text, node, name == "uri");
  }
}

// Every value in the place of each member, of the envelope and of what has no reply. `alone`: each
// in a script of its own, because an answer without an id tells nothing of several.
void add_kinds(EdgeScripts& out, const std::string& text, bool params_too, bool alone) {
  Tree tree;
  if (!tree.read(text)) return;
  const std::size_t params = tree.member(text, 0, "params");
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const bool of_envelope = tree[i].parent == 0;
    const bool of_params = params != Tree::kNone && i > params && i < tree[params].next;
    if (!of_envelope && !(params_too && of_params)) continue;
    const std::string name = text.substr(tree[i].start(), tree[i].begin - tree[i].start());
    for (const std::string& value : texts("kinds"))
      out.add("kinds " + name + (alone ? value : ""),
              with_stretch(text, tree[i].begin, tree[i].end, value));
    if (!tree[i].is_member()) continue;
    const std::string again = ',' + text.substr(tree[i].name, tree[i].end - tree[i].name);
    out.add("kinds " + name, with_stretch(text, tree[i].end, tree[i].end, again));
  }
}

// Completions with what was filled in before.
std::string with_context(const std::string& text) {
  Tree tree;
  if (called_in(text) != "completion/complete" || !tree.read(text)) return {};
  const std::size_t params = tree.member(text, 0, "params");
  if (params == Tree::kNone || tree.member(text, params, "context") != Tree::kNone) return {};
  const Insertion place = insertion(tree, params, false);
  return with_stretch(text, place.at, place.at,
                      std::string(place.comma_before ? "," : "") + R"("context":{"arguments":{}})");
}

// A member of params that is a text, with another one.
std::string with_text(const std::string& text, std::string_view name, std::string_view value) {
  Tree tree;
  if (!tree.read(text)) return {};
  const std::size_t params = tree.member(text, 0, "params");
  const std::size_t member = params == Tree::kNone ? params : tree.member(text, params, name);
  if (member == Tree::kNone || tree[member].kind != Kind::kString) return {};
  return with_stretch(text, tree[member].begin, tree[member].end, '"' + std::string(value) + '"');
}

// On a session where nothing was said yet: each of what changes a state twice, what undoes it
// before what does it, and then the other way round.
void add_undone(EdgeScripts& out, const Vocabulary& vocabulary,
                const std::vector<std::string>& requests) {
  std::vector<std::string> changing;
  for (const std::string& text : requests)
    if (changes_state(vocabulary, called_in(text))) changing.push_back(text);
  if (changing.empty()) return;
  // "resources/unsubscribe" comes before "resources/subscribe".
  std::stable_sort(changing.begin(), changing.end(),
                   [](const auto& a, const auto& b) { return called_in(a) > called_in(b); });
  Script script;
  const auto say = [&](const std::string& text) {
    script.steps.emplace_back(Frame{out.numbered(text), {}});
  };
  script.steps.emplace_back(Close{});
  say(cancel_text(vocabulary, std::to_string(kFirstEdgeId - 1)));
  for (int way = 0; way < 2; ++way) {
    for (const std::string& text : changing)
      for (int times = 0; times < 2; ++times) say(text);
    script.steps.emplace_back(Sync{});
    std::reverse(changing.begin(), changing.end());
  }
  for (const std::string& text : changing)
    for (const char* level : {"emergency", "debug", "error", "info"})
      if (std::string lower = with_text(text, "level", level); !lower.empty()) say(lower);
  out.add_script(std::move(script));
  for (const std::string& text : changing) {
    Script many;
    for (std::size_t i = 0; i < kManyTimes; ++i)
      many.steps.emplace_back(Frame{out.numbered(text), {}});
    out.add_last(std::move(many));
  }
}

// Twice, in flight and behind the answer, and before it was asked.
void add_cancelled(EdgeScripts& out, const Vocabulary& vocabulary, const std::string& request) {
  const std::string text = out.numbered(request);
  Tree tree;
  if (!tree.read(text)) return;
  const std::size_t id = tree.member(text, 0, "id");
  if (id == Tree::kNone) return;
  const Frame cancel{cancel_text(vocabulary, text_of(text, tree[id])), {}};
  out.add_script({"", {}, {cancel, cancel, Frame{text, {}}, cancel, cancel, Sync{}, cancel}});
}

}  // namespace

std::vector<Script> edge_scripts(const Vocabulary& vocabulary) {
  EdgeScripts out(vocabulary);
  std::vector<std::string> sound;
  for (const Script& script : requests(vocabulary))
    if (const auto* frame = std::get_if<Frame>(&script.steps.front())) {
      std::string text = frame->bytes;
      Tree tree;
      if (!tree.read(text)) continue;
      const std::size_t id = tree.member(text, 0, "id");
      if (id != Tree::kNone) text = with_stretch(text, tree[id].begin, tree[id].end, "0");
      sound.push_back(std::move(text));
    }
  std::map<std::string, int> seen;
  for (const std::string& text : sound) {
    add_values(out, text);
    if (std::string more = with_context(text); !more.empty()) add_values(out, more);
    const std::string method = called_in(text);
    if (seen[method]++ == 0) add_cancelled(out, vocabulary, text);
    if (seen[method] == 1) add_kinds(out, text, false, false);
  }
  add_kinds(out, canary_text(vocabulary, "0"), false, true);
  for (const Method& one : vocabulary.notifications()) {
    Random random(1);
    add_kinds(out, notification_text(vocabulary, one, random), true, false);
  }
  add_undone(out, vocabulary, sound);
  return out.scripts();
}

}  // namespace fuzz
