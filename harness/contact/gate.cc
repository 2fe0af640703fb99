// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/gate.h"

#include <algorithm>

#include "harness/spec/protocol.h"
#include "harness/suite/case_traits.h"

namespace harness::run {

namespace {

// Whether a server of the profile can declare it; those of extensions anybody can.
bool exists(const std::string& capability, const spec::Profile& profile) {
  const spec::TypeRow* type = spec::protocol().find_type("ServerCapabilities");
  const spec::Member* member =
      type != nullptr ? type->find(capability.substr(0, capability.find('.'))) : nullptr;
  return member == nullptr || member->under(profile) != nullptr;
}

}  // namespace

Gate gate(const suite::Case& scenario, const Offer& offer, const json::Value* capabilities,
          const spec::Profile& profile) {
  Gate result;
  for (const suite::Requires& need : scenario.gates) {
    if (need.kind == "capability") {
      if (exists(need.name, profile) && !spec::is_declared("server." + need.name, capabilities)) {
        result.not_applicable = "the target does not declare the capability " + need.name;
        return result;
      }
    } else if (need.kind == "era") {
      if ((need.name == "dual") != offer.dual_era) {
        result.not_applicable = offer.dual_era
                                    ? "the target also serves the revisions with a handshake"
                                    : "the target serves only one of handshake and stateless "
                                      "revisions";
        return result;
      }
    } else if (need.kind == "http") {
      if (need.name == "sessions" && !offer.http_sessions)
        result.not_applicable = "the target issues no session ids";
      if (need.name == "loopback" && !offer.http_loopback)
        result.not_applicable = "the target is not on this machine";
    } else if (need.kind == "auth") {
      result.not_applicable = offer.protection.missing(need.name);
      if (!result.not_applicable.empty()) return result;
    } else if (need.kind == "affordance" && !offer.affordances.find(need.name)) {
      result.inconclusive =
          "the target description does not say how to provoke it: affordance " + need.name;
      result.remedy = "affordances: {" + need.name + ": {…}}";
    }
  }
  if (result.open() && offer.one_by_one && suite::opens_beside(scenario, offer.http))
    result.inconclusive = "it needs two connections at once; the target is given one at a time";
  return result;
}

}  // namespace harness::run
