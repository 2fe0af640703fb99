// SPDX-License-Identifier: Apache-2.0
#include "fuzz/script/steps.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace fuzz {
namespace {

constexpr const char* kScript = "1\n!sync\n2\n3\n!sync\n\"${1/a}${3/b}\"\n";

std::string without(std::size_t begin, std::size_t end) {
  Script script = read_script(kScript);
  drop_steps(script, begin, end);
  return write_script(script);
}

TEST(Steps, AreCountedAndFound) {
  const Script script = read_script(kScript);
  EXPECT_EQ(count_frames(script), 4u);
  EXPECT_EQ(step_of_frame(script, 0), 0u);
  EXPECT_EQ(step_of_frame(script, 2), 3u);
  EXPECT_EQ(frame_number(script, 0), 1u);
  EXPECT_EQ(frame_number(script, 1), 2u);
  EXPECT_EQ(frame_number(script, 6), 5u);
  EXPECT_EQ(place_of(script, &std::get<Frame>(script.steps[3])), 3u);
}

TEST(Steps, AreDroppedAndWhatIsAwaitedFollows) {
  Script script = read_script("1\n2\n3\n!await 3\n!await 1\n");
  drop_steps(script, 1, 2);
  EXPECT_EQ(write_script(script), "1\n3\n!await 2\n!await 1\n");
  Script twice = script;
  append(twice, script);
  EXPECT_EQ(write_script(twice), "1\n3\n!await 2\n!await 1\n1\n3\n!await 4\n!await 3\n");
}

TEST(Steps, TellASchedule) {
  EXPECT_FALSE(is_schedule(read_script("1\n!sync\n2\n!close\n!answer * late\n")));
  for (const char* line : {"!session 2", "!await 1", "!arrival", "!release last", "!cut",
                           "!answer * held"})
    EXPECT_TRUE(is_schedule(read_script(line))) << line;
}

TEST(Steps, AreDroppedAndReferencesFollow) {
  EXPECT_EQ(without(2, 3), "1\n!sync\n3\n!sync\n\"${1/a}${2/b}\"\n");
  EXPECT_EQ(without(1, 3), "1\n3\n!sync\n\"${1/a}${2/b}\"\n");
  EXPECT_EQ(without(1, 2), "1\n2\n3\n!sync\n\"${1/a}${3/b}\"\n");
  EXPECT_EQ(without(5, 6), "1\n!sync\n2\n3\n!sync\n");
  EXPECT_EQ(without(3, 3), kScript);
  // What stood for a frame that is gone stands for the one that has its number now.
  EXPECT_EQ(without(0, 1), "!sync\n2\n3\n!sync\n\"${1/a}${2/b}\"\n");
}

TEST(Steps, AreAppendedWithTheirOwnReferences) {
  Script script = read_script("7\n!sync\n\"${1/x}\"\n");
  append(script, read_script(kScript));
  EXPECT_EQ(write_script(script),
            "7\n!sync\n\"${1/x}\"\n1\n!sync\n2\n3\n!sync\n\"${3/a}${5/b}\"\n");
}

TEST(Steps, AreSentOneByOneWithAWaitBehindEachMessage) {
  const Script script = read_script("1\n2\n!sync\n3\n");
  EXPECT_TRUE(in_flight_together(script));
  EXPECT_FALSE(in_flight_together(one_by_one(script)));
  EXPECT_EQ(write_script(one_by_one(script)), "1\n!sync\n2\n!sync\n3\n");
  EXPECT_EQ(one_by_one(one_by_one(script)), one_by_one(script));
}

TEST(Steps, AreSaidInLines) {
  const auto said = [](const std::string& text) {
    const std::optional<Script> lines = in_lines(read_script(text));
    return lines ? write_script(*lines) : "";
  };
  EXPECT_EQ(said("!frame \"{\\\"id\\\":1,\\r\\n}\"\n2\n"), "!eol crlf\n{\"id\":1,\n}\n2\n");
  EXPECT_EQ(said("!raw \"[1]\\n[2\"\n!raw \"]\"\n!sync\n!raw \",\"\n"), "[1]\n[2]\n!sync\n,\n");
  EXPECT_EQ(said("!eol none\n0\n0\n"), "00\n");
  EXPECT_EQ(said("!eol cr\n0\n1\n!eol cr\n2\n"), "!frame \"0\\r1\"\n!eol crlf\n2\n");
  EXPECT_EQ(said("1\n!chunks 1\n!frame \"[\\n]\"\n"), "");
  EXPECT_EQ(said("!eol crlf\n1\n\n2\n!sync\n"), "");
  EXPECT_EQ(said("1\n!frame \"[${1/a},\\n2]\"\n"), "");
}

}  // namespace
}  // namespace fuzz
