// SPDX-License-Identifier: Apache-2.0
// For tests: servers in memory that speak JSON-RPC, and cases that are written where they are used.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/suite/testing.h"
#include "harness/transport/scripted.h"

namespace harness::run {

// The reply of a server to a method: the member of its reply, `"result":3`, or "" for none.
using Methods = std::map<std::string, std::string>;

// The message that was sent; null if it is not a JSON object.
inline json::Value message_of(const transport::Outgoing& outgoing) {
  std::string text;
  for (const std::string& write : outgoing.writes) text += write;
  const auto read = json::read(text);
  const auto* reading = std::get_if<json::Reading>(&read);
  return reading && reading->value.is_object() ? reading->value : json::null();
}

// The reply of a server with these methods: an error for others, nothing for a notification.
inline std::vector<transport::Arrival> serve(const Methods& methods,
                                             const transport::Outgoing& outgoing) {
  // Each line is a message.
  const std::string text = outgoing.writes.size() == 1 ? outgoing.writes.front() : "";
  const std::size_t end = text.find('\n');
  if (end != text.npos && end + 1 < text.size()) {
    std::vector<transport::Arrival> all, rest;
    transport::Outgoing one = outgoing;
    one.writes = {text.substr(0, end + 1)};
    all = serve(methods, one);
    one.writes = {text.substr(end + 1)};
    rest = serve(methods, one);
    std::move(rest.begin(), rest.end(), std::back_inserter(all));
    return all;
  }
  const json::Value message = message_of(outgoing);
  const json::Value* id = message.find("id");
  const json::Value* method = message.find("method");
  if (!id || !method) return {};
  const auto known = methods.find(method->text);
  const std::string member = known == methods.end()
                                 ? R"("error":{"code":-32601,"message":"Method not found"})"
                                 : known->second;
  if (member.empty()) return {};
  std::vector<transport::Arrival> reply;
  reply.push_back(
      transport::line(R"({"jsonrpc":"2.0","id":)" + json::write(*id) + "," + member + "}"));
  return reply;
}

// The end of the process, as arrivals.
inline std::vector<transport::Arrival> dies(const std::string& how) {
  return {transport::exit_with(how), transport::closed(how)};
}

// Cases by id, as YAML, with the named outcomes and shapes of the project's own suite.
inline suite::Suite suite_of(const std::map<std::string, std::string>& cases) {
  const suite::Suite& own = suite::own_suite();
  suite::Suite made{{}, own.shapes, own.outcomes, own.sets, own.fixtures};
  std::vector<suite::SourceFile> files;
  for (const auto& [id, text] : cases) files.push_back({id + ".yaml", text});
  made.cases = suite::expected(suite::load_user_cases(files, own, suite::own_registry()));
  return made;
}

}  // namespace harness::run
