// SPDX-License-Identifier: Apache-2.0
// As many write it at first. Three messages end it; the guide (docs/cpp.md) looks for them.
#include "calculator.h"

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

json error(const json& id, int code, const std::string& text) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}};
}

json answer(const json& id, const std::string& method, const json& params) {
  const auto result = [&](const json& value) {
    return json{{"jsonrpc", "2.0"}, {"id", id}, {"result", value}};
  };
  if (method == "echo") return result(params);
  if (method != "subtract" && method != "sum") return error(id, -32601, "There is no " + method);
  double total = 0;
  bool first = true;
  for (const auto& [name, value] : params.items()) {
    if (!value.is_number()) return error(id, -32602, "Numbers are needed");
    total += first || method == "sum" ? value.get<double>() : -value.get<double>();
    first = false;
  }
  return result(total);
}

// The reply to one message of its own or of a batch; null is none.
json reply(const json& message) {
  if (!message.is_object()) return error(nullptr, -32600, "A request is an object");
  const json id = message.value("id", json());
  const bool good_id = id.is_null() || id.is_string() || id.is_number();
  const json params = message.value("params", json::array());
  if (message.value("jsonrpc", json()) != "2.0" || !message.contains("method") ||
      !message["method"].is_string() || !good_id || !params.is_structured())
    return error(good_id ? id : json(), -32600, "Not a request: " + message.dump());
  const json said = answer(id, message["method"], params);
  return message.contains("id") ? said : json();
}

}  // namespace

std::string handle(std::string_view text) {
  json message;
  try {
    message = json::parse(text);
  } catch (const json::parse_error& wrong) {
    return error(nullptr, -32700, wrong.what()).dump();
  }
  if (!message.is_array() || message.empty()) {
    const json said = reply(message);
    return said.is_null() ? "" : said.dump();
  }
  json replies = json::array();
  for (const json& one : message)
    if (json said = reply(one); !said.is_null()) replies.push_back(std::move(said));
  return replies.empty() ? "" : replies.dump();
}
