// SPDX-License-Identifier: Apache-2.0
#include "harness/base/file.h"

#include <array>
#include <fstream>

namespace harness {

Result<std::string> read_file(const std::string& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{path, "the file cannot be opened", "check the path and its permissions"};
  std::string text;
  // A folder opens like a file, and throws when it is read through iterators.
  std::array<char, 16 * 1024> piece;
  do {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  } while (file && text.size() <= most);
  if (file.bad()) return Error{path, "the file cannot be read", "check that it is a plain file"};
  if (text.size() > most)
    return Error{path, "the file has more than " + std::to_string(most) + " bytes",
                 "name a smaller one"};
  return text;
}

}  // namespace harness
