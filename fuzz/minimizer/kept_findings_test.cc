// SPDX-License-Identifier: Apache-2.0
// What was found in real servers (corpus/servers/*/findings) can still be read and played, whether
// or not those servers are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/script/script.h"
#include "harness/base/test_folders.h"
#include "harness/suite/testing.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace suite = harness::suite;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The folders of findings there are, one for each server that has any.
std::vector<fs::path> kept() {
  std::vector<fs::path> out;
  for (const auto& server : fs::directory_iterator(harness::source_dir() + "/corpus/servers")) {
    if (fs::is_directory(server.path() / "findings")) out.push_back(server.path() / "findings");
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  return out;
}

TEST(KeptFindings, AreOfAtLeastThreeServersAndEachIsArgued) {
  EXPECT_GE(kept().size(), 3u);
  for (const fs::path& folder : kept()) {
    const std::string argument = text_of(folder / "README.md");
    EXPECT_FALSE(folders_in(folder).empty()) << folder;
    for (const fs::path& finding : folders_in(folder)) {
      const std::string name = finding.filename().string();
      EXPECT_NE(argument.find("`" + name + "`"), std::string::npos) << folder << ": " << name;
    }
  }
}

TEST(KeptFindings, HaveAScriptThatReadsAsItIsWritten) {
  for (const fs::path& folder : kept()) {
    for (const fs::path& finding : folders_in(folder)) {
      const std::string text = text_of(finding / "script");
      const Script script = read_script(text);
      EXPECT_FALSE(script.steps.empty()) << finding;
      EXPECT_EQ(write_script(script), text) << finding;
    }
  }
}

TEST(KeptFindings, HaveASignatureEachOfItsOwn) {
  for (const fs::path& folder : kept()) {
    std::set<std::string> signatures;
    for (const Found& found : findings_in(folder.string())) {
      signatures.insert(found.signature);
      EXPECT_NE(found.expected + found.seen, "") << folder << ": " << found.name;
    }
    EXPECT_EQ(signatures.size(), folders_in(folder).size()) << folder;
  }
}

// They were found by an rpcspec that made signatures of sentences.
TEST(KeptFindings, AreKnownToACampaignByTheSignaturesOfToday) {
  for (const fs::path& folder : kept()) {
    for (const fs::path& finding : folders_in(folder)) {
      const auto result = result_in(folder.string(), finding.filename().string());
      const auto& fact = result.findings.at(0);
      if (fact.oracle == "process" || fact.oracle == "canary") continue;
      const std::string signature = signature_anew(result, suite::own_registry());
      EXPECT_TRUE(signature.starts_with(fact.oracle + "|" + fact.requirement + "|")) << finding;
    }
  }
}

// Programs and people read the same, and the commands show what they promise to.
TEST(KeptFindings, SayTheSameInBothOfTheirFiles) {
  for (const fs::path& folder : kept()) {
    for (const fs::path& finding : folders_in(folder)) {
      const std::string readme = text_of(finding / "README.md");
      const auto result = result_in(folder.string(), finding.filename().string());
      const auto& fact = result.findings.at(0);
      EXPECT_TRUE(readme.starts_with("# " + fact.requirement + "\n")) << finding;
      for (const std::string& words : {fact.expected, fact.seen, result.level, result.replay}) {
        EXPECT_NE(words, "") << finding;
        EXPECT_NE(readme.find(words), std::string::npos) << finding << ": " << words;
      }
      const bool should = result.replay.find(" --level should ") != std::string::npos;
      EXPECT_EQ(should, result.verdict == harness::run::Verdict::kWarn) << finding;
    }
  }
}

TEST(KeptFindings, HaveACaseThatLoads) {
  for (const fs::path& folder : kept()) {
    for (const fs::path& finding : folders_in(folder)) {
      if (!fs::exists(finding / "case.yaml")) {
        // What only a stateful check can see.
        EXPECT_NE(text_of(finding / "README.md").find(" --check "), std::string::npos) << finding;
        continue;
      }
      const auto cases =
          suite::load_user_cases(finding.string(), suite::own_suite(), suite::own_registry());
      ASSERT_TRUE(cases) << cases.error().text();
      ASSERT_EQ(cases->size(), 1u) << finding;
      const std::string clause = text_of(finding / "README.md").substr(2);
      EXPECT_EQ(cases->front().covers.front(), clause.substr(0, clause.find('\n'))) << finding;
    }
  }
}

TEST(KeptFindings, TellNothingOfTheMachineTheyWereFoundOn) {
  const std::regex place(R"(/(home|root|tmp|work|srv|Users)/|\b[0-9]{1,3}(\.[0-9]{1,3}){3}\b)");
  for (const fs::path& folder : kept()) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), place), end; at != end; ++at) {
        EXPECT_EQ(at->str(), "127.0.0.1") << entry.path();
      }
    }
  }
}

}  // namespace
}  // namespace fuzz
