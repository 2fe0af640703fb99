// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/minimizer/finding_folder.h"
#include "harness/base/test_folders.h"
#include "harness/falsify/memory_target.h"
#include "harness/suite/testing.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace suite = harness::suite;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A worker whose target is a reference server in this process, and whose engine picks the first
// input each time. That engine is not there: mutators of one level need nothing of it.
class AtWork {
 public:
  AtWork(const std::string& name, Level level, std::vector<std::string> faults = {})
      : folder_(testing::TempDir() + "rpcspec-worker-" + name) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ + "/seeds");
    options_.profile = "jsonrpc-2.0";
    options_.level = level;
    options_.scratch = folder_ + "/seeds";
    options_.program = {"rpcspec", ""};
    options_.findings = folder_ + "/findings";
    options_.make_transport = harness::falsify::memory_sessions("jsonrpc-2.0", std::move(faults));
    target_.name = target_.spec = "server";
    target_.command = {harness::binary_dir() + "/no-such-server"};
    target_.openrpc = "none";  // what it says of its methods would forbid some
    worker_ = std::make_unique<Worker>(options_, target_, suite::own_suite(), suite::own_registry(),
                                       board());
  }
  ~AtWork() {
    worker_.reset();
    fs::remove_all(folder_);
  }

  // As the engine does, from a fixed seed.
  void play(std::size_t scripts) {
    constexpr std::size_t kLongest = 1 << 16;
    for (std::size_t i = 0; i < scripts; ++i) {
      const std::string input =
          worker_->mutated("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n", kLongest,
                           static_cast<std::uint32_t>(i + 1));
      worker_->play(input);
      inputs_.push_back(input);
    }
  }

  // What is wrong by the findings.
  std::vector<std::string> found() const {
    std::vector<std::string> out;
    for (const Found& one : findings_in(options_.findings)) out.push_back(one.signature);
    return out;
  }
  const WorkerRow& row() const { return board_->workers[0]; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  std::vector<std::string> seeds() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(options_.scratch))
      out.push_back(entry.path().filename());
    return out;
  }

 private:
  Board& board() {
    harness::Result<Board*> made = Board::make();
    board_ = *made;
    return *board_;
  }

  std::string folder_;
  WorkerOptions options_;
  harness::target::Target target_;
  Board* board_ = nullptr;
  std::unique_ptr<Worker> worker_;
  std::vector<std::string> inputs_;
};

constexpr std::size_t kScripts = 400;

TEST(Worker, FindsNothingOnASoundServer) {
  for (const Level level : {Level::kSequence, Level::kEnvelope, Level::kJsonText}) {
    SCOPED_TRACE(level_name(level));
    AtWork worker("sound", level);
    worker.play(kScripts);
    EXPECT_THAT(worker.found(), IsEmpty());
    // On a busy machine a wait may end before the reply: seen once, and not again.
    EXPECT_LE(worker.row().flaky, 1u);
    EXPECT_EQ(worker.row().unconfirmed, 0u);
    EXPECT_GT(worker.row().execs, kScripts / 2);
    EXPECT_GE(worker.row().frames, worker.row().execs);
    EXPECT_GT(worker.row().behaviours, 3u);
  }
}

TEST(Worker, FindsWhatTakesMoreThanOneMessage) {
  AtWork worker("third", Level::kSequence, {"planted-third-notification"});
  worker.play(kScripts);
  EXPECT_GE(worker.row().findings, 1u);
  EXPECT_THAT(worker.found(), Contains(HasSubstr("notification")));
}

TEST(Worker, MakesTheSameScriptsOfTheSameSeed) {
  AtWork one("one", Level::kEnvelope), other("other", Level::kEnvelope);
  one.play(100);
  other.play(100);
  EXPECT_EQ(one.inputs(), other.inputs());
  EXPECT_EQ(one.row().digest, other.row().digest);
}

TEST(Worker, WritesTheSeedsOfTheProfile) {
  AtWork worker("seeds", Level::kEnvelope);
  EXPECT_THAT(worker.seeds(), Not(IsEmpty()));
  EXPECT_THAT(worker.seeds(), Each(Not(HasSubstr("/"))));
}

}  // namespace
}  // namespace fuzz
