// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/minimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/script/steps.h"
#include "harness/json/read.h"
#include "harness/json/yaml.h"
#include "harness/transport/testing.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
using std::chrono::milliseconds;

// Reduces what is shown by nobody: a function says whether a script shows it to who waits so long.
class Reducing : public ::testing::Test {
 protected:
  struct Look {
    Script script;
    std::optional<milliseconds> patience;
  };
  using Shows = std::function<bool(const Script&, std::optional<milliseconds>)>;

  Reduced reduced(const std::string& script, const std::string& signature, const Shows& shows) {
    return reduced(std::vector<Script>(1, read_script(script)), signature, shows, {});
  }

  Reduced reduced(const std::vector<Script>& journal, const std::string& signature,
                  const Shows& shows, ReduceLimits limits) {
    Minimizer minimizer(executor_, profile_, registry_, nullptr);
    limits.show = [&](const Script& candidate) -> awaitable<std::optional<Shown>> {
      looks_.push_back({candidate, executor_.patience()});
      std::optional<Shown> out;
      if (!shows(candidate, executor_.patience())) co_return out;
      out.emplace();
      out->problem.signature = signature;
      if (dress_) dress_(candidate, *out);
      co_return out;
    };
    return harness::transport::told<Reduced>(
        io_, [&]() { return minimizer.reduce(journal, signature, limits); });
  }

  const ScriptExecutor& executor() const { return executor_; }

  std::vector<Look> looks_;
  std::function<void(const Script&, Shown&)> dress_;  // says what more was seen

 private:
  boost::asio::io_context io_;
  harness::target::Target target_;
  harness::run::Pool pool_{
      io_.get_executor(), target_, std::make_shared<harness::session::Pace>(), {}, 1};
  ScriptExecutor executor_{pool_, {}};
  const harness::spec::Profile& profile_ = *harness::spec::find_profile("jsonrpc-2.0");
  harness::spec::Registry registry_;
};

bool says(const Script& script, std::string_view text) {
  return write_script(script).find(text) != std::string::npos;
}

TEST_F(Reducing, WaitsOnceForAsLongAsAHangTakesAndForWhatIsLeft) {
  const Reduced out = reduced("{\"id\":1,\"params\":[1e400,true]}\n{\"id\":2}\n", "silent|",
                              [](const Script& one, auto) { return says(one, "1e400"); });
  EXPECT_EQ(write_script(out.script), "[1e400]\n");
  EXPECT_EQ(out.repeats, Repeats::kAlone);
  EXPECT_EQ(out.confirmed, kConfirmations);
  const auto waits = [](const Look& look) { return look.patience >= kHang; };
  ASSERT_EQ(std::count_if(looks_.begin(), looks_.end(), waits), 1);
  EXPECT_EQ(std::find_if(looks_.begin(), looks_.end(), waits)->script, out.script);
}

// What a suspect costs when it is reduced is a few plays, each of the least script.
TEST_F(Reducing, LooksAFewTimesMoreAtWhatIsLeft) {
  constexpr std::size_t kMost = 3 + kConfirmations;   // message by message twice, a margin
  constexpr std::size_t kLeast = kConfirmations - 1;  // what was seen last is one of them
  const std::string deep = "{\"a\":" + std::string(9000, '[') + std::string(9000, ']') + "}\n";
  std::size_t before = 0;
  ReduceLimits limits;
  limits.known = [&](const Script&) {
    before = looks_.size();
    return false;
  };
  const auto looks = [&](const std::string& script, const std::string& signature,
                         const Shows& shows) {
    looks_.clear();
    reduced(std::vector<Script>(1, read_script(script)), signature, shows, limits);
    return looks_.size() - before;
  };
  const auto both = [](const Script& one, auto) { return says(one, "1\n2\n"); };
  EXPECT_LE(looks("1\n2\n3\n4\n", "model|a|b|c", both), kMost);
  EXPECT_LE(looks("1\n2\n3\n4\n", "silent|", both), kMost);
  EXPECT_LE(looks("1\n2\n3\n4\n", "model|a|b|c",
                  [](const Script& one, auto) { return says(one, "1\n"); }),
            kLeast);
  EXPECT_LE(looks(deep, "ended|signal 11|",
                  [](const Script& one, auto) { return says(one, std::string(5000, '[')); }),
            kMost);
}

TEST_F(Reducing, PlaysMessageByMessageWhatShowsSo) {
  const auto both = [](const Script& one, auto) { return says(one, "1\n") && says(one, "2\n"); };
  const Reduced apart = reduced("1\n3\n2\n", "model|a|b|c", both);
  EXPECT_EQ(write_script(apart.script), "1\n!sync\n2\n");
  EXPECT_FALSE(apart.in_flight);
  EXPECT_EQ(apart.confirmed, kConfirmations);
}

TEST_F(Reducing, SaysSoWhereItShowsOnlyInFlight) {
  const Reduced out = reduced("3\n1\n2\n", "model|a|b|c",
                              [](const Script& one, auto) { return says(one, "1\n2\n"); });
  EXPECT_EQ(write_script(out.script), "1\n2\n");
  EXPECT_TRUE(out.in_flight);
  EXPECT_EQ(out.confirmed, kConfirmations);
  // With ids that are the same double, whose the reply is stays open.
  const std::string alike = "{\"id\":1,\"method\":0}\n{\"id\":1.00000000000000000001}\n";
  const auto in_flight = [&](const Script& one, auto) { return says(one, alike); };
  EXPECT_TRUE(reduced(alike, "model|a|b|c", in_flight).guessed);
  // One message is in flight with none.
  const auto any = [](const Script& one, auto) { return says(one, "1"); };
  EXPECT_FALSE(reduced("1\n2\n", "model|a|b|c", any).in_flight);
}

TEST_F(Reducing, FindsNoSilenceInWhatIsSlow) {
  const Reduced out = reduced("{\"id\":1}\n", "silent|",
                              [](const Script&, auto patience) { return patience < kHang; });
  EXPECT_EQ(out.repeats, Repeats::kNot);
  EXPECT_EQ(out.confirmed, 0);
}

// Who waits longest, the first of those who confirm, sees the reply that the others did not.
TEST_F(Reducing, FindsNothingMissingInWhatIsLate) {
  const auto impatient = [this](const Script&, auto) { return executor().care() != Care::kDogged; };
  EXPECT_EQ(reduced("1\n", "model|a|b|no reply", impatient).repeats, Repeats::kNot);
  EXPECT_EQ(reduced("1\n", "model|a|b|a result", impatient).repeats, Repeats::kAlone);
}

// A line end inside of a message makes two lines of it, and the bug is in the reading of either.
TEST_F(Reducing, ReducesWhatIsNoJsonToAReaderOfLinesToOneShortLine) {
  const auto shows = [](const Script& one, auto) {
    const Script lines = in_lines(one).value_or(one);
    return std::any_of(lines.steps.begin(), lines.steps.end(), [](const Step& step) {
      const auto* frame = std::get_if<Frame>(&step);
      return frame &&
             std::holds_alternative<harness::json::ReadError>(harness::json::read(frame->bytes));
    });
  };
  for (const char* script : {"!frame \"{\\\"id\\\":1,\\n\\\"method\\\":\\\"a\\\"}\"\n",
                             "!raw \",\"\n", "!eol none\n0\n0\n", "!eol cr\n[0]\n[1]\n"}) {
    const Script least = reduced(script, "ended|exit 1|", shows).script;
    ASSERT_EQ(least.steps.size(), 1u) << script << write_script(least);
    const auto* frame = std::get_if<Frame>(&least.steps.front());
    EXPECT_TRUE(frame && frame->delivery.usual() && frame->bytes.size() <= 2)
        << write_script(least);
  }
}

// A server may close any connection at a time of its own.
TEST_F(Reducing, FindsACloseWhereItComesEachTime) {
  int looks = 0;
  const auto now_and_then = [&](const Script&, auto) { return ++looks % 3 != 0; };
  EXPECT_EQ(reduced("1\n", "connection|a|b|c", now_and_then).repeats, Repeats::kNot);
  EXPECT_EQ(reduced("1\n", "model|a|b|c", now_and_then).repeats, Repeats::kAlone);
}

TEST_F(Reducing, SaysWhenThereWasNoTimeForAllOfTheJournal) {
  const std::vector<Script> journal = {read_script("[1]"), read_script("[2]"), read_script("[3]")};
  const auto shows = [](const Script& one, auto) { return says(one, "[1]") && says(one, "[3]"); };
  ReduceLimits limits;
  const Reduced whole = reduced(journal, "a|b", shows, limits);
  EXPECT_EQ(whole.repeats, Repeats::kWithHistory);
  EXPECT_FALSE(whole.untried);
  limits.stop = [] { return true; };
  const Reduced part = reduced(journal, "a|b", shows, limits);
  EXPECT_EQ(part.repeats, Repeats::kNot);
  EXPECT_TRUE(part.untried);
}

TEST_F(Reducing, LooksFirstAtTheMessageThatTheProofNames) {
  dress_ = [](const Script& one, Shown& shown) {
    const auto ends = [](const Step& step) {
      const auto* frame = std::get_if<Frame>(&step);
      return frame != nullptr && frame->bytes == "1e400";
    };
    const auto step = std::find_if(one.steps.begin(), one.steps.end(), ends) - one.steps.begin();
    shown.execution.ending = Ending::kGone;
    shown.execution.sent.push_back({static_cast<std::size_t>(step), 0, 7, 0});
    shown.problem.finding.frames = {7};
  };
  const std::vector<Script> journal = {read_script("[0]\n1e400\n[2]\n[3]\n[4]\n[5]"),
                                       read_script("[6]\n[7]"), read_script("[8]\n[9]")};
  ReduceLimits limits;
  limits.plays = 4;  // three for the journal
  const auto shows = [](const Script& one, auto) { return says(one, "1e400"); };
  Reduced out = reduced(journal, "ended|exit 1|", shows, limits);
  EXPECT_EQ(write_script(out.script), "1e400\n");
  EXPECT_EQ(out.repeats, Repeats::kAlone);
  // Nothing behind it was sent, whatever else it needs.
  const auto both = [](const Script& one, auto) { return says(one, "1e400") && says(one, "[0]"); };
  out = reduced(journal, "ended|exit 1|", both, limits);
  EXPECT_EQ(write_script(out.script), "[0]\n!sync\n1e400\n");
  EXPECT_TRUE(out.cut);
  EXPECT_EQ(out.repeats, Repeats::kAlone);
}

TEST_F(Reducing, ConfirmsWhatItHasNoTimeToReduce) {
  ReduceLimits limits;
  limits.stop = [] { return true; };
  const std::vector<Script> journal(1, read_script("[1,2,3]"));
  const Reduced out = reduced(
      journal, "a|b", [](const Script&, auto) { return true; }, limits);
  EXPECT_EQ(out.script, journal.front());
  EXPECT_EQ(out.confirmed, kConfirmations);
  EXPECT_TRUE(out.cut);
  EXPECT_FALSE(out.untried);
}

// The impatient take what is slow for what hangs, and leave out what does.
TEST_F(Reducing, KeepsTheWholeWhereLessOfAMessageIsSlow) {
  const std::string whole = "{\"id\":1,\"params\":[1e400,true]}\n";
  const Reduced out = reduced(whole, "silent|", [](const Script& one, auto patience) {
    return says(one, "true") && (says(one, "1e400") || patience < kHang);
  });
  EXPECT_EQ(write_script(out.script), whole);
  EXPECT_EQ(out.confirmed, kConfirmations);
  EXPECT_EQ(out.repeats, Repeats::kAlone);
  EXPECT_TRUE(out.cut);
}

TEST_F(Reducing, FindsNoSilenceThatDoesNotComeEachTime) {
  int waited = 0;
  const Reduced out = reduced("{\"id\":1}\n", "silent|", [&](const Script&, auto patience) {
    waited += patience == kHang;
    return waited == 0 || patience == kHang;
  });
  EXPECT_EQ(out.repeats, Repeats::kNot);
}

std::size_t texts_in(const Script& script) {
  return static_cast<std::size_t>(
      std::count_if(script.steps.begin(), script.steps.end(), [](const Step& step) {
        const auto* frame = std::get_if<Frame>(&step);
        return frame != nullptr && !frame->bytes.starts_with("{\"");
      }));
}

TEST_F(Reducing, MakesManyMessagesAlikeThatHaveToBeMany) {
  std::string script;
  for (int i = 0; i < 200; ++i) {
    script += "{\"id\":" + std::to_string(i) + "}\n";
    if (i % 4 == 0) script += "text " + std::to_string(i) + "\n";
  }
  const Reduced out =
      reduced(script, "silent|", [](const Script& one, auto) { return texts_in(one) >= 33; });
  EXPECT_EQ(texts_in(out.script), 33u);
  EXPECT_EQ(count_frames(out.script), 33u);
  for (const Step& step : out.script.steps)
    EXPECT_TRUE(std::holds_alternative<Sync>(step) || step == out.script.steps.front());
  EXPECT_LT(std::get<Frame>(out.script.steps.front()).bytes.size(), 2u);
  EXPECT_LT(out.plays, 200u);
}

// Sixty requests are sixty requests, in an array or not: one bug is not found twice.
TEST_F(Reducing, TakesOutOfABatchWhatNeedsNone) {
  std::string batch, lines;
  for (int i = 0; i < 100; ++i) {
    const std::string text = "{\"id\":" + std::to_string(i) + "}";
    batch += (i == 0 ? "[" : ",") + text;
    lines += text + "\n";
  }
  batch += "]\n";
  const auto sixty = [](const Script& one, auto) {
    const std::string text = write_script(one);
    return std::count(text.begin(), text.end(), '}') >= 60;
  };
  const Reduced out = reduced(batch, "silent|", sixty);
  EXPECT_EQ(count_frames(out.script), 60u);
  EXPECT_EQ(out.script, reduced(lines, "silent|", sixty).script);
  const Reduced within = reduced("[0,1]\n", "silent|", [](const Script& one, auto) {
    return says(one, "[") && says(one, ",");
  });
  EXPECT_EQ(count_frames(within.script), 1u);
}

TEST_F(Reducing, PutsMoreInPlaceOfAFrameThatWasSeveralMessages) {
  std::string script;
  for (int i = 0; i < 10; ++i) script += "!frame \"a" + std::to_string(i) + "\\nb\"\nc\n";
  const auto lines = [](const Script& one) {
    std::ptrdiff_t count = 0;
    for (const Step& step : one.steps)
      if (const auto* frame = std::get_if<Frame>(&step))
        count += 1 + std::count(frame->bytes.begin(), frame->bytes.end(), '\n');
    return count;
  };
  const Reduced out =
      reduced(script, "silent|", [&](const Script& one, auto) { return lines(one) >= 30; });
  EXPECT_EQ(count_frames(out.script), 30u);
}

TEST_F(Reducing, FindsTheLeastDepthByBisection) {
  const auto deep = [](std::size_t levels) {
    return "{\"id\":1,\"params\":" + std::string(levels, '[') + std::string(levels, ']') + "}\n";
  };
  const Reduced out = reduced(deep(100'000), "ended|signal 11|", [](const Script& one, auto) {
    const std::string text = write_script(one);
    return std::count(text.begin(), text.end(), '[') >= 4321 &&
           std::count(text.begin(), text.end(), ']') >= 4321;
  });
  const std::string left = write_script(out.script);
  // And a little more, so that it shows each time.
  EXPECT_EQ(std::count(left.begin(), left.end(), '['), 4321 + 4321 / 16);
  EXPECT_EQ(std::count(left.begin(), left.end(), ']'), 4321 + 4321 / 16);
  EXPECT_LT(out.plays, 400u);
}

// A server that ends at a sound message is shown by one, though others end it too.
TEST_F(Reducing, KeepsSoundWhatEndsAServer) {
  const Reduced out =
      reduced("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[7,8]}\n",
              "ended|signal 11|", [](const Script& one, auto) { return says(one, "7"); });
  EXPECT_EQ(write_script(out.least), "[7]\n");
  const std::string kSound = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[7]}\n";
  EXPECT_EQ(write_script(out.script), kSound);
  const Reduced odd = reduced("{\"id\":1,\"method\":\"a\",\"params\":[7,8]}\n", "ended|signal 11|",
                              [](const Script& one, auto) { return says(one, "7"); });
  EXPECT_EQ(write_script(odd.script), "[7]\n");
  // At once, where the signature says which bug it is.
  const Reduced known =
      reduced("1\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[7,8]}\n",
              "ended|exit|x.py, line 7", [](const Script& one, auto) { return says(one, "7"); });
  EXPECT_EQ(write_script(known.script), kSound);
  EXPECT_EQ(known.least, known.script);
}

TEST_F(Reducing, LeavesApartWhatDiffersForAReason) {
  std::string script;
  for (int i = 0; i < 12; ++i) script += "{\"id\":" + std::to_string(i) + "}\n";
  const Reduced out = reduced(script, "model|a|b|c", [](const Script& one, auto) {
    std::set<std::string> different;
    for (const Step& step : one.steps)
      if (const auto* frame = std::get_if<Frame>(&step)) different.insert(frame->bytes);
    return different.size() >= 10;
  });
  EXPECT_EQ(count_frames(out.script), 10u);
  EXPECT_EQ(out.confirmed, kConfirmations);
}

TEST_F(Reducing, ConfirmsWhatIsNoSilenceWithoutPatience) {
  const Reduced out =
      reduced("{\"id\":1}\n", "model|a|b|c", [](const Script&, auto) { return true; });
  EXPECT_EQ(out.confirmed, kConfirmations);
  for (const Look& look : looks_) EXPECT_FALSE(look.patience);
}

TEST(Joined, PlaysScriptsOneAfterTheOtherAsOne) {
  const Script both = joined({read_script("!answer roots/list none\n{\"id\":1}\n"),
                              read_script("#! profile: p\n{\"id\":2}\n")});
  EXPECT_EQ(
      write_script(both),
      "#! profile: p\n!answer roots/list none\n{\"id\":1}\n!sync\n!answer * usual\n{\"id\":2}\n");
}

TEST(Joined, LetsReferencesFollowTheirFrames) {
  const Script both = joined({read_script("1\n2\n"), read_script("3\n!sync\n\"${1/id}\"\n")});
  EXPECT_EQ(write_script(both), "1\n2\n!sync\n!answer * usual\n3\n!sync\n\"${3/id}\"\n");
}

}  // namespace
}  // namespace fuzz
