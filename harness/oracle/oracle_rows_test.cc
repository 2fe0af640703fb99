// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/oracle_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/yaml.h"

namespace harness::oracle {
namespace {

Result<std::vector<OracleRow>> read(const std::string& text) {
  return read_oracle_rows({{"rows.yaml", *json::read_yaml(text, "rows.yaml")}});
}

TEST(OracleRow, HoldsClausesAndFaults) {
  const auto rows = read(
      "one: {help: h, covers: [a, b], falsified_by: [x]}\n"
      "two: {help: h, falsified_by: [x]}");
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].name, "one");
  EXPECT_THAT((*rows)[0].covers, testing::ElementsAre("a", "b"));
  EXPECT_THAT((*rows)[1].covers, testing::IsEmpty());
}

TEST(OracleRow, IsRefusedWithThePlace) {
  EXPECT_EQ(read("one: {help: h, cover: [a], falsified_by: [x]}").error().text(),
            "rows.yaml:1:16: there is no field 'cover'; did you mean 'covers'?");
  EXPECT_EQ(read("\none: {help: h}").error().text(),
            "rows.yaml:2:1: an oracle has a help and Faults that prove it; "
            "add \"help\" and \"falsified_by\"");
}

}  // namespace
}  // namespace harness::oracle
