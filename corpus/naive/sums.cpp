// SPDX-License-Identifier: Apache-2.0
// A naive plain JSON-RPC server over TCP (sums PORT), a message a line: a JSON reader and writer of its own, for short texts. See README.md.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
using std::string;

struct Value {
    enum Type { Null, Bool, Num, Str, Arr, Obj } type = Null;
    double num = 0; string str; std::vector<Value> arr; std::map<string, Value> obj;
    bool has(const string& k) const { return obj.count(k) > 0; }
};

struct Parser {
    const string& s; size_t i = 0;
    explicit Parser(const string& t) : s(t) {}
    void ws() { while (i < s.size() && isspace((unsigned char)s[i])) i++; }
    char peek() { ws(); if (i >= s.size()) throw std::runtime_error("eof"); return s[i]; }
    void expect(char c) { if (peek() != c) throw std::runtime_error("syntax"); i++; }
    string parseString() {
        expect('"'); string out;
        while (i < s.size() && s[i] != '"') {
            if (s[i] == '\\' && i + 1 < s.size()) {
                i++;
                switch (s[i]) { case 'n': out += '\n'; break; case 't': out += '\t'; break; case 'r': out += '\r'; break; default: out += s[i]; }
                i++;
            } else out += s[i++];
        }
        if (i >= s.size()) throw std::runtime_error("unterminated");
        i++; return out;
    }
    Value parse() {
        Value v; char c = peek();
        if (c == '{') {
            v.type = Value::Obj; i++;
            if (peek() == '}') { i++; return v; }
            do { peek(); string k = parseString(); expect(':'); v.obj[k] = parse(); } while (peek() == ',' && ++i);
            expect('}');
        } else if (c == '[') {
            v.type = Value::Arr; i++;
            if (peek() == ']') { i++; return v; }
            do v.arr.push_back(parse()); while (peek() == ',' && ++i);
            expect(']');
        } else if (c == '"') { v.type = Value::Str; v.str = parseString(); }
        else if (s.compare(i, 4, "true") == 0) { v.type = Value::Bool; v.num = 1; i += 4; }
        else if (s.compare(i, 5, "false") == 0) { v.type = Value::Bool; i += 5; }
        else if (s.compare(i, 4, "null") == 0) { i += 4; }
        else { char* e; v.type = Value::Num; v.num = strtod(s.c_str() + i, &e); if (e == s.c_str() + i) throw std::runtime_error("syntax"); i = e - s.c_str(); }
        return v;
    }
};

string dump(const Value& v) {
    char buf[64]; string o; bool first = true;
    switch (v.type) {
        case Value::Null: return "null";
        case Value::Bool: return v.num ? "true" : "false";
        case Value::Num: snprintf(buf, sizeof buf, "%g", v.num); return buf;
        case Value::Str: return "\"" + v.str + "\"";
        case Value::Arr: o = "["; for (auto& x : v.arr) { if (!first) o += ","; first = false; o += dump(x); } return o + "]";
        default: o = "{"; for (auto& [k, x] : v.obj) { if (!first) o += ","; first = false; o += "\"" + k + "\":" + dump(x); } return o + "}";
    }
}
struct RpcError { int code; string msg; };

Value call(const string& m, const Value& p) {
    Value r;
    if (m == "echo") { if (p.type == Value::Arr && p.arr.size() == 1) return p.arr[0]; return p; }
    if (m == "add" || m == "subtract") {
        double a, b;
        if (p.type == Value::Obj && p.has("a") && p.has("b")) { a = p.obj.at("a").num; b = p.obj.at("b").num; }
        else if (p.type == Value::Arr && p.arr.size() >= 2) { a = p.arr[0].num; b = p.arr[1].num; }
        else { a = 0; b = 0; }
        r.type = Value::Num; r.num = m == "add" ? a + b : a - b; return r;
    }
    if (m == "upper") {
        if (p.type != Value::Arr || p.arr.empty() || p.arr[0].type != Value::Str) throw RpcError{-32602, "Invalid params"};
        r = p.arr[0]; for (auto& c : r.str) c = toupper(c); return r;
    }
    throw RpcError{-32601, "Method not found"};
}

void sendAll(int fd, const string& s) { size_t n = 0; while (n < s.size()) { ssize_t k = write(fd, s.data() + n, s.size() - n); if (k <= 0) return; n += k; } }
void sendError(int fd, const string& id, int code, const string& msg) {
    sendAll(fd, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + std::to_string(code) + ",\"msg\":\"" + msg + "\"}}\n");
}
void handle(int fd, const Value& req) {
    if (req.type != Value::Obj || !req.has("method")) { sendError(fd, "null", -32600, "Invalid Request"); return; }
    bool note = !req.has("id"); string id = note ? "null" : dump(req.obj.at("id"));
    try {
        Value r = call(req.obj.at("method").str, req.has("params") ? req.obj.at("params") : Value());
        if (!note) sendAll(fd, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + dump(r) + "}\n");
    } catch (RpcError& e) { if (!note) sendError(fd, id, e.code, e.msg); }
}
void client(int fd) {
    string buf; char tmp[4096]; ssize_t n;
    while ((n = read(fd, tmp, sizeof tmp)) > 0) {
        buf.append(tmp, n); size_t nl;
        while ((nl = buf.find('\n')) != string::npos) {
            string line = buf.substr(0, nl); buf.erase(0, nl + 1);
            if (line.find_first_not_of(" \r\t") == string::npos) continue;
            try {
                Value v = Parser(line).parse();
                if (v.type == Value::Arr && !v.arr.empty()) for (auto& x : v.arr) handle(fd, x);
                else handle(fd, v);
            } catch (std::exception& e) { sendError(fd, "-1", -32700, "Parse error"); }
        }
    }
    close(fd);
}
int main(int argc, char** argv) {
    int port = argc > 1 ? atoi(argv[1]) : 8804, one = 1, s = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    sockaddr_in a{}; a.sin_family = AF_INET; a.sin_port = htons(port); a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(s, (sockaddr*)&a, sizeof a) || listen(s, 16)) { perror("bind"); return 1; }
    for (;;) { int fd = accept(s, nullptr, nullptr); if (fd >= 0) std::thread(client, fd).detach(); }
}
