// SPDX-License-Identifier: Apache-2.0
// A badge for a README: a picture, and the JSON that shields.io makes one of.
#pragma once

#include <string>

#include "reports/record.h"

namespace reports {

// SVG, of a size that fits its text.
std::string render_badge(const Record& record, const ReportOptions& options);
// https://shields.io/badges/endpoint-badge, schema 1.
std::string render_badge_json(const Record& record, const ReportOptions& options);

}  // namespace reports
