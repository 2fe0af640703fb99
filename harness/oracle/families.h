// SPDX-License-Identifier: Apache-2.0
// What the families of oracles share: the functions of the table, and how a breach is reported when
// several catalogues speak of the same fact.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/oracle/oracle.h"

namespace harness::oracle {

struct Breach {
  std::string expected;
  std::string seen;
  std::vector<std::uint64_t> frames;
  std::string flaw = {};  // see Finding
  Severity at_most = Severity::kFail;
  Severity at_least = Severity::kInfo;  // for what fails whatever the level of the clause
  bool sure = true;                     // see Finding
  Wanted wanted = {};
  std::optional<Observation> came = {};  // nothing: the latest received one of `frames`
  std::string headline = {};             // see Finding
};

// Reports the breach under the strongest of `requirements` (spec::strongest). Reports nothing if
// none applies.
void report_best(const Evidence& evidence, Sink& sink, std::span<const char* const> requirements,
                 Breach breach);
inline void report_best(const Evidence& evidence, Sink& sink,
                        std::initializer_list<const char*> requirements, Breach breach) {
  report_best(evidence, sink, std::span(requirements.begin(), requirements.size()),
              std::move(breach));
}

// Reports what is wrong with a received text that should be JSON. False if there is nothing to
// report: the text is not meant as JSON, is cut, or is nested too deep for us.
bool report_broken_json(const Evidence& evidence, Sink& sink, const wire::Frame& frame,
                        const json::ReadError& error);

// One function per family; see the table in oracle.cc.
void judge_replies(const Evidence&, Sink&);
void judge_batches(const Evidence&, Sink&);
void judge_envelope(const Evidence&, Sink&);
void judge_model(const Evidence&, Sink&);
std::vector<std::string> model_clauses();
void judge_features(const Evidence&, Sink&);
std::vector<std::string> feature_clauses();
void judge_shapes(const Evidence&, Sink&);
void judge_contract(const Evidence&, Sink&);  // part of it, for a server with a contract
std::vector<std::string> shape_clauses();
// About messages that the reference server does not send, so no Fault shows them.
std::vector<std::string> unproved_shape_clauses();
void judge_error_codes(const Evidence&, Sink&);
void judge_json_output(const Evidence&, Sink&);
void judge_stdout(const Evidence&, Sink&);
void judge_meta(const Evidence&, Sink&);
void judge_asks(const Evidence&, Sink&);
void judge_server_requests(const Evidence&, Sink&);
void judge_server_notifications(const Evidence&, Sink&);
void judge_progress(const Evidence&, Sink&);
void judge_http(const Evidence&, Sink&);
void judge_sse(const Evidence&, Sink&);
void judge_websocket(const Evidence&, Sink&);
void judge_credentials(const Evidence&, Sink&);
void judge_process(const Evidence&, Sink&);
void judge_connection(const Evidence&, Sink&);
void judge_lsp(const Evidence&, Sink&);
void judge_places(const Evidence&, Sink&);

}  // namespace harness::oracle
