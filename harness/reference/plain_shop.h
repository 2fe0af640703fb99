// SPDX-License-Identifier: Apache-2.0
// A small shop behind the plain profile: methods with params of many kinds, and the OpenRPC
// document that describes them and the methods of plain_dialect.cc, shop.json. Params are checked
// by argument_check.h, so that a mistake cannot confirm itself.
#pragma once

#include <optional>
#include <string>

#include "harness/reference/session.h"

namespace harness::reference {

// The result of rpc.discover.
json::Value shop_document();

// Nothing if the shop has no such method.
std::optional<Outcome> shop_answer(Session& session, const std::string& method,
                                   const json::Value& params);

}  // namespace harness::reference
