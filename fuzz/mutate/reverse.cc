// SPDX-License-Identifier: Apache-2.0
// The other direction: what a server asks of us, what we let it ask, and how that is answered.
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/values.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/protocol.h"
#include "harness/spec/sample.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;

std::string some_method(const Vocabulary& vocabulary, Random& random) {
  if (vocabulary.server_methods().empty() || random.one_in(3)) return "*";
  return random.pick(vocabulary.server_methods());
}

bool answer_kind(Script& script, const Vocabulary& vocabulary, Random& random) {
  constexpr AnswerKind kKinds[] = {AnswerKind::kNone, AnswerKind::kTwice, AnswerKind::kWrongId,
                                   AnswerKind::kLate, AnswerKind::kError, AnswerKind::kGarbage,
                                   AnswerKind::kUsual};
  ClientAnswer answer{some_method(vocabulary, random), random.pick(kKinds), ""};
  if (!has_room(script, answer.method.size())) return false;
  return insert_step(script, pick_place(script, random), std::move(answer));
}

// That a client gives, in some alternative, or the usual one.
json::Value sound_result(const spec::MessageRow& asked, const spec::Profile& profile,
                         Random& random) {
  const spec::Row* row = asked.result.under(profile);
  if (row == nullptr || (asked.answer.is_object() && random.one_in(3))) return asked.answer;
  const bool optional = random.one_in(2);
  return spec::sample(row->is, profile, {optional, static_cast<int>(random.below(4))});
}

// A result for a request of the server that fits, or nearly does.
std::string some_result(std::string_view method, const Vocabulary& vocabulary, Random& random) {
  const spec::MessageRow* asked =
      vocabulary.profile().protocol().find(method, vocabulary.profile());
  if (asked == nullptr || random.one_in(5)) return random.pick(texts("odd results"));
  json::Value result = sound_result(*asked, vocabulary.profile(), random);
  if (!result.members.empty() && random.one_in(2)) {
    const auto member =
        result.members.begin() + static_cast<std::ptrdiff_t>(random.below(result.members.size()));
    if (random.one_in(3))
      result.members.erase(member);
    else
      member->value = json::parse(random.pick(texts("values in results")));
  }
  return json::write(result);
}

std::string some_result(const Vocabulary& vocabulary, Random& random) {
  return some_result(some_method(vocabulary, random), vocabulary, random);
}

bool answer_result(Script& script, const Vocabulary& vocabulary, Random& random) {
  std::string method = some_method(vocabulary, random);
  ClientAnswer answer{method, AnswerKind::kResult, some_result(method, vocabulary, random)};
  if (random.one_in(4)) answer.method = some_method(vocabulary, random);
  if (!has_room(script, answer.method.size() + answer.result.size())) return false;
  return insert_step(script, pick_place(script, random), std::move(answer));
}

// The result of an answer that is there, changed like params.
bool answer_changed(Script& script, const Vocabulary& vocabulary, Random& random) {
  for (Step& step : script.steps) {
    auto* answer = std::get_if<ClientAnswer>(&step);
    if (!answer || answer->kind != AnswerKind::kResult || random.one_in(3)) continue;
    Script alone;
    alone.steps.emplace_back(Frame{R"({"method":"m","params":)" + answer->result + '}', {}});
    if (!mutate(alone, Level::kArguments, vocabulary, random)) return false;
    const auto* frame = std::get_if<Frame>(&alone.steps.front());
    Tree tree;
    if (!frame || !tree.read(frame->bytes)) return false;
    const std::size_t params = tree.member(frame->bytes, 0, "params");
    if (params == Tree::kNone) return false;
    std::string result(text_of(frame->bytes, tree[params]));
    // What the text form has for a result is what a strict reader takes.
    if (!std::holds_alternative<json::Reading>(json::read(result))) return false;
    if (result.size() > answer->result.size() &&
        !has_room(script, result.size() - answer->result.size()))
      return false;
    answer->result = std::move(result);
    return true;
  }
  return false;
}

// What the client says it can do, so that the server asks for it, or does so although it must not.
bool capabilities(Script& script, const Vocabulary&, Random& random) {
  Opened opened;
  if (!opened.with_member(script, random, "params")) return false;
  const std::size_t params = opened.member("params");
  for (std::size_t i = params; i < opened.tree[params].next; ++i) {
    const Node& node = opened.tree[i];
    if (!node.is_member()) continue;
    const std::string_view name =
        opened.text().substr(node.name + 1, node.name_end - node.name - 2);
    if (name == "capabilities" || name.ends_with("clientCapabilities"))
      return opened.replace_value(i, random.pick(texts("capabilities")));
  }
  return false;
}

// A response to a request that nobody sent, or to one the server may ask later.
bool unasked(Script& script, const Vocabulary& vocabulary, Random& random) {
  std::string id = std::to_string(random.below(6));
  if (random.one_in(4)) id = '"' + id + '"';
  if (!vocabulary.handles().empty() && random.one_in(4)) id = random.pick(vocabulary.handles());
  std::string text = R"({"jsonrpc":"2.0","id":)" + id + ',';
  if (random.one_in(3)) {
    text += R"("error":{"code":-1,"message":"no"})";
  } else {
    (text += "\"result\":") += some_result(vocabulary, random);
  }
  return insert_frame(script, pick_place(script, random), text + '}');
}

bool answer_drop(Script& script, const Vocabulary&, Random& random) {
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    if (!std::holds_alternative<ClientAnswer>(script.steps[i]) || random.one_in(2)) continue;
    script.steps.erase(script.steps.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

}  // namespace

std::vector<MutatorCode> reverse_mutators() {
  return {{"answer-kind", answer_kind},       {"answer-result", answer_result},
          {"answer-changed", answer_changed}, {"answer-drop", answer_drop},
          {"capabilities", capabilities},     {"unasked", unasked}};
}

}  // namespace fuzz
