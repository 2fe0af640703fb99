// SPDX-License-Identifier: Apache-2.0
// What the reference language server does with documents: it holds those that are open, pushes
// their diagnostics, and answers the requests of every feature about them. See lsp_text.h for the
// language.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/reference/lsp_text.h"
#include "harness/reference/session.h"

namespace harness::reference {

struct LspDocument {
  LspText text;
  json::Value version;
  LspText opened;                // with which it was opened
  std::optional<LspText> stale;  // for a Fault: the text before the last change
  // The latest tokens that were returned, and their name.
  std::string tokens_name;
  json::Value tokens;
};

class LspLanguage {
 public:
  explicit LspLanguage(const Faults& faults) : faults_(faults) {}

  // What initialize declares about it.
  static json::Value capabilities();
  // didOpen, didChange, didClose; it ignores others.
  void hear(Session& session, const std::string& method, const json::Value& params);
  // Nothing: it does not have this method.
  std::optional<Outcome> answer(Session& session, const Call& call);

  bool after_cancel = false;  // for a Fault: lists are empty

 private:
  friend struct LspFeatures;
  json::Value changed(const LspText& text, json::Value change) const;
  std::optional<Outcome> odd(Session& session, const Call& call, const LspDocument& document) const;
  void publish(Session& session, const std::string& uri, const LspDocument* document) const;
  LspDocument* open(const json::Value& params, std::string& uri);

  const Faults& faults_;
  std::map<std::string, LspDocument> documents_;  // by URI
  std::map<std::string, LspText> closed_;         // for a Fault
  std::map<std::string, json::Value> reports_;    // of diagnostics, by the name that was returned
                                                  // with them
  int issued_ = 0;                                // of such names
};

}  // namespace harness::reference
