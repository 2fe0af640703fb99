// SPDX-License-Identifier: Apache-2.0
#include "harness/base/uri_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using testing::ElementsAre;

TEST(UriTemplate, IsRefusedWhereItIsNone) {
  for (const char* text : {"", "a{", "a}", "a{}", "a{b c}", "a{b:}", "a b", "{{id}}", "a%zz{b}"})
    EXPECT_FALSE(UriTemplate::parse(text)) << text;
}

TEST(UriTemplate, NamesItsVariablesOnce) {
  EXPECT_THAT(UriTemplate::parse("t://{a}/{+b,a}{?c*,d:3}")->variables(),
              ElementsAre("a", "b", "c", "d"));
}

TEST(UriTemplate, IsExpandedAsItsOperatorsSay) {
  struct Row {
    const char* text;
    const char* uri;
  };
  for (const Row& row :
       {Row{"t://x/{id}/data", "t://x/<id>/data"}, Row{"{a,b}", "<a>,<b>"}, Row{"x{+a}", "x<a>"},
        Row{"x{#a,b}", "x#<a>,<b>"}, Row{"x{.a,b}", "x.<a>.<b>"}, Row{"x{/a,b*}", "x/<a>/<b>"},
        Row{"x{;a,b}", "x;a=<a>;b=<b>"}, Row{"x{?a,b:3}", "x?a=<a>&b=<b>"},
        Row{"x?y=1{&a}", "x?y=1&a=<a>"}, Row{"plain", "plain"}}) {
    const auto found = UriTemplate::parse(row.text);
    ASSERT_TRUE(found) << row.text;
    EXPECT_EQ(found->expand([](const std::string& name) { return "<" + name + ">"; }), row.uri);
  }
}

TEST(UriTemplate, TellsWhatItMayHaveGiven) {
  const UriTemplate one = *UriTemplate::parse("t://x/{id}/data/{n}.md");
  EXPECT_TRUE(one.may_give("t://x/1/data/2.md"));
  EXPECT_TRUE(one.may_give("t://x/a/b/data/c/d.md"));
  EXPECT_FALSE(one.may_give("t://x/1/date/2.md"));
  EXPECT_FALSE(one.may_give("t://y/1/data/2.md"));
  EXPECT_FALSE(one.may_give("t://x/1/data/2.txt"));
  EXPECT_EQ(one.head(), "t://x/");
  EXPECT_EQ(one.tail(), ".md");
  EXPECT_TRUE(UriTemplate::parse("{+uri}")->may_give("any:thing"));
  EXPECT_FALSE(UriTemplate::parse("t://fixed")->may_give("t://fixed/more"));
}

}  // namespace
}  // namespace harness
