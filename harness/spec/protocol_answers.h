// SPDX-License-Identifier: Apache-2.0
// The part of the protocol's reader that reads what answers a request. cases/protocol/README.md
// describes the syntax.
#pragma once

#include "harness/spec/protocol_fields.h"

namespace harness::spec {

// Throw ProtocolMistake. Other results of the row are read before its answers, which name them.
void read_answers(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_names(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_gates(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_causes(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_fits(const RowFields& fields, const json::Member& field, MessageRow& row);
void read_yields(const RowFields& fields, const json::Member& field, MessageRow& row);

}  // namespace harness::spec
