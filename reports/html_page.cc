// SPDX-License-Identifier: Apache-2.0
// The files stand in the program as they are (.incbin); see CMakeLists.txt for their folder.
#include "reports/html_page.h"

#define RPCSPEC_EMBED(name, file)                                                     \
  __asm__(".section .rodata\n.global rpcspec_" #name "_begin\nrpcspec_" #name         \
          "_begin:\n.incbin \"" RPCSPEC_HTML "/" file "\"\nrpcspec_" #name            \
          "_end:\n.global rpcspec_" #name "_end\n.byte 0\n.previous\n");              \
  extern "C" const char rpcspec_##name##_begin[];                                     \
  extern "C" const char rpcspec_##name##_end[];                                       \
  static std::string_view name() {                                                    \
    return {rpcspec_##name##_begin,                                                   \
            static_cast<std::size_t>(rpcspec_##name##_end - rpcspec_##name##_begin)}; \
  }

RPCSPEC_EMBED(page_html, "page.html")
RPCSPEC_EMBED(page_css, "page.css")
RPCSPEC_EMBED(base_js, "base.js")
RPCSPEC_EMBED(diff_js, "diff.js")
RPCSPEC_EMBED(conversation_js, "conversation.js")
RPCSPEC_EMBED(causes_js, "causes.js")
RPCSPEC_EMBED(cases_js, "cases.js")
RPCSPEC_EMBED(requirements_js, "requirements.js")
RPCSPEC_EMBED(latency_js, "latency.js")
RPCSPEC_EMBED(campaign_js, "campaign.js")
RPCSPEC_EMBED(page_js, "page.js")

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
