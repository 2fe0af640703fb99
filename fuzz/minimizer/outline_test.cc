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

TEST(InWords, CountsWhatIsRepeatedAndNamesHeaderFields) {
  const auto of = [](const std::string& text) { return in_words(read_script(text)); };
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) +
            R"(,"method":"resources/subscribe"})"
            "\n";
  EXPECT_EQ(of(many + "!sync\n" + R"({"id":"x","method":"resources/unsubscribe"})"),
            "100 × `resources/subscribe`, then `resources/unsubscribe`");
  EXPECT_EQ(of("{\n!close\n[1]\n{\"method\":\"a\"}\n!raw \"ab\"\n"),
            "text that is not JSON, then a new connection, then an array of 1 element, then "
            "`a` (a notification), then 2 bytes without framing");
  EXPECT_EQ(of("!frame \"\\xb8\"\n"), "text that is not UTF-8");
  EXPECT_EQ(of("!header Origin: http://a.example\n{\"id\":1,\"method\":\"ping\"}\n"),
            "`ping` with `Origin` `http://a.example`");
  EXPECT_EQ(of("{\"id\":[1],\"method\":0}\n{\"id\":null,\"method\":\"a\"}\n"),
            "a method that is not a string with id [1], then `a` with id null");
  EXPECT_EQ(of("{\"id\":{}}\n{\"id\":9007199254740993,\"method\":\"a\"}\n{\"id\":1.5}\n"),
            "a message without a method with id {}, then `a` with id 9007199254740993, then a "
            "message without a method with id 1.5");
  std::string long_one;
  for (int i = 0; i < 20; ++i) long_one += "{\"id\":1,\"method\":\"m" + std::to_string(i) + "\"}\n";
  EXPECT_EQ(of(long_one),
            "`m0`, then `m1`, then `m2`, then `m3`, then 12 more, then `m16`, then `m17`, then "
            "`m18`, then `m19`");
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
