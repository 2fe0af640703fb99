// SPDX-License-Identifier: Apache-2.0
// See CMakeLists.txt for the folder of these files.
#include "reports/html_page.h"

#include "harness/base/embed.h"

RPCSPEC_EMBED(page_html, RPCSPEC_HTML "/page.html");
RPCSPEC_EMBED(page_css, RPCSPEC_HTML "/page.css");
RPCSPEC_EMBED(base_js, RPCSPEC_HTML "/base.js");
RPCSPEC_EMBED(diff_js, RPCSPEC_HTML "/diff.js");
RPCSPEC_EMBED(conversation_js, RPCSPEC_HTML "/conversation.js");
RPCSPEC_EMBED(causes_js, RPCSPEC_HTML "/causes.js");
RPCSPEC_EMBED(cases_js, RPCSPEC_HTML "/cases.js");
RPCSPEC_EMBED(requirements_js, RPCSPEC_HTML "/requirements.js");
RPCSPEC_EMBED(latency_js, RPCSPEC_HTML "/latency.js");
RPCSPEC_EMBED(campaign_js, RPCSPEC_HTML "/campaign.js");
RPCSPEC_EMBED(page_js, RPCSPEC_HTML "/page.js");

namespace reports {

std::string_view html_template() { return page_html(); }

std::string_view html_style() { return page_css(); }

std::string html_script() {
  std::string out = "(() => {\n'use strict';\n";
  for (const std::string_view part :
       {base_js(), diff_js(), conversation_js(), causes_js(), cases_js(), requirements_js(),
        latency_js(), campaign_js(), page_js()})
    out += part;
  return out + "})();\n";
}

}  // namespace reports
