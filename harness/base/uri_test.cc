// SPDX-License-Identifier: Apache-2.0
#include "harness/base/uri.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(IsUri, TakesWhatTheRfcAllowsAndWhatSoundProgramsWrite) {
  for (const char* good :
       {"urn:x", "a:b", "http:", "file:///a%20b", "test://static/resource/1", "http://h:80/p?q#f",
        "mailto:a@b.example", "http://[::1]:3000/", "data:text/plain;base64,aGk=", "note:////x",
        // characters beyond ASCII (RFC 3987), and what browsers leave as it is
        "file:///\xC3\xA4.txt", "http://m\xC3\xBCnchen.example/", "file:///a[1].txt",
        "http://h/#a#b", "http://h/?a[]=1"})
    EXPECT_TRUE(is_uri(good)) << good;
}

TEST(IsUri, RefusesTheRest) {
  for (const char* bad : {"",           ":",       "a",           "/a",           "//h/a",
                          "1a:b",       "a b:c",   "file:///a b", "a%2",          "a:%2",
                          "a:%zz",      "a:\x7f",  "a:\n",        "a:{x}",        "a:<x>",
                          "a:\\x",      "a:\"x\"", "a:x|y",       "http://[::1/", "http://[zz]/",
                          "http://h:x/"})
    EXPECT_FALSE(is_uri(bad)) << bad;
}

TEST(SplitUri, PointsAtTheParts) {
  const auto all = split_uri("HTTP://u:p@[::1]:8080/a/b?c=[1]#d");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->scheme, "HTTP");
  EXPECT_EQ(all->user, "u:p@");
  EXPECT_EQ(all->authority, "[::1]:8080");
  EXPECT_EQ(all->host, "[::1]");
  EXPECT_EQ(all->port, "8080");
  EXPECT_EQ(all->target, "/a/b?c=[1]");
  const auto bare = split_uri("http://h");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->host, "h");
  EXPECT_EQ(bare->port, "");
  EXPECT_EQ(bare->target, "");
  EXPECT_EQ(split_uri("ws://h?x")->target, "?x");
  EXPECT_EQ(split_uri("http://h:/")->authority, "h:");
}

TEST(SplitUri, TakesAnAddressAsItWasWritten) {
  const auto odd = split_uri("http://m\xC3\xBCnchen/{id}|%?\xC3\xA4");
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->host, "m\xC3\xBCnchen");
  EXPECT_EQ(odd->target, "/{id}|%?\xC3\xA4");
  for (const char* bad : {"", "h", "http://h/a b", "http://h/\n", "http://h:x/", "http://[::1/"})
    EXPECT_FALSE(split_uri(bad)) << bad;
}

TEST(ResolveUri, FollowsTheRfc) {
  // RFC 3986 section 5.4
  constexpr const char* kBase = "http://a/b/c/d?q";
  constexpr struct {
    const char* reference;
    const char* means;
  } kRows[] = {
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"g:h", "g:h"},
      {"/m?s={x}", "http://a/m?s=%7Bx%7D"},
      {"/\xC3\xA4", "http://a/%C3%A4"},
  };
  for (const auto& row : kRows) EXPECT_EQ(resolve_uri(kBase, row.reference), row.means);
  for (const char* bad : {"a b", "//[::1", "http://h:x/"})
    EXPECT_EQ(resolve_uri(kBase, bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace harness
