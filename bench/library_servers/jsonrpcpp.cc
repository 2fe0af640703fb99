// SPDX-License-Identifier: Apache-2.0
// badaix/jsonrpcpp as its example shows it, on lines.
#include <iostream>
#include <jsonrpcpp.hpp>
#include <string>

#include "methods.h"

using jsonrpcpp::request_ptr;

static Json argument(const jsonrpcpp::Parameter& params, std::size_t index, const char* name) {
  return params.is_array() ? params.get<Json>(index) : params.get<Json>(name);
}

static jsonrpcpp::Response serve(const request_ptr& request) {
  const auto& params = request->params();
  if (request->method() == "subtract")
    return {*request, subtract(argument(params, 0, "minuend").get<int>(),
                               argument(params, 1, "subtrahend").get<int>())};
  if (request->method() == "upper")
    return {*request, upper(argument(params, 0, "text").get<std::string>())};
  if (request->method() == "month")
    return {*request, month(argument(params, 0, "number").get<int>())};
  if (request->method() == "echo") return {*request, argument(params, 0, "value")};
  throw jsonrpcpp::MethodNotFoundException(*request);
}

static std::string handle(const std::string& line) {
  try {
    const jsonrpcpp::entity_ptr entity = jsonrpcpp::Parser::do_parse(line);
    if (!entity) return "";
    if (entity->is_request())
      return serve(std::dynamic_pointer_cast<jsonrpcpp::Request>(entity)).to_json().dump();
    if (!entity->is_batch()) return "";
    jsonrpcpp::Batch replies;
    for (const auto& one : std::dynamic_pointer_cast<jsonrpcpp::Batch>(entity)->entities) {
      try {
        if (one->is_request())
          replies.add(serve(std::dynamic_pointer_cast<jsonrpcpp::Request>(one)));
        else if (one->is_exception())
          replies.add_ptr(one);
        else if (one->is_error())
          replies.add(jsonrpcpp::RequestException(*std::dynamic_pointer_cast<jsonrpcpp::Error>(one)));
      } catch (const jsonrpcpp::RequestException& error) {
        replies.add(error);
      }
    }
    return replies.entities.empty() ? "" : replies.to_json().dump();
  } catch (const jsonrpcpp::RequestException& error) {
    return error.to_json().dump();
  } catch (const jsonrpcpp::ParseErrorException& error) {
    return error.to_json().dump();
  } catch (const jsonrpcpp::RpcException& error) {
    return jsonrpcpp::ParseErrorException(error.what()).to_json().dump();
  }
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string reply = handle(line);
    if (!reply.empty()) std::cout << reply << std::endl;
  }
}
