// SPDX-License-Identifier: Apache-2.0
// The cases that ship load, as YAML and as the JSON that the build packs.
#include <gtest/gtest.h>

#include "harness/base/test_folders.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/spec/testing.h"
#include "harness/suite/loader.h"

namespace harness::suite {
namespace {

std::vector<SourceFile> all_files() {
  auto files = read_folder(harness::source_dir() + "/cases");
  if (!files) throw std::runtime_error(files.error().text());
  return *files;
}

TEST(Cases, Load) {
  const auto suite = load(all_files(), spec::own_registry());
  ASSERT_TRUE(suite) << suite.error().text();
  EXPECT_GT(suite->cases.size(), 50u);
}

TEST(Cases, AreTheSameAsJson) {
  auto files = all_files();
  const auto written = load(files, spec::own_registry());
  for (auto& file : files) {
    if (file.name.starts_with("requirements/")) continue;
    const auto yaml = json::read_yaml_documents(file.text, file.name);
    const json::Value whole = yaml->size() == 1 ? yaml->front() : json::array(*yaml);
    file.text = json::write(whole);
    EXPECT_TRUE(json::equal(json::parse(file.text), whole)) << file.name;
    file.is_json = true;
  }
  const auto packed = load(files, spec::own_registry());
  ASSERT_TRUE(written);
  ASSERT_TRUE(packed) << packed.error().text();
  ASSERT_EQ(packed->cases.size(), written->cases.size());
  EXPECT_EQ(json::write(packed->outcomes), json::write(written->outcomes));
  EXPECT_EQ(json::write(packed->fixtures), json::write(written->fixtures));
  for (std::size_t i = 0; i < packed->cases.size(); ++i) {
    const Case& one = packed->cases[i];
    const Case& other = written->cases[i];
    EXPECT_EQ(one.id, other.id);
    EXPECT_EQ(one.covers, other.covers) << one.id;
    EXPECT_EQ(one.steps.size(), other.steps.size()) << one.id;
    EXPECT_EQ(json::write(json::array(one.table)), json::write(json::array(other.table))) << one.id;
    EXPECT_EQ(one.answers.has_value(), other.answers.has_value()) << one.id;
  }
}

}  // namespace
}  // namespace harness::suite
