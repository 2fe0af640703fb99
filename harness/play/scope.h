// SPDX-License-Identifier: Apache-2.0
// Scope: what ${references} of one row mean: its columns and captures, fresh ids, the canary, what
// session and target said.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/session/session.h"
#include "harness/suite/references.h"

namespace harness::run {

class RowScope final : public suite::Scope {
 public:
  RowScope(session::Session& session, const json::Value& affordances)
      : session_(&session), affordances_(&affordances) {}

  std::optional<json::Value> find(const std::vector<std::string>& path) const override;
  bool written_in_case(const std::string& root) const override { return columns_.contains(root); }

  // A column of the table: it may hold references and matchers.
  void set_column(const std::string& name, json::Value value) {
    columns_.insert(name);
    names_[name] = std::move(value);
  }
  // Anything seen or discovered: it counts as data, whatever it looks like.
  void set(const std::string& name, json::Value value) {
    columns_.erase(name);
    names_[name] = std::move(value);
  }
  void forget(const std::string& name) { names_.erase(name); }
  void use(session::Session& session) { session_ = &session; }  // after a reconnect
  void leave(const session::Session& session) { previous_endpoint_ = session.endpoint(); }
  void next_step() { step_id_.reset(); }  // ${id} is fresh again

 private:
  session::Session* session_;
  const json::Value* affordances_;
  std::string previous_endpoint_;
  std::map<std::string, json::Value> names_;
  std::set<std::string> columns_;
  mutable std::optional<json::Value> step_id_;
  mutable std::map<std::string, json::Value> named_ids_;
};

}  // namespace harness::run
