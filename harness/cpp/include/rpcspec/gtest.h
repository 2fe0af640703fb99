// SPDX-License-Identifier: Apache-2.0
// rpcspec in a GoogleTest program:
//
//   RPCSPEC_CONFORMANCE_TEST(Server, {"./server"}, {"--profile", "jsonrpc-2.0"});
//   RPCSPEC_HANDLER_TEST(handle, {"--profile", "jsonrpc-2.0"});
//   TEST(Server, RefusesText) { EXPECT_CONFORMS("x", handle("x"), "jsonrpc-2.0"); }
//
// Each case is a test, `Server.jsonrpc/id/echo_on_error` (a "-" has a meaning in --gtest_filter, so
// it becomes a "_"). Filters, shards, repetitions, XML and gtest_discover_tests() work as with any
// test. All cases that this process has to run are played together when the first of them runs.
// With CMake, link rpcspec::gtest, which knows the path of the program. Needs C++17 and GoogleTest
// 1.11.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rpcspec/conformance.h"

#ifndef RPCSPEC_PROGRAM
#define RPCSPEC_PROGRAM "rpcspec"  // on the PATH
#endif

namespace rpcspec {
namespace gtest {

// The tests of one server.
class Tests {
 public:
  template <class Server>
  Tests(std::string name, const char* file, int line, Server server,
        std::vector<std::string> options)
      : name_(std::move(name)),
        file_(file),
        line_(line),
        judge_(RPCSPEC_PROGRAM, std::move(server), std::move(options)) {}

  // Makes a test for each case.
  static bool add(std::shared_ptr<Tests> tests);

  // The body of the test of this case.
  void run(const std::string& id) {
    if (due_.erase(id) == 0) {  // the first of them, or a repetition
      due_ = wanted();
      told_besides_ = false;
      judge_.play({due_.begin(), due_.end()});
      due_.erase(id);
    }
    const Conformance::Outcome outcome = judge_.outcome(id);
    ::testing::Test::RecordProperty("rpcspec_case", id);
    ::testing::Test::RecordProperty("rpcspec_milliseconds", std::to_string(outcome.milliseconds));
    if (outcome.kind == Conformance::Kind::kFailed) {
      ADD_FAILURE_AT(file_, line_) << outcome.text;
    } else if (outcome.kind == Conformance::Kind::kSkipped) {
      GTEST_SKIP() << outcome.text;
    } else if (!outcome.text.empty()) {
      std::cout << outcome.text << std::endl;
    }
  }

  void tell_besides() {
    if (std::exchange(told_besides_, true)) return;
    const std::string besides = judge_.besides();
    if (!besides.empty()) ADD_FAILURE_AT(file_, line_) << name_ << ": " << besides;
  }

 private:
  // Cases whose tests this process runs.
  std::set<std::string> wanted() const {
    std::set<std::string> ids;
    const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
      const ::testing::TestSuite& suite = *all.GetTestSuite(i);
      if (suite.name() != name_) continue;
      for (int k = 0; k < suite.total_test_count(); ++k) {
        const auto found = ids_.find(suite.GetTestInfo(k)->name());
        if (found != ids_.end() && suite.GetTestInfo(k)->should_run()) ids.insert(found->second);
      }
    }
    return ids;
  }

  const std::string name_;
  const char* const file_;
  const int line_;
  Conformance judge_;
  std::map<std::string, std::string> ids_;  // case ids, by the names of their tests
  std::set<std::string> due_;               // played, but not reported yet
  bool told_besides_ = true;
};

class CaseTest : public ::testing::Test {
 public:
  CaseTest(std::shared_ptr<Tests> tests, std::string id)
      : tests_(std::move(tests)), id_(std::move(id)) {}
  void TestBody() override { tests_->run(id_); }

 private:
  const std::shared_ptr<Tests> tests_;
  const std::string id_;
};

// What rpcspec reported instead of cases.
class BrokenTest : public ::testing::Test {
 public:
  BrokenTest(const char* file, int line, std::string why)
      : file_(file), line_(line), why_(std::move(why)) {}
  void TestBody() override { ADD_FAILURE_AT(file_, line_) << why_; }

 private:
  const char* const file_;
  const int line_;
  const std::string why_;
};

// What no case shows is reported after all tests, and fails the program.
class Besides : public ::testing::Environment {
 public:
  explicit Besides(std::shared_ptr<Tests> tests) : tests_(std::move(tests)) {}
  void TearDown() override { tests_->tell_besides(); }

 private:
  const std::shared_ptr<Tests> tests_;
};

inline bool Tests::add(std::shared_ptr<Tests> tests) {
  const char* const suite = tests->name_.c_str();
  const char* const file = tests->file_;
  const int line = tests->line_;
  try {
    for (const Conformance::Case& one : tests->judge_.cases()) {
      std::string name = one.id;
      for (char& c : name) c = c == '-' ? '_' : c;
      tests->ids_[name] = one.id;
      ::testing::RegisterTest(
          suite, name.c_str(), nullptr, nullptr, file, line,
          [tests, id = one.id]() -> ::testing::Test* { return new CaseTest(tests, id); });
    }
  } catch (const std::exception& broken) {
    ::testing::RegisterTest(suite, "can_be_judged", nullptr, nullptr, file, line,
                            [file, line, why = std::string(broken.what())]() -> ::testing::Test* {
                              return new BrokenTest(file, line, why);
                            });
  }
  ::testing::AddGlobalTestEnvironment(new Besides(tests));
  return true;
}

inline bool add_command(const char* name, const char* file, int line,
                        std::vector<std::string> command, std::vector<std::string> options = {}) {
  return Tests::add(
      std::make_shared<Tests>(name, file, line, std::move(command), std::move(options)));
}

// `server` answers a message (Handler), or makes a new Handler.
template <class Server>
bool add_handler(const char* name, const char* file, int line, Server server,
                 std::vector<std::string> options = {}) {
  Conformance::Make make;
  if constexpr (std::is_invocable_r_v<std::string, Server, std::string_view>) {
    make = [server]() -> Handler { return server; };
  } else {
    static_assert(std::is_invocable_r_v<Handler, Server>,
                  "RPCSPEC_HANDLER_TEST takes std::string(std::string_view), or a function that "
                  "returns one");
    make = server;
  }
  std::string suite;  // `name` is everything in the parentheses
  for (const char* c = name; *c != '\0' && *c != ','; ++c)
    suite += std::isalnum(static_cast<unsigned char>(*c)) != 0 ? *c : '_';
  return Tests::add(std::make_shared<Tests>(suite, file, line, make, std::move(options)));
}

inline ::testing::AssertionResult conforms(const char* /*request*/, const char* reply,
                                           const char* /*profile*/, std::string_view asked,
                                           std::string_view answered, std::string_view profile) {
  const std::string report = judge_exchange(asked, answered, profile);
  if (report.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << reply << " is no lawful reply\n" << report;
}

}  // namespace gtest
}  // namespace rpcspec

#define RPCSPEC_JOINED_(a, b) a##b
#define RPCSPEC_NAMED_(a, b) RPCSPEC_JOINED_(a, b)

// (Suite, {COMMAND, ARG…}) or (Suite, {COMMAND, ARG…}, {OPTION…}): a test for each case, played on
// a server that the command starts; options are those of `rpcspec run`. Without --profile there is
// a test for every case of every profile, and those that do not apply are skipped.
#define RPCSPEC_CONFORMANCE_TEST(suite, ...)                                    \
  [[maybe_unused]] static const bool RPCSPEC_NAMED_(rpcspec_added_, __LINE__) = \
      ::rpcspec::gtest::add_command(#suite, __FILE__, __LINE__, __VA_ARGS__)

// (function) or (function, {OPTION…}): a test for each case that needs no transport. The function
// answers a message, std::string(std::string_view), or returns such a function.
#define RPCSPEC_HANDLER_TEST(...)                                               \
  [[maybe_unused]] static const bool RPCSPEC_NAMED_(rpcspec_added_, __LINE__) = \
      ::rpcspec::gtest::add_handler(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)

// Whether a server that is ready may send this reply ("" is none) to this request, under a profile.
#define EXPECT_CONFORMS(request, reply, profile) \
  EXPECT_PRED_FORMAT3(::rpcspec::gtest::conforms, request, reply, profile)
