// SPDX-License-Identifier: Apache-2.0
// A naive hub over HTTP (hub PORT; 2025-11-25), with event ids and resumption: one backlog for all streams and sessions. See README.md.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Event struct {
	id   int
	data string
}

var mu sync.Mutex
var sessions = map[string]int{} // how many events each has had
var backlog []Event             // everything that was ever sent, of all sessions

type Msg struct {
	Jsonrpc string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

var rooms = map[string]string{"lobby": "Two people talk.", "kitchen": "The kettle is on."}

func newID() string { b := make([]byte, 16); rand.Read(b); return hex.EncodeToString(b) }
func emit(w http.ResponseWriter, n int, data string) {
	e := Event{n, data}
	backlog = append(backlog, e)
	fmt.Fprintf(w, "id: %d\nevent: message\ndata: %s\n\n", n, data)
	w.(http.Flusher).Flush()
}

func rpc(id json.RawMessage, result interface{}) string {
	out, _ := json.Marshal(map[string]interface{}{"jsonrpc": "2.0", "id": id, "result": result})
	return string(out)
}
func rpcError(id json.RawMessage, code int, message string) string {
	if id == nil {
		id = json.RawMessage("null")
	}
	out, _ := json.Marshal(map[string]interface{}{"jsonrpc": "2.0", "id": id, "error": map[string]interface{}{"code": code, "message": message}})
	return string(out)
}

func call(m Msg) string {
	switch m.Method {
	case "ping":
		return rpc(m.ID, map[string]interface{}{})
	case "tools/list":
		return rpc(m.ID, map[string]interface{}{"tools": []interface{}{map[string]interface{}{
			"name": "look", "description": "What happens in a room.", "annotations": map[string]bool{"readOnlyHint": true},
			"inputSchema": map[string]interface{}{"type": "object", "properties": map[string]interface{}{"room": map[string]string{"type": "string"}}, "required": []string{"room"}}}}})
	case "tools/call":
		var p struct {
			Name      *string
			Arguments map[string]interface{}
		}
		if json.Unmarshal(m.Params, &p) != nil || p.Name == nil {
			return rpcError(m.ID, -32602, "params are wrong")
		}
		if *p.Name != "look" {
			return rpcError(m.ID, -32000, "unknown tool")
		}
		room, ok := p.Arguments["room"].(string)
		text, known := rooms[room]
		if !ok || !known {
			return rpc(m.ID, map[string]interface{}{"content": []interface{}{map[string]string{"type": "text", "text": "No such room."}}, "isError": true})
		}
		return rpc(m.ID, map[string]interface{}{"content": []interface{}{map[string]string{"type": "text", "text": text}}, "isError": false})
	}
	return rpcError(m.ID, -32601, "no method "+m.Method)
}

func post(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&raw); err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		fmt.Fprint(w, rpcError(nil, -32700, err.Error()))
		return
	}
	var m Msg
	if err := json.Unmarshal(raw, &m); err != nil || m.Jsonrpc != "2.0" || (m.Method == "" && m.Result == nil && m.Error == nil) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		fmt.Fprint(w, rpcError(nil, -32600, "not a request"))
		return
	}
	mu.Lock()
	defer mu.Unlock()
	if m.Method == "initialize" {
		id := newID()
		sessions[id] = 1
		var p struct{ ProtocolVersion string }
		json.Unmarshal(m.Params, &p)
		version := "2025-11-25"
		if p.ProtocolVersion == "2025-06-18" {
			version = p.ProtocolVersion
		}
		w.Header().Set("Mcp-Session-Id", id)
		w.Header().Set("Content-Type", "text/event-stream")
		emit(w, 1, rpc(m.ID, map[string]interface{}{"protocolVersion": version, "capabilities": map[string]interface{}{"tools": map[string]interface{}{}},
			"serverInfo": map[string]string{"name": "hub", "version": "0.1"}}))
		return
	}
	name := r.Header.Get("Mcp-Session-Id")
	if sessions[name] == 0 {
		http.Error(w, "no such session", 400)
		return
	}
	if m.ID == nil || m.Method == "" {
		w.WriteHeader(202)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	sessions[name]++
	emit(w, sessions[name], call(m))
}

func get(w http.ResponseWriter, r *http.Request) {
	mu.Lock()
	w.Header().Set("Content-Type", "text/event-stream")
	if sessions[r.Header.Get("Mcp-Session-Id")] == 0 {
		mu.Unlock()
		http.Error(w, "no such session", 400)
		return
	}
	w.WriteHeader(200)
	if from, _ := strconv.Atoi(r.Header.Get("Last-Event-ID")); from > 0 {
		for _, e := range backlog {
			if e.id > from {
				fmt.Fprintf(w, "id: %d\nevent: message\ndata: %s\n\n", e.id, e.data)
			}
		}
	}
	w.(http.Flusher).Flush()
	mu.Unlock()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(10 * time.Second):
			fmt.Fprint(w, ": alive\n\n")
			w.(http.Flusher).Flush()
		}
	}
}

func main() {
	http.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if o := r.Header.Get("Origin"); o != "" && !strings.HasPrefix(o, "http://localhost") && !strings.HasPrefix(o, "http://127.0.0.1") {
			http.Error(w, "origin", 403)
			return
		}
		switch r.Method {
		case "POST":
			post(w, r)
		case "GET":
			get(w, r)
		case "DELETE":
			w.WriteHeader(204)
		default:
			w.WriteHeader(405)
		}
	})
	http.ListenAndServe("127.0.0.1:"+os.Args[1], nil)
}
