// SPDX-License-Identifier: Apache-2.0
// jsonrpcx/json-rpc-cxx as its README shows it, on lines.
#include <iostream>
#include <jsonrpccxx/server.hpp>
#include <string>

#include "methods.h"

static nlohmann::json echo(const nlohmann::json& value) { return value; }

int main() {
  jsonrpccxx::JsonRpc2Server server;
  server.Add("subtract", jsonrpccxx::GetHandle(&subtract), {"minuend", "subtrahend"});
  server.Add("upper", jsonrpccxx::GetHandle(&upper), {"text"});
  server.Add("month", jsonrpccxx::GetHandle(&month), {"number"});
  server.Add("echo", jsonrpccxx::GetHandle(&echo), {"value"});
  for (std::string line; std::getline(std::cin, line);) {
    const std::string reply = server.HandleRequest(line);
    if (!reply.empty()) std::cout << reply << std::endl;
  }
}
