// SPDX-License-Identifier: Apache-2.0
// Which methods there are, and what their params hold, is known from cases/protocol/. Params are
// kept as text with places for what the Target offers, which are filled when a message is made:
//   $tool $arguments $uri $prompt $prompt_arguments $cursor $handle $id
#include "fuzz/mutate/vocabulary.h"

#include <algorithm>
#include <utility>

#include "fuzz/mutate/tree.h"
#include "fuzz/mutate/values.h"
#include "harness/json/write.h"
#include "harness/spec/protocol.h"
#include "harness/spec/sample.h"
#include "harness/target/permission.h"
#include "harness/target/synthesis.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;
namespace target = harness::target;

constexpr std::size_t kMostTools = 64;
constexpr std::size_t kMostMethods = 256;   // likewise notifications
constexpr std::size_t kMostListed = 128;    // URIs, prompts
constexpr std::size_t kMostArguments = 32;  // of a tool and a kind
constexpr std::size_t kLongestArguments = 16u << 10;
constexpr std::size_t kLongestSchema = 64u << 10;
constexpr std::size_t kLongestMined = 160;
constexpr std::size_t kLongestAsking = 1024;
constexpr std::size_t kMostMinedValues = 2000;  // of one message

// What stands in the place of a param: by the beginning of the method, "" for all, and its name.
struct PlaceRow {
  const char* methods;
  const char* param;
  const char* place;
};
constexpr PlaceRow kPlaces[] = {
    {"tools/", "name", "$tool"},
    {"tools/", "arguments", "$arguments"},
    {"prompts/", "name", "$prompt"},
    {"prompts/", "arguments", "$prompt_arguments"},
    {"completion/complete", "ref/name", "$prompt"},
    {"", "uri", "$uri"},
    {"", "resourceSubscriptions/0", "$uri"},
    {"", "cursor", "$cursor"},
    {"", "taskId", "$handle"},
    {"", "requestState", "$handle"},
    {"", "requestId", "$id"},
    {"", "progressToken", "$id"},
    {"initialize", "protocolVersion", "$revision"},
};

// `path` ends with the names of the row, at any depth.
bool is_place(const PlaceRow& row, std::string_view method, std::string_view path) {
  const std::string_view param = row.param;
  return method.starts_with(row.methods) && path.ends_with(param) &&
         path[path.size() - param.size() - 1] == '/';
}

json::Value with_places(const json::Value& value, std::string_view method,
                        const std::string& path) {
  for (const PlaceRow& row : kPlaces)
    if (!path.empty() && is_place(row, method, path)) return json::string(row.place);
  json::Value out = value;
  // That of the message comes from the profile; what stands further down has none.
  if (!path.empty())
    std::erase_if(out.members, [](const json::Member& one) { return one.name == "_meta"; });
  for (json::Member& member : out.members)
    member.value = with_places(member.value, method, path + "/" + member.name);
  for (std::size_t i = 0; i < out.items.size(); ++i)
    out.items[i] = with_places(out.items[i], method, path + "/" + std::to_string(i));
  return out;
}

// As text, where a place stands without quotes, but for that of a revision.
std::string text_of(const json::Value& params) {
  std::string text = json::write(params);
  for (const PlaceRow& row : kPlaces) {
    const std::string quoted = json::quoted(row.place);
    if (quoted == "\"$revision\"") continue;
    for (auto at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at))
      text.replace(at, quoted.size(), row.place);
  }
  return text;
}

// Params of a message as the profile has them, each text once: what is required, with arguments;
// that and each of the others; all that a union lets in. `_meta` comes from elsewhere.
std::vector<std::string> params_of(const spec::MessageRow& message, const spec::Profile& profile) {
  constexpr int kTurns = 2;
  const spec::Row* row = message.params.under(profile);
  std::vector<std::string> out;
  if (row == nullptr || row->optional) out.emplace_back();
  if (row == nullptr) return out;
  const auto add = [&](const json::Value& params) {
    std::string text = text_of(with_places(params, message.name, ""));
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  };
  for (int turn = 0; turn < kTurns; ++turn) {
    json::Value least = spec::sample(row->is, profile, {false, turn});
    json::Value most = spec::sample(row->is, profile, {true, turn});
    for (json::Value* params : {&least, &most})
      std::erase_if(params->members, [](const json::Member& one) { return one.name == "_meta"; });
    if (const json::Value* arguments = most.find("arguments")) least.set("arguments", *arguments);
    const bool said = row->optional && least.members.empty();  // without params
    if (!said) add(least);
    for (const json::Member& member : most.members) {
      if (least.find(member.name) != nullptr) continue;
      json::Value more = least;
      more.set(member.name, member.value);
      add(more);
    }
    // What runs something of the server's own takes its time, and is played more often.
    const bool runs = !message.notification && !message.safe && least.find("arguments") != nullptr;
    if (!runs) continue;
    if (turn == 0) out.push_back(out.front());
    least.set("_meta", json::object({{"progressToken", json::string("")}}));
    add(least);
  }
  return out;
}

// Names nobody promised: of other eras and tools, reserved ones, those of the language below.

constexpr const char* kWords[] = {"jsonrpc", "id",   "method",  "params", "result",
                                  "error",   "code", "message", "data"};

// Places in replies that later requests are made of. Not the names of tools: which may be called
// is known before a script is played, not what a reference will come to.

const json::Value* string_member(const json::Value& value, std::string_view name) {
  const json::Value* found = value.is_object() ? value.find(name) : nullptr;
  return found && found->is_string() ? found : nullptr;
}

std::vector<std::string> argument_texts(const json::Value& schema, target::Arguments kind) {
  std::vector<std::string> out;
  for (const target::Instance& one : target::synthesise(schema, kind, kMostArguments).instances) {
    std::string text = json::write(one.value);
    if (text.size() <= kLongestArguments) out.push_back(std::move(text));
  }
  return out;
}

bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

bool is_handle_name(std::string_view name) {
  return ends_with(name, "Id") || ends_with(name, "Token") || ends_with(name, "State") ||
         ends_with(name, "_id") || name == "token" || name == "handle";
}

void append_pick(std::string& out, const std::vector<std::string>& from, Random& random,
                 std::string_view otherwise) {
  out += from.empty() ? otherwise : std::string_view(random.pick(from));
}

// A value for the place called `name`.
void fill(std::string& out, std::string_view name, const Vocabulary& vocabulary, const Tool* tool,
          const Prompt* prompt, Random& random) {
  if (name == "tool") {
    out += tool ? std::string_view(tool->name) : "\"rpcspec_no_such_tool\"";
  } else if (name == "arguments") {
    append_pick(out, tool ? tool->valid : std::vector<std::string>{}, random, "{}");
  } else if (name == "uri") {
    const bool mined = vocabulary.uris().empty() || random.one_in(4);
    append_pick(out, mined ? vocabulary.mined_uris() : vocabulary.uris(), random, "\"file:///a\"");
  } else if (name == "prompt") {
    out += prompt ? std::string_view(prompt->name) : "\"rpcspec_no_such_prompt\"";
  } else if (name == "prompt_arguments") {
    out += '{';
    for (const std::string& argument : prompt ? prompt->arguments : std::vector<std::string>{}) {
      if (out.back() != '{') out += ',';
      out += argument + ":\"a\"";
    }
    out += '}';
  } else if (name == "cursor") {
    append_pick(out, vocabulary.cursors(), random, "\"\"");
  } else if (name == "handle") {
    append_pick(out, vocabulary.handles(), random, "\"1\"");
  } else if (name == "id") {
    out += std::to_string(random.between(1, 9));
  } else if (name == "revision") {
    out += vocabulary.profile().revision;
  } else {
    (out += '$') += name;
  }
}

// `params` of a row with its places filled.
std::string filled(std::string_view params, const Vocabulary& vocabulary, Random& random) {
  const Tool* tool = vocabulary.tools().empty() ? nullptr : &random.pick(vocabulary.tools());
  const Prompt* prompt =
      vocabulary.prompts().empty() ? nullptr : &random.pick(vocabulary.prompts());
  std::string out;
  out.reserve(params.size() + 64);
  while (!params.empty()) {
    const std::size_t dollar = params.find('$');
    out += params.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    std::size_t end = dollar + 1;
    while (end < params.size() &&
           ((params[end] >= 'a' && params[end] <= 'z') || params[end] == '_'))
      ++end;
    fill(out, params.substr(dollar + 1, end - dollar - 1), vocabulary, tool, prompt, random);
    params.remove_prefix(end);
  }
  return out;
}

// `params` with the `_meta` that the profile wants, which comes first so that a row may add its
// own.
void append_params(std::string& out, const Vocabulary& vocabulary, std::string_view params) {
  const std::string& meta = vocabulary.meta();
  if (meta.empty()) {
    if (!params.empty()) (out += ",\"params\":") += params;
    return;
  }
  out += ",\"params\":";
  if (params.empty() || params == "{}") {
    ((out += "{\"_meta\":") += meta) += '}';
    return;
  }
  constexpr std::string_view kOwn = ",\"_meta\":{";
  const std::size_t own = params.find(kOwn);
  if (params.front() != '{' || params.size() < 2) {
    out += params;
  } else if (own != std::string_view::npos) {
    out += params.substr(0, own + kOwn.size());
    out += std::string_view(meta).substr(1, meta.size() - 2);
    out += ',';
    out += params.substr(own + kOwn.size());
  } else {
    (((out += "{\"_meta\":") += meta) += ',') += params.substr(1);
  }
}

std::string message_text(const Vocabulary& vocabulary, std::string_view method,
                         std::string_view params, std::string_view id) {
  std::string out = "{\"jsonrpc\":\"2.0\"";
  out.reserve(64 + method.size() + params.size() + vocabulary.meta().size());
  if (!id.empty()) (out += ",\"id\":") += id;
  out += ",\"method\":";
  json::append_quoted(out, method);
  if (id.empty()) {
    if (!params.empty()) (out += ",\"params\":") += params;
  } else {
    append_params(out, vocabulary, params);
  }
  return out += '}';
}

}  // namespace

void Mined::add(std::string_view text) {
  if (known_.find(text) != known_.end()) return;
  if (values_.size() < most_) {
    values_.emplace_back(text);
  } else {
    known_.erase(values_[oldest_]);
    values_[oldest_] = text;
    oldest_ = (oldest_ + 1) % most_;
  }
  known_.emplace(text);
}

Vocabulary::Vocabulary(const spec::Profile& profile, harness::wire::TransportKind transport)
    : profile_(&profile), transport_(transport) {
  const json::Value meta = spec::required_meta(profile);
  if (!meta.members.empty()) meta_ = json::write(meta);
  std::vector<const spec::MessageRow*> rows;
  for (const spec::MessageRow& row : spec::protocol().messages()) rows.push_back(&row);
  // What opens a conversation comes first.
  std::stable_partition(rows.begin(), rows.end(),
                        [](const spec::MessageRow* row) { return row->capability.empty(); });
  for (const spec::MessageRow* row : rows) {
    const bool spoken = row->reach.has(profile);
    // Language servers are asked nothing that has a row, and nobody else what they or agents ask.
    const bool lsp = row->reach.dialect == spec::Reach::Dialect::kLsp;
    if ((lsp && (!spoken || row->notification)) ||
        (row->reach.dialect == spec::Reach::Dialect::kAcp && !spoken))
      continue;
    if (spoken && row->from_server() && !row->notification) server_.push_back(row->name);
    if (!spoken || !row->from_client()) {
      foreign_.push_back(row->name);
      continue;
    }
    for (std::string& params : params_of(*row, profile))
      (row->notification ? notifications_ : methods_).push_back({row->name, std::move(params)});
  }
  // What the other side answers, and what this revision has under another row.
  foreign_.insert(foreign_.end(), server_.begin(), server_.end());
  foreign_.insert(foreign_.end(), texts("foreign methods").begin(), texts("foreign methods").end());
  std::set<std::string> spoken;
  for (const Method& method : methods_) spoken.insert(method.name);
  for (const Method& method : notifications_) spoken.insert(method.name);
  std::set<std::string> seen;
  std::erase_if(foreign_, [&](const std::string& name) {
    return spoken.count(name) != 0 || !seen.insert(name).second;
  });

  words_.assign(std::begin(kWords), std::end(kWords));
  if (profile.mcp || profile.tutorial)
    words_.insert(words_.end(), texts("words of MCP").begin(), texts("words of MCP").end());
  for (const std::string& pointer : texts("pointers")) pointers_.add(pointer);
}

bool Vocabulary::is_forbidden(std::string_view text) const {
  return text.size() >= 2 && forbidden_.find(text.substr(1, text.size() - 2)) != forbidden_.end();
}

void Vocabulary::offer(const Surface& surface) {
  for (std::string_view name : surface.forbidden) {
    if (name.starts_with(target::kMethodMark)) name.remove_prefix(target::kMethodMark.size());
    const std::string quoted = json::quoted(name);
    forbidden_.insert(quoted.substr(1, quoted.size() - 2));
  }
  tools_.clear();
  for (const json::Value& listed : surface.tools.items) {
    const json::Value* name = string_member(listed, "name");
    if (!name || tools_.size() == kMostTools || surface.forbidden.count(name->text) != 0) continue;
    Tool tool;
    tool.name = json::quoted(name->text);
    const json::Value* schema = listed.find("inputSchema");
    if (schema && json::write(*schema).size() <= kLongestSchema) {
      tool.schema = *schema;
      tool.valid = argument_texts(*schema, target::Arguments::kMinimal);
      for (std::string& text : argument_texts(*schema, target::Arguments::kValid))
        if (std::find(tool.valid.begin(), tool.valid.end(), text) == tool.valid.end())
          tool.valid.push_back(std::move(text));
      tool.boundary = argument_texts(*schema, target::Arguments::kBoundary);
      tool.broken = argument_texts(*schema, target::Arguments::kBroken);
    }
    if (tool.valid.empty()) tool.valid.emplace_back("{}");
    const json::Value* task = json::at(listed, "/execution/taskSupport");
    tool.as_task = task != nullptr && (task->text == "optional" || task->text == "required");
    tools_.push_back(std::move(tool));
  }
  chains_ = surface.chains;
  for (Chain& one : chains_) {
    one.from += tools_.size();
    one.to += tools_.size();
  }
  tools_.insert(tools_.end(), surface.described.begin(), surface.described.end());
  uris_.clear();
  const auto take_uri = [&](const json::Value* uri) {
    if (uri && uris_.size() < kMostListed) uris_.push_back(json::quoted(uri->text));
  };
  for (const json::Value& listed : surface.resources.items) take_uri(string_member(listed, "uri"));
  for (const json::Value& listed : surface.templates.items)
    take_uri(string_member(listed, "uriTemplate"));
  prompts_.clear();
  for (const json::Value& listed : surface.prompts.items) {
    const json::Value* name = string_member(listed, "name");
    if (!name || prompts_.size() == kMostListed) continue;
    Prompt prompt{json::quoted(name->text), {}};
    if (const json::Value* arguments = listed.find("arguments"))
      for (const json::Value& argument : arguments->items)
        if (const json::Value* called = string_member(argument, "name"))
          prompt.arguments.push_back(json::quoted(called->text));
    prompts_.push_back(std::move(prompt));
  }
}

void Vocabulary::know_method(std::string name, std::string params) {
  if (methods_.size() < kMostMethods) methods_.push_back({std::move(name), std::move(params)});
}

void Vocabulary::know_notification(std::string name, std::string params) {
  if (notifications_.size() < kMostMethods)
    notifications_.push_back({std::move(name), std::move(params)});
}

void Vocabulary::learn_asking(std::string_view request) {
  Tree tree;
  if (request.size() > kLongestAsking || !tree.read(request)) return;
  const std::size_t id = tree.member(request, 0, "id");
  if (id == Tree::kNone) return;
  std::string kept(request);
  asking_.add(kept.replace(tree[id].begin, tree[id].end - tree[id].begin, "1"));
}

void Vocabulary::learn(std::string_view message) {
  Tree tree;
  if (!tree.read(message)) return;
  std::string pointer;
  const std::size_t most = std::min(tree.size(), kMostMinedValues);
  for (std::size_t i = 0; i < most; ++i) {
    const Node& node = tree[i];
    if (node.kind == Kind::kObject && node.is_member() &&
        message.substr(node.name, node.name_end - node.name) == "\"inputRequests\"") {
      for (std::size_t k = i + 1; k < node.next; k = tree[k].next)
        if (tree[k].name_end - tree[k].name <= kLongestMined)
          input_keys_.add(message.substr(tree[k].name, tree[k].name_end - tree[k].name));
    }
    if (node.kind != Kind::kString && node.kind != Kind::kNumber) continue;
    const std::string_view text = text_of(message, node);
    if (text.size() > kLongestMined || is_forbidden(text)) continue;
    const std::string_view name = node.is_member()
                                      ? message.substr(node.name + 1, node.name_end - node.name - 2)
                                      : std::string_view();
    if (node.kind == Kind::kNumber) {
      numbers_.add(text);
    } else if (text.find("://") != std::string_view::npos) {
      mined_uris_.add(text);
    } else if (ends_with(name, "ursor")) {
      cursors_.add(text);
    } else if (std::count(text.begin(), text.end(), ' ') < 4) {  // prose says nothing
      strings_.add(text);
    }
    if (!is_handle_name(name)) continue;
    handles_.add(text);
    // Of members of objects only: which element of a list it was means little.
    pointer.clear();
    std::size_t at = i;
    for (; at != 0 && tree[at].is_member(); at = tree[at].parent) {
      const Node& step = tree[at];
      pointer.insert(0, message.substr(step.name + 1, step.name_end - step.name - 2));
      pointer.insert(0, 1, '/');
    }
    if (at == 0 && pointer.size() < kLongestMined && pointer.find_first_of("\\}~") == pointer.npos)
      pointers_.add(pointer);
  }
}

std::string request_text(const Vocabulary& vocabulary, const Method& method, Random& random,
                         std::string_view id) {
  return message_text(vocabulary, method.name, filled(method.params, vocabulary, random), id);
}

std::string request_text(const Vocabulary& vocabulary, Random& random, std::string_view id) {
  if (vocabulary.methods().empty() || random.one_in(8)) return canary_text(vocabulary, id);
  return request_text(vocabulary, random.pick(vocabulary.methods()), random, id);
}

std::string notification_text(const Vocabulary& vocabulary, Random& random) {
  if (vocabulary.notifications().empty()) {
    // Where none are defined any request without an id is one.
    if (!vocabulary.methods().empty() && random.one_in(2))
      return request_text(vocabulary, random.pick(vocabulary.methods()), random, "");
    return message_text(vocabulary, canary_of(vocabulary.profile()).method, "", "");
  }
  return notification_text(vocabulary, random.pick(vocabulary.notifications()), random);
}

std::string notification_text(const Vocabulary& vocabulary, const Method& method, Random& random) {
  return message_text(vocabulary, method.name, filled(method.params, vocabulary, random), "");
}

std::string canary_text(const Vocabulary& vocabulary, std::string_view id) {
  return message_text(vocabulary, canary_of(vocabulary.profile()).method, "", id);
}

std::string cancel_text(const Vocabulary& vocabulary, std::string_view id,
                        std::string_view further) {
  const bool mcp = vocabulary.profile().mcp || vocabulary.profile().tutorial;
  std::string text = R"({"jsonrpc":"2.0","method":")";
  text += mcp ? R"(notifications/cancelled","params":{"requestId":)"
              : R"($/cancelRequest","params":{"id":)";
  text += id;
  return (text += further) += "}}";
}

std::string call_text(const Vocabulary& vocabulary, const Tool& tool, std::string_view arguments,
                      std::string_view id) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out += id;
  if (tool.is_method) {
    (out += R"(,"method":)") += tool.name;
    if (!arguments.empty()) (out += R"(,"params":)") += arguments;
    return out += '}';
  }
  out += R"(,"method":"tools/call","params":{)";
  if (!vocabulary.meta().empty()) ((out += "\"_meta\":") += vocabulary.meta()) += ',';
  return (((out += "\"name\":") += tool.name) += ",\"arguments\":").append(arguments) += "}}";
}

}  // namespace fuzz
