// SPDX-License-Identifier: Apache-2.0
#include "harness/play/scope.h"

#include <random>

#include "harness/base/random.h"
#include "harness/session/dialect.h"

namespace harness::run {
namespace {

// Canary params as something that can stand in a message: never null.
json::Value canary_params(const spec::Canary& canary) {
  return canary.params.is_null() ? json::object() : canary.params;
}

json::Value random_letters() {
  static std::mt19937_64 generator{random_number()};
  std::string letters;
  for (int i = 0; i < 16; ++i) letters += static_cast<char>('a' + generator() % 26);
  return json::string(letters);
}

}  // namespace

std::optional<json::Value> RowScope::find(const std::vector<std::string>& path) const {
  const std::string& root = path.front();
  if (const auto named = names_.find(root); named != names_.end())
    return suite::walk(named->second, path, 1);
  if (root == "id") {
    if (path.size() > 1) {
      auto [entry, fresh] = named_ids_.try_emplace(path[1]);
      if (fresh) entry->second = json::number(session_->next_id());
      return entry->second;
    }
    if (!step_id_) step_id_ = json::number(session_->next_id());
    return *step_id_;
  }
  if (root == "canary") {
    const spec::Canary& canary = session_->canary();
    if (path.size() == 2 && path[1] == "method") return json::string(canary.method);
    if (path.size() >= 2 && path[1] == "params") return suite::walk(canary_params(canary), path, 2);
    if (path.size() == 2 && path[1] == "request") {
      const json::Value id = json::number(session_->next_id());
      return session::message(&id, canary.method, canary_params(canary));
    }
    return std::nullopt;
  }
  if (root == "meta") return suite::walk(spec::required_meta(session_->profile()), path, 1);
  if (root == "profile" && path.size() == 2) {
    if (path[1] == "name") return json::string(session_->profile().name);
    if (path[1] == "revision") return json::string(session_->profile().revision);
    return std::nullopt;
  }
  if (root == "session") {
    if (path.size() > 1 && path[1] == "result") return suite::walk(session_->agreed(), path, 2);
    if (path.size() == 2 && path[1] == "id") return json::string(session_->http_session());
    if (path.size() == 2 && path[1] == "endpoint") return json::string(session_->endpoint());
    if (path.size() == 3 && path[1] == "previous" && path[2] == "endpoint")
      return json::string(previous_endpoint_);
    const transport::Exchanges* http = session_->wire().exchanges();
    if (path.size() == 2 && path[1] == "authority")
      return json::string(http ? http->authority() : "");
    if (path.size() == 2 && path[1] == "path") return json::string(http ? http->path() : "");
    auto said = suite::walk(session_->agreed(), path, 1);
    // Who names no capabilities has none.
    if (!said && path.size() == 2 && path[1] == "capabilities") return json::object();
    return said;
  }
  if (root == "target") {
    // Affordance names hold dots themselves: the longest name that fits wins.
    for (std::size_t end = path.size(); end > 1; --end) {
      std::string name = path[1];
      for (std::size_t i = 2; i < end; ++i) name += "." + path[i];
      if (const json::Value* affordance = affordances_->find(name))
        return suite::walk(*affordance, path, end);
    }
    return std::nullopt;
  }
  if (root == "random") return random_letters();
  return std::nullopt;
}

}  // namespace harness::run
