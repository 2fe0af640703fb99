// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/board.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {
namespace {

TEST(Board, ASignatureIsSomebodysInAllProcesses) {
  auto made = Board::make();
  ASSERT_TRUE(made);
  Board& board = **made;
  EXPECT_FALSE(board.claimed("a"));
  EXPECT_TRUE(board.claim("a"));
  EXPECT_FALSE(board.claim("a"));
  const pid_t child = fork();
  if (child == 0) {
    const bool right = !board.claim("a") && board.claim("b");
    board.say_profile("mcp-2025-11-25");
    board.workers[1].execs = 7;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(board.claimed("b"));
  EXPECT_EQ(board.profile(), "mcp-2025-11-25");
  EXPECT_EQ(board.workers[1].execs, 7u);
}

TEST(Board, WhatIsReleasedMayBeClaimedAnew) {
  auto made = Board::make();
  ASSERT_TRUE(made);
  Board& board = **made;
  board.release("a");
  EXPECT_TRUE(board.claim("a"));
  EXPECT_TRUE(board.claim("b"));
  board.release("a");
  EXPECT_FALSE(board.claimed("a"));
  EXPECT_TRUE(board.claim("a"));
  EXPECT_FALSE(board.claim("a"));
  EXPECT_FALSE(board.claim("b"));
}

TEST(Board, TakesNoMoreSignaturesThanItHolds) {
  auto made = Board::make();
  ASSERT_TRUE(made);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < Board::kMostSignatures + 100; ++i)
    taken += (*made)->claim("signature " + std::to_string(i));
  EXPECT_LE(taken, Board::kMostSignatures);
  EXPECT_GT(taken, Board::kMostSignatures - 10);
  EXPECT_TRUE((*made)->claimed("signature one too many"));
}

}  // namespace
}  // namespace fuzz
