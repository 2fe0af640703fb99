// SPDX-License-Identifier: Apache-2.0
#include "reports/github.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Github, EachLineIsACommandWhateverATargetSaid) {
  for (const Record& record : {sample::every_kind(), sample::hostile()})
    for (const std::string& line : lines(render_github(record, sample::options())))
      EXPECT_THAT(line, ::testing::MatchesRegex("::(error|warning|notice) title=[^:]*::.*"));
}

TEST(Github, IsAsApproved) {
  const std::string commands = render_github(sample::every_kind(), sample::options());
  EXPECT_EQ(commands, sample::golden("github.txt", commands));
}

TEST(Github, ACauseCannotEndItsCommandNorHoldAnother) {
  Record record = sample::started();
  record.finished.gate_passed = false;
  record.finished.causes = {{"jsonrpc.id.string-echo",
                             "MUST",
                             run::Verdict::kFail,
                             "a: b, 100%",
                             "said\n::set-env name=A::b\r\n",
                             {},
                             "",
                             "",
                             "",
                             false,
                             false}};
  const std::string text = render_github(record, sample::options());
  EXPECT_EQ(lines(text).size(), 1u) << text;
  EXPECT_THAT(text, HasSubstr("title=a%3A b%2C 100%25::said"));
}

TEST(Github, KnownFailuresAreNoErrorsAndTenOfAKindAreShown) {
  Record record = sample::started();
  for (int i = 0; i < 30; ++i)
    record.finished.causes.push_back({"jsonrpc.id.string-echo",
                                      "MUST",
                                      i < 18 ? run::Verdict::kFail : run::Verdict::kWarn,
                                      "t" + std::to_string(i),
                                      "s",
                                      {},
                                      "",
                                      "",
                                      "",
                                      i < 5,
                                      false});
  record.finished.gate_passed = false;
  const std::vector<std::string> all = lines(render_github(record, sample::options()));
  const auto count = [&](const std::string& name) {
    return std::count_if(all.begin(), all.end(),
                         [&](const std::string& line) { return line.starts_with("::" + name); });
  };
  EXPECT_EQ(count("error"), 10);
  EXPECT_EQ(count("warning"), 10);
  EXPECT_THAT(all.back(), HasSubstr("::notice title=rpcspec::5 more"));
  EXPECT_THAT(all.front(), HasSubstr("title=t5::"));
}

TEST(Github, AGateThatFailsWithoutACauseIsAnError) {
  Record record = sample::started();
  record.finished.gate_passed = false;
  record.finished.gate = "failed: 3 inconclusive";
  EXPECT_EQ(render_github(record, sample::options()),
            "::error title=rpcspec::failed: 3 inconclusive\n");
  record.finished.gate_passed = true;
  record.finished.gate = "passed";
  EXPECT_THAT(render_github(record, sample::options()), HasSubstr("::notice title=rpcspec::"));
}

}  // namespace
}  // namespace reports
