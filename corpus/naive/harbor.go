// SPDX-License-Identifier: Apache-2.0
// A naive server of a harbor over HTTP (harbor.go PORT; 2025-06-18), with structs for everything: ids are ints. See README.md.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

type Request struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      *int            `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type Response struct {
	JSONRPC string                 `json:"jsonrpc"`
	ID      int                    `json:"id,omitempty"`
	Result  map[string]interface{} `json:"result,omitempty"`
	Error   *Error                 `json:"error,omitempty"`
}

type Resource struct {
	URI      string `json:"uri"`
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
}

var ships = map[string]int{"Aurora": 3, "Bounty": 1}
var mu sync.Mutex
var sessions = map[string]bool{}
var counter int

func tools() []map[string]interface{} {
	return []map[string]interface{}{{
		"name": "berth", "description": "The berth of a ship",
		"annotations": map[string]interface{}{"readOnlyHint": true},
		"inputSchema": map[string]interface{}{"type": "object",
			"properties": map[string]interface{}{"ship": map[string]string{"type": "string"}},
			"required":   []string{"ship"}},
	}}
}

func handle(w http.ResponseWriter, r *http.Request) {
	if o := r.Header.Get("Origin"); o != "" && !strings.HasPrefix(o, "http://localhost:") && !strings.HasPrefix(o, "http://127.0.0.1:") {
		http.Error(w, "forbidden", 403)
		return
	}
	if r.Method != "POST" {
		w.Header().Set("Allow", "POST")
		http.Error(w, "method not allowed", 405)
		return
	}
	body, _ := io.ReadAll(r.Body)
	var req Request
	if err := json.Unmarshal(body, &req); err != nil {
		w.WriteHeader(400)
		json.NewEncoder(w).Encode(map[string]interface{}{"jsonrpc": "2.0", "id": nil, "error": Error{-32700, "Parse error: " + err.Error()}})
		return
	}
	if v := r.Header.Get("MCP-Protocol-Version"); v != "" && v != "2025-06-18" && v != "2025-03-26" {
		http.Error(w, "bad version", 400)
		return
	}
	if req.Method != "initialize" {
		mu.Lock()
		ok := sessions[r.Header.Get("Mcp-Session-Id")]
		mu.Unlock()
		if !ok {
			http.Error(w, "no valid session", 400)
			return
		}
	}
	if req.ID == nil {
		return // a notification
	}
	res := Response{JSONRPC: "2.0", ID: *req.ID}
	switch req.Method {
	case "initialize":
		mu.Lock()
		counter++
		id := fmt.Sprintf("session-%d", counter)
		sessions[id] = true
		mu.Unlock()
		w.Header().Set("Mcp-Session-Id", id)
		res.Result = map[string]interface{}{"protocolVersion": "2025-06-18",
			"capabilities": map[string]interface{}{"tools": map[string]bool{"listChanged": false}, "resources": map[string]bool{}},
			"serverInfo":   map[string]string{"name": "harbor", "version": "0.1"}}
	case "ping":
		res.Result = map[string]interface{}{}
	case "tools/list":
		res.Result = map[string]interface{}{"tools": tools()}
	case "resources/list":
		var all []Resource // none yet
		res.Result = map[string]interface{}{"resources": all}
	case "resources/read":
		res.Error = &Error{-32002, "Resource not found"}
	case "tools/call":
		var p struct {
			Name      string            `json:"name"`
			Arguments map[string]string `json:"arguments"`
		}
		if err := json.Unmarshal(req.Params, &p); err != nil {
			res.Error = &Error{-32602, "Invalid params"}
			break
		}
		if p.Name != "berth" {
			res.Error = &Error{-32602, "Unknown tool: " + p.Name}
			break
		}
		text := fmt.Sprintf("%s lies at berth %d", p.Arguments["ship"], ships[p.Arguments["ship"]])
		res.Result = map[string]interface{}{"content": []map[string]string{{"type": "text", "text": text}}}
	default:
		http.Error(w, "unknown method "+req.Method, http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(res)
}

func main() {
	http.HandleFunc("/mcp", handle)
	http.ListenAndServe("127.0.0.1:"+os.Args[1], nil)
}
