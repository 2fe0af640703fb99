// SPDX-License-Identifier: Apache-2.0
#include "harness/base/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using harness::read_file;
namespace fs = std::filesystem;

namespace {

class File : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string holding(const std::string& text) {
    std::ofstream(folder_ / "f", std::ios::binary) << text;
    return folder_ / "f";
  }
  const fs::path folder_ = fs::temp_directory_path() / ("rpcspec-file-" + std::to_string(getpid()));
};

TEST_F(File, IsReadAsItIs) {
  const std::string large(100'000, 'x');
  for (const std::string& text : {std::string(), std::string("a\r\n\0\xff", 5), large})
    EXPECT_EQ(*read_file(holding(text)), text);
}

TEST_F(File, IsReadUpToTheBound) {
  EXPECT_EQ(read_file(holding("12345"), 5)->size(), 5u);
  EXPECT_EQ(read_file(holding("123456"), 5).error().what, "the file has more than 5 bytes");
  EXPECT_EQ(read_file("/dev/zero", 70'000).error().what, "the file has more than 70000 bytes");
}

TEST_F(File, IsNoFolder) {
  EXPECT_EQ(read_file(folder_).error().text(),
            folder_.string() + ": the file cannot be read; check that it is a plain file");
  EXPECT_EQ(read_file(folder_ / "none").error().what, "the file cannot be opened");
}

}  // namespace
