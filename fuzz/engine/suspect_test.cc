// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/suspect.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class NotReproducible : public testing::Test {
 protected:
  NotReproducible() { fs::create_directories(folder_); }
  ~NotReproducible() override { fs::remove_all(folder_); }

  void keep(const std::string& signature, const std::vector<std::string>& journal) {
    std::vector<Script> scripts;
    for (const std::string& text : journal) scripts.push_back(read_script(text + "\n"));
    Problem problem;
    problem.signature = signature;
    problem.finding.expected = "one " + signature;
    problem.finding.seen = "other " + signature;
    keep_not_reproducible(folder_, problem, scripts, "", secrets_);
  }
  std::vector<std::string> kept() const {
    std::vector<std::string> texts;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != ".script") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return texts;
  }

  const std::string folder_ =
      testing::TempDir() + "rpcspec-not-reproducible-" + std::to_string(getpid());
  harness::Secrets secrets_;
};

TEST_F(NotReproducible, LeavesTheFirstScriptOfASignature) {
  keep("ended|exit 3|", {R"({"method":"a"})", R"({"method":"b"})"});
  keep("ended|exit 3|", {R"({"method":"later"})"});
  ASSERT_THAT(kept(), testing::SizeIs(1));
  const std::string text = kept()[0];
  EXPECT_THAT(text, StartsWith("# ended|exit 3|\n# expected: one ended|exit 3|\n"
                               "# seen: other ended|exit 3|\n"));
  EXPECT_THAT(text, HasSubstr("{\"method\":\"a\"}\n"));
  EXPECT_THAT(text, HasSubstr("{\"method\":\"b\"}\n"));
  EXPECT_THAT(text, Not(HasSubstr("later")));
  std::ifstream file(folder_ + "/not-reproducible.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            "ended|exit 3|\nended|exit 3|\n");
}

TEST_F(NotReproducible, KeepsTheEndOfALongJournal) {
  const std::string half = "\"" + std::string(kMostNotReproducibleBytes / 2, 'x') + "\"";
  keep("a", {"[1]", half, half, "[2]"});
  ASSERT_THAT(kept(), testing::SizeIs(1));
  EXPECT_LT(kept()[0].size(), kMostNotReproducibleBytes + 100);
  EXPECT_THAT(kept()[0], HasSubstr(half));
  EXPECT_THAT(kept()[0], HasSubstr("[2]\n"));
  EXPECT_THAT(kept()[0], Not(HasSubstr("[1]")));
}

TEST_F(NotReproducible, KeepsSoManyAndNoMore) {
  for (std::size_t i = 0; i < kMostNotReproducible + 5; ++i) keep(std::to_string(i), {"[1]"});
  EXPECT_THAT(kept(), testing::SizeIs(kMostNotReproducible));
}

TEST_F(NotReproducible, KeepsSecretsOut) {
  secrets_.add("TOKEN", "correct-horse");
  keep("a|correct-horse", {R"(["correct-horse"])"});
  ASSERT_THAT(kept(), testing::SizeIs(1));
  EXPECT_THAT(kept()[0], Not(HasSubstr("correct-horse")));
}

}  // namespace
}  // namespace fuzz
