#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A naive server in bash and jq: set -e, read without -r, and printf with the reply as its format. See README.md.
set -euo pipefail

declare -A sky=([Berlin]='Rain, 12 degrees.\nTomorrow: sun.' [Rome]='Sun, 24 degrees.\nTomorrow: sun.')

tools='[
  {"name": "get_forecast", "description": "Today and tomorrow in a city.", "annotations": {"readOnlyHint": true},
   "inputSchema": {"type": "object", "properties": {"city": {"type": "text"}}, "required": ["city"]}},
  {"name": "cities", "description": "The cities that are known.", "annotations": {"readOnlyHint": true},
   "inputSchema": {"type": "object"}},
  {"name": "cities", "description": "The cities that are known.", "annotations": {"readOnlyHint": true},
   "inputSchema": {"type": "object"}}
]'

field() { jq -r "$1" <<<"$line"; }

reply() { # id, member, value
  printf "$(jq -cn --argjson id "$1" --argjson v "$3" '{jsonrpc: "2.0", id: $id, '"$2"': $v}')\n"
}

refuse() { reply "$1" error "{\"code\":$2,\"message\":\"$3\"}"; }

text() { reply "$id" result "$(jq -cn --arg t "$1" '{content: [{type: "text", text: $t}]}')"; }

log() { echo "$(date +%T) $*" >&2; }

call() {
  case $(field .params.name) in
    "get_forecast")
      city=$(field '.params.arguments.city // "Berlin"')
      reply "$id" result '{"content":[{"type":"text","text":"'"${sky[$city]:-nothing known of $city}"'"}]}' ;;
    cities) text "${!sky[*]}" ;;
    *) refuse "$id" -32602 "Unknown tool" ;;
  esac
}

log "weather is up"
while read line; do
  if ! jq -e . <<<"$line" >/dev/null 2>&1; then
    refuse null -32700 "Parse error"
    continue
  fi
  method=$(field .method)
  id=$(jq -c .id <<<"$line")
  log "$method $id"
  [[ $id == null ]] && continue
  case $method in
    initialize)
      reply "$id" result '{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":"no"}},"serverInfo":{"name":"weather","version":"1.0"}}' ;;
    ping) reply "$id" result '{}' ;;
    tools/list) reply "$id" result "{\"tools\":$tools}" ;;
    tools/call) call ;;
    *) refuse "$id" -32601 "Method not found" ;;
  esac
done
