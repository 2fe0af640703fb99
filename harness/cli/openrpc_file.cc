// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/openrpc_file.h"

#include <algorithm>
#include <variant>

#include "harness/base/file.h"
#include "harness/contract/openrpc.h"
#include "harness/json/read.h"
#include "harness/json/yaml.h"

namespace harness::cli {

Result<OpenRpcFile> read_openrpc_file(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  auto read = json::read(*text);
  if (const auto* wrong = std::get_if<json::ReadError>(&read)) {
    const std::size_t end = std::min(wrong->offset, text->size());
    const auto line =
        std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(end), '\n');
    const std::size_t begin = end == 0 ? std::string::npos : text->rfind('\n', end - 1);
    const json::Mark mark{static_cast<int>(line) + 1,
                          static_cast<int>(begin == std::string::npos ? end : end - begin - 1) + 1};
    return Error{json::place(path, mark), wrong->reason, "an OpenRPC document is JSON"};
  }
  json::Value document = std::move(std::get<json::Reading>(read).value);
  if (!contract::is_openrpc(document))
    return Error{path, "this is no OpenRPC document",
                 "one is an object with `openrpc` and a list of `methods`"};
  return OpenRpcFile{std::move(*text), std::move(document)};
}

}  // namespace harness::cli
