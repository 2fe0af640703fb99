// SPDX-License-Identifier: Apache-2.0
// Which objections there are to a message, from the text inwards, and what they come to together.
#include "harness/spec/model.h"

#include <algorithm>
#include <cmath>

#include "harness/base/ascii.h"
#include "harness/json/number.h"
#include "harness/spec/log_level.h"

namespace harness::spec {
namespace {

constexpr std::size_t kEasySize = 60000;
constexpr std::size_t kEasyDepth = 60;
constexpr std::size_t kEasyNumber = 15;
constexpr std::int64_t kLargestSafe = (std::int64_t{1} << 53) - 1;
constexpr std::size_t kEasyId = 1000;
constexpr std::size_t kEasyMethod = 1000;
constexpr std::size_t kEasyBatch = 50;
constexpr std::string_view kBom = "\xEF\xBB\xBF";

// Few digits, or an integer that a double holds.
bool is_easy_size(const json::Value& number) {
  if (number.text.size() <= kEasyNumber) return true;
  const auto integer = json::as_integer(number);
  return integer && *integer >= -kLargestSafe && *integer <= kLargestSafe;
}

bool is_strenuous(const json::Value& value, std::size_t depth) {
  if (depth > kEasyDepth) return true;
  if (value.is_number())
    return !is_easy_size(value) || value.text.find_first_of("eE") != std::string::npos;
  for (const auto& item : value.items)
    if (is_strenuous(item, depth + 1)) return true;
  // RFC 8259 §9 lets a parser limit what strings hold: PHP reads no NUL in a name.
  return std::any_of(value.members.begin(), value.members.end(), [&](const json::Member& m) {
    return m.name.find('\0') != std::string::npos || is_strenuous(m.value, depth + 1);
  });
}

// To some reader: many trim more than the whitespace of JSON.
bool is_blank(std::string_view text) {
  constexpr std::string_view kSpaces[] = {" ",        "\t",       "\r",          "\n",   "\v",
                                          "\f",       "\x1C",     "\x1D",        "\x1E", "\x1F",
                                          "\xC2\x85", "\xC2\xA0", "\xE3\x80\x80"};
  while (!text.empty()) {
    const auto space = std::find_if(std::begin(kSpaces), std::end(kSpaces),
                                    [&](std::string_view one) { return text.starts_with(one); });
    if (space == std::end(kSpaces)) return false;
    text.remove_prefix(space->size());
  }
  return true;
}

const json::Value* find_in_other_case(const json::Value& value, std::string_view name) {
  for (const json::Member& member : value.members)
    if (ascii::equal_ignoring_case(member.name, name)) return &member.value;
  return nullptr;
}

Grade worse(Grade a, Grade b) { return std::max(a, b); }
Grade better(Grade a, Grade b) { return std::min(a, b); }

Grade grade_of(const ModelRule& rule, std::int64_t code, bool layered) {
  for (const int lawful : rule.codes)
    if (lawful == code && code != 0) return Grade::kLawful;
  for (const int near : rule.nearly)
    if (near == code && code != 0) return Grade::kTolerated;
  return layered ? rule.layered.error : rule.plain.error;
}

const ModelRule::Grades& grades_of(const ModelRule& rule, bool layered) {
  return layered ? rule.layered : rule.plain;
}

// Looked up once: rows are named where they are used.
#define MODEL_RULE(name)                                       \
  [] {                                                         \
    static const ModelRule* const row = find_model_rule(name); \
    return row;                                                \
  }()

}  // namespace

bool is_strenuous(std::string_view text) {
  return text.size() > kEasySize || text.find('\r') != std::string_view::npos;
}

bool is_strenuous(const json::Value& value) { return is_strenuous(value, 0); }

class Modeller {
 public:
  explicit Modeller(const Situation& situation) : at_(situation) {
    to_.layered_ = situation.profile->layered();
  }

  Expectation text(const wire::Message& message, std::string_view text) {
    if (!message.is_json) {
      unreadable(message.error, text);
      return concluded();
    }
    const ModelRule* unclear = is_strenuous(text)                ? MODEL_RULE("strenuous")
                               : !message.duplicate_name.empty() ? MODEL_RULE("duplicate-names")
                               : message.lone_surrogate          ? MODEL_RULE("lone-surrogate")
                                                                 : nullptr;
    return unclear != nullptr ? only(unclear, message.value) : value(message.value);
  }

  Expectation element(const json::Value& one) {
    if (!one.is_array()) return value(one);
    add(MODEL_RULE("nested-array"));
    return concluded();
  }

 private:
  Expectation value(const json::Value& value) {
    if (value.is_array())
      array(value);
    else if (is_strenuous(value, 0))
      return only(huge_number(value) ? nullptr : MODEL_RULE("strenuous"), value);
    else if (!value.is_object())
      add(MODEL_RULE("primitive"));
    else
      object(value);
    if (at_.phase == Phase::kBefore && at_.profile->era == Era::kHandshake) {
      add(MODEL_RULE("before-handshake"));
      to_.open_ = true;
    }
    return concluded();
  }

  const Situation& at_;
  Expectation to_;

  void add(const ModelRule* rule) {
    if (to_.count_ < Expectation::kMost) to_.found_[to_.count_++] = rule;
  }
  bool mcp() const { return at_.profile->mcp; }
  bool stateless() const { return at_.profile->era == Era::kStateless; }

  // Whatever else there is to say, this comes first: who read the text otherwise saw another
  // message.
  Expectation only(const ModelRule* rule, const json::Value& message) {
    if (rule == nullptr) {
      object(message);
      return concluded();
    }
    add(rule);
    to_.open_ = grades_of(*rule, to_.layered_).silence == Grade::kLawful;
    // A notification may have been read, to which silence is due; an array may be slow.
    const json::Value* method = message.is_object() ? message.find("method") : nullptr;
    const bool quick = method != nullptr && method->is_string() && is_quick(method->text);
    to_.prompt_ = quick && message.find("id") != nullptr;
    if (at_.phase == Phase::kBefore && at_.profile->era == Era::kHandshake) to_.prompt_ = false;
    return concluded();
  }

  // The id is the only thing that strains a parser, and there are clauses on ids of requests.
  static bool huge_number(const json::Value& value) {
    if (!value.is_object() || value.find("method") == nullptr) return false;
    const json::Value* id = value.find("id");
    if (id == nullptr || !id->is_number() || !is_strenuous(*id, 0)) return false;
    return std::none_of(value.members.begin(), value.members.end(), [&](const json::Member& m) {
      return &m.value != id && is_strenuous(m.value, 1);
    });
  }

  void unreadable(const json::ReadError& error, std::string_view text) {
    if (error.fault == json::ReadFault::kTooDeep) {
      add(MODEL_RULE("strenuous"));
      to_.open_ = true;
    } else if (!wire::traits_of(at_.transport).exchanges && is_blank(text)) {
      add(MODEL_RULE("blank-line"));
    } else if (text.starts_with(kBom)) {
      to_.prompt_ = text.find("\"ping\"") != std::string_view::npos ||
                    text.find("\"server/discover\"") != std::string_view::npos ||
                    text.find("\"rpcspec") != std::string_view::npos;
      add(MODEL_RULE("byte-order-mark"));
    } else {
      to_.prompt_ = true;
      add(MODEL_RULE("not-json"));
    }
  }

  void object(const json::Value& value) {
    const json::Value* id = value.find("id");
    const json::Value* method = value.find("method");
    const json::Value* result = value.find("result");
    const json::Value* error = value.find("error");
    const bool outcome = result != nullptr || error != nullptr;
    if (method == nullptr && outcome) {
      const bool lawful = id != nullptr && (id->is_string() || id->is_number()) &&
                          (result == nullptr || error == nullptr) &&
                          (error == nullptr || error->is_object()) && value.members.size() == 3 &&
                          has_version(value);
      const bool refusable = !mcp() || stateless();
      return add(!lawful     ? MODEL_RULE("malformed-response")
                 : refusable ? MODEL_RULE("stray-response")
                             : MODEL_RULE("stray-response-to-client"));
    }
    if (method == nullptr) {
      return add(find_in_other_case(value, "method") != nullptr ? MODEL_RULE("names-in-other-case")
                 : id != nullptr                                ? MODEL_RULE("method-missing")
                 : value.members.empty()                        ? MODEL_RULE("empty-object")
                                                                : MODEL_RULE("no-message"));
    }
    if (outcome) {
      to_.open_ = true;
      return add(MODEL_RULE("hybrid"));
    }
    if (id == nullptr) return notification(value, *method);
    request(value, *id, *method);
  }

  void notification(const json::Value& value, const json::Value& method) {
    const std::uint8_t before = to_.count_;
    version(value);
    params(value);
    const bool sound = to_.count_ == before && method.is_string() && !method.text.empty();
    to_.count_ = before;
    to_.notification_ = sound;
    if (!sound) add(MODEL_RULE("malformed-notification"));
  }

  void request(const json::Value& value, const json::Value& own, const json::Value& name) {
    version(value);
    id(own);
    if (name.is_string()) {
      method(name.text);
      if (stateless() && !has_meta(value)) add(MODEL_RULE("meta-required"));
    } else {
      add(MODEL_RULE("method-not-string"));
    }
    params(value);
    const bool unknown =
        std::any_of(value.members.begin(), value.members.end(), [](const json::Member& member) {
          return member.name != "jsonrpc" && member.name != "id" && member.name != "method" &&
                 member.name != "params";
        });
    if (unknown) add(MODEL_RULE("member-unknown"));
    to_.prompt_ = name.is_string() && is_quick(name.text);
    to_.has_id_ = true;
  }

  static bool has_version(const json::Value& value) {
    const json::Value* version = value.find("jsonrpc");
    return version != nullptr && version->is_string() && version->text == "2.0";
  }

  void version(const json::Value& value) {
    const json::Value* version = value.find("jsonrpc");
    if (version == nullptr) return add(MODEL_RULE("version-missing"));
    if (!version->is_string()) return add(MODEL_RULE("version-wrong-type"));
    if (version->text != "2.0") add(MODEL_RULE("version-wrong-value"));
  }

  void id(const json::Value& id) {
    switch (id.kind) {
      case json::Kind::kString:
        if (id.text.size() > kEasyId) add(MODEL_RULE("id-long"));
        return;
      case json::Kind::kNull:
        return add(at_.profile->tutorial ? MODEL_RULE("id-null-to-tutorial")
                   : stateless()         ? MODEL_RULE("id-null-to-stateless")
                   : mcp()               ? MODEL_RULE("id-null-to-mcp")
                                         : MODEL_RULE("id-null"));
      case json::Kind::kNumber: break;
      default: return add(MODEL_RULE("id-type"));
    }
    const double read = json::as_double(id);
    if (std::isinf(read)) return add(MODEL_RULE("strenuous"));  // RFC 8259 §9
    if (id.text.find_first_not_of("-0123456789") != std::string::npos) {
      const bool rounded = !json::is_integer(id) && read == std::floor(read);
      return add(rounded                ? MODEL_RULE("id-huge")
                 : json::is_integer(id) ? MODEL_RULE("id-spelling")
                 : mcp()                ? MODEL_RULE("id-fraction-to-mcp")
                                        : MODEL_RULE("id-fraction"));
    }
    if (at_.profile->lsp && (read < -0x1p31 || read >= 0x1p31)) return add(MODEL_RULE("id-huge"));
    if (id.text == "-0") add(MODEL_RULE("id-minus-zero"));
    if (!is_easy_size(id)) add(MODEL_RULE("id-huge"));
  }

  void method(std::string_view name) {
    if (name.empty()) return add(MODEL_RULE("method-empty"));
    if (is_nobodys_method(name, *at_.profile)) {
      return add(is_hostile_method(name) ? MODEL_RULE("method-hostile")
                                         : MODEL_RULE("method-unknown"));
    }
    if (name.size() > kEasyMethod) return add(MODEL_RULE("method-long"));
    // OpenRPC lists the methods of a service by such an extension.
    const bool extension = name == "rpc.discover" && !at_.profile->tutorial;
    if (name.starts_with("rpc.") && !extension) return add(MODEL_RULE("method-reserved"));
    if (!mcp() && !at_.profile->tutorial) return;
    if (name.starts_with("notifications/")) return add(MODEL_RULE("notification-with-id"));
    if (is_known_in_other_case(name)) add(MODEL_RULE("method-in-other-case"));
  }

  // Params are of no use to a method that is not there: it may be looked for first.
  void params(const json::Value& value) {
    const std::uint8_t before = to_.count_;
    params_by_themselves(value);
    const json::Value* method = value.find("method");
    const bool optional = method != nullptr && method->is_string() && !is_quick(method->text);
    if (to_.count_ > before && optional) add(MODEL_RULE("method-optional"));
  }

  void params_by_themselves(const json::Value& value) {
    const json::Value* params = value.find("params");
    if (params == nullptr) return;
    switch (params->kind) {
      case json::Kind::kNull: return add(MODEL_RULE("params-null"));
      case json::Kind::kArray:
        if (mcp()) add(MODEL_RULE("params-array"));
        if (at_.profile->tutorial) add(MODEL_RULE("params-by-position"));
        return;
      case json::Kind::kObject: break;
      default: return add(MODEL_RULE("params-primitive"));
    }
    const json::Value* meta = mcp() ? params->find("_meta") : nullptr;
    const json::Value* token =
        meta != nullptr && meta->is_object() ? meta->find("progressToken") : nullptr;
    const bool odd_token = token != nullptr && !token->is_string() && !json::is_integer(*token);
    if (meta != nullptr && !meta->is_object()) add(MODEL_RULE("meta-type"));
    if (odd_token) add(MODEL_RULE("progress-token-type"));
  }

  static bool is_implementation(const json::Value& value) {
    const auto text = [&](const char* name) {
      const json::Value* member = value.find(name);
      return member != nullptr && member->is_string();
    };
    return value.is_object() && text("name") && text("version");
  }

  // Objects by name; what they hold is switches and more objects.
  static bool are_capabilities(const json::Value& value) {
    const auto all = [](const json::Value& object, auto&& suits) {
      return object.is_object() &&
             std::all_of(object.members.begin(), object.members.end(),
                         [&](const json::Member& member) { return suits(member.value); });
    };
    return all(value, [&](const json::Value& one) {
      return all(one,
                 [](const json::Value& part) { return part.is_object() || part.is_boolean(); });
    });
  }

  // As the W3C writes it, as far as its length tells: who reads it may refuse what is not.
  static bool is_trace(const json::Value& meta) {
    constexpr std::size_t kLength = 55;
    for (const char* name : {"traceparent", "tracestate", "baggage"}) {
      const json::Value* member = meta.find(name);
      if (member != nullptr && !member->is_string()) return false;
    }
    const json::Value* parent = meta.find("traceparent");
    return parent == nullptr || parent->text.size() == kLength;
  }

  bool has_meta(const json::Value& value) const {
    const json::Value* params = value.find("params");
    const json::Value* meta =
        params != nullptr && params->is_object() ? params->find("_meta") : nullptr;
    if (meta == nullptr || !meta->is_object()) return false;
    const json::Value* version = meta->find("io.modelcontextprotocol/protocolVersion");
    const json::Value* capabilities = meta->find("io.modelcontextprotocol/clientCapabilities");
    const json::Value* client = meta->find("io.modelcontextprotocol/clientInfo");
    const json::Value* level = meta->find("io.modelcontextprotocol/logLevel");
    return version != nullptr && version->is_string() && version->text == at_.profile->revision &&
           capabilities != nullptr && are_capabilities(*capabilities) &&
           (client == nullptr || is_implementation(*client)) &&
           (level == nullptr || (level->is_string() && is_log_level(level->text))) &&
           is_trace(*meta);
  }

  void array(const json::Value& value) {
    if (value.items.empty()) return add(MODEL_RULE("batch-empty"));
    to_.prompt_ = std::all_of(value.items.begin(), value.items.end(),
                              [&](const json::Value& element) { return is_quick(element); }) &&
                  std::any_of(value.items.begin(), value.items.end(), is_due);
    const bool strenuous = is_strenuous(value, 0);
    if (strenuous && batches_in(*at_.profile) != Batches::kServed) add(MODEL_RULE("strenuous"));
    switch (batches_in(*at_.profile)) {
      case Batches::kRemoved: return add(MODEL_RULE("batch-removed"));
      case Batches::kUndefined: return add(MODEL_RULE("batch-undefined"));
      case Batches::kServed: break;
    }
    if (strenuous || value.items.size() > kEasyBatch) {
      to_.open_ = true;
      return add(MODEL_RULE("strenuous"));
    }
    if (at_.profile->tutorial) return add(MODEL_RULE("batch-to-tutorial"));
    bool requests = false, notifications = false, invalid = false;
    for (const json::Value& element : value.items) {
      const Expectation one = Modeller(at_).element(element);
      if (one.notification())
        notifications = true;
      else if (is_request(one))
        requests = true;
      else
        invalid = true;
      // Whether this may be in an array, and what it does to the others, is its own affair.
      const json::Value* method = element.is_object() ? element.find("method") : nullptr;
      if (method != nullptr && method->is_string() && method->text == "initialize")
        to_.open_ = true;
    }
    add(to_.open_                    ? MODEL_RULE("strenuous")
        : invalid                    ? MODEL_RULE("batch-with-invalid")
        : requests || !notifications ? MODEL_RULE("batch-of-requests")
                                     : MODEL_RULE("batch-of-notifications"));
  }

  bool is_quick(std::string_view name) const {
    if (name.empty() || name.size() > kEasyMethod) return true;
    if (is_nobodys_method(name, *at_.profile)) return true;
    if (to_.layered_ && name.starts_with("notifications/")) return true;
    if (at_.profile->era == Era::kHandshake) return name == "ping";
    return stateless() && name == "server/discover";
  }

  // Whether an element that is no notification and no response has to be answered.
  static bool is_due(const json::Value& element) {
    if (!element.is_object()) return true;
    const bool response = element.find("result") != nullptr || element.find("error") != nullptr;
    return !response && (element.find("method") == nullptr || element.find("id") != nullptr);
  }

  // Whether no method has to run for it that may take its time.
  bool is_quick(const json::Value& element) const {
    const json::Value* method = element.is_object() ? element.find("method") : nullptr;
    return method == nullptr || !method->is_string() || is_quick(method->text);
  }

  Expectation concluded() {
    const std::span<const ModelRule* const> found = to_.found();
    if (found.empty()) {
      to_.silence_ = to_.prompt_ ? Grade::kWrong : Grade::kLawful;
      return to_;
    }
    to_.silence_ = Grade::kWrong;
    for (const ModelRule* rule : found) {
      const ModelRule::Grades& grades = grades_of(*rule, to_.layered_);
      to_.result_ = worse(to_.result_, grades.result);
      to_.silence_ = better(to_.silence_, grades.silence);
    }
    if (to_.open_ && found.back() == MODEL_RULE("before-handshake")) to_.result_ = Grade::kLawful;
    // A message that may be served by a method that takes its time proves nothing by silence.
    if (to_.result_ != Grade::kWrong && !to_.prompt_) to_.silence_ = Grade::kLawful;
    return to_;
  }
};

Grade Expectation::error(std::int64_t code) const {
  // Sound JSON in a sound request: anything but that it could not be read.
  if (count_ == 0) return code == -32700 ? Grade::kWrong : Grade::kLawful;
  // Where it may be served its method has errors of its own.
  if (result_ == Grade::kLawful && !prompt_ && code != -32700) return Grade::kLawful;
  Grade best = Grade::kWrong;
  for (const ModelRule* rule : found()) best = better(best, grade_of(*rule, code, layered_));
  return best;
}

const ModelRule* Expectation::reason(Outcome outcome) const {
  const ModelRule* likeliest = nullptr;
  int most = -1;
  for (const ModelRule* rule : found()) {
    const ModelRule::Grades& grades = grades_of(*rule, layered_);
    if (outcome == Outcome::kResult && grades.result == result_) return rule;
    if (outcome == Outcome::kError) return rule;
    if (outcome != Outcome::kSilence || grades.silence != silence_) continue;
    // What a valid message may have as well is not why an invalid one is dropped, unless it makes
    // a notification of it.
    const bool is_invalid = grades.result != Grade::kLawful && rule->codes.front() == -32600;
    const int weight = rule == MODEL_RULE("id-null") ? 2 : is_invalid ? 1 : 0;
    if (weight > most) likeliest = rule;
    most = std::max(most, weight);
  }
  return likeliest;
}

Expectation expect(const Situation& situation, const wire::Message& message,
                   std::string_view text) {
  return Modeller(situation).text(message, text);
}

Expectation expect_element(const Situation& situation, const json::Value& element) {
  return Modeller(situation).element(element);
}

const json::Value* readable_id(const json::Value& value) {
  if (!value.is_object()) return nullptr;
  const json::Value* id = value.find("id");
  return id != nullptr || value.find("method") != nullptr ? id : find_in_other_case(value, "id");
}

bool is_request(const Expectation& expected) {
  return expected.has_id() && (expected.sound() || expected.error(-32600) != Grade::kLawful);
}

Batches batches_in(const Profile& profile) {
  if (profile.lsp || profile.acp) return Batches::kUndefined;
  if (!profile.mcp || profile.revision == "2025-03-26") return Batches::kServed;
  return profile.revision < "2025-03-26" ? Batches::kUndefined : Batches::kRemoved;
}

}  // namespace harness::spec
