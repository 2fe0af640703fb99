// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/mutator.h"

namespace fuzz {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two described methods: what `open` gives is taken by `read`.
Vocabulary described() {
  Vocabulary out(*harness::spec::find_profile("jsonrpc-2.0"));
  Surface surface;
  surface.forbidden = {"method admin.reset"};
  surface.described.resize(2);
  Tool &open = surface.described[0], &read = surface.described[1];
  open.name = R"("open")";
  open.valid = {"[]", ""};
  read.name = R"("read")";
  read.valid = {R"({"depth":1,"key":"k"})"};
  read.boundary = {R"(["k",9])"};
  read.broken = {R"({"depth":1})"};
  open.is_method = read.is_method = true;
  surface.chains = {{0, 1, 0, "key", "/keys/0", true}};
  out.offer(surface);
  return out;
}

TEST(Chains, AnArgumentRefersToTheReplyBefore) {
  const Chain text{0, 1, 1, "key", "/keys/0", true}, number{0, 1, 1, "key", "/size", false};
  EXPECT_EQ(with_reference(R"({"a":[1],"key":"k"})", text, 3),
            R"({"a":[1],"key":"${3/result/keys/0}"})");
  EXPECT_EQ(with_reference(R"([1,[2],3])", number, 1), R"([1,${1/result/size},3])");
  for (const char* none : {"", "1", "[1]", "{}", R"({"Key":1})"})
    EXPECT_FALSE(with_reference(none, text, 1)) << none;
}

TEST(Chains, EachArgumentComesBehindTheFirstCall) {
  const std::vector<Script> scripts = contract_scripts(described());
  ASSERT_EQ(scripts.size(), 5u);
  EXPECT_EQ(write_script(scripts[0]),
            "#! profile: jsonrpc-2.0\n"
            R"({"jsonrpc":"2.0","id":6000000,"method":"open","params":[]})"
            "\n"
            R"({"jsonrpc":"2.0","id":6000001,"method":"open"})"
            "\n");
  const char* first = R"({"jsonrpc":"2.0","id":6000005,"method":"open","params":[]})";
  const char* named =
      R"({"jsonrpc":"2.0","id":6000006,"method":"read","params":{"depth":1,"key":"${1/result/keys/0}"}})";
  const char* listed =
      R"({"jsonrpc":"2.0","id":6000007,"method":"read","params":["${1/result/keys/0}",9]})";
  EXPECT_EQ(write_script(scripts[4]), std::string("#! profile: jsonrpc-2.0\n") + first +
                                          "\n!sync\n" + named + "\n" + listed + "\n");
}

TEST(Chains, DescribedMethodsAreCalledAsToolsAre) {
  const Vocabulary vocabulary = described();
  std::vector<std::string> asked;
  for (const Script& script : requests(vocabulary)) asked.push_back(write_script(script));
  EXPECT_THAT(asked, Contains(HasSubstr(R"("id":0,"method":"read","params":{"depth":1)")));
  const auto becomes = [&](const char* mutator, const char* seed, const char* part) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
      Random random(i);
      Script script = read_script(seed);
      if (find_mutator(mutator)->apply(script, vocabulary, random) &&
          write_script(script).find(part) != std::string::npos)
        return true;
    }
    return false;
  };
  const char* seed = R"({"jsonrpc":"2.0","id":7,"method":"read","params":{}})";
  EXPECT_TRUE(becomes("call-boundary", seed, R"("id":7,"method":"read","params":["k",9]})"));
  EXPECT_TRUE(becomes("call-valid", seed, R"("id":7,"method":"open"})"));  // without params
  EXPECT_TRUE(becomes("follow-up", seed, R"("${2/result/keys/0}")"));
}

TEST(Chains, AMethodThatMayNotBeCalledIsNotLearnt) {
  Vocabulary vocabulary = described();
  vocabulary.learn(R"({"result":{"methods":[{"name":"admin.reset"},{"name":"book.get"}]}})");
  EXPECT_THAT(vocabulary.strings(), ElementsAre(R"("book.get")"));
  EXPECT_THAT(Vocabulary(vocabulary.profile()).chains(), IsEmpty());
}

}  // namespace
}  // namespace fuzz
