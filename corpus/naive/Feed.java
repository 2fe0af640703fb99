// SPDX-License-Identifier: Apache-2.0
// A naive MCP server (stdio, 2025-06-18): a feed reader with a JSON reader of its own, whose numbers are doubles. See README.md.
import java.io.*;
import java.util.*;

public class Feed {
  // --- a small JSON reader and writer
  static class Json {
    final String s; int i = 0;
    Json(String s) { this.s = s; }
    static Object parse(String s) { Json j = new Json(s); Object v = j.value(); j.ws(); if (j.i != s.length()) throw new IllegalArgumentException("trailing"); return v; }
    void ws() { while (i < s.length() && " \t\r\n".indexOf(s.charAt(i)) >= 0) i++; }
    Object value() {
      ws();
      char c = s.charAt(i);
      if (c == '{') { Map<String, Object> m = new LinkedHashMap<>(); i++; ws(); if (s.charAt(i) == '}') { i++; return m; }
        while (true) { ws(); String k = string(); ws(); expect(':'); m.put(k, value()); ws(); if (s.charAt(i) == ',') { i++; continue; } expect('}'); return m; } }
      if (c == '[') { List<Object> l = new ArrayList<>(); i++; ws(); if (s.charAt(i) == ']') { i++; return l; }
        while (true) { l.add(value()); ws(); if (s.charAt(i) == ',') { i++; continue; } expect(']'); return l; } }
      if (c == '"') return string();
      if (s.startsWith("true", i)) { i += 4; return true; }
      if (s.startsWith("false", i)) { i += 5; return false; }
      if (s.startsWith("null", i)) { i += 4; return null; }
      int b = i; while (i < s.length() && "+-0123456789.eE".indexOf(s.charAt(i)) >= 0) i++;
      return Double.parseDouble(s.substring(b, i));
    }
    void expect(char c) { if (s.charAt(i) != c) throw new IllegalArgumentException("expected " + c); i++; }
    String string() {
      expect('"'); StringBuilder b = new StringBuilder();
      while (s.charAt(i) != '"') { char c = s.charAt(i++);
        if (c == '\\') { c = s.charAt(i++); switch (c) { case 'n': c = '\n'; break; case 't': c = '\t'; break; case 'r': c = '\r'; break; case 'b': c = '\b'; break; case 'f': c = '\f'; break; case 'u': c = (char) Integer.parseInt(s.substring(i, i + 4), 16); i += 4; break; } }
        b.append(c); }
      i++; return b.toString();
    }
    static String write(Object o) {
      if (o instanceof Map) { StringJoiner j = new StringJoiner(",", "{", "}"); for (Map.Entry<?, ?> e : ((Map<?, ?>) o).entrySet()) j.add(write(e.getKey()) + ":" + write(e.getValue())); return j.toString(); }
      if (o instanceof List) { StringJoiner j = new StringJoiner(",", "[", "]"); for (Object e : (List<?>) o) j.add(write(e)); return j.toString(); }
      if (o instanceof String) return "\"" + ((String) o).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
      if (o instanceof Double && ((Double) o) == Math.rint((Double) o)) return String.valueOf(((Double) o).intValue());
      return String.valueOf(o);
    }
  }

  static Map<String, Object> map(Object... kv) { Map<String, Object> m = new LinkedHashMap<>(); for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]); return m; }

  static Object error(Object id, int code, String message) { return map("jsonrpc", "2.0", "id", id, "error", map("code", code, "message", message)); }

  @SuppressWarnings("unchecked")
  static Object handle(Map<String, Object> req) {
    Map<String, Object> params = (Map<String, Object>) req.get("params");
    Object result;
    switch ((String) req.get("method")) {
      case "initialize":
        result = map("protocolVersion", "2025-06-18", "capabilities", map("tools", map(), "logging", map()), "serverInfo", map("name", "feed", "version", "1"));
        break;
      case "ping": result = map(); break;
      case "logging/setLevel": result = map("level", params.get("level")); break;
      case "tools/list":
        result = map("tools", List.of(
          map("name", "headlines", "description", "Headlines of a feed", "inputSchema", map("type", "object", "properties", map("feed", map("type", "string"), "limit", map("type", "integer"))), "annotations", map("readOnlyHint", true)),
          map("name", "echo title", "inputSchema", map("type", "object", "properties", map("title", map("type", "string")), "required", List.of("title")), "annotations", map("readOnlyHint", true))));
        break;
      case "tools/call": {
        Map<String, Object> args = (Map<String, Object>) params.get("arguments");
        String name = (String) params.get("name");
        if (name.equals("headlines")) result = map("content", List.of(map("type", "text", "text", "Nothing new in " + args.get("feed"))));
        else if (name.equals("echo title")) result = map("content", List.of(map("type", "text", "text", "Title: " + args.get("title"))));
        else return error(req.get("id"), -32601, "No tool " + name);
        break;
      }
      default: return error(req.get("id"), -32600, "Unknown method");
    }
    return map("jsonrpc", "2.0", "id", req.get("id"), "result", result);
  }

  @SuppressWarnings("unchecked")
  public static void main(String[] argv) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "ISO-8859-1"));
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    String line;
    while ((line = in.readLine()) != null) {
      try {
        Object msg = Json.parse(line);
        Map<String, Object> req = (Map<String, Object>) msg;
        if (!req.containsKey("id")) continue;
        out.println(Json.write(handle(req)));
      } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
        out.println(Json.write(error(null, -32700, "Parse error")));
      } catch (Exception e) {
        e.printStackTrace();
      }
    }
  }
}
