// SPDX-License-Identifier: Apache-2.0
// mcp-cpp/json-rpc as its examples show it, on lines.
#include <iostream>
#include <string>

#include "json_rpc/json_rpc.h"
#include "methods.h"

using json_rpc::Json;
using json_rpc::Request;
using json_rpc::Response;

static Response serve(const Request& request) {
  Response response(request.Id());
  const auto& array = request.Params().Array();
  const auto argument = [&](std::size_t index, const char* name) {
    return request.Params().Has(std::string(name)) ? request.Params().Get(std::string(name))
                                                   : array.at(index);
  };
  if (request.Method() == "subtract")
    response.SetResult(
        subtract(argument(0, "minuend").get<int>(), argument(1, "subtrahend").get<int>()));
  else if (request.Method() == "upper")
    response.SetResult(upper(argument(0, "text").get<std::string>()));
  else if (request.Method() == "month")
    response.SetResult(month(argument(0, "number").get<int>()));
  else if (request.Method() == "echo")
    response.SetResult(argument(0, "value"));
  else
    response.SetError({json_rpc::kMethodNotFound, "Method not found"});
  return response;
}

static std::string handle(const std::string& line) {
  json_rpc::BatchRequest batch;
  if (line.find_first_not_of(" \t") != line.npos && line[line.find_first_not_of(" \t")] == '[') {
    const auto status = batch.ParseJson(line);
    if (!status.Ok()) {
      Response response;
      response.SetError({status.Code(), status.Message()});
      return response.ToJson().dump();
    }
    json_rpc::BatchResponse replies;
    for (const auto& [request, read] : batch.Requests()) {
      if (!read.Ok()) {
        Response response(request.Id());
        response.SetError({read.Code(), read.Message()});
        replies.AddResponse(response);
      } else if (!request.IsNotification()) {
        replies.AddResponse(serve(request));
      }
    }
    return replies.Responses().empty() ? "" : replies.ToJson().dump();
  }
  Request request;
  const auto status = request.ParseJson(line);
  if (!status.Ok()) {
    Response response(request.Id());
    response.SetError({status.Code(), status.Message()});
    return response.ToJson().dump();
  }
  if (request.IsNotification()) return "";
  return serve(request).ToJson().dump();
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string reply = handle(line);
    if (!reply.empty()) std::cout << reply << std::endl;
  }
}
