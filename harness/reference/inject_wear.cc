// SPDX-License-Identifier: Apache-2.0
// Faults that no single answer shows: what an error leaves behind, what is remembered of another
// session, what a long text costs.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cstring>

#include "harness/json/write.h"
#include "harness/reference/inject.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kLostByError = 4096;   // bytes an error takes with it
constexpr int kMostLost = 20000;             // descriptors or threads
constexpr std::size_t kShortText = 64;       // bytes that cost nothing to speak of
constexpr std::size_t kLongestText = 65536;  // what is longer costs no more than this
constexpr std::size_t kKeptEntries = 1000;   // entries of a cache that is bounded

void* sleep_for_ever(void*) {
  while (true) pause();
}

void lose_thread() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  pthread_create(&thread, &small, sleep_for_ever, nullptr);
  pthread_attr_destroy(&small);
}

}  // namespace

void FaultMemory::lose(std::size_t bytes) {
  lost.push_back(new char[bytes]);
  std::memset(lost.back(), 1, bytes);
}

void FaultInjector::wear(const Call* call, Value& reply) {
  Value* error = reply.find("error");
  if (error == nullptr || !error->is_object()) return;
  FaultMemory& memory = session_.server.memory;
  if (faults_.has("error-leaks-memory")) memory.lose(kLostByError);
  // Sound: an operator may look at the last errors.
  if (faults_.has("keeps-last-errors")) {
    memory.last_errors.push_back(std::string(kLostByError, 'x'));
    if (memory.last_errors.size() > kKeptEntries) memory.last_errors.pop_front();
  }
  int& count = memory.tally["lost"];
  if (faults_.has("error-leaks-descriptor") && count < kMostLost) {
    ++count;
    if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) return;
  }
  if (faults_.has("error-leaks-thread") && count < kMostLost) {
    ++count;
    lose_thread();
  }
  if (call == nullptr) return;
  const Value* code = error->find("code");
  const bool refused_params = code != nullptr && code->text == std::to_string(kInvalidParams);
  if (refused_params && faults_.has("stack-trace-in-error-data")) {
    error->set("data", json::object({{"stack", json::string("TypeError: x is undefined\n"
                                                            "    at call (/srv/app.js:12:7)\n"
                                                            "    at run (/srv/app.js:40:3)")}}));
  }
  if (faults_.has("error-loses-tool") && call->method != "tools/list")
    memory.tally["lost tool"] = 1;
  if (faults_.has("errors-quote-other-session")) {
    if (memory.refused_by != nullptr && memory.refused_by != &session_)
      error->set("data", json::object({{"previous", json::string(memory.refused)}}));
    memory.refused_by = &session_;
    memory.refused = json::write(call->params);
  }
}

void FaultInjector::toil(const Call& call) const {
  if (!faults_.has("long-text-costs-square")) return;
  Value params = call.params;
  volatile std::size_t steps = 0;
  each_value(params, [&](const Value& value) {
    if (!value.is_string() || value.text.size() < kShortText) return;
    const std::size_t size = std::min(value.text.size(), kLongestText);
    for (std::size_t i = 0; i < size * size / 4; ++i) steps = steps + 1;
  });
}

}  // namespace harness::reference
