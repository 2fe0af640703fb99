// SPDX-License-Identifier: Apache-2.0
// Where the answers of language servers point to in the texts that we told them: ranges, edits,
// tokens; and whether those of one answer agree with each other.
//
// An answer is looked at with the text that was told last when it was asked for. Where another one
// was told before the answer came, nothing is known of the place it is about.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/oracle/families.h"
#include "harness/oracle/semantic_tokens.h"
#include "harness/oracle/text_places.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

using json::Value;

constexpr std::size_t kMostItems = 250;  // of a completion
constexpr int kMostParents = 1000;

// A question about a document.
struct Question {
  const Item* item = nullptr;
  std::string uri;
  std::shared_ptr<const PlacedText> text;  // null: not known
  bool moved = false;                      // a document was opened, changed or closed since
};

const Value* member(const Value& owner, std::string_view name) {
  return owner.is_object() ? owner.find(name) : nullptr;
}

// The elements of a list; none of what is no list.
const std::vector<Value>& items_of(const Value* list) {
  static const std::vector<Value> kNone;
  return list != nullptr && list->is_array() ? list->items : kNone;
}

bool is_true(const Value* value) {
  return value != nullptr && (value->is_object() || (value->is_boolean() && value->boolean));
}

std::string blanks_gone(std::string text) {
  std::erase_if(text, [](unsigned char c) { return c <= ' '; });
  return text;
}

class PlaceJudge {
 public:
  PlaceJudge(const Evidence& evidence, Sink& sink) : evidence_(evidence), sink_(sink) {
    learn(evidence.server_capabilities);
  }

  void judge() {
    for (const Item& item : evidence_.items) {
      if (item.value == nullptr || !item.value->is_object()) continue;
      if (item.sent)
        sent(item);
      else if (is_reply(item))
        reply(item);
      else if (method_of(item) == "textDocument/publishDiagnostics")
        pushed(item);
    }
  }

 private:
  void learn(const Value& capabilities) {
    server_ = &capabilities;
    texts_.use(unit_named(member(capabilities, "positionEncoding")));
  }

  const Value* param(const Item& item, std::string_view pointer) const {
    return json::at(*item.value, "/params/" + std::string(pointer));
  }

  void sent(const Item& item) {
    const std::string_view method = method_of(item);
    if (item.kind == wire::MessageKind::kNotification) {
      if (!method.starts_with("textDocument/did")) return;
      if (const Value* params = item.member("params")) texts_.told(method, *params);
      for (auto& [asked, question] : questions_) question.moved = true;
      if (const Value* version = param(item, "textDocument/version"))
        if (const Value* uri = param(item, "textDocument/uri"); uri && uri->is_string())
          versions_[uri->text].insert(json::as_integer(*version).value_or(-1));
      return;
    }
    if (item.kind != wire::MessageKind::kRequest || !is_proper(evidence_, item)) return;
    Question question{&item, "", nullptr};
    for (const char* place : {"textDocument/uri", "item/uri"})
      if (const Value* uri = param(item, place); uri && uri->is_string()) question.uri = uri->text;
    question.text = text_of(question.uri);
    questions_[&item] = std::move(question);
  }

  std::shared_ptr<const PlacedText> text_of(const std::string& uri) const {
    const ToldDocument* told = texts_.find(uri);
    return told != nullptr ? told->text : nullptr;
  }

  void reply(const Item& item) {
    const Item* request = request_of(sent_requests(evidence_), item);
    const auto asked = questions_.find(request);
    const Value* result = item.member("result");
    if (request == nullptr || asked == questions_.end() || result == nullptr) return;
    Question question = std::move(asked->second);
    questions_.erase(asked);
    item_ = &item;
    asked_ = &question;
    if (method_of(*request) == "initialize") {
      if (const Value* capabilities = json::at(*result, "/capabilities")) learn(*capabilities);
      return;
    }
    if (question.moved) return;
    walk(*result, question.uri);
    for (const auto& [method, rule] : kRules)
      if (method == method_of(*request)) (this->*rule)(*result);
  }

  void pushed(const Item& item) {
    const Value* uri = param(item, "uri");
    const Value* number = param(item, "version");
    const ToldDocument* told = uri != nullptr ? texts_.find(uri->text) : nullptr;
    if (told == nullptr) return;
    item_ = &item;
    Question question{nullptr, uri->text, nullptr};
    asked_ = &question;
    const auto version = number != nullptr ? json::as_integer(*number) : std::nullopt;
    if (version) {
      if (!versions_[uri->text].contains(*version))
        breach("lsp.features.publish-version", "a version that the client gave the document");
      const auto known = told->by_version.find(*version);
      if (known != told->by_version.end()) question.text = known->second;
      const auto [last, first] = pushed_.try_emplace(uri->text, *version);
      if (!first && *version < last->second && told->by_version.contains(last->second))
        breach("lsp.features.publish-version", "no version older than the last one", "back");
      last->second = *version;
    } else if (told->by_version.size() == 1 && versions_[uri->text].size() == 1) {
      question.text = told->text;
    }
    if (const Value* list = param(item, "diagnostics")) walk(*list, uri->text);
  }

  // ---- ranges, wherever they stand

  void range(const Value& value, const std::string& uri, bool edit) {
    const auto span = span_of(&value);
    if (!span) return;
    if (span->end < span->start)
      return breach("lsp.features.range-ordered", "a range that does not end before it starts");
    const auto text = uri == asked_->uri ? asked_->text : text_of(uri);
    if (text == nullptr) return;
    const std::string lines = " of " + std::to_string(text->lines()) + " lines, not from line " +
                              std::to_string(span->start.line) + " to " +
                              std::to_string(span->end.line);
    if (edit && !text->has_line(span->start))
      breach("lsp.features.edits-in-document", "an edit in the text" + lines);
    if (!edit && (!text->has_line(span->start) || !text->has_line(span->end)))
      breach("lsp.features.range-in-document", "a range in the text" + lines);
  }

  void inside(const Value& owner, const char* part, const char* whole) {
    const auto inner = span_of(member(owner, part)), outer = span_of(member(owner, whole));
    if (inner && outer && !outer->holds(*inner))
      breach("lsp.features.selection-inside", std::string(part) + " within " + whole);
  }

  static const std::string& text_or(const Value* text, const std::string& other) {
    return text != nullptr && text->is_string() ? text->text : other;
  }

  void walk(const Value& value, const std::string& around) {
    if (value.is_array()) {
      for (const Value& one : value.items) walk(one, around);
      return;
    }
    if (!value.is_object()) return;
    const std::string& uri = text_or(value.find("uri"), around);
    const std::string& target = text_or(value.find("targetUri"), uri);
    const bool edit = value.find("newText") != nullptr || value.find("snippet") != nullptr;
    if (value.find("start") != nullptr) return range(value, around, false);
    inside(value, "selectionRange", "range");
    inside(value, "targetSelectionRange", "targetRange");
    for (const json::Member& one : value.members) {
      if (one.name == "data" || one.name == "command" || one.name == "arguments") continue;
      if (one.name == "range" || one.name == "insert" || one.name == "replace")
        range(one.value, uri, edit);
      else if (one.name == "fromRanges")
        calls(value, one.value);
      else if (one.name == "changes")
        changes(one.value);
      else if (one.name == "documentChanges")
        document_changes(one.value);
      else
        walk(one.value, one.name.starts_with("target") ? target : uri);
    }
  }

  void calls(const Value& call, const Value& ranges) {
    const Value* from = json::at(call, "/from/uri");
    const auto text = text_of(text_or(from, asked_->uri));
    for (const Value& one : ranges.items) {
      const auto span = span_of(&one);
      if (text && span && (!text->has_line(span->start) || !text->has_line(span->end)))
        breach("lsp.features.call-ranges-placed", "ranges in the document of the caller");
    }
  }

  // ---- edits

  void apart(const std::vector<Value>& edits, const char* clause) {
    std::vector<Span> spans;
    for (const Value& one : edits)
      if (const auto span = span_of(member(one, "range"))) spans.push_back(*span);
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span& a, const Span& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < spans.size(); ++i) {
      if (spans[i].start >= spans[i - 1].end) continue;
      return breach(clause, "edits that do not overlap");
    }
  }

  void changes(const Value& by_uri) {
    for (const json::Member& one : by_uri.members) {
      walk(one.value, one.name);
      apart(items_of(&one.value), "lsp.features.edits-apart");
    }
  }

  void document_changes(const Value& list) {
    for (const Value& one : list.items) {
      const Value* uri = json::at(one, "/textDocument/uri");
      const Value* edits = member(one, "edits");
      if (uri == nullptr || edits == nullptr) continue;
      walk(*edits, uri->text);
      apart(items_of(edits), "lsp.features.edits-apart");
      const Value* number = json::at(one, "/textDocument/version");
      const auto version = number != nullptr ? json::as_integer(*number) : std::nullopt;
      const ToldDocument* told = texts_.find(uri->text);
      if (version && (told == nullptr || told->version != version))
        breach("lsp.features.edits-of-known-versions", "the version that was sent last, or null");
    }
  }

  void edits(const Value& result) { apart(items_of(&result), "lsp.features.edits-apart"); }

  void edits_near(const Value& result) {
    edits(result);
    const auto asked = span_of(param(*asked_->item, "range"));
    for (const Value& one : items_of(&result)) {
      const auto span = span_of(member(one, "range"));
      if (asked && span &&
          (span->start.line > asked->end.line || span->end.line < asked->start.line))
        breach("lsp.features.range-formatting-near", "edits that touch the lines of the range");
    }
  }

  // ---- completion

  // The place that was asked about; nothing where it is none in the text.
  std::optional<Place> asked_place() const {
    const auto at = place_of(param(*asked_->item, "position"));
    return at && asked_->text && asked_->text->has(*at) ? at : std::nullopt;
  }

  void edit_place(const std::optional<Span>& span) {
    const auto at = asked_place();
    if (span && at && (span->start.line != span->end.line || !span->holds(*at)))
      breach("lsp.features.completion-edit-place",
             "an edit on one line that contains the requested position");
  }

  void edit_ranges(const Value& edit) {
    const auto insert = span_of(member(edit, "insert")), replace = span_of(member(edit, "replace"));
    edit_place(span_of(member(edit, "range")));
    edit_place(insert);
    edit_place(replace);
    if (insert && replace && (insert->start != replace->start || !replace->holds(*insert)))
      breach("lsp.features.completion-insert-prefix", "insert as the start of replace");
  }

  void completion(const Value& result) {
    const Value* defaults = json::at(result, "/itemDefaults/editRange");
    if (defaults != nullptr && defaults->is_object()) {
      if (defaults->find("start") != nullptr) edit_place(span_of(defaults));
      edit_ranges(*defaults);
    }
    std::size_t left = kMostItems;
    for (const Value& item : items_of(result.is_array() ? &result : member(result, "items"))) {
      if (left-- == 0) break;
      for (const Value& one : items_of(member(item, "commitCharacters")))
        if (one.is_string() && one.text.empty())
          breach("lsp.features.completion-commit-characters", "commit characters of one character");
      const Value* edit = member(item, "textEdit");
      if (edit != nullptr) edit_ranges(*edit);
      const auto& more = items_of(member(item, "additionalTextEdits"));
      apart(more, "lsp.features.completion-additional-apart");
      const auto main = span_of(edit != nullptr ? member(*edit, "range") : nullptr);
      for (const Value& one : more) {
        const auto span = span_of(member(one, "range"));
        if (main && span && (span->overlaps(*main) || *span == *main))
          breach("lsp.features.completion-additional-apart", "no edit that overlaps the main one");
      }
    }
  }

  // ---- other answers

  void symbols(const Value& result) {
    for (const Value& one : items_of(&result)) {
      const Value* name = member(one, "name");
      if (name != nullptr && name->is_string() && blanks_gone(name->text).empty())
        breach("lsp.features.symbol-names", "a name that is not blank");
      if (const Value* children = member(one, "children")) symbols(*children);
    }
  }

  void selections(const Value& result) {
    const auto& positions = items_of(param(*asked_->item, "positions"));
    if (!result.is_array()) return;
    if (result.items.size() != positions.size())
      return breach("lsp.features.selection-range-answers", "as many ranges as positions");
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Value* at = &result.items[i];
      const auto place = place_of(&positions[i]);
      auto span = span_of(member(*at, "range"));
      if (place && span && asked_->text && !span->holds(*place))
        breach("lsp.features.selection-range-answers", "a range that contains its position",
               "place");
      for (int depth = 0; span && depth < kMostParents; ++depth) {
        at = member(*at, "parent");
        const auto outer = span_of(at != nullptr ? member(*at, "range") : nullptr);
        if (outer && !outer->holds(*span))
          breach("lsp.features.selection-range-parents", "a parent that contains its part");
        span = outer;
      }
    }
  }

  void folding(const Value& result) {
    for (const Value& one : items_of(&result)) {
      const Value* first = member(one, "startLine");
      const Value* last = member(one, "endLine");
      const auto start = first != nullptr ? json::as_integer(*first) : std::nullopt;
      const auto end = last != nullptr ? json::as_integer(*last) : std::nullopt;
      if (start && end && (*end < *start || (asked_->text && *end > asked_->text->lines())))
        breach("lsp.features.folding-lines", "lines of the text, the last not before the first");
    }
  }

  void linked(const Value& result) {
    std::vector<Span> spans;
    for (const Value& one : items_of(member(result, "ranges")))
      if (const auto span = span_of(&one)) spans.push_back(*span);
    for (std::size_t i = 1; i < spans.size(); ++i) {
      const bool differs =
          asked_->text && asked_->text->between(spans[i]) != asked_->text->between(spans[0]);
      const bool overlaps = std::any_of(
          spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const Span& before) { return before == spans[i] || before.overlaps(spans[i]); });
      if (differs || overlaps)
        return breach("lsp.features.linked-ranges-alike", "separate ranges with the same text");
    }
  }

  void holds_position(const Value& result) {
    const auto at = asked_place();
    const Value* all = param(*asked_->item, "context/includeDeclaration");
    if (!at || items_of(&result).empty() || (all != nullptr && !is_true(all))) return;
    const bool held = std::ranges::any_of(result.items, [&](const Value& one) {
      const auto span = span_of(member(one, "range"));
      return !span || (span->start.line <= at->line && at->line <= span->end.line);
    });
    if (!held) breach("lsp.features.highlight-holds-position", "one of them on the requested line");
  }

  void rename_place(const Value& result) {
    const auto at = asked_place();
    auto span = span_of(&result);
    if (!span) span = span_of(member(result, "range"));
    if (at && span && !span->holds(*at))
      breach("lsp.features.prepare-rename-holds-position", "a range that contains the position");
  }

  void hints(const Value& result) {
    const auto asked = span_of(param(*asked_->item, "range"));
    if (!asked || !asked_->text) return;
    const auto [known, first] = hints_.try_emplace(asked_->uri, Hints{asked_->text, result});
    const bool whole = asked->start == Place{} && asked->end.line >= asked_->text->lines() - 1;
    if (whole) known->second = {asked_->text, result};
    const bool same =
        !first && *known->second.text == *asked_->text && json::equal(known->second.result, result);
    for (const Value& one : items_of(&result)) {
      const auto at = place_of(member(one, "position"));
      if (whole || !at || !same) continue;
      if (at->line < asked->start.line || at->line > asked->end.line)
        breach("lsp.features.inlay-in-range", "hints in the requested range");
    }
  }

  void signatures(const Value& result) {
    for (const Value& one : items_of(member(result, "signatures"))) {
      const Value* label = member(one, "label");
      for (const Value& parameter : items_of(member(one, "parameters"))) {
        const Value* part = member(parameter, "label");
        if (label == nullptr || !label->is_string() || part == nullptr) continue;
        bool wrong = part->is_string() && label->text.find(part->text) == std::string::npos;
        if (part->is_array() && part->items.size() == 2) {
          const auto from = json::as_integer(part->items[0]), to = json::as_integer(part->items[1]);
          wrong =
              from && to && (*to < *from || *to > static_cast<std::int64_t>(label->text.size()));
        }
        if (wrong) breach("lsp.features.signature-label-part", "a part of the signature's label");
      }
    }
  }

  void actions(const Value& result) {
    if (is_true(json::at(*server_, "/codeActionProvider/resolveProvider"))) return;
    for (const Value& one : items_of(&result))
      if (one.is_object() && !one.find("edit") && !one.find("command") && !one.find("disabled"))
        breach("lsp.features.code-action-does-something", "an edit or a command");
  }

  void lenses(const Value& result) { resolvable(result, "command", "codeLensProvider"); }
  void links(const Value& result) { resolvable(result, "target", "documentLinkProvider"); }
  void resolvable(const Value& result, const char* name, const std::string& provider) {
    if (is_true(json::at(*server_, "/" + provider + "/resolveProvider"))) return;
    for (const Value& one : items_of(&result))
      if (one.is_object() && !one.find(name))
        breach("lsp.features.lens-and-link-resolvable",
               std::string(name) + ", from a server that does not resolve it later");
  }

  // ---- semantic tokens

  void tokens(const Value& result) {
    const Value* data = member(result, "data");
    const auto numbers = token_numbers(data);
    if (!numbers) return;
    look_at_tokens(*numbers);
    Tokens& known = tokens_[asked_->uri];
    if (known.derived && known.text && asked_->text && *known.text == *asked_->text &&
        *known.derived != *numbers)
      breach("lsp.features.tokens-delta-true", "the result of the previous delta");
    known = {asked_->text, *numbers, std::nullopt, std::move(known.by_id)};
    note_tokens(known, result, *numbers);
  }

  struct Tokens {
    std::shared_ptr<const PlacedText> text;
    TokenNumbers full;                    // of the text
    std::optional<TokenNumbers> derived;  // by a delta
    std::map<std::string, TokenNumbers> by_id = {};
  };

  static void note_tokens(Tokens& known, const Value& result, const TokenNumbers& numbers) {
    const Value* id = member(result, "resultId");
    if (id != nullptr && id->is_string()) known.by_id[id->text] = numbers;
  }

  void tokens_delta(const Value& result) {
    const Value* edits = member(result, "edits");
    if (edits == nullptr || !edits->is_array()) return tokens(result);
    Tokens& known = tokens_[asked_->uri];
    const Value* id = param(*asked_->item, "previousResultId");
    const auto before = known.by_id.find(text_or(id, ""));
    if (before == known.by_id.end()) return;
    const auto after = edited_tokens(before->second, *edits);
    if (!after)
      return breach("lsp.features.tokens-delta-true", "edits of the tokens that were sent");
    look_at_tokens(*after);
    known.text = asked_->text;
    known.full = *after;
    known.derived = *after;
    note_tokens(known, result, *after);
  }

  void tokens_range(const Value& result) {
    const auto numbers = token_numbers(member(result, "data"));
    const auto asked = span_of(param(*asked_->item, "range"));
    if (!numbers || !asked) return;
    look_at_tokens(*numbers);
    const auto known = tokens_.find(asked_->uri);
    if (known == tokens_.end() || !known->second.text || !asked_->text ||
        !(*known->second.text == *asked_->text))
      return;
    const std::vector<SemanticToken> some = tokens_of(*numbers);
    for (const SemanticToken& one : tokens_of(known->second.full)) {
      const Span span{one.at, {one.at.line, one.at.character + one.length}};
      if (span.overlaps(*asked) && std::ranges::find(some, one) == some.end())
        return breach("lsp.features.tokens-range-complete",
                      "every token of the range, as in the full list");
    }
  }

  void look_at_tokens(const TokenNumbers& numbers) {
    if (numbers.size() % 5 != 0)
      return breach("lsp.features.tokens-fives", "five numbers for each token");
    const Value* types = json::at(*server_, "/semanticTokensProvider/legend/tokenTypes");
    const Value* modifiers = json::at(*server_, "/semanticTokensProvider/legend/tokenModifiers");
    const auto declared = [&](const char* name) {
      return is_true(json::at(evidence_.client_capabilities,
                              "/textDocument/semanticTokens/" + std::string(name)));
    };
    Span last;
    for (const SemanticToken& one : tokens_of(numbers)) {
      const bool known =
          types == nullptr || modifiers == nullptr ||
          (one.type < static_cast<std::int64_t>(types->items.size()) &&
           (modifiers->items.size() > 31 || one.modifiers >> modifiers->items.size() == 0));
      if (!known) breach("lsp.features.tokens-in-legend", "types and modifiers of the legend");
      const Span span{one.at, {one.at.line, one.at.character + one.length}};
      const PlacedText* text = asked_->text.get();
      const bool there = text == nullptr || one.at.line < text->lines();
      if (!there) breach("lsp.features.tokens-in-text", "tokens on lines of the text");
      const bool beyond = there && text != nullptr && !declared("multilineTokenSupport") &&
                          span.end.character > text->length(one.at.line);
      if (one.length <= 0 || beyond)
        breach("lsp.features.tokens-in-text", "tokens with a length, up to the ends of their lines",
               "length");
      if (span.start < last.end && !declared("overlappingTokenSupport"))
        breach("lsp.features.tokens-apart", "tokens that do not overlap");
      last = span;
    }
  }

  // The same of one method is told once.
  void breach(const char* clause, std::string expected, std::string flaw = "") {
    const std::string method(method_of(asked_->item != nullptr ? *asked_->item : *item_));
    if (!told_.insert(clause + method + flaw).second) return;
    std::vector<std::uint64_t> frames = {item_->seq};
    if (asked_->item != nullptr) frames.push_back(asked_->item->seq);
    report_best(evidence_, sink_, {clause},
                {method + ": " + std::move(expected), shown(item_->text), std::move(frames),
                 method + (flaw.empty() ? "" : " " + flaw)});
  }

  using Rule = void (PlaceJudge::*)(const Value&);
  static constexpr std::pair<std::string_view, Rule> kRules[] = {
      {"textDocument/completion", &PlaceJudge::completion},
      {"textDocument/signatureHelp", &PlaceJudge::signatures},
      {"textDocument/documentHighlight", &PlaceJudge::holds_position},
      {"textDocument/references", &PlaceJudge::holds_position},
      {"textDocument/documentSymbol", &PlaceJudge::symbols},
      {"textDocument/codeAction", &PlaceJudge::actions},
      {"textDocument/codeLens", &PlaceJudge::lenses},
      {"textDocument/documentLink", &PlaceJudge::links},
      {"textDocument/formatting", &PlaceJudge::edits},
      {"textDocument/rangeFormatting", &PlaceJudge::edits_near},
      {"textDocument/onTypeFormatting", &PlaceJudge::edits},
      {"textDocument/willSaveWaitUntil", &PlaceJudge::edits},
      {"textDocument/prepareRename", &PlaceJudge::rename_place},
      {"textDocument/foldingRange", &PlaceJudge::folding},
      {"textDocument/selectionRange", &PlaceJudge::selections},
      {"textDocument/linkedEditingRange", &PlaceJudge::linked},
      {"textDocument/inlayHint", &PlaceJudge::hints},
      {"textDocument/semanticTokens/full", &PlaceJudge::tokens},
      {"textDocument/semanticTokens/full/delta", &PlaceJudge::tokens_delta},
      {"textDocument/semanticTokens/range", &PlaceJudge::tokens_range},
  };

  struct Hints {
    std::shared_ptr<const PlacedText> text;
    Value result;
  };

  const Evidence& evidence_;
  Sink& sink_;
  const Value* server_ = nullptr;  // its capabilities
  ToldTexts texts_;
  std::map<const Item*, Question> questions_;
  std::map<std::string, std::set<std::int64_t>> versions_;  // that were ever told, by URI
  std::map<std::string, std::int64_t> pushed_;              // the last version
  std::map<std::string, Tokens> tokens_;
  std::map<std::string, Hints> hints_;
  std::set<std::string> told_;
  const Item* item_ = nullptr;       // that is looked at
  const Question* asked_ = nullptr;  // that it answers
};

}  // namespace

void judge_places(const Evidence& evidence, Sink& sink) {
  if (evidence.profile.lsp) PlaceJudge(evidence, sink).judge();
}

}  // namespace harness::oracle
