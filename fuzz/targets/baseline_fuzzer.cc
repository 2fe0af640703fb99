// SPDX-License-Identifier: Apache-2.0
// run/baseline. The input is a baseline; and its lines are the case, the requirement, and what was
// expected and seen of a failure that is written to one.
//
//   1. A complaint names the file.
//   2. A written baseline is read, makes the failure a known one, and has no stale entry.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/targets/property.h"
#include "harness/base/text.h"
#include "harness/results/baseline.h"
#include "harness/results/baseline_draft.h"

using namespace harness;
using fuzz::hold;

namespace {

Result<run::Baseline> load(std::string_view text) {
  const int fd = ::memfd_create("baseline", MFD_CLOEXEC);
  hold(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "written");
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  auto out = run::Baseline::load(path);
  ::close(fd);
  if (!out) {
    hold(out.error().where.starts_with(path), "a complaint names the file", out.error().text());
  }
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  run::CaseResult result;
  if (auto baseline = load(text)) baseline->apply(result, true);

  result.id = printable(fuzz::take_line(text));
  if (result.id.empty()) return 0;
  oracle::Finding finding;
  finding.requirement = "jsonrpc.id.never-invented";
  finding.expected = printable(fuzz::take_line(text));
  finding.seen = printable(text, 2000);
  finding.severity = oracle::Severity::kFail;
  result.findings = {finding};
  const std::string written = run::draft_baseline({{{result}, {}}}, false, {}, "").text;
  auto baseline = load(written);
  hold(static_cast<bool>(baseline), "what is written can be read",
       baseline ? written : baseline.error().text() + "\n" + written);
  baseline->apply(result, false);
  hold(result.baselined, "the failure is known", written);
  hold(baseline->stale({result.id}, {}).empty(), "no entry is stale", written);
  return 0;
}
