// SPDX-License-Identifier: Apache-2.0
#include "reports/html_page.h"

#include "harness/base/embed.h"

RPCSPEC_EMBEDDED(page_html);
RPCSPEC_EMBEDDED(page_css);
RPCSPEC_EMBEDDED(base_js);
RPCSPEC_EMBEDDED(diff_js);
RPCSPEC_EMBEDDED(conversation_js);
RPCSPEC_EMBEDDED(causes_js);
RPCSPEC_EMBEDDED(matrix_js);
RPCSPEC_EMBEDDED(cases_js);
RPCSPEC_EMBEDDED(requirements_js);
RPCSPEC_EMBEDDED(latency_js);
RPCSPEC_EMBEDDED(campaign_js);
RPCSPEC_EMBEDDED(page_js);

namespace reports {

std::string_view html_template() { return page_html(); }

std::string_view html_style() { return page_css(); }

std::string html_script() {
  std::string out = "(() => {\n'use strict';\n";
  for (const std::string_view part :
       {base_js(), diff_js(), conversation_js(), causes_js(), cases_js(), requirements_js(),
        matrix_js(), latency_js(), campaign_js(), page_js()})
    out += part;
  return out + "})();\n";
}

}  // namespace reports
