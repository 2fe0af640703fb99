// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/hunt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/executor/vocabulary_of.h"
#include "harness/base/test_folders.h"
#include "harness/falsify/memory_target.h"
#include "harness/suite/testing.h"
#include "harness/transport/testing.h"

namespace fuzz {
namespace {

using harness::transport::told;
namespace suite = harness::suite;
using testing::IsEmpty;
using testing::SizeIs;
using Faults = std::vector<std::string>;

// Two reference servers in this process.
class Hunting {
 public:
  Hunting(Faults a, Faults b)
      : a_(meet("a", std::move(a))), b_(meet("b", std::move(b))),
        sides_({*a_.fuzz_target, a_.target}, {*b_.fuzz_target, b_.target}),
        hunt_(sides_, suite::own_registry(), accepted_, {}) {}
  ~Hunting() { sides_.forget_sessions(); }

  void look_at(const std::string& text) {
    const Script script = read_script(text);
    const auto looked = told<harness::Status>(io_, [&]() { return hunt_.look_at(script); });
    EXPECT_TRUE(looked);
  }
  void vary_from(const std::string& text, std::size_t count) {
    const std::vector<Script> given(1, read_script(text));
    const Vocabulary vocabulary = vocabulary_of(*a_.fuzz_target, a_.target);
    const auto looked =
        told<harness::Status>(io_, [&]() { return hunt_.vary_from(given, vocabulary, 1, count); });
    EXPECT_TRUE(looked);
  }
  Hunt& hunt() { return hunt_; }

 private:
  struct Met {
    harness::target::Target target;
    std::unique_ptr<FuzzTarget> fuzz_target;
  };

  // What stands on the heap stays where it is.
  Met& meet(const std::string& name, Faults faults) {
    Met& met = *met_.emplace_back(std::make_unique<Met>());
    met.target.name = name;
    met.target.command = {harness::binary_dir() + "/no-such-server"};
    met.fuzz_target = std::make_unique<FuzzTarget>(
        io_.get_executor(), met.target, suite::own_suite(), harness::run::Service{},
        std::chrono::milliseconds(1000),
        harness::falsify::memory_sessions("jsonrpc-2.0", std::move(faults)));
    const auto done =
        told<harness::Status>(io_, [&] { return met.fuzz_target->meet("jsonrpc-2.0"); });
    if (!done) throw std::runtime_error(done.error().text());
    return met;
  }

  boost::asio::io_context io_{1};
  std::vector<std::unique_ptr<Met>> met_;
  Met& a_;
  Met& b_;
  AcceptedDifferences accepted_;
  Sides sides_;
  Hunt hunt_;
};

const std::string kPing = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
const std::string kLargeId =
    "{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"nothing\"}\n";

TEST(Hunt, FindsTheOneDifferenceAndReducesIt) {
  Hunting hunting({}, {"planted-error-id-rounded"});
  hunting.look_at(kPing + kLargeId + kPing);
  ASSERT_THAT(hunting.hunt().found(), SizeIs(1));
  const Divergence& found = hunting.hunt().found().front();
  EXPECT_NE(found.difference.a, found.difference.b);
  EXPECT_EQ(found.script.steps.size(), 1u) << write_script(found.script);
  EXPECT_THAT(found.breaks_a, IsEmpty());
  EXPECT_THAT(found.breaks_b, testing::Not(IsEmpty()));  // and says whose mistake it is
  EXPECT_THAT(hunting.hunt().flaky(), IsEmpty());
  // The same again is no second one.
  hunting.look_at(kLargeId);
  EXPECT_THAT(hunting.hunt().found(), SizeIs(1));
}

TEST(Hunt, TellsWhicheverSideIsWrong) {
  Hunting hunting({"planted-error-id-rounded"}, {});
  hunting.look_at(kLargeId);
  ASSERT_THAT(hunting.hunt().found(), SizeIs(1));
  EXPECT_THAT(hunting.hunt().found().front().breaks_a, testing::Not(IsEmpty()));
  EXPECT_THAT(hunting.hunt().found().front().breaks_b, IsEmpty());
}

TEST(Hunt, FindsNothingBetweenServersThatAnswerAlike) {
  Hunting hunting({}, {});
  hunting.look_at(kPing + kLargeId);
  hunting.vary_from(kPing + kLargeId, 200);
  EXPECT_GT(hunting.hunt().scripts(), 100u);
  EXPECT_THAT(hunting.hunt().found(), IsEmpty());
  EXPECT_THAT(hunting.hunt().flaky(), IsEmpty());
}

}  // namespace
}  // namespace fuzz
