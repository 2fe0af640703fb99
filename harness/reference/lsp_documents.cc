// SPDX-License-Identifier: Apache-2.0
// The documents that a client opens, changes and closes; what Faults make of changes, and how they
// answer about odd places.
#include <algorithm>

#include "harness/reference/inject.h"
#include "harness/reference/lsp_language.h"

namespace harness::reference {

using json::Value;

LspDocument* LspLanguage::open(const Value& params, std::string& uri) {
  const Value* named = json::at(params, "/textDocument/uri");
  if (named == nullptr) named = json::at(params, "/item/uri");
  if (named != nullptr) uri = named->text;
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

void LspLanguage::hear(Session& session, const std::string& method, const Value& params) {
  const Value* named = json::at(params, "/textDocument/uri");
  if (named == nullptr || !named->is_string()) return;
  const std::string uri = named->text;
  if (method == "textDocument/didOpen") {
    const Value* text = json::at(params, "/textDocument/text");
    const Value* version = json::at(params, "/textDocument/version");
    if (text == nullptr || version == nullptr) return;
    const Value* language = json::at(params, "/textDocument/languageId");
    if ((faults_.has("lsp-other-scheme-kills") && !uri.starts_with("file:")) ||
        (faults_.has("lsp-other-language-kills") && language && language->text == "x-none"))
      session.exit_status = 1;
    LspDocument document;
    std::string told = text->text;
    if (faults_.has("lsp-carriage-return-ends-line")) std::ranges::replace(told, '\r', '\n');
    document.text = LspText(told, faults_.has("lsp-counts-code-points-out"));
    if (faults_.has("lsp-reopened-stale") && closed_.contains(uri)) document.text = closed_[uri];
    document.opened = document.text;
    document.version = *version;
    documents_[uri] = std::move(document);
    return publish(session, uri, &documents_[uri]);
  }
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return;
  if (method == "textDocument/didClose") {
    closed_[uri] = found->second.text;
    documents_.erase(found);
    return publish(session, uri, nullptr);
  }
  if (method != "textDocument/didChange") return;
  LspDocument& document = found->second;
  const Value* changes = params.find("contentChanges");
  std::vector<Value> all = changes ? changes->items : std::vector<Value>();
  if (faults_.has("lsp-changes-reversed")) std::ranges::reverse(all);
  if (faults_.has("lsp-last-change-lost") && all.size() > 1) all.pop_back();
  if (const Value* version = json::at(params, "/textDocument/version")) {
    const auto before = json::as_integer(document.version).value_or(0);
    if (faults_.has("lsp-version-jump-ignored") && json::as_integer(*version) != before + 1) return;
    document.version = *version;
  }
  document.stale = document.text;
  for (const Value& one : all) {
    const Value change = changed(document.text, one);
    document.text.change(change);
    for (auto& [other, reached] : documents_)
      if (&reached != &document && faults_.has("lsp-change-reaches-all"))
        reached.text.change(change);
  }
  if (!faults_.has("lsp-diagnostics-once")) publish(session, uri, &document);
}

// What Faults make of a change.
Value LspLanguage::changed(const LspText& text, Value change) const {
  const Value* length = change.find("rangeLength");
  const LspPlace start = lsp_place(json::at(change, "/range/start"));
  if (change.find("range") == nullptr && faults_.has("lsp-whole-change-appended"))
    change.set("range", lsp_range(text.end(), text.end()));
  else if (length != nullptr && faults_.has("lsp-range-length-trusted"))
    change.set("range", lsp_range(start, {start.line, start.character +
                                                          json::as_integer(*length).value_or(0)}));
  else if (text.within(start) != start && faults_.has("lsp-beyond-line-spills"))
    change.set("range", lsp_range(text.end(), text.end()));
  return change;
}

// How Faults answer instead of a feature.
std::optional<Outcome> LspLanguage::odd(Session& session, const Call& call,
                                        const LspDocument& document) const {
  const Value* position = call.params.find("position");
  const LspText& text = document.text;
  if (text.end() == LspPlace{} && faults_.has("lsp-empty-text-internal"))
    return RpcError{kInternalError, "Internal error"};
  if (position == nullptr) return std::nullopt;
  const LspPlace place = lsp_place(position);
  const Value* line = position->find("line");
  if (line && line->text.starts_with('-') && faults_.has("lsp-negative-line-silent"))
    return Silent{};
  if ((place.line > text.end().line && faults_.has("lsp-line-beyond-text-kills")) ||
      (text.inside_pair(place) && faults_.has("lsp-inside-pair-kills")))
    session.exit_status = 1;
  if (text.within(place) != place && faults_.has("lsp-beyond-line-refused"))
    return bad_params("no such place");
  return std::nullopt;
}

}  // namespace harness::reference
