// SPDX-License-Identifier: Apache-2.0
// A JSON-RPC 2.0 server, one message a line, built so that a fuzzer sees what of it runs:
//
//   cc -O2 -c ../rpcspec_coverage.c
//   clang++ -std=c++17 -g -fsanitize-coverage=trace-pc-guard server.cc rpcspec_coverage.o -o server
//
// `greet` takes {"name": string}, `length` takes a list and says how long it is. Nothing here knows
// that it is counted.
#include <iostream>
#include <string>
#include <string_view>

#include "../../handler/examples/json.h"

using example::Json;

std::string error(int code, const std::string& what, const std::string& id = "null") {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":")" + what + "\"}}";
}

std::string result(const std::string& value, const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + value + "}";
}

std::string call(const std::string& method, const Json& params, const std::string& id) {
  if (method == "greet") {
    const Json& name = params["name"];
    if (name.kind != Json::kString) return error(-32602, "greet needs {name}", id);
    return result(example::quoted("Hello, " + name.text), id);
  }
  if (method == "length") {
    if (params.kind != Json::kArray) return error(-32602, "length needs a list", id);
    return result(std::to_string(params.items.size()), id);
  }
  return error(-32601, "no such method", id);
}

// The reply; "" to a notification.
std::string answer(const Json& request) {
  const Json& id = request["id"];
  const Json& method = request["method"];
  const Json& params = request["params"];
  const bool named = id.kind == Json::kString || id.kind == Json::kNumber;
  const std::string shown = named ? std::string(id.source) : "null";
  const bool odd_id = id && !named && id.kind != Json::kNull;
  const bool odd_params = params && params.kind != Json::kArray && params.kind != Json::kObject;
  if (request["jsonrpc"].kind != Json::kString || request["jsonrpc"].text != "2.0" ||
      method.kind != Json::kString || odd_id || odd_params)
    return error(-32600, "no request", shown);
  const std::string reply = call(method.text, params, shown);
  return id ? reply : "";
}

std::string answer_line(const std::string& line) {
  Json message;
  if (!example::Reader(line, 200).read(message)) return error(-32700, "no JSON");
  if (message.items.empty()) return answer(message);
  std::string all;
  for (const Json& one : message.items)
    if (const std::string reply = answer(one); !reply.empty())
      all += (all.empty() ? "" : ",") + reply;
  return all.empty() ? "" : "[" + all + "]";
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string reply = answer_line(line);
    if (!reply.empty()) std::cout << reply << std::endl;
  }
}
