// SPDX-License-Identifier: Apache-2.0
// A small MCP server (2025-06-18) with two tools: the function handle() is all of it that matters
// here. It is sound. A bug can be planted by name, to show how each kind is found.
#pragma once

#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "json.h"

namespace example {

class Server {
 public:
  explicit Server(std::string_view bug = "") : bug_(bug) {}

  std::string handle(std::string_view message) {
    Json root;
    if (!Reader(message, has("deep-nesting") ? 1 << 30 : 256).read(root)) {
      garbled_ = true;
      return error("null", -32700, "Parse error");
    }
    if (root.kind != Json::kObject) return error("null", -32600, "Not a message");
    const Json& id = root["id"];
    const bool reply = (root["result"] || root["error"]) && !root["method"];
    if (reply) return "";  // a response to a question that the server never asks
    const bool sound_id = id.kind == Json::kString || id.kind == Json::kNumber;
    if (root["jsonrpc"].kind != Json::kString || root["jsonrpc"].text != "2.0" ||
        root["method"].kind != Json::kString || (id && !sound_id) ||
        (root["params"] && root["params"].kind != Json::kObject))
      return error(sound_id ? id_text(id) : "null", -32600, "Invalid request");
    const std::string& method = root["method"].text;
    if (!id) return notified(method);
    if (has("silent-after-garbage") && garbled_) {
      garbled_ = false;
      return "";
    }
    return answer(id_text(id), method, root["params"]);
  }

 private:
  bool has(std::string_view bug) const { return bug_ == bug; }

  std::string id_text(const Json& id) const {
    const bool number_like =
        !id.text.empty() && id.text.find_first_not_of("0123456789") == id.text.npos;
    if (has("wrong-id") && id.kind == Json::kString && number_like && id.text[0] != '0')
      return id.text;
    return std::string(id.kind == Json::kString ? quoted(id.text) : std::string(id.source));
  }

  static std::string result(const std::string& id, const std::string& value) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + value + "}";
  }
  static std::string error(const std::string& id, int code, const std::string& text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + std::to_string(code) +
           ",\"message\":" + quoted(text) + "}}";
  }

  std::string notified(const std::string& method) {
    if (method == "notifications/initialized" && initialized_) ready_ = true;
    if (has("notification-answered") && method == "notifications/cancelled")
      return result("null", "{}");
    return "";
  }

  std::string answer(const std::string& id, const std::string& method, const Json& params) {
    if (method == "ping") return result(id, "{}");
    if (method == "initialize") {
      if (initialized_) return error(id, -32600, "Already initialized");
      if (params["protocolVersion"].kind != Json::kString)
        return error(id, -32602, "No protocolVersion");
      if (params["capabilities"].kind != Json::kObject ||
          params["clientInfo"].kind != Json::kObject)
        return error(id, -32602, "No capabilities or clientInfo");
      initialized_ = true;
      return result(id, R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
                        R"("serverInfo":{"name":"example","version":"1"}})");
    }
    if (!ready_) return error(id, -32600, "Not initialized");
    if (method == "tools/list") return list(id, params["cursor"]);
    if (method == "tools/call") return call(id, params);
    return error(id, -32601, "Method not found");
  }

  std::string list(const std::string& id, const Json& cursor) {
    if (has("throws") && cursor.kind == Json::kString) std::stoi(cursor.text);
    if (cursor) return error(id, -32602, "No such cursor");
    return result(id, R"({"tools":[{"name":"echo","inputSchema":{"type":"object","properties":)"
                      R"({"text":{"type":"string"}},"required":["text"]}},)"
                      R"({"name":"count","inputSchema":{"type":"object"}}]})");
  }

  std::string call(const std::string& id, const Json& params) {
    const Json& arguments = params["arguments"];
    if (arguments && arguments.kind != Json::kObject) return error(id, -32602, "No arguments");
    if (params["name"].text == "count") {
      if (has("third-call")) {
        // Room for three; the fourth is written past the end.
        if (!counts_) counts_ = static_cast<int*>(std::calloc(3, sizeof(int)));
        counts_[calls_] = 1;
      }
      return content(id, std::to_string(++calls_));
    }
    if (params["name"].text != "echo") return error(id, -32602, "No such tool");
    const Json& text = arguments["text"];
    if (text.kind != Json::kString) return error(id, -32602, "No text");
    if (has("long-text")) {
      std::array<char, 64> copy{};
      std::memcpy(copy.data(), text.text.data(), text.text.size());
      return content(id, std::string(copy.data(), copy.data() + text.text.size()));
    }
    return content(id, text.text);
  }

  static std::string content(const std::string& id, const std::string& text) {
    return result(id, "{\"content\":[{\"type\":\"text\",\"text\":" + quoted(text) + "}]}");
  }

 public:
  ~Server() { std::free(counts_); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

 private:
  std::string bug_;
  bool initialized_ = false;
  bool ready_ = false;
  bool garbled_ = false;
  int calls_ = 0;
  int* counts_ = nullptr;
};

}  // namespace example
