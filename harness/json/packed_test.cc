// SPDX-License-Identifier: Apache-2.0
#include "harness/json/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::json {
namespace {

std::string mistake(const std::string& text, const std::function<void(const RowReader&)>& read) {
  const auto rows = read_yaml(text, "rows.yaml");
  const Status status = read_rows({{"rows.yaml", *rows}}, read);
  return status ? "" : status.error().text();
}

TEST(RowReader, TellsMistakesWithTheirPlace) {
  const auto members = [](const RowReader& reader) {
    for (const Member& one : reader.members(reader.rows(), "write \"NAME: …\"")) {
      if (one.name == "text") reader.text(one.value);
      if (one.name == "texts") reader.texts(one.value);
      if (one.name == "tezt") reader.unknown(one.mark, "field", one.name, {"text", "texts"});
      if (one.name == "other") reader.unknown(one.mark, "field", one.name, {"text", "texts"});
    }
  };
  EXPECT_EQ(mistake("text: a\ntexts: [a, b]", members), "");
  EXPECT_EQ(mistake("[]", members), "rows.yaml:1:1: a mapping is required here; write \"NAME: …\"");
  EXPECT_EQ(mistake("text: 7", members),
            "rows.yaml:1:7: a text is required here; put it in quotes");
  EXPECT_EQ(mistake("texts: a", members),
            "rows.yaml:1:8: a list is required here; write \"[a, b]\"");
  EXPECT_EQ(mistake("texts: [a, 7]", members),
            "rows.yaml:1:12: a text is required here; put it in quotes");
  EXPECT_EQ(mistake("text: a\ntezt: b", members),
            "rows.yaml:2:1: there is no field 'tezt'; did you mean 'text'?");
  EXPECT_EQ(mistake("other: b", members),
            "rows.yaml:1:1: there is no field 'other'; there are text, texts");
}

class Folder : public ::testing::Test {
 protected:
  Folder() {
    std::filesystem::create_directories(top_);
    write("b.yaml", "x: [1.0, \"1\"]\nw: \"a\\nb\"");
    write("a.yaml", "y: {z: null}");
    write("README.md", "no rows");
  }
  ~Folder() override { std::filesystem::remove_all(top_); }

  void write(const char* name, const char* text) const { std::ofstream(top_ / name) << text; }

  int pack(const Status& says) const {
    std::string folder = top_.string(), out = (top_ / "pack").string(), tool = "tool";
    char* words[] = {tool.data(), folder.data(), out.data()};
    return pack_folder(3, words, [&](const std::vector<DataFile>& files) {
      EXPECT_EQ(files.size(), 2u);
      return says;
    });
  }

  const std::filesystem::path top_ = std::filesystem::path(testing::TempDir()) / "packed_rows";
};

TEST_F(Folder, ComesBackSortedAndAsItWasSpelled) {
  ASSERT_EQ(pack(Nothing{}), 0);
  std::stringstream packed;
  packed << std::ifstream(top_ / "pack").rdbuf();
  const auto files = unpacked(packed.str());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name + harness::json::write(files[0].rows), R"(a.yaml{"y":{"z":null}})");
  EXPECT_EQ(files[1].name + harness::json::write(files[1].rows),
            R"(b.yaml{"x":[1.0,"1"],"w":"a\nb"})");
  const std::string line = packed.str().substr(0, packed.str().find('\n'));
  EXPECT_EQ(harness::json::write(unpacked(line)[0].rows), R"({"y":{"z":null}})");
}

TEST_F(Folder, IsNotPackedWithAMistake) {
  EXPECT_EQ(pack(Error{"a.yaml:1:1", "wrong", ""}), 1);
  write("a.yaml", "y: [");
  EXPECT_EQ(pack(Nothing{}), 1);
  EXPECT_FALSE(std::filesystem::exists(top_ / "pack"));
}

}  // namespace
}  // namespace harness::json
