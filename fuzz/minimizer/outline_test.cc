// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/outline.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

TEST(Outline, TellsScriptsApartByWhatTheyAreMadeOf) {
  const auto of = [](const std::string& text) { return outline(read_script(text)); };
  EXPECT_EQ(of(R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1,2]})"),
            of(R"({"id":"x","params":[3],"method":"a","jsonrpc":"2.0"})"));
  EXPECT_NE(of(R"({"method":"a","params":[]})"), of(R"({"method":"a","params":{}})"));
  EXPECT_NE(of(R"({"method":"a"})"), of(R"({"method":"b"})"));
  EXPECT_EQ(of("{\n{\n[[\n"), "text");  // the same thing again says nothing more
  EXPECT_EQ(of("!raw \"abc\"\n!sync\n!close\n"), "bytes");
  EXPECT_EQ(of("[]\n[1]\n"), "[] [number]");
  EXPECT_EQ(of("!chunks 3 1\n[42]\n"), of("!chunks 1\n{}\n"));
  EXPECT_NE(of("!chunks 1\n!eol crlf\n{}\n"), of("!chunks 1\n{}\n"));
  EXPECT_EQ(of('"' + std::string(5000, 'a') + '"'), of("{\"a\":[" + std::string(9000, ' ') + "]}"));
  EXPECT_EQ(of(R"({"method":"a","params":["\ud800"]})"), of(R"({"method":"a","x":"a\udc00"})"));
  EXPECT_NE(of(R"({"method":"a","params":["\ud800"]})"), of(R"({"method":"b","x":"a\udc00"})"));
  EXPECT_EQ(of(std::string(100, '[')), of(std::string(9000, '{')));
}

TEST(HasAllOf, FindsMessagesInTheirOrderInArraysAndBetweenOthers) {
  const auto has = [](const std::string& whole, const std::string& part) {
    return has_all_of(read_script(whole), read_script(part));
  };
  const std::string note = R"({"jsonrpc":"2.0","method":"a"})";
  const std::string other_note = R"({"method":"b","jsonrpc":"2.0"})";
  const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"a"})";
  EXPECT_TRUE(has("[0]\n" + note + "\n{\n" + other_note + "\n", note + "\n" + note + "\n"));
  EXPECT_TRUE(has("[" + note + "," + request + "]\n", note + "\n"));
  EXPECT_FALSE(has(note + "\n", note + "\n" + note + "\n"));
  EXPECT_FALSE(has(note + "\n" + request + "\n", request + "\n" + note + "\n"));
  EXPECT_FALSE(has(request + "\n", note + "\n"));
  EXPECT_FALSE(has(note + "\n", ""));
  EXPECT_FALSE(has(other_note + "\n", note + "\n"));  // one message alone is about its method
  EXPECT_FALSE(has(R"({"jsonrpc":"1.0","method":"a"})", note + "\n"));
  EXPECT_FALSE(has(R"({"jsonrpc":"2.0","method":1})", note + "\n"));
  EXPECT_FALSE(has("!chunks 1\n" + note + "\n", note + "\n"));
  EXPECT_FALSE(has(R"({"method":")" + std::string(5000, 'a') + "\"}\n", note + "\n"));
}

}  // namespace
}  // namespace fuzz
