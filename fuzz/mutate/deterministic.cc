// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/deterministic.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "fuzz/mutate/tree.h"
#include "fuzz/mutate/values.h"
#include "fuzz/script/steps.h"
#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/model.h"

namespace fuzz {
namespace {

constexpr std::size_t kWalkedMessages = 16;  // of a script
constexpr std::size_t kFirstWalkedId = 1'000'000;
constexpr std::size_t kWalkedDepths[] = {256, 500};  // many readers take 512
constexpr std::size_t kBatchSizes[] = {2, 17, 65, 129, 257, 1025};
constexpr std::size_t kBuffers[] = {512,   1024,  2048,  4096,   8192,
                                    16384, 32768, 65536, 131072, 262144};
constexpr std::size_t kAcross = 140'000;  // bytes of an id with a character across each edge
constexpr std::size_t kHeaderBuffers[] = {4096, 8192, 16384, 65536};

class DeterministicStage {
 public:
  explicit DeterministicStage(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Every value inside of the params of a request with the id 0. What changes a session as a whole
  // stands apart.
  void vary_values(const std::string& request, const std::string& apart = {}) {
    Tree tree;
    if (!tree.read(request)) return;
    const std::size_t params = tree.member(request, 0, "params");
    if (params == Tree::kNone) return;
    const std::size_t meta = tree.member(request, params, "_meta");
    for (std::size_t i = params + 1; i < tree[params].next; ++i) {
      // Of what the profile wants in `_meta` only the token is the caller's own.
      const bool within = meta != Tree::kNone && i >= meta && i < tree[meta].next;
      if (within && i != tree.member(request, meta, "progressToken")) continue;
      vary_value(request, tree, i, apart);
    }
  }

  void add(const std::string& way, std::string request, const Node& id) {
    request.replace(id.begin, id.end - id.begin, std::to_string(next_id_++));
    ways_[way].push_back(std::move(request));
  }
  // One with the id 0 that is odd as it stands.
  void add(const std::string& way, std::string request) {
    Tree tree;
    if (!tree.read(request)) return;
    const std::size_t id = tree.member(request, 0, "id");
    if (id != Tree::kNone) add(way, std::move(request), tree[id]);
  }
  void add_as_it_is(const std::string& way, std::string text) {
    ways_[way].push_back(std::move(text));
  }
  void add_alone(std::string text) { add_alone(Frame{std::move(text), {}}); }
  void add_alone(Frame frame) { alone().emplace_back(std::move(frame)); }
  // On a session of its own, where no id was used before.
  void add_at_first(std::string text) {
    std::vector<Step>& steps = alone();
    steps.emplace_back(Close{});
    steps.emplace_back(Frame{std::move(text), {}});
  }
  // A sound request with an id of its own and these headers (HTTP).
  void add_headers(std::vector<HeaderChange> headers) {
    Frame frame{canary_text(vocabulary_, std::to_string(next_id_++)), {}};
    frame.delivery.headers = std::move(headers);
    alone().emplace_back(std::move(frame));
  }
  // A request with the id 0 is cancelled in flight; then it has to work as ever.
  void add_cancelled(const std::string& request) {
    Tree tree;
    if (!tree.read(request)) return;
    const std::size_t member = tree.member(request, 0, "id");
    if (member == Tree::kNone) return;
    std::vector<Step>& steps = alone();
    const auto ask = [&](const std::string& id) {
      std::string text = request;
      text.replace(tree[member].begin, tree[member].end - tree[member].begin, id);
      steps.emplace_back(Frame{std::move(text), {}});
    };
    const std::string id = std::to_string(next_id_++);
    ask(id);
    steps.emplace_back(Frame{cancel_text(vocabulary_, id), {}});
    ask(std::to_string(next_id_++));
  }

  std::vector<Script> scripts() {
    std::size_t total = 0;
    for (const auto& [way, messages] : ways_) total += messages.size();
    std::size_t apart = 0;
    for (const Script& script : alone_) apart += count_frames(script);
    const std::size_t kept =
        std::min(total, kMostDeterministic - std::min(kMostDeterministic, apart));
    std::vector<Script> out = std::move(alone_);
    std::size_t seen = 0;
    for (auto& [way, messages] : ways_) {
      std::size_t count = kWalkedMessages;
      for (std::string& message : messages) {
        const std::size_t before = seen++ * kept / total;
        if (seen * kept / total == before) continue;
        if (count == kWalkedMessages) {
          out.emplace_back();
          out.back().profile = vocabulary_.profile().name;
          count = 0;
        }
        ++count;
        out.back().steps.emplace_back(Frame{std::move(message), {}});
      }
    }
    // Mixed, because a slow Target gets through the first ones only.
    Random random(1);
    for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
    return out;
  }

 private:
  // The steps of a script of its own.
  std::vector<Step>& alone() {
    alone_.push_back({std::string(vocabulary_.profile().name), {}, {}});
    return alone_.back().steps;
  }

  void vary_value(const std::string& request, const Tree& tree, std::size_t index,
                  const std::string& apart) {
    const Node& id = tree[tree.member(request, 0, "id")];
    const Node& node = tree[index];
    const auto put = [&](const std::string& way, std::size_t begin, std::size_t end,
                         std::string_view text) {
      std::string changed = request;
      add(apart + way, changed.replace(begin, end - begin, text), id);
    };
    if (node.kind == Kind::kString) {
      for (const std::string_view special : texts("specials"))
        put("with " + std::string(special), node.end - 1, node.end - 1, special);
      for (const std::string_view text : texts("strings"))
        put("is " + std::string(text), node.begin, node.end, text);
    }
    if (node.kind == Kind::kNumber)
      for (const std::string_view text : texts("numbers"))
        put("is " + std::string(text), node.begin, node.end, text);
    for (const std::string_view text : texts("others"))
      put("other " + std::string(text), node.begin, node.end, text);
    for (const std::size_t depth : kWalkedDepths)
      put("deep " + std::to_string(depth), node.begin, node.end,
          std::string(depth, '[') + std::string(depth, ']'));
    if (!node.is_member()) return;
    const Stretch gone = removal(request, tree, index);
    put("without", gone.begin, gone.end, "");
    const std::string again = ',' + request.substr(node.name, node.end - node.name);
    put("twice", node.end, node.end, again);
  }

  const Vocabulary& vocabulary_;
  std::size_t next_id_ = kFirstWalkedId;
  std::map<std::string, std::vector<std::string>> ways_;  // way → messages
  std::vector<Script> alone_;
};

std::string longest(const std::vector<std::string>& texts) {
  const auto found = std::max_element(
      texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return found == texts.end() ? "{}" : *found;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// With every prompt the Target has, and its first resource; the other blanks stay.
std::vector<std::string> filled(std::string params, const Vocabulary& vocabulary) {
  constexpr std::size_t kMostPrompts = 8;
  if (!vocabulary.uris().empty()) replace_all(params, "$uri", vocabulary.uris().front());
  const std::size_t count = params.find("$prompt") == std::string::npos
                                ? 0
                                : std::min(vocabulary.prompts().size(), kMostPrompts);
  if (count == 0) return {std::move(params)};
  std::vector<std::string> out(count, params);
  for (std::size_t i = 0; i < count; ++i) {
    const Prompt& prompt = vocabulary.prompts()[i];
    std::string arguments = "{";
    for (const std::string& name : prompt.arguments) (arguments += name) += ":\"a\",";
    if (arguments.back() == ',') arguments.pop_back();
    replace_all(out[i], "$prompt_arguments", arguments + '}');
    replace_all(out[i], "$prompt", prompt.name);
  }
  return out;
}

// A request of each kind that the Target takes, with the id 0.
struct Sound {
  std::string text;
  std::string apart;  // not empty where it changes a session as a whole
};

std::vector<Sound> sound_requests(const Vocabulary& vocabulary) {
  std::vector<Sound> out;
  for (const Method& method : vocabulary.methods()) {
    const std::string apart = method.name == "initialize" ? "handshake " : "";
    for (const std::string& params : filled(method.params, vocabulary)) {
      Random random(1);
      out.push_back({request_text(vocabulary, {method.name, params}, random, "0"), apart});
    }
  }
  std::string canary = canary_text(vocabulary, "0");
  if (canary.find("\"params\"") == std::string::npos) {
    canary.pop_back();
    out.push_back({canary + R"(,"params":{"text":"a","number":1,"list":[1,"a"]}})", ""});
  }
  for (const Tool& tool : vocabulary.tools())
    out.push_back({call_text(vocabulary, tool, longest(tool.valid), "0"), ""});
  return out;
}

void add_tools(const Vocabulary& vocabulary, DeterministicStage& stage) {
  for (const Tool& tool : vocabulary.tools()) {
    if (tool.is_method) continue;  // see contract_scripts()
    const auto call = [&](std::string_view arguments) {
      return call_text(vocabulary, tool, arguments, "0");
    };
    for (const std::string& arguments : tool.valid) stage.add("arguments valid", call(arguments));
    for (const std::string& arguments : tool.boundary)
      stage.add("arguments at the edge", call(arguments));
    for (const std::string& arguments : tool.broken) stage.add("arguments broken", call(arguments));
  }
}

// Ids of characters that are several bytes, and of escapes that are several signs: whatever the
// edge of a buffer, in one of them something lies across it.
void add_across(const Vocabulary& vocabulary, DeterministicStage& stage) {
  for (const std::string_view unit : {"é", "€", "😀", R"(\u00e9)", R"(\ud83d\ude00)", R"(\\)"})
    for (std::size_t before = 0; before < unit.size(); ++before) {
      std::string text = '"' + std::string(before, 'a');
      while (text.size() < kAcross) text += unit;
      stage.add_alone(canary_text(vocabulary, text + '"'));
    }
}

void add_envelope(const Vocabulary& vocabulary, DeterministicStage& stage) {
  // What is no message as a whole is not read that far: it is worth no session of its own.
  const bool removed =
      harness::spec::batches_in(vocabulary.profile()) == harness::spec::Batches::kRemoved;
  for (const std::string_view id : texts("ids")) {
    stage.add_as_it_is("id", canary_text(vocabulary, id));
    std::string array = '[' + canary_text(vocabulary, id) + ']';
    if (removed)
      stage.add_alone(std::move(array));
    else
      stage.add_at_first(std::move(array));
  }
  for (const std::size_t size : kBatchSizes) {
    std::string array = "[";
    for (std::size_t i = 0; i < size; ++i)
      array += canary_text(vocabulary, std::to_string(kFirstWalkedId + i)) + ',';
    array.back() = ']';
    stage.add_alone(std::move(array));
  }
  // As long as a buffer, one byte less and one more, by a long value and by blanks within.
  std::size_t id = 2 * kFirstWalkedId;
  for (const std::size_t size : kBuffers)
    for (const std::size_t length : {size - 1, size, size + 1}) {
      std::string usual = canary_text(vocabulary, std::to_string(id++));
      usual.insert(1, length - usual.size(), ' ');
      stage.add_alone(std::move(usual));
      const std::string least = canary_text(vocabulary, R"("")");
      const std::string text = '"' + std::string(length - least.size(), 'a') + '"';
      stage.add_alone(canary_text(vocabulary, text));
    }
  add_across(vocabulary, stage);
  // Written in two, the first as long as a buffer, one byte less and one more.
  for (const std::size_t size : kBuffers)
    for (const std::size_t length : {size - 1, size, size + 1}) {
      std::string usual = canary_text(vocabulary, std::to_string(id++));
      usual.insert(1, length, ' ');
      Frame frame{std::move(usual), {}};
      frame.delivery.chunks = {static_cast<std::uint32_t>(length)};
      stage.add_alone(std::move(frame));
    }
  // Before the line end, within it, and each of them written alone.
  for (const Eol eol : {Eol::kLf, Eol::kCrlf}) {
    const std::string usual = canary_text(vocabulary, std::to_string(id++));
    const auto size = static_cast<std::uint32_t>(usual.size());
    for (const std::vector<std::uint32_t>& writes :
         {std::vector{size - 1}, std::vector{size}, std::vector{size + 1}, std::vector{size, 1u}}) {
      Frame frame{usual, {}};
      frame.delivery.eol = eol;
      frame.delivery.chunks = writes;
      stage.add_alone(std::move(frame));
    }
  }
}

// Lists of revisions, what is none, and what is almost one.
void add_versions(const std::string& own, DeterministicStage& stage) {
  constexpr const char* kName = "MCP-Protocol-Version";
  const std::string other = own == "2025-03-26" ? "2025-06-18" : "2025-03-26";
  const auto filled_in = [&](std::string text) {
    replace_all(text, "$", own);
    replace_all(text, "@", other);
    return text;
  };
  for (const std::string& text : texts("versions")) stage.add_headers({{kName, filled_in(text)}});
  std::string all = own;
  for (int i = 0; i < 1000; ++i) (all += ", ") += other;
  stage.add_headers({{kName, all}});
  stage.add_headers({{kName, std::nullopt}});
  // Twice, which is a list to most.
  for (const std::string& second : {own, other, std::string()})
    stage.add_headers({{kName, own}, {"mcp-protocol-version", second}});
}

// As long as a buffer, one byte less and one more; what a server reads of them is sound as far as
// that goes.
void add_header_lengths(DeterministicStage& stage) {
  struct Beginning {
    const char* name;
    std::string value;
  };
  const Beginning kLong[] = {
      {"X-Rpcspec", ""},
      {"Mcp-Session-Id", ""},
      {"Accept", "application/json, text/event-stream, text/x-"},
      {"Content-Type", "application/json; x="},
      {"User-Agent", "rpcspec/"},
      {"Authorization", "Bearer "},
      {"Cookie", "x="},
      {"Origin", "http://"},
      {"Last-Event-ID", ""},
      {"MCP-Protocol-Version", ""},
  };
  for (const auto& [name, value] : kLong)
    for (const std::size_t size : kHeaderBuffers)
      for (const std::size_t length : {size - 1, size, size + 1})
        stage.add_headers({{name, value + std::string(length - value.size(), 'x')}});
}

void add_headers_of_http(const Vocabulary& vocabulary, DeterministicStage& stage) {
  if (!harness::wire::traits_of(vocabulary.transport()).http) return;
  if (!vocabulary.profile().revision.empty()) add_versions(vocabulary.profile().revision, stage);
  add_header_lengths(stage);
}

// With the sign at `at` changed to another of its kind; none where it is no letter or digit.
std::optional<std::string> forged(std::string_view given, std::size_t at) {
  std::string out(given);
  char& c = out[at];
  if (harness::ascii::is_digit(c))
    c = c == '9' ? '0' : static_cast<char>(c + 1);
  else if (harness::ascii::is_letter(c))
    c = c == 'a' || c == 'A' ? static_cast<char>(c + 1) : static_cast<char>(c - 1);
  else
    return std::nullopt;
  return out;
}

}  // namespace

std::vector<Script> deterministic_scripts(const Vocabulary& vocabulary) {
  DeterministicStage stage(vocabulary);
  for (const Sound& one : sound_requests(vocabulary)) {
    stage.vary_values(one.text, one.apart);
    if (one.apart.empty()) stage.add_cancelled(one.text);
  }
  add_tools(vocabulary, stage);
  add_envelope(vocabulary, stage);
  add_headers_of_http(vocabulary, stage);
  return stage.scripts();
}

std::vector<Script> requests(const Vocabulary& vocabulary) {
  std::vector<Script> out;
  for (Sound& one : sound_requests(vocabulary)) {
    if (!one.apart.empty()) continue;
    out.emplace_back();
    out.back().profile = vocabulary.profile().name;
    out.back().steps.emplace_back(Frame{std::move(one.text), {}});
  }
  return out;
}

std::vector<Script> task_requests(const Vocabulary& vocabulary) {
  std::vector<Script> out;
  for (const Tool& tool : vocabulary.tools()) {
    if (!tool.as_task) continue;
    auto reading = harness::json::read(call_text(vocabulary, tool, longest(tool.valid), "0"));
    auto* call = std::get_if<harness::json::Reading>(&reading);
    harness::json::Value* params = call != nullptr ? call->value.find("params") : nullptr;
    if (params == nullptr) continue;
    params->set("task", harness::json::object({{"ttl", harness::json::number(1)}}));
    out.push_back({vocabulary.profile().name, {}, {Frame{harness::json::write(call->value), {}}}});
  }
  return out;
}

std::vector<Script> forgeries(const Vocabulary& vocabulary, std::string_view given) {
  constexpr std::size_t kShort = 8;
  std::vector<Script> out;
  if (given.size() < kShort || given.find_first_of("\\$") != std::string_view::npos) return out;
  DeterministicStage stage(vocabulary);
  for (const std::size_t at : {std::size_t{1}, given.size() / 2, given.size() - 2}) {
    const std::optional<std::string> text = forged(given, at);
    if (!text) continue;
    for (const Method& method : vocabulary.methods())
      for (const std::string_view place : {"$handle", "$cursor"}) {
        std::string params = method.params;
        const std::size_t found = params.find(place);
        if (found == std::string::npos) continue;
        params.replace(found, place.size(), *text);
        Random random(1);
        stage.add("forged", request_text(vocabulary, {method.name, params}, random, "0"));
      }
  }
  return stage.scripts();
}

std::vector<Script> odd_answers(const Vocabulary& vocabulary, std::string_view asking) {
  std::vector<Script> out;
  const std::string request(asking);
  Tree tree;
  if (!tree.read(request)) return out;
  const std::size_t id = tree.member(request, 0, "id");
  const std::size_t params = tree.member(request, 0, "params");
  if (id == Tree::kNone || params == Tree::kNone || tree[params].kind != Kind::kObject) return out;
  const Insertion place = insertion(tree, params, false);
  std::size_t next_id = kFirstWalkedId;
  const auto add = [&](std::string_view key, std::string_view answer) {
    Script& script = out.emplace_back();
    script.profile = vocabulary.profile().name;
    std::string first = request;
    std::string second = request;
    std::string more = place.comma_before ? "," : "";
    more += R"("requestState":"${1/result/requestState}","inputResponses":{)";
    ((more += key) += ':').append(answer) += '}';
    second.insert(place.at, more);
    for (std::string* message : {&first, &second})
      message->replace(tree[id].begin, tree[id].end - tree[id].begin, std::to_string(next_id++));
    script.steps.emplace_back(Frame{std::move(first), {}});
    script.steps.emplace_back(Sync{});
    script.steps.emplace_back(Frame{std::move(second), {}});
  };
  add(R"("nobody_asked")", R"({"action":"accept","content":{}})");
  for (const std::string& key : vocabulary.input_keys())
    for (const std::string_view answer : texts("others")) add(key, answer);
  return out;
}

}  // namespace fuzz
