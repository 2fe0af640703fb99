// SPDX-License-Identifier: Apache-2.0
// shows(): plays a drafted case as `rpcspec run` does, to see whether it shows what it was drafted
// for.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "fuzz/judge/judge.h"
#include "harness/contact/pool.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace fuzz {

// What a run takes. What is passed by reference outlives the trial.
struct CaseTrial {
  const harness::target::Target& target;
  const harness::suite::Suite& suite;  // its shapes, outcomes and fixtures
  const harness::spec::Registry& registry;
  const harness::spec::Profile& profile;
  harness::run::Service service;  // empty unless we started the target and reach it by URL
  boost::asio::io_context& io;    // of the service; nothing else uses it meanwhile
  std::shared_ptr<harness::session::Rate> rate = {};  // that counts what is sent
};

// Whether the case fails on a new process and by the clause of the problem: a case that fails by
// another clause would still fail after the bug is fixed. If a process ended or fell silent, the
// clause depends on the last request, and it is enough that the steps of the case fail.
bool shows(const std::string& case_text, const Problem& problem, const CaseTrial& trial);

}  // namespace fuzz
