// SPDX-License-Identifier: Apache-2.0
// Each feature is a function from a question about a document to a result, and a row of kFeatures.
#include "harness/reference/lsp_language.h"

#include <algorithm>

#include "harness/base/embed.h"
#include "harness/json/read.h"
#include "harness/reference/inject.h"

RPCSPEC_EMBEDDED(lsp_capabilities);

namespace harness::reference {

using json::Value;

// A question, with what every feature needs of it.
struct LspFeatures {
  LspLanguage& server;
  Session& session;
  const Value& params;
  std::string uri;
  LspDocument& document;
  const LspText& text;
  LspPlace place;

  bool has(FaultName fault) const { return server.faults_.has(fault); }
  const LspWord* word() const {
    const LspWord* found = text.word_at(place);
    return found != nullptr && !found->keyword() ? found : nullptr;
  }
  bool client(std::string_view pointer) const {
    const Value* found = json::at(session.client_capabilities, pointer);
    return found != nullptr && !(found->is_boolean() && !found->boolean);
  }
  Value location(const LspWord& word) const {
    return json::object({{"uri", json::string(uri)}, {"range", word.range()}});
  }
  std::string name(const char* kind) { return kind + std::to_string(++server.issued_); }
  // Markdown where the client prefers it.
  Value markup(std::string_view formats, const std::string& value) const {
    const Value* first = json::at(session.client_capabilities, std::string(formats) + "/0");
    const bool plain = first != nullptr && first->text == "plaintext";
    const char* kind = plain && !has("lsp-markdown-for-all") ? "plaintext" : "markdown";
    return json::object({{"kind", json::string(kind)}, {"value", json::string(value)}});
  }

  // ---- at a place

  Value hover() {
    const LspWord* at = word();
    if (at == nullptr) return json::null();
    return json::object({{"contents", markup("/textDocument/hover/contentFormat", at->text)},
                         {"range", at->range()}});
  }

  Value declaration() {
    const LspWord* at = word();
    const LspWord* found = at == nullptr ? nullptr : text.declared(at->text);
    if (found == nullptr) return json::null();
    if (!client("/textDocument/definition/linkSupport") && !has("lsp-links-for-all"))
      return json::array({location(*found)});
    return json::array({json::object({{"originSelectionRange", at->range()},
                                      {"targetUri", json::string(uri)},
                                      {"targetRange", found->whole()},
                                      {"targetSelectionRange", found->range()}})});
  }

  Value references() {
    const LspWord* at = word();
    if (at == nullptr) return json::null();
    const Value* all = json::at(params, "/context/includeDeclaration");
    Value out = json::array();
    for (const LspWord* one : text.all(at->text))
      if (!one->declares || (all != nullptr && all->boolean)) out.items.push_back(location(*one));
    return out;
  }

  Value highlights() {
    const LspWord* at = word();
    if (at == nullptr) return json::null();
    Value out = json::array();
    for (const LspWord* one : text.all(at->text))
      out.items.push_back(json::object({{"range", one->range()}, {"kind", json::number(1)}}));
    return out;
  }

  Value linked() {
    const LspWord* at = word();
    if (at == nullptr) return json::null();
    Value ranges = json::array();
    for (const LspWord* one : text.all(at->text)) ranges.items.push_back(one->range());
    return json::object({{"ranges", std::move(ranges)}, {"wordPattern", json::string("\\w+")}});
  }

  Value moniker() {
    const LspWord* at = word();
    if (at == nullptr) return json::null();
    return json::array({json::object({{"scheme", json::string("reference")},
                                      {"identifier", json::string(at->text)},
                                      {"unique", json::string("document")},
                                      {"kind", json::string("local")}})});
  }

  // The call that the place is in: a name, then a parenthesis that is not closed before the place.
  const LspWord* call_around() const {
    const LspWord* out = nullptr;
    for (const LspWord& one : text.words())
      if (one.function && one.line == place.line && one.end < place.character) out = &one;
    if (out == nullptr) return nullptr;
    const std::u16string& line = text.lines()[static_cast<std::size_t>(place.line)];
    const std::size_t closed = line.find(u')', static_cast<std::size_t>(out->end));
    return closed >= static_cast<std::size_t>(place.character) ? text.declared(out->text) : nullptr;
  }

  Value signature() {
    const LspWord* called = call_around();
    if (called == nullptr) return json::null();
    Value one = json::object({{"label", json::string(called->text + "(int number)")}});
    one.set("parameters", json::array({json::object({{"label", json::string("int number")}})}));
    return json::object({{"signatures", json::array({one})},
                         {"activeSignature", json::number(0)},
                         {"activeParameter", json::number(0)}});
  }

  // ---- completion

  Value completion() {
    const LspWord* at = text.word_at(place);
    const LspPlace end = text.within(place);
    const LspPlace start = at != nullptr ? LspPlace{at->line, at->start} : end;
    Value items = json::array();
    for (const LspWord& one : text.words()) {
      if (!one.declares) continue;
      Value item = json::object({{"label", json::string(one.text)},
                                 {"kind", json::number(one.function ? 3 : 6)},
                                 {"sortText", json::string(one.text)},
                                 {"insertTextFormat", json::number(1)}});
      Value edit = json::object({{"newText", json::string(one.text)}});
      if (client("/textDocument/completion/completionItem/insertReplaceSupport")) {
        edit.set("insert", lsp_range(start, end));
        edit.set("replace", lsp_range(start, at != nullptr ? LspPlace{at->line, at->end} : end));
      } else {
        edit.set("range", lsp_range(start, end));
      }
      item.set("textEdit", std::move(edit));
      item.set("commitCharacters", json::array({json::string(";")}));
      items.items.push_back(std::move(item));
    }
    return json::object({{"isIncomplete", json::boolean(false)}, {"items", std::move(items)}});
  }

  // ---- the whole document

  Value symbol(const LspWord& word) const {
    Value children = json::array();
    for (const LspWord& one : text.words())
      if (one.declares && one.last_line < 0 && text.function_around(one) == &word)
        children.items.push_back(symbol(one));
    return json::object({{"name", json::string(word.text)},
                         {"kind", json::number(word.function ? 12 : 13)},
                         {"range", word.whole()},
                         {"selectionRange", word.range()},
                         {"children", std::move(children)}});
  }

  Value symbols() {
    Value out = json::array();
    const bool nested = client("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
    for (const LspWord& one : text.words()) {
      if (!one.declares) continue;
      if (!nested)
        out.items.push_back(json::object({{"name", json::string(one.text)},
                                          {"kind", json::number(one.function ? 12 : 13)},
                                          {"location", location(one)}}));
      else if (one.last_line >= 0 || text.function_around(one) == nullptr)
        out.items.push_back(symbol(one));
    }
    return out;
  }

  Value folding() {
    Value out = json::array();
    for (const LspWord& one : text.words())
      if (one.last_line > one.line)
        out.items.push_back(json::object({{"startLine", json::number(one.line)},
                                          {"endLine", json::number(one.last_line - 1)},
                                          {"kind", json::string("region")}}));
    return out;
  }

  Value selections() {
    Value out = json::array();
    const Value* positions = params.find("positions");
    for (const Value& one : positions ? positions->items : std::vector<Value>()) {
      const LspPlace at = text.within(lsp_place(&one));
      Value range = json::object({{"range", lsp_range({0, 0}, text.end())}});
      if (const LspWord* word = text.word_at(at))
        range = json::object({{"range", word->range()}, {"parent", std::move(range)}});
      out.items.push_back(std::move(range));
    }
    return out;
  }

  Value links() {
    const LspText::Found found = text.find("https://", "abcdefghijklmnopqrstuvwxyz0123456789./-");
    if (found.length == 0) return json::array();
    return json::array(
        {json::object({{"range", lsp_range(found.start, {found.start.line,
                                                         found.start.character + found.length})},
                       {"target", json::string(found.text)}})});
  }

  Value colors() {
    const LspText::Found found = text.find("#", "0123456789abcdef");
    if (found.length != 7) return json::array();
    return json::array(
        {json::object({{"range", lsp_range(found.start, {found.start.line,
                                                         found.start.character + found.length})},
                       {"color", json::parse(R"({"red":1,"green":0.5,"blue":0,"alpha":1})")}})});
  }

  Value presentations() { return json::parse(R"([{"label":"#ff8000"}])"); }

  // ---- hierarchies

  Value item(const LspWord& word) const {
    return json::object({{"name", json::string(word.text)},
                         {"kind", json::number(12)},
                         {"uri", json::string(uri)},
                         {"range", word.whole()},
                         {"selectionRange", word.range()}});
  }

  Value prepared() {
    const LspWord* at = word();
    const LspWord* found = at == nullptr ? nullptr : text.declared(at->text);
    if (found == nullptr || found->last_line < 0) return json::null();
    return json::array({item(*found)});
  }

  // Calls of the item's function (incoming), or inside of it.
  Value calls(bool incoming) const {
    const Value* name = json::at(params, "/item/name");
    const LspWord* found = name ? text.declared(name->text) : nullptr;
    Value out = json::array();
    if (found == nullptr) return out;
    for (const LspWord& one : text.words()) {
      const LspWord* caller = text.function_around(one);
      const LspWord* callee = one.declares ? nullptr : text.declared(one.text);
      if (caller == nullptr || callee == nullptr || !one.function) continue;
      if ((incoming ? callee : caller) != found) continue;
      out.items.push_back(
          json::object({{incoming ? "from" : "to", item(incoming ? *caller : *callee)},
                        {"fromRanges", json::array({one.range()})}}));
    }
    return out;
  }
  Value incoming() { return calls(true); }
  Value outgoing() { return calls(false); }
  Value no_types() { return json::array(); }

  // ---- semantic tokens

  Value tokens(LspPlace from, LspPlace to) const {
    Value data = json::array();
    std::int64_t line = 0, start = 0;
    for (const LspWord& one : text.words()) {
      if (LspPlace{one.line, one.end} < from || LspPlace{one.line, one.start} > to) continue;
      const std::int64_t type = one.keyword() ? 0 : one.function ? 1 : 2;
      for (const std::int64_t number :
           {one.line - line, one.line == line ? one.start - start : one.start, one.end - one.start,
            type, std::int64_t{one.declares}})
        data.items.push_back(json::number(number));
      line = one.line;
      start = one.start;
    }
    return data;
  }

  Value tokens_full() {
    document.tokens = tokens({0, 0}, text.end());
    document.tokens_name = name("t");
    return json::object(
        {{"resultId", json::string(document.tokens_name)}, {"data", document.tokens}});
  }

  Value tokens_range() {
    const LspPlace from = lsp_place(json::at(params, "/range/start"));
    const LspPlace to = lsp_place(json::at(params, "/range/end"));
    return json::object({{"data", tokens(from, to)}});
  }

  Value tokens_delta() {
    const Value* before = params.find("previousResultId");
    const bool known = before != nullptr && before->text == document.tokens_name;
    if (!known && !has("lsp-delta-of-anything")) return tokens_full();
    const Value old = document.tokens;
    Value now = tokens_full();
    const Value& data = document.tokens;
    std::size_t same = 0;
    while (same < old.items.size() && same < data.items.size() &&
           json::equal(old.items[same], data.items[same]))
      ++same;
    Value rest = json::array();
    rest.items.assign(data.items.begin() + static_cast<std::ptrdiff_t>(same), data.items.end());
    const auto count = static_cast<std::int64_t>(old.items.size() - same);
    Value edit = json::object({{"start", json::number(static_cast<std::int64_t>(same))},
                               {"deleteCount", json::number(count)},
                               {"data", std::move(rest)}});
    const bool changed = count > 0 || !edit.find("data")->items.empty();
    now = json::object({{"resultId", *now.find("resultId")}, {"edits", json::array()}});
    if (changed) now.find("edits")->items.push_back(std::move(edit));
    return now;
  }

  // ---- hints

  Value hints() {
    const LspPlace from = lsp_place(json::at(params, "/range/start"));
    const LspPlace to = lsp_place(json::at(params, "/range/end"));
    Value out = json::array();
    for (const LspWord& one : text.words()) {
      const LspPlace at = {one.line, one.end + 1};
      const bool call = one.function && !one.declares && text.declared(one.text) != nullptr;
      if (!call || ((at < from || at > to) && !has("lsp-hints-everywhere"))) continue;
      out.items.push_back(json::object({{"position", lsp_position(at)},
                                        {"label", json::string("number:")},
                                        {"kind", json::number(2)}}));
    }
    return out;
  }

  Value inline_values() {
    Value out = json::array();
    for (const LspWord& one : text.words())
      if (one.declares && !one.function)
        out.items.push_back(json::object({{"range", one.range()},
                                          {"variableName", json::string(one.text)},
                                          {"caseSensitiveLookup", json::boolean(true)}}));
    return out;
  }

  Value inline_completion() {
    Value items = json::array();
    for (const LspWord& one : text.words())
      if (one.declares)
        items.items.push_back(json::object({{"insertText", json::string(one.text)}}));
    return json::object({{"items", std::move(items)}});
  }

  // ---- edits

  // Blanks at the ends of lines go.
  Value trimmed(LspPlace from, LspPlace to) const {
    Value out = json::array();
    const auto& lines = text.lines();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto line = static_cast<std::int64_t>(i);
      const std::size_t kept = lines[i].find_last_not_of(u" \t") + 1;
      if (kept == lines[i].size() || line < from.line || line > to.line) continue;
      out.items.push_back(
          json::object({{"range", lsp_range({line, static_cast<std::int64_t>(kept)},
                                            {line, static_cast<std::int64_t>(lines[i].size())})},
                        {"newText", json::string("")}}));
    }
    return out;
  }
  Value formatted() { return trimmed({0, 0}, text.end()); }
  Value formatted_range() {
    if (has("lsp-range-formats-all")) return formatted();
    return trimmed(lsp_place(json::at(params, "/range/start")),
                   lsp_place(json::at(params, "/range/end")));
  }
  Value formatted_line() { return trimmed(place, place); }

  // The edit of one document, as the client takes it.
  Value workspace_edit(Value edits) const {
    const bool versioned = client("/workspace/workspaceEdit/documentChanges");
    if (!versioned && !has("lsp-document-changes-for-all"))
      return json::object({{"changes", json::object({{uri, std::move(edits)}})}});
    Value version = has("lsp-edits-of-version-0") ? json::number(0) : document.version;
    Value whose = json::object({{"uri", json::string(uri)}, {"version", std::move(version)}});
    return json::object(
        {{"documentChanges", json::array({json::object({{"textDocument", std::move(whose)},
                                                        {"edits", std::move(edits)}})})}});
  }

  Outcome renamed() {
    const LspWord* at = word();
    const Value* to = params.find("newName");
    if (at == nullptr && has("lsp-keywords-renamed")) at = text.word_at(place);
    if (at == nullptr) return json::null();
    const bool good = to != nullptr && LspText(to->text).words().size() == 1 &&
                      LspText(to->text).words()[0].text == to->text;
    if (!good && !has("lsp-any-name-taken")) return RpcError{-32803, "Not a name"};
    Value edits = json::array();
    for (const LspWord* one : text.all(at->text))
      edits.items.push_back(json::object({{"range", one->range()}, {"newText", *to}}));
    return workspace_edit(std::move(edits));
  }

  Value rename_prepared() {
    const LspWord* at = word();
    if (at == nullptr) return json::null();
    return json::object({{"range", at->range()}, {"placeholder", json::string(at->text)}});
  }

  // ---- diagnostics and what to do about them

  Value diagnostics() const {
    Value out = json::array();
    for (const LspWord& one : text.words())
      if (one.text.starts_with("no_such"))
        out.items.push_back(json::object({{"range", one.range()},
                                          {"severity", json::number(1)},
                                          {"code", json::string("undeclared")},
                                          {"source", json::string("reference")},
                                          {"message", json::string("is not declared")}}));
    return out;
  }

  Value pulled() {
    Value items = diagnostics();
    if (has("lsp-pull-differs") && server.reports_.size() % 2 == 1) items = json::array();
    const Value* before = params.find("previousResultId");
    const auto known = server.reports_.find(before != nullptr ? before->text : "");
    if (has("lsp-unchanged-unearned") ||
        (known != server.reports_.end() && json::equal(known->second, items)))
      return json::object({{"kind", json::string("unchanged")},
                           {"resultId", json::string(before ? before->text : "d0")}});
    const std::string id = name("d");
    server.reports_[id] = items;
    return json::object({{"kind", json::string("full")},
                         {"resultId", json::string(id)},
                         {"items", std::move(items)}});
  }

  Value actions() {
    const Value command = json::parse(R"({"title":"Count the words","command":"reference.count"})");
    const bool literals = client("/textDocument/codeAction/codeActionLiteralSupport");
    if (!literals && !has("lsp-literals-for-all")) return json::array({command});
    Value out = json::array({json::object({{"title", json::string("Count the words")},
                                           {"kind", json::string("source.count")},
                                           {"command", command}})});
    const Value wrong = diagnostics();
    for (const Value& one : wrong.items) {
      Value edit = json::object({{"range", *one.find("range")}, {"newText", json::string("0")}});
      out.items.push_back(json::object({{"title", json::string("Write 0")},
                                        {"kind", json::string("quickfix")},
                                        {"diagnostics", json::array({one})},
                                        {"edit", workspace_edit(json::array({edit}))}}));
    }
    return out;
  }

  Value lenses() {
    Value out = json::array();
    for (const LspWord& one : text.words())
      if (one.last_line >= 0) out.items.push_back(json::object({{"range", one.range()}}));
    return out;
  }
};

namespace {

constexpr struct {
  std::string_view method;
  Value (LspFeatures::*answer)();
} kFeatures[] = {
    {"textDocument/hover", &LspFeatures::hover},
    {"textDocument/declaration", &LspFeatures::declaration},
    {"textDocument/definition", &LspFeatures::declaration},
    {"textDocument/typeDefinition", &LspFeatures::declaration},
    {"textDocument/implementation", &LspFeatures::declaration},
    {"textDocument/references", &LspFeatures::references},
    {"textDocument/documentHighlight", &LspFeatures::highlights},
    {"textDocument/linkedEditingRange", &LspFeatures::linked},
    {"textDocument/moniker", &LspFeatures::moniker},
    {"textDocument/signatureHelp", &LspFeatures::signature},
    {"textDocument/completion", &LspFeatures::completion},
    {"textDocument/documentSymbol", &LspFeatures::symbols},
    {"textDocument/foldingRange", &LspFeatures::folding},
    {"textDocument/selectionRange", &LspFeatures::selections},
    {"textDocument/documentLink", &LspFeatures::links},
    {"textDocument/documentColor", &LspFeatures::colors},
    {"textDocument/colorPresentation", &LspFeatures::presentations},
    {"textDocument/prepareCallHierarchy", &LspFeatures::prepared},
    {"callHierarchy/incomingCalls", &LspFeatures::incoming},
    {"callHierarchy/outgoingCalls", &LspFeatures::outgoing},
    {"textDocument/prepareTypeHierarchy", &LspFeatures::prepared},
    {"typeHierarchy/supertypes", &LspFeatures::no_types},
    {"typeHierarchy/subtypes", &LspFeatures::no_types},
    {"textDocument/semanticTokens/full", &LspFeatures::tokens_full},
    {"textDocument/semanticTokens/full/delta", &LspFeatures::tokens_delta},
    {"textDocument/semanticTokens/range", &LspFeatures::tokens_range},
    {"textDocument/inlayHint", &LspFeatures::hints},
    {"textDocument/inlineValue", &LspFeatures::inline_values},
    {"textDocument/inlineCompletion", &LspFeatures::inline_completion},
    {"textDocument/formatting", &LspFeatures::formatted},
    {"textDocument/rangeFormatting", &LspFeatures::formatted_range},
    {"textDocument/onTypeFormatting", &LspFeatures::formatted_line},
    {"textDocument/willSaveWaitUntil", &LspFeatures::formatted},
    {"textDocument/prepareRename", &LspFeatures::rename_prepared},
    {"textDocument/diagnostic", &LspFeatures::pulled},
    {"textDocument/codeAction", &LspFeatures::actions},
    {"textDocument/codeLens", &LspFeatures::lenses},
};

// Of what was given out without it.
constexpr struct {
  std::string_view method, member, value;
} kResolved[] = {
    {"completionItem/resolve", "documentation", R"("It is declared in this text.")"},
    {"codeLens/resolve", "command", R"({"title":"1 reference","command":"reference.count"})"},
    {"documentLink/resolve", "tooltip", R"("Open it")"},
    {"inlayHint/resolve", "tooltip", R"("The name of the parameter")"},
    {"codeAction/resolve", "kind", R"("source.count")"},
};

}  // namespace

Value LspLanguage::capabilities() { return json::parse(lsp_capabilities()); }

void LspLanguage::publish(Session& session, const std::string& uri,
                          const LspDocument* document) const {
  if (json::at(session.client_capabilities, "/textDocument/diagnostic")) return;
  Value params = json::object({{"uri", json::string(uri)}, {"diagnostics", json::array()}});
  if (document != nullptr) {
    LspDocument copy = *document;
    LspLanguage none(faults_);
    const Value nothing = json::object();
    LspFeatures features{none, session, nothing, uri, copy, copy.text, {}};
    params.set("version", document->version);
    params.set("diagnostics", features.diagnostics());
  }
  session.notify("textDocument/publishDiagnostics", std::move(params), nullptr);
}

std::optional<Outcome> LspLanguage::answer(Session& session, const Call& call) {
  const Value& params = call.params;
  if (after_cancel) return json::array();
  for (const auto& row : kResolved) {
    if (row.method != call.method) continue;
    Value item = params;
    item.set(row.member, json::parse(row.value));
    return item;
  }
  if (call.method == "workspace/executeCommand") {
    const Value* command = params.find("command");
    if (command != nullptr && faults_.has("lsp-any-command-executed")) return json::object();
    if (command == nullptr || command->text != "reference.count")
      return RpcError{kInvalidParams, "Invalid params: no such command"};
    return json::number(static_cast<std::int64_t>(documents_.size()));
  }
  if (call.method == "workspace/diagnostic") {
    Value items = json::array();
    for (auto& [uri, document] : documents_) {
      LspFeatures features{*this, session, params, uri, document, document.text, {}};
      items.items.push_back(json::object({{"kind", json::string("full")},
                                          {"uri", json::string(uri)},
                                          {"version", document.version},
                                          {"items", features.diagnostics()}}));
    }
    return json::object({{"items", std::move(items)}});
  }
  const auto* row =
      std::ranges::find(kFeatures, call.method, [](const auto& one) { return one.method; });
  if (row == std::end(kFeatures) && call.method != "textDocument/rename") return std::nullopt;
  std::string uri;
  LspDocument* document = open(params, uri);
  if (!params.find("textDocument") && !params.find("item"))
    return bad_params("a document was expected");
  const Value* named = json::at(params, "/textDocument");
  if (named != nullptr && !named->is_object()) return bad_params("a document was expected");
  if (document == nullptr)
    return row != std::end(kFeatures) && row->method == "textDocument/diagnostic"
               ? Outcome(bad_params("no such document"))
               : Outcome(json::null());
  if (auto instead = odd(session, call, *document)) return std::move(*instead);
  if (call.method == "textDocument/documentSymbol" && faults_.has("lsp-modified-for-ever") &&
      document->version.text != "1")
    return RpcError{-32801, "Content modified"};
  const bool stale = document->stale && faults_.has("lsp-symbols-stale");
  const LspText before = stale ? *document->stale : document->opened;
  document->stale.reset();
  const bool old =
      stale || (call.method == "textDocument/diagnostic" && faults_.has("lsp-pull-stale"));
  LspPlace place = lsp_place(params.find("position"));
  if (faults_.has("lsp-counts-code-points-in")) place = document->text.from_code_points(place);
  LspFeatures features{*this, session, params, uri, *document, old ? before : document->text,
                       place};
  if (row == std::end(kFeatures)) return features.renamed();
  return (features.*row->answer)();
}

}  // namespace harness::reference
