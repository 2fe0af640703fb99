// SPDX-License-Identifier: Apache-2.0
// The one place that sees yaml-cpp. Its parser is used for events only, because the node tree it
// would build forgets duplicate keys and expands aliases; a EventBuilder makes Values of the events
// and refuses what our files have no use for.
#include "harness/json/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/json/read.h"

namespace harness::json {
namespace {

constexpr std::size_t kMaxDepth = 100;

// Thrown through the parser to end it.
struct Refusal {
  Mark mark;
  std::string what;
  std::string remedy;
};

Mark our(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

Mark mark_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? offset : offset - newline - 1;
  return {static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

// YAML 1.2 core, with the numbers narrowed to those JSON can spell: 0x1f, 007 and .inf are strings.
Value plain_scalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  if (text == "true" || text == "True" || text == "TRUE") return boolean(true);
  if (text == "false" || text == "False" || text == "FALSE") return boolean(false);
  return is_number_text(text) ? number_spelled(text) : string(text);
}

class EventBuilder final : public YAML::EventHandler {
 public:
  EventBuilder(std::string_view text, bool several) : text_(text), several_(several) {}

  std::vector<Value> roots;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!several_ && !roots.empty()) {
      throw Refusal{our(mark), "something follows the end of the document",
                    "keep one document to a file"};
    }
    roots.emplace_back().mark = roots.size() == 1 ? Mark{1, 1} : our(mark);
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    if (wants_key()) throw Refusal{our(mark), "a key is missing", "write a name before the colon"};
    // Where nothing was written, the parser stands at whatever comes next; the key is nearer.
    const bool written = is_null_word(mark);
    Value value;
    value.mark = written || open_.empty() || !open_.back().value->is_object()
                     ? our(mark)
                     : open_.back().value->members.back().mark;
    place(std::move(value));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refusal{our(mark), "aliases (*name) are not read here", "write the value out"};
  }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_anchor(mark, 1); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (!is_utf8(text)) {
      // yaml-cpp makes single bytes of these two.
      throw Refusal{our(mark), "the escapes \\N and \\_ are not read here",
                    "write \\u0085 or \\u00a0"};
    }
    if (wants_key()) {
      add_key(mark, text);
      return;
    }
    Value value = tag == "!" ? string(text) : plain_scalar(text);
    value.mark = our(mark);
    place(std::move(value));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::kArray, mark, tag, anchor);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::kObject, mark, tag, anchor);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    Value* value;
    bool wants_key;  // objects: the next event is a key
    std::set<std::string> names;
  };

  bool wants_key() const { return !open_.empty() && open_.back().wants_key; }

  bool is_null_word(const YAML::Mark& mark) const {
    if (mark.pos < 0 || static_cast<std::size_t>(mark.pos) >= text_.size()) return false;
    const std::string_view rest = text_.substr(static_cast<std::size_t>(mark.pos));
    if (rest.front() == '~') return true;
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n,]}#:"));
    return word == "null" || word == "Null" || word == "NULL";
  }

  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    throw Refusal{our(mark), "anchors (&name) are not read here", "write the value out"};
  }

  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw Refusal{our(mark), "the tag '" + printable(tag) + "' is not read here",
                  "leave tags out; quote a scalar to make it a string"};
  }

  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (wants_key()) {
      throw Refusal{our(mark), "a key is not a scalar",
                    // yaml-cpp also takes an unclosed bracket for the start of a key.
                    "use plain text as key, and close every [ and {"};
    }
    if (open_.size() >= kMaxDepth) {
      throw Refusal{our(mark), "values are nested more than " + std::to_string(kMaxDepth) + " deep",
                    "flatten them"};
    }
    Value value;
    value.kind = kind;
    value.mark = our(mark);
    open_.push_back({place(std::move(value)), kind == Kind::kObject, {}});
  }

  void add_key(const YAML::Mark& mark, const std::string& name) {
    Open& map = open_.back();
    if (!map.names.insert(name).second)
      throw Refusal{our(mark), "the key '" + printable(name) + "' is repeated", "keep one of them"};
    map.value->members.push_back(Member{name, {}, our(mark)});
    map.wants_key = false;
  }

  // Pointers to open containers stay good: a container does not grow while one inside it is open.
  Value* place(Value value) {
    if (open_.empty()) {
      roots.back() = std::move(value);
      return &roots.back();
    }
    Open& parent = open_.back();
    if (parent.value->is_array()) {
      parent.value->items.push_back(std::move(value));
      return &parent.value->items.back();
    }
    parent.wants_key = true;
    parent.value->members.back().value = std::move(value);
    return &parent.value->members.back().value;
  }

  std::string_view text_;
  bool several_;
  std::vector<Open> open_;
};

// What yaml-cpp would misread without a word: it recodes what is not UTF-8 and ends at U+0004.
void refuse_odd_bytes(std::string_view text) {
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos)
    throw Refusal{mark_at(text, bad), "the file is not UTF-8", "save it as UTF-8"};
  const auto control = std::find_if(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
  });
  if (control != text.end()) {
    throw Refusal{mark_at(text, static_cast<std::size_t>(control - text.begin())),
                  "the file holds the control character " + printable({&*control, 1}),
                  "write it as an escape in a double-quoted scalar"};
  }
}

// JSON is YAML, but not to yaml-cpp: it refuses surrogates, keys of 1,024 characters, U+007F. Such
// a text is read as the JSON it is; its values have no places.
std::optional<Value> read_as_json(std::string_view text) {
  ReadLimits limits;
  limits.max_depth = kMaxDepth;
  auto outcome = read(text, limits);
  auto* reading = std::get_if<Reading>(&outcome);
  if (reading == nullptr || reading->lone_surrogate || !reading->duplicate_name.empty()) return {};
  reading->value.mark = {1, 1};
  return std::move(reading->value);
}

}  // namespace

namespace {

Result<std::vector<Value>> read_documents(std::string_view text, const std::string& name,
                                          bool several) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  try {
    refuse_odd_bytes(text);
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    EventBuilder builder(text, several);
    while (parser.HandleNextDocument(builder)) {
    }
    if (builder.roots.empty()) builder.roots.emplace_back().mark = {1, 1};
    return std::move(builder.roots);
  } catch (const Refusal& refusal) {
    if (auto value = read_as_json(text)) return std::vector<Value>{std::move(*value)};
    return Error{place(name, refusal.mark), refusal.what, refusal.remedy};
  } catch (const YAML::Exception& fault) {
    if (auto value = read_as_json(text)) return std::vector<Value>{std::move(*value)};
    const std::string where = fault.mark.is_null() ? name : place(name, our(fault.mark));
    const bool tab = text.find("\n\t") != std::string_view::npos;
    return Error{where, "this is not YAML: " + fault.msg,
                 tab ? "a line begins with a tab; YAML is indented by spaces"
                     : "check the indentation and the quotes around here"};
  }
}

}  // namespace

Result<Value> read_yaml(std::string_view text, const std::string& name) {
  Result<std::vector<Value>> documents = read_documents(text, name, false);
  if (!documents) return documents.error();
  return std::move(documents->front());
}

Result<std::vector<Value>> read_yaml_documents(std::string_view text, const std::string& name) {
  return read_documents(text, name, true);
}

Result<Value> read_yaml_file(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return read_yaml(*text, path);
}

}  // namespace harness::json
