// SPDX-License-Identifier: Apache-2.0
// The engine of builds that have none: plays every file it is given, and every file in a folder it
// is given. A folder that is not there is empty; nothing to play at all is a mistake.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets/property.h"

namespace fs = std::filesystem;

// Programs may have one, as libFuzzer knows it.
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** arguments);

int main(int count, char** arguments) {
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &arguments);
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    const fs::path given = arguments[i];
    if (fs::is_regular_file(given)) files.push_back(given);
    if (!fs::is_directory(given)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(given)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    // A copy of its own size, so that a sanitizer sees a read beyond it.
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu inputs played\n", files.size());
  return files.empty() ? 2 : 0;
}
