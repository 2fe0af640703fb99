// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seeds/seeds.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fuzz/mutate/vocabulary.h"
#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/protocol.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace spec = harness::spec;
namespace suite = harness::suite;

std::string id_kind(const json::Value& id) {
  if (id.is_number()) {
    const json::Decimal decimal = json::decimal(id.text);
    if (!decimal.is_whole()) return "fraction";
    if (decimal.is_zero()) return "zero";
    if (id.text.find_first_of(".eE") != std::string::npos) return "spelled";
    return json::as_integer(id) && id.text.size() < 17 ? decimal.negative ? "negative" : "number"
                                                       : "large";
  }
  if (id.is_string()) return id.text.empty() ? "empty" : "string";
  return json::kind_name(id.kind);
}

using Features = std::set<std::string>;

// Names that some profile has. Inventions of cases are all alike.
bool is_known_method(const std::string& name) {
  static const std::set<std::string> kKnown = [] {
    std::set<std::string> known;
    for (const spec::Profile& profile : spec::profiles()) {
      const Vocabulary vocabulary(profile);
      for (const Method& method : vocabulary.methods()) known.insert(method.name);
      for (const Method& method : vocabulary.notifications()) known.insert(method.name);
      known.insert(spec::canary_of(profile).method);
    }
    return known;
  }();
  return kKnown.contains(name);
}

void message_features(const json::Value& message, Features& out) {
  if (!message.is_object()) {
    out.insert(std::string("message:") + json::kind_name(message.kind));
    return;
  }
  const json::Value* method = message.find("method");
  const json::Value* id = message.find("id");
  const json::Value* params = message.find("params");
  const std::string name = method && method->is_string() ? method->text : "";
  if (method) {
    const std::string kind = json::kind_name(method->kind);
    out.insert("method:" + (!method->is_string()       ? "a " + kind
                            : is_known_method(name)    ? name
                            : name.empty()             ? "nothing"
                            : name.starts_with("rpc.") ? "rpc."
                                                       : "unknown"));
  } else {
    out.insert(message.find("result")  ? "shape:result"
               : message.find("error") ? "shape:error"
                                       : "shape:other");
  }
  out.insert("id:" + (id ? id_kind(*id) : "absent"));
  out.insert(std::string("params:") + (params ? json::kind_name(params->kind) : "absent"));
  const json::Value* version = message.find("jsonrpc");
  if (!version || !version->is_string() || version->text != "2.0") out.insert("version:odd");
  if (const json::Value* meta = params && params->is_object() ? params->find("_meta") : nullptr)
    if (meta->is_object() && meta->find("progressToken")) out.insert("meta:progress-token");
}

void frame_features(const Frame& frame, Features& out) {
  const Delivery& delivery = frame.delivery;
  if (!delivery.chunks.empty()) out.insert("delivery:chunks");
  if (!delivery.fragments.empty()) out.insert("delivery:fragments");
  if (!delivery.http_method.empty()) out.insert("delivery:http-method " + delivery.http_method);
  if (delivery.eol != Eol::kLf) out.insert("delivery:eol");
  for (const HeaderChange& change : delivery.headers)
    out.insert("delivery:header " + change.name + (change.value ? "" : " absent"));
  for (const Reference& one : references(frame.bytes))  // a cursor, a state, a task …
    out.insert("text:reference to " + std::string(one.pointer.substr(one.pointer.rfind('/') + 1)));
  if (!harness::is_utf8(frame.bytes)) out.insert("text:not-utf8");
  const auto reading = json::read(frame.bytes);
  const auto* good = std::get_if<json::Reading>(&reading);
  if (!good) {
    out.insert("text:no-json");
    return;
  }
  if (!good->duplicate_name.empty()) out.insert("text:duplicate-name");
  if (good->lone_surrogate) out.insert("text:lone-surrogate");
  if (frame.bytes.find('\\') != std::string::npos) out.insert("text:escape");
  if (good->value.is_array()) {
    out.insert(good->value.items.empty() ? "batch:empty" : "batch:some");
    for (const json::Value& element : good->value.items) message_features(element, out);
  } else {
    message_features(good->value, out);
  }
}

// "suite/mcp/base/…" → "mcp/base".
std::string topic_of(const std::string& name) {
  const std::size_t end = name.rfind('/');
  return end == std::string::npos ? "" : name.substr(0, end);
}

// A valid request for each method, and every notification.
Scenario everything(const spec::Profile& profile) {
  const Vocabulary vocabulary(profile);
  Random random(1);
  Scenario all{"all-methods", {profile.name, {}, {}}};
  int id = 1;
  const auto add = [&](std::string bytes) {
    all.script.steps.emplace_back(Frame{std::move(bytes), {}});
    all.script.steps.emplace_back(Sync{});
  };
  std::set<std::string> seen;
  for (const Method& method : vocabulary.methods()) {
    if (!seen.insert(method.name).second) continue;
    add(request_text(vocabulary, method, random, std::to_string(id++)));
    if (method.name != "initialize") continue;
    // It belongs to the handshake, which comes first.
    for (const Method& notification : vocabulary.notifications())
      if (notification.name == "notifications/initialized" && seen.insert(notification.name).second)
        add(notification_text(vocabulary, notification, random));
  }
  if (vocabulary.methods().empty()) add(canary_text(vocabulary, std::to_string(id++)));
  for (const Method& method : vocabulary.notifications())
    if (seen.insert(method.name).second) add(notification_text(vocabulary, method, random));
  all.script.steps.pop_back();
  return all;
}

std::string file_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  return name + ".script";
}

void add_quoted(std::string& out, std::string_view word) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xF];
    }
  }
  out += "\"\n";
}

// Of all types, as the profile has them.
void member_names(const spec::Profile& profile, std::set<std::string>& out) {
  const auto add = [&](const std::vector<spec::Member>& members) {
    for (const spec::Member& member : members)
      if (member.under(profile) != nullptr) out.insert(member.name);
  };
  for (const spec::TypeRow* type : spec::protocol().types()) {
    add(type->members);
    if (type->kind == spec::TypeRow::Kind::kByPresence) add(type->variants);
  }
}

constexpr std::string_view kTexts[] = {
    // JSON
    "{}", "[]", "null", "true", "false", "\"\"", "[[", "{\"a\":",

    // characters, numbers, steps of scripts
    "\\u0000", "\\ud800", "\\u2028", "\xEF\xBB\xBF", "\xED\xA0\x80", "1e400", "-0", "1.0",
    "9007199254740993", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
    "\r\n", "${1/result}", "!sync\n", "!close\n", "!pause 1\n", "!raw \"", "!frame \"",
    "!chunks 1\n", "!eol crlf\n", "!answer * ", "!length +1\n", "!header ", "!http-method ",
    "!opcode binary\n", "!fragments 1\n"};

}  // namespace

std::vector<std::string> features(const Scenario& scenario) {
  Features out;
  for (const Step& step : scenario.script.steps) {
    if (const auto* frame = std::get_if<Frame>(&step)) frame_features(*frame, out);
    if (std::holds_alternative<Raw>(step)) out.insert("step:raw");
    if (std::holds_alternative<Close>(step)) out.insert("step:close");
    if (const auto* answer = std::get_if<ClientAnswer>(&step))
      out.insert("answer:" + answer->method + ' ' + answer_word(answer->kind));
  }
  if (!topic_of(scenario.name).empty()) out.insert("topic:" + topic_of(scenario.name));
  return {out.begin(), out.end()};
}

std::vector<Scenario> seeds(const suite::Suite& suite, const spec::Registry& registry,
                            const spec::Profile& profile) {
  struct Candidate {
    Scenario scenario;
    std::size_t size;
    std::vector<std::string> features;
  };
  std::vector<Candidate> candidates;
  for (Scenario& scenario : scenarios(suite, registry, profile)) {
    const std::size_t size = write_script(scenario.script).size();
    if (size > kLargestSeed) continue;
    std::vector<std::string> has = features(scenario);
    candidates.push_back({std::move(scenario), size, std::move(has)});
  }
  std::vector<Scenario> chosen{everything(profile)};
  Features covered;
  for (const std::string& feature : features(chosen.front())) covered.insert(feature);
  while (chosen.size() < kMostSeeds) {
    // The most that is new, and of those the smallest; ties go to the first of the suite.
    const Candidate* best = nullptr;
    std::size_t best_gain = 0;
    for (const Candidate& candidate : candidates) {
      const auto gain = static_cast<std::size_t>(
          std::count_if(candidate.features.begin(), candidate.features.end(),
                        [&](const std::string& feature) { return !covered.contains(feature); }));
      if (gain < best_gain || gain == 0) continue;
      if (gain == best_gain && best && candidate.size >= best->size) continue;
      best = &candidate;
      best_gain = gain;
    }
    if (!best) break;
    covered.insert(best->features.begin(), best->features.end());
    chosen.push_back(best->scenario);
  }
  return chosen;
}

std::string dictionary(const spec::Profile& profile) {
  const Vocabulary vocabulary(profile);
  std::set<std::string> names(vocabulary.words().begin(), vocabulary.words().end());
  member_names(profile, names);
  std::set<std::string> methods(vocabulary.foreign_methods().begin(),
                                vocabulary.foreign_methods().end());
  for (const Method& method : vocabulary.methods()) methods.insert(method.name);
  for (const Method& method : vocabulary.notifications()) methods.insert(method.name);

  std::string out = "# Words of the profile " + profile.name + "; see corpus/README.md.\n";
  for (const std::string& name : names) add_quoted(out, json::quoted(name) + ':');
  for (const std::string& method : methods) add_quoted(out, json::quoted(method));
  for (const spec::Profile& other : spec::profiles())
    if (!other.revision.empty() && !other.tutorial) add_quoted(out, json::quoted(other.revision));
  for (const std::string_view text : kTexts) add_quoted(out, text);
  return out;
}

std::vector<SeedFile> seed_files(const suite::Suite& suite, const spec::Registry& registry) {
  std::vector<SeedFile> files;
  for (const spec::Profile& profile : spec::profiles()) {
    for (const Scenario& seed : seeds(suite, registry, profile))
      files.push_back(
          {"seeds/" + profile.name + '/' + file_name(seed.name), write_script(seed.script)});
    files.push_back({"dictionaries/" + profile.name + ".dict", dictionary(profile)});
  }
  return files;
}

}  // namespace fuzz
