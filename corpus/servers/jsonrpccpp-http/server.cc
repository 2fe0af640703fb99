// SPDX-License-Identifier: Apache-2.0
// ping, echo, add, sleep and fail on the HTTP connector of libjson-rpc-cpp. It can only be told a
// port, and listens on all interfaces.
#include <jsonrpccpp/server.h>
#include <jsonrpccpp/server/connectors/httpserver.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

using jsonrpc::Procedure;

class Methods : public jsonrpc::AbstractServer<Methods> {
 public:
  explicit Methods(jsonrpc::AbstractServerConnector& connector) : AbstractServer(connector) {
    bindAndAddMethod(Procedure("ping", jsonrpc::PARAMS_BY_POSITION, jsonrpc::JSON_STRING, NULL),
                     &Methods::ping);
    bindAndAddMethod(Procedure("echo", jsonrpc::PARAMS_BY_POSITION, jsonrpc::JSON_OBJECT, NULL),
                     &Methods::echo);
    bindAndAddMethod(Procedure("add", jsonrpc::PARAMS_BY_POSITION, jsonrpc::JSON_REAL, "a",
                               jsonrpc::JSON_REAL, "b", jsonrpc::JSON_REAL, NULL),
                     &Methods::add);
    bindAndAddMethod(Procedure("sleep", jsonrpc::PARAMS_BY_POSITION, jsonrpc::JSON_STRING,
                               "milliseconds", jsonrpc::JSON_REAL, NULL),
                     &Methods::sleep);
    bindAndAddMethod(Procedure("fail", jsonrpc::PARAMS_BY_POSITION, jsonrpc::JSON_STRING, NULL),
                     &Methods::fail);
  }

 private:
  void ping(const Json::Value&, Json::Value& result) { result = "pong"; }
  void echo(const Json::Value& params, Json::Value& result) { result = params; }
  void add(const Json::Value& params, Json::Value& result) {
    result = params[0].asDouble() + params[1].asDouble();
  }
  void sleep(const Json::Value& params, Json::Value& result) {
    const double most = 300;  // a thread sleeps, and with it all connections it serves
    std::this_thread::sleep_for(
        std::chrono::duration<double, std::milli>(std::min(params[0].asDouble(), most)));
    result = "slept";
  }
  void fail(const Json::Value&, Json::Value&) {
    throw jsonrpc::JsonRpcException(-32000, "it always fails");
  }
};

int main() {
  jsonrpc::HttpServer connector(std::atoi(std::getenv("PORT")), "", "", 4);
  Methods methods(connector);
  if (!methods.StartListening()) return 1;
  for (;;) pause();
}
