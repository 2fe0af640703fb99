// SPDX-License-Identifier: Apache-2.0
// What the fuzzer pays for a script before anything is sent: mutations a second on one core, of
// scripts of five frames, each a fresh copy; the same with the text read before and written behind
// it, as an engine of bytes has it; chains of mutations, which grow scripts; and what reading a
// reply for values costs. Processor time, not wall-clock time. Prints a Markdown table.
//
//   mutations [SECONDS_A_ROW]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/testing.h"

namespace {

using namespace fuzz;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void measure(const char* what, double seconds, const std::function<void()>& once) {
  for (int i = 0; i < 1000; ++i) once();
  std::size_t count = 0;
  const double start = cpu_seconds();
  double spent = 0;
  while (spent < seconds) {
    for (int i = 0; i < 500; ++i) once();
    count += 500;
    spent = cpu_seconds() - start;
  }
  std::printf("| %s | %.0f | %.2f |\n", what, static_cast<double>(count) / spent,
              spent / static_cast<double>(count) * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
  const std::vector<Script> seeds = testing::seeds();
  std::vector<std::string> texts;
  for (const Script& seed : seeds) texts.push_back(write_script(seed));
  Vocabulary vocabulary = testing::vocabulary();
  Random random(1);
  std::size_t next = 0;
  std::size_t sink = 0;

  std::printf("| what | a second | µs each |\n|---|---:|---:|\n");
  measure("a copy of a script", seconds, [&] {
    const Script script = seeds[next++ % seeds.size()];
    sink += script.steps.size();
  });
  measure("a copy, mutated once", seconds, [&] {
    Script script = seeds[next++ % seeds.size()];
    mutate(script, vocabulary, random);
    sink += script.steps.size();
  });
  const std::pair<const char*, Level> levels[] = {{"… at the level sequence", Level::kSequence},
                                                  {"… envelope", Level::kEnvelope},
                                                  {"… arguments", Level::kArguments},
                                                  {"… json-text", Level::kJsonText},
                                                  {"… framing", Level::kFraming},
                                                  {"… reverse", Level::kReverse},
                                                  {"… raw", Level::kRaw}};
  for (const auto& [name, level] : levels) {
    measure(name, seconds / 4, [&, level = level] {
      Script script = seeds[next++ % seeds.size()];
      mutate(script, level, vocabulary, random);
      sink += script.steps.size();
    });
  }
  Script chain;
  measure("a link in a chain of eight", seconds, [&] {
    if (next++ % 8 == 0) chain = seeds[next / 8 % seeds.size()];
    mutate(chain, vocabulary, random);
  });
  std::string out;
  measure("read, mutated once, written", seconds, [&] {
    Script script = read_script(texts[next++ % texts.size()]);
    mutate(script, vocabulary, random);
    out.clear();
    append_script(out, script);
    sink += out.size();
  });
  measure("crossed over", seconds, [&] {
    sink +=
        cross_over(seeds[next % seeds.size()], seeds[(next + 1) % seeds.size()], vocabulary, random)
            .steps.size();
    ++next;
  });
  const std::string reply =
      R"({"jsonrpc":"2.0","id":17,"result":{"content":[{"type":"text","text":"hello"}],"nextCursor":"abc","isError":false}})";
  measure("learned from a reply of 120 bytes", seconds / 2, [&] { vocabulary.learn(reply); });
  return sink == 0;
}
