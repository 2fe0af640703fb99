// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/finding_writer.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "fuzz/engine/suspect.h"
#include "fuzz/minimizer/case_draft.h"
#include "fuzz/minimizer/case_trial.h"
#include "fuzz/minimizer/finding_folder.h"

namespace fuzz {

void FindingWriter::write(const Reduced& reduced, const std::vector<Script>& journal,
                          const OfCheck& check) {
  const Kin kin = kin_of(reduced, options_.findings, target_.profile());
  if (kin.told) return;
  const harness::target::Target& target = target_.target();
  FindingContext context{options_.findings,
                         options_.program,
                         target.spec,
                         target_.profile(),
                         target.transport_name(),
                         target_.registry(),
                         target.secrets,
                         check.name,
                         row_.frames.load(),
                         std::nullopt,
                         met_};
  auto written = write_finding(reduced, journal, context);
  if (!written) target_.give_up(written.error());
  std::error_code ignored;
  for (const std::string& other : kin.longer)
    if (other != options_.findings + "/" + *written) std::filesystem::remove_all(other, ignored);
  row_.findings += 1 - kin.longer.size();
  // The finding is there whatever becomes of its case: the campaign may be over meanwhile.
  const std::string draft =
      check.name.empty() ? case_draft(reduced, target_.profile(), target) : check.case_text;
  context.case_text = tried(target.secrets.masked(draft), reduced.problem);
  // Another worker may have found a shorter script and taken it away.
  if (!std::filesystem::exists(options_.findings + "/" + *written)) return;
  written = write_finding(reduced, journal, context);
  if (!written) target_.give_up(written.error());
}

// The case, or nothing when it does not show what it was drafted for.
std::string FindingWriter::tried(const std::string& case_text, const Problem& problem) {
  if (case_text.empty()) return "";
  target_.executor().forget_session();
  const CaseTrial trial{target_.target(),  target_.suite(),   target_.registry(),
                        target_.profile(), target_.service(), target_.io(),
                        target_.fuzz_target().rate()};
  const bool shown = shows(case_text, problem, trial);
  target_.forget_process();
  return shown ? case_text : "";
}

void FindingWriter::keep_not_reproducible(const Problem& problem,
                                          const std::vector<Script>& journal,
                                          const std::string& check) {
  ++row_.flaky;
  fuzz::keep_not_reproducible(options_.findings, problem, journal, check, target_.target().secrets);
}

void FindingWriter::keep_not_confirmed() {
  row_.unconfirmed += keep_suspect(suspect_file(options_), options_.findings);
}

bool FindingWriter::may_be_known(const std::string& signature) const {
  if (!is_coarse(signature)) return false;
  const std::vector<Found> known = findings_in(options_.findings);
  return std::any_of(known.begin(), known.end(),
                     [&](const Found& one) { return one.signature.starts_with(signature); });
}

}  // namespace fuzz
