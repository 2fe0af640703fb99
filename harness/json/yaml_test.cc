// SPDX-License-Identifier: Apache-2.0
#include "harness/json/yaml.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/json/write.h"

namespace harness::json {
namespace {

std::string as_json(std::string_view yaml) {
  const Result<Value> value = read_yaml(yaml, "t.yaml");
  return value ? write(*value) : value.error().text();
}

TEST(Yaml, ReadsJsonThatItsLibraryRefuses) {
  EXPECT_EQ(as_json(R"({"mcpServers":{"\ud83d\ude00":{"command":"x"}}})"),
            "{\"mcpServers\":{\"😀\":{\"command\":\"x\"}}}");
  const std::string key(1100, 'k');
  EXPECT_EQ(as_json("{\"" + key + "\":1}"), "{\"" + key + "\":1}");
  EXPECT_EQ(as_json("[\"\x7f\"]"), "[\"\x7f\"]");
  EXPECT_EQ(as_json(R"(["\ud83d"])").substr(0, 9), "t.yaml:1:");
  EXPECT_EQ(as_json(R"({"\ud83d\ude00":1,"\ud83d\ude00":1})").substr(0, 9), "t.yaml:1:");
}

TEST(Yaml, ReadsNothingThatIsNoUtf8) {
  for (const char* text : {"a: \"\\N\"", "a: \"\\_\"", "\"\\N\": 1"}) {
    EXPECT_NE(as_json(text).find("are not read here; write \\u0085"), std::string::npos) << text;
  }
  EXPECT_EQ(as_json("\"\\L\\P\\u0085\""), "\"\u2028\u2029\u0085\"");
}

TEST(Yaml, ReadsScalarsByTheCoreRules) {
  const struct {
    const char* yaml;
    const char* json;
  } table[] = {
      {"", "null"},
      {"# only a comment\n", "null"},
      {"null", "null"},
      {"~", "null"},
      {"true", "true"},
      {"False", "false"},
      {"yes", "\"yes\""},
      {"on", "\"on\""},
      {"1", "1"},
      {"-1.50e3", "-1.50e3"},
      {"1.0", "1.0"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"007", "\"007\""},
      {"0x1f", "\"0x1f\""},
      {"1_000", "\"1_000\""},
      {"-.5", "\"-.5\""},
      {"+1", "\"+1\""},
      {".inf", "\".inf\""},
      {"2025-06-18", "\"2025-06-18\""},
      {"\"1\"", "\"1\""},
      {"'null'", "\"null\""},
      {"\"\"", "\"\""},
      {"! 12", "\"12\""},
      {"|\n  12\n", "\"12\\n\""},
      {">-\n  true\n", "\"true\""},
      {"\"\\x00\\u00e9\"", "\"\\u0000é\""},
      {"{a: 1, b: [x, ~, {c: \"\"}]}", "{\"a\":1,\"b\":[\"x\",null,{\"c\":\"\"}]}"},
      {"a:\nb:\n  - 1\n  -\n", "{\"a\":null,\"b\":[1,null]}"},
      {"on: 1\n200: x\n", "{\"on\":1,\"200\":\"x\"}"},
      {"{\"jsonrpc\": \"2.0\", \"id\": null}", "{\"jsonrpc\":\"2.0\",\"id\":null}"},
      {"---\na: 1\n...\n", "{\"a\":1}"},
      {"\xEF\xBB\xBF"
       "a: 1\n",
       "{\"a\":1}"},
      {"a: 1\r\nb: x\r\n", "{\"a\":1,\"b\":\"x\"}"},
  };
  for (const auto& row : table) EXPECT_EQ(as_json(row.yaml), row.json) << row.yaml;
}

TEST(Yaml, RefusesWithPlaceAndRemedy) {
  const struct {
    const char* yaml;
    const char* error;
  } table[] = {
      {"a: 1\nb: 2\na: 3\n", "t.yaml:3:1: the key 'a' is repeated; keep one of them"},
      {"x: {k: 1, \"k\": 2}", "t.yaml:1:11: the key 'k' is repeated; keep one of them"},
      {"a: &x 1\n", "t.yaml:1:4: anchors (&name) are not read here; write the value out"},
      {"a: !!str 1\n",
       "t.yaml:1:4: the tag 'tag:yaml.org,2002:str' is not read here; leave tags out; quote a "
       "scalar to make it a string"},
      {"a: !x {b: 1}\n",
       "t.yaml:1:4: the tag '!x' is not read here; leave tags out; quote a scalar to make it a "
       "string"},
      {"a: 1\n---\nb: 2\n",
       "t.yaml:2:1: something follows the end of the document; keep one document to a file"},
      {"? [a, b]\n: 1\n",
       "t.yaml:1:3: a key is not a scalar; use plain text as key, and close every [ and {"},
      {"[[1, 2]",
       "t.yaml:1:1: a key is not a scalar; use plain text as key, and close every [ and {"},
      {"a: \"\xFF\"", "t.yaml:1:5: the file is not UTF-8; save it as UTF-8"},
      {"a: 1\nb: \x04\nc: 2\n",
       "t.yaml:2:4: the file holds the control character \\x04; write it as an escape in a "
       "double-quoted scalar"},
  };
  for (const auto& row : table) EXPECT_EQ(as_json(row.yaml), row.error) << row.yaml;
}

TEST(Yaml, PointsAtBrokenSyntax) {
  for (const char* yaml : {"a: [1, 2", "a: 'x", "a: b: c", "\t- x", "- a\nb: 1", "a: *nowhere"}) {
    const Result<Value> value = read_yaml(yaml, "t.yaml");
    ASSERT_FALSE(value) << yaml;
    EXPECT_EQ(value.error().where.rfind("t.yaml:", 0), 0U) << value.error().text();
    EXPECT_FALSE(value.error().what.empty());
  }
  const auto tab = read_yaml("a:\n\tb: {}\n", "t.yaml");
  ASSERT_FALSE(tab);
  EXPECT_EQ(tab.error().remedy, "a line begins with a tab; YAML is indented by spaces");
}

TEST(Yaml, AliasBombsAndDeepNestingAreRefused) {
  EXPECT_NE(as_json("a: &a [x]\nb: [*a, *a]\n").find("anchors"), std::string::npos);
  EXPECT_NE(as_json(std::string(100000, '[') + std::string(100000, ']')).find("100 deep"),
            std::string::npos);
  EXPECT_FALSE(read_yaml(std::string(100000, '['), "t.yaml"));
  EXPECT_EQ(as_json(std::string(100, '[') + std::string(100, ']')).size(), 200U);
  std::string stairs;
  for (int i = 0; i < 300; ++i) stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_NE(as_json(stairs).find("more than 100 deep"), std::string::npos);
}

TEST(Yaml, EveryValueAndKeyKnowsItsPlace) {
  const Result<Value> value = read_yaml("title: x\nsteps:\n  - send:\n      é: 1\n    to:\n", "t");
  ASSERT_TRUE(value) << value.error().text();
  EXPECT_EQ(place("t", value->mark), "t:1:1");
  EXPECT_EQ(place("t", value->find("title")->mark), "t:1:8");
  EXPECT_EQ(place("t", value->members[1].mark), "t:2:1");
  EXPECT_EQ(place("t", value->find("steps")->mark), "t:3:3");
  const Value& step = value->find("steps")->items[0];
  EXPECT_EQ(place("t", step.mark), "t:3:5");
  EXPECT_EQ(place("t", step.members[0].mark), "t:3:5");
  EXPECT_EQ(place("t", step.find("to")->mark), "t:5:5");
  EXPECT_EQ(place("t", Mark{}), "t");
}

TEST(Yaml, AFileThatCannotBeReadIsNamed) {
  const Result<Value> value = read_yaml_file("/nonexistent/x.yaml");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().where, "/nonexistent/x.yaml");
  const Result<Value> folder = read_yaml_file("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().what, "the file cannot be read");
  const Result<Value> empty = read_yaml_file("/dev/null");
  ASSERT_TRUE(empty) << empty.error().text();
  EXPECT_TRUE(empty->is_null());
}

}  // namespace
}  // namespace harness::json
