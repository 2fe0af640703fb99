# SPDX-License-Identifier: Apache-2.0
# Written by areas.py: the areas of the suite that apply under a profile, by how a server is reached.
set(rpcspec_profiles jsonrpc-2.0 mcp-2024-11-05 mcp-2025-03-26 mcp-2025-06-18 mcp-2025-11-25 mcp-2026-07-28 mcp-tutorial lsp acp-1)
set(rpcspec_areas_jsonrpc-2.0_stdio json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_jsonrpc-2.0_socket json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_jsonrpc-2.0_http json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_jsonrpc-2.0_websocket json/invalid json/limit json/open json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust ws/close
  ws/frame ws/handshake)
set(rpcspec_areas_jsonrpc-2.0_any json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust ws/close ws/frame
  ws/handshake)
set(rpcspec_areas_mcp-2024-11-05_stdio json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/errors mcp/lifecycle mcp/logging mcp/meta
  mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/stdio mcp/tools)
set(rpcspec_areas_mcp-2024-11-05_socket json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/errors mcp/lifecycle mcp/logging mcp/meta
  mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/tools)
set(rpcspec_areas_mcp-2024-11-05_http json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/errors mcp/http mcp/lifecycle mcp/logging mcp/meta
  mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/tools)
set(rpcspec_areas_mcp-2024-11-05_websocket json/invalid json/limit json/open json/output json/valid
  jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/errors mcp/lifecycle mcp/logging
  mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/tools ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2024-11-05_any json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/errors mcp/http mcp/lifecycle mcp/logging
  mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/sse mcp/stdio mcp/tools ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2025-03-26_stdio json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/errors mcp/lifecycle mcp/logging mcp/meta
  mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/stdio mcp/tools)
set(rpcspec_areas_mcp-2025-03-26_socket json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/errors mcp/lifecycle mcp/logging mcp/meta
  mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/tools)
set(rpcspec_areas_mcp-2025-03-26_http json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/errors mcp/http mcp/lifecycle mcp/logging mcp/meta
  mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/tools)
set(rpcspec_areas_mcp-2025-03-26_websocket json/invalid json/limit json/open json/output json/valid
  jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/errors mcp/lifecycle mcp/logging
  mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/tools ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2025-03-26_any json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/errors mcp/http mcp/lifecycle mcp/logging
  mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/stdio mcp/tools ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2025-06-18_stdio json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/elicitation mcp/errors mcp/lifecycle mcp/logging
  mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources
  mcp/roots mcp/sampling mcp/stdio mcp/tools)
set(rpcspec_areas_mcp-2025-06-18_socket json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/elicitation mcp/errors mcp/lifecycle
  mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates
  mcp/resources mcp/roots mcp/sampling mcp/tools)
set(rpcspec_areas_mcp-2025-06-18_http json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/elicitation mcp/errors mcp/http mcp/lifecycle
  mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates
  mcp/resources mcp/roots mcp/sampling mcp/tools)
set(rpcspec_areas_mcp-2025-06-18_websocket json/invalid json/limit json/open json/output json/valid
  jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/elicitation mcp/errors
  mcp/lifecycle mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester
  mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/tools ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2025-06-18_any json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/auth
  mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/elicitation mcp/errors mcp/http
  mcp/lifecycle mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester
  mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/stdio mcp/tools ws/close ws/frame
  ws/handshake)
set(rpcspec_areas_mcp-2025-11-25_stdio json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/elicitation mcp/errors mcp/lifecycle
  mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester mcp/resource-templates
  mcp/resources mcp/roots mcp/sampling mcp/stdio mcp/tasks mcp/tasks-ext mcp/tools)
set(rpcspec_areas_mcp-2025-11-25_socket json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/elicitation mcp/errors
  mcp/lifecycle mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester
  mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/tasks mcp/tasks-ext mcp/tools)
set(rpcspec_areas_mcp-2025-11-25_http json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/dpop mcp/elicitation mcp/errors mcp/http
  mcp/lifecycle mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester
  mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/server-card mcp/tasks mcp/tasks-ext
  mcp/tools)
set(rpcspec_areas_mcp-2025-11-25_websocket json/invalid json/limit json/open json/output json/valid
  jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust
  mcp/apps mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/elicitation mcp/errors
  mcp/lifecycle mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester
  mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/tasks mcp/tasks-ext mcp/tools ws/close
  ws/frame ws/handshake)
set(rpcspec_areas_mcp-2025-11-25_any json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/dpop mcp/elicitation mcp/errors
  mcp/http mcp/lifecycle mcp/logging mcp/meta mcp/pagination mcp/ping mcp/progress mcp/prompts mcp/requester
  mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/server-card mcp/stdio mcp/tasks
  mcp/tasks-ext mcp/tools ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2026-07-28_stdio json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/caching mcp/cancel mcp/capabilities mcp/completion mcp/discover mcp/elicitation
  mcp/errors mcp/http26 mcp/listen mcp/logging mcp/meta mcp/mrtr mcp/pagination mcp/progress mcp/prompts
  mcp/requester mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/skills mcp/stateless mcp/stdio
  mcp/tasks-ext mcp/tools mcp/versioning)
set(rpcspec_areas_mcp-2026-07-28_socket json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/caching mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/discover
  mcp/elicitation mcp/errors mcp/listen mcp/logging mcp/meta mcp/mrtr mcp/pagination mcp/progress mcp/prompts
  mcp/requester mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/skills mcp/stateless
  mcp/tasks-ext mcp/tools mcp/versioning)
set(rpcspec_areas_mcp-2026-07-28_http json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/caching mcp/cancel mcp/capabilities mcp/completion mcp/discover mcp/dpop
  mcp/elicitation mcp/errors mcp/http mcp/http26 mcp/listen mcp/logging mcp/meta mcp/mrtr mcp/pagination
  mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources mcp/roots mcp/sampling
  mcp/server-card mcp/skills mcp/stateless mcp/tasks-ext mcp/tools mcp/versioning)
set(rpcspec_areas_mcp-2026-07-28_websocket json/invalid json/limit json/open json/output json/valid
  jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust
  mcp/apps mcp/auth mcp/base mcp/caching mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/discover
  mcp/elicitation mcp/errors mcp/listen mcp/logging mcp/meta mcp/mrtr mcp/pagination mcp/progress mcp/prompts
  mcp/requester mcp/resource-templates mcp/resources mcp/roots mcp/sampling mcp/skills mcp/stateless
  mcp/tasks-ext mcp/tools mcp/versioning ws/close ws/frame ws/handshake)
set(rpcspec_areas_mcp-2026-07-28_any json/invalid json/limit json/open json/output json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/apps
  mcp/auth mcp/base mcp/caching mcp/cancel mcp/capabilities mcp/completion mcp/custom mcp/discover mcp/dpop
  mcp/elicitation mcp/errors mcp/http mcp/http26 mcp/listen mcp/logging mcp/meta mcp/mrtr mcp/pagination
  mcp/progress mcp/prompts mcp/requester mcp/resource-templates mcp/resources mcp/roots mcp/sampling
  mcp/server-card mcp/skills mcp/stateless mcp/stdio mcp/tasks-ext mcp/tools mcp/versioning ws/close ws/frame
  ws/handshake)
set(rpcspec_areas_mcp-tutorial_stdio json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/base mcp/tools
  tutorial/error tutorial/jsonrpc tutorial/lifecycle tutorial/logging tutorial/progress tutorial/prompts
  tutorial/resources tutorial/stdio tutorial/stream tutorial/tools)
set(rpcspec_areas_mcp-tutorial_socket json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/base mcp/tools
  tutorial/error tutorial/jsonrpc tutorial/lifecycle tutorial/logging tutorial/progress tutorial/prompts
  tutorial/resources tutorial/stream tutorial/tools)
set(rpcspec_areas_mcp-tutorial_http json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/base mcp/tools
  tutorial/auth tutorial/error tutorial/http tutorial/jsonrpc tutorial/lifecycle tutorial/logging
  tutorial/progress tutorial/prompts tutorial/resources tutorial/stream tutorial/tools)
set(rpcspec_areas_mcp-tutorial_websocket json/invalid json/limit json/open json/valid jsonrpc/batch
  jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/base
  mcp/tools tutorial/error tutorial/jsonrpc tutorial/lifecycle tutorial/logging tutorial/progress
  tutorial/prompts tutorial/resources tutorial/stream tutorial/tools tutorial/websocket ws/close ws/frame
  ws/handshake)
set(rpcspec_areas_mcp-tutorial_any json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error
  jsonrpc/id jsonrpc/message jsonrpc/notification jsonrpc/request jsonrpc/robust mcp/base mcp/tools
  tutorial/auth tutorial/error tutorial/http tutorial/jsonrpc tutorial/lifecycle tutorial/logging
  tutorial/progress tutorial/prompts tutorial/resources tutorial/stdio tutorial/stream tutorial/tools
  tutorial/websocket ws/close ws/frame ws/handshake)
set(rpcspec_areas_lsp_stdio json/limit json/valid jsonrpc/error jsonrpc/id jsonrpc/message
  jsonrpc/notification jsonrpc/request jsonrpc/robust lsp/cancel lsp/dollar lsp/errors lsp/features
  lsp/lifecycle lsp/outgoing lsp/progress lsp/requests lsp/shutdown)
set(rpcspec_areas_lsp_socket json/limit json/valid jsonrpc/error jsonrpc/id jsonrpc/message
  jsonrpc/notification jsonrpc/request jsonrpc/robust lsp/cancel lsp/dollar lsp/errors lsp/features
  lsp/lifecycle lsp/outgoing lsp/progress lsp/requests lsp/shutdown)
set(rpcspec_areas_lsp_http json/limit json/valid jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification
  jsonrpc/request jsonrpc/robust lsp/cancel lsp/dollar lsp/errors lsp/features lsp/lifecycle lsp/outgoing
  lsp/progress lsp/requests lsp/shutdown)
set(rpcspec_areas_lsp_websocket json/limit json/valid jsonrpc/error jsonrpc/id jsonrpc/message
  jsonrpc/notification jsonrpc/request jsonrpc/robust lsp/cancel lsp/dollar lsp/errors lsp/features
  lsp/lifecycle lsp/outgoing lsp/progress lsp/requests lsp/shutdown)
set(rpcspec_areas_lsp_any json/limit json/valid jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification
  jsonrpc/request jsonrpc/robust lsp/cancel lsp/dollar lsp/errors lsp/features lsp/framing lsp/lifecycle
  lsp/outgoing lsp/progress lsp/requests lsp/shutdown)
set(rpcspec_areas_acp-1_stdio acp/extensions acp/initialize acp/outgoing acp/prompts acp/sessions json/invalid
  json/limit json/open json/valid jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification
  jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_acp-1_socket acp/extensions acp/initialize acp/outgoing acp/prompts acp/sessions
  json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message
  jsonrpc/notification jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_acp-1_http acp/extensions acp/initialize acp/outgoing acp/prompts acp/sessions json/invalid
  json/limit json/open json/valid jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification
  jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_acp-1_websocket acp/extensions acp/initialize acp/outgoing acp/prompts acp/sessions
  json/invalid json/limit json/open json/valid jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message
  jsonrpc/notification jsonrpc/request jsonrpc/robust)
set(rpcspec_areas_acp-1_any acp/extensions acp/initialize acp/outgoing acp/prompts acp/sessions json/invalid
  json/limit json/open json/valid jsonrpc/batch jsonrpc/error jsonrpc/id jsonrpc/message jsonrpc/notification
  jsonrpc/request jsonrpc/robust)
