// SPDX-License-Identifier: Apache-2.0
// The files of reports/html/, built into the program.
#pragma once

#include <string>
#include <string_view>

namespace reports {

std::string_view html_template();  // with slots: {{name}}
std::string_view html_style();
std::string html_script();  // of all its files, one scope

}  // namespace reports
