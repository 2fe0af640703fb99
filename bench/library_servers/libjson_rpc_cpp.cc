// SPDX-License-Identifier: Apache-2.0
// cinemast/libjson-rpc-cpp: its server of protocol 2 behind a connector for lines.
#include <jsonrpccpp/server/abstractserver.h>
#include <jsonrpccpp/server/abstractserverconnector.h>

#include <iostream>
#include <string>

#include "methods.h"

using Json::Value;
using jsonrpc::Procedure;

class Lines : public jsonrpc::AbstractServerConnector {
 public:
  bool StartListening() override {
    for (std::string line, reply; std::getline(std::cin, line); reply.clear()) {
      ProcessRequest(line, reply);
      // It ends what it writes with a line feed of its own.
      while (!reply.empty() && reply.back() == '\n') reply.pop_back();
      if (!reply.empty()) std::cout << reply << std::endl;
    }
    return true;
  }
  bool StopListening() override { return true; }
};

class Server : public jsonrpc::AbstractServer<Server> {
 public:
  explicit Server(Lines& lines) : jsonrpc::AbstractServer<Server>(lines) {
    using namespace jsonrpc;
    bindAndAddMethod(Procedure("subtract", PARAMS_BY_NAME, JSON_INTEGER, "minuend", JSON_INTEGER,
                               "subtrahend", JSON_INTEGER, NULL), &Server::do_subtract);
    bindAndAddMethod(Procedure("upper", PARAMS_BY_NAME, JSON_STRING, "text", JSON_STRING, NULL),
                     &Server::do_upper);
    bindAndAddMethod(Procedure("month", PARAMS_BY_NAME, JSON_STRING, "number", JSON_INTEGER, NULL),
                     &Server::do_month);
    bindAndAddMethod(Procedure("echo", PARAMS_BY_NAME, JSON_OBJECT, NULL), &Server::do_echo);
  }

 private:
  void do_subtract(const Value& params, Value& result) {
    result = subtract(params["minuend"].asInt(), params["subtrahend"].asInt());
  }
  void do_upper(const Value& params, Value& result) { result = upper(params["text"].asString()); }
  void do_month(const Value& params, Value& result) { result = month(params["number"].asInt()); }
  void do_echo(const Value& params, Value& result) { result = params; }
};

int main() {
  Lines lines;
  Server server(lines);
  server.StartListening();
}
