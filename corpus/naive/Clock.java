// SPDX-License-Identifier: Apache-2.0
// A naive MCP server over HTTP: pages for whatever goes wrong, JSON as text/html. See README.md.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Clock {
  static String member(String name, String text) {
    Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*(\"[^\"]*\"|[^,}\\s]+)").matcher(text);
    return found.find() ? found.group(1) : null;
  }

  static String result(String method) {
    switch (method) {
      case "\"initialize\"":
        return "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
            + "\"serverInfo\":{\"name\":\"clock\",\"version\":\"1\"}}";
      case "\"ping\"":
        return "\"pong\"";
      case "\"tools/list\"":
        return "{\"tools\":[{\"name\":\"now\",\"description\":\"The time.\","
            + "\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"},"
            + "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"string\"}},"
            + "\"required\":[\"time\"]}}]}";
      case "\"tools/call\"":
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + LocalTime.now() + "\"}]}";
      default:
        throw new IllegalArgumentException("no method " + method);
    }
  }

  static void page(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  static void serve(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (!exchange.getRequestMethod().equals("POST")) {
      page(exchange, 200, "<html><body><h1>Clock</h1>It runs.</body></html>");
      return;
    }
    try {
      String id = member("id", body);
      String method = member("method", body);
      if (id == null) page(exchange, 200, "OK");
      else page(exchange, 200, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result(method) + "}");
    } catch (RuntimeException error) {
      page(exchange, 500, "<html><body><h1>Error 500</h1><pre>" + error + "</pre></body></html>");
    }
  }

  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
    server.createContext("/", Clock::serve);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.start();
  }
}
