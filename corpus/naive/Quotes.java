// SPDX-License-Identifier: Apache-2.0
// A naive server of quotations over stdio (2025-06-18), with a pool of threads and regular expressions: two replies can be mixed up.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;

public class Quotes {
    static final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    static final ExecutorService pool = Executors.newFixedThreadPool(4);
    static final List<String> AUTHORS = List.of("Goethe", "Heine", "Kafka", "Rilke");
    static final String[] QUOTES = {"Es irrt der Mensch, solang er strebt.", "Denk ich an Deutschland in der Nacht", "Jemand musste ihn verleumdet haben.", "Wer jetzt kein Haus hat"};

    static String member(String json, String name) {  // its value as it is written: a text with its quotes, or what comes up to a comma
        Matcher m = Pattern.compile("\"" + name + "\"\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[^,}\\s]+)").matcher(json);
        return m.find() ? m.group(1) : null;
    }

    static String bare(String value) {
        return value != null && value.startsWith("\"") ? value.substring(1, value.length() - 1) : value;
    }

    static void reply(String id, String result) {
        for (String piece : ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}").split("(?<=,)")) {
            out.print(piece);
        }
        out.print("\n");
        out.flush();
    }

    static void error(String id, int code, String message) {
        out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}}");
    }

    static void log(String level, String message) {
        out.println("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"" + level + "\",\"data\":\"" + message + "\"}}");
    }

    static String content(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}],\"isError\":false}";
    }

    static void serve(String id, String method, String json) throws Exception {
        switch (method) {
            case "initialize" -> reply(id, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},\"prompts\":{},\"completions\":{}},"
                    + "\"serverInfo\":{\"name\":\"quotes\",\"version\":\"0.9\"}}");
            case "ping" -> reply(id, "{}");
            case "tools/list" -> {
                boolean second = json.contains("\"cursor\"");
                reply(id, second
                    ? "{\"tools\":[{\"name\":\"slow_quote\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]}"
                    : "{\"tools\":[{\"name\":\"quote\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"author\":{\"type\":\"string\"}},\"required\":[\"author\"]},"
                      + "\"annotations\":{\"readOnlyHint\":true}}],\"nextCursor\":\"2\"}");
            }
            case "tools/call" -> {
                int params = json.indexOf("\"params\"");
                String name = bare(member(json.substring(params), "name"));
                if (name.equals("quote")) {
                    log("info", "quoting");
                    String author = bare(member(json, "author"));
                    reply(id, content(QUOTES[AUTHORS.indexOf(author)]));
                } else if (name.equals("slow_quote")) {
                    Thread.sleep(1500);
                    reply(id, content(QUOTES[0]));
                } else {
                    reply(id, "{\"content\":[{\"type\":\"text\",\"text\":\"no tool " + name + "\"}],\"isError\":true}");
                }
            }
            case "prompts/list" -> reply(id, "{\"prompts\":[{\"name\":\"explain\",\"arguments\":[{\"name\":\"author\",\"required\":true}]}]}");
            case "prompts/get" -> {
                if (!"explain".equals(bare(member(json, "name")))) {
                    error(id, -32602, "unknown prompt");
                    return;
                }
                String author = bare(member(json, "author"));
                reply(id, "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Explain " + author + "\"}}]}");
            }
            case "completion/complete" -> {
                String value = bare(member(json, "value"));
                StringJoiner values = new StringJoiner(",", "[", "]");
                for (String author : AUTHORS) {
                    if (value == null || author.startsWith(value)) values.add("\"" + author + "\"");
                }
                reply(id, "{\"completion\":{\"values\":" + values + ",\"hasMore\":\"false\"}}");
            }
            default -> error(id, -32601, "no method " + method);
        }
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            String json = line;
            String id = member(json, "id");
            String method = bare(member(json, "method"));
            if (!json.trim().startsWith("{") || !json.trim().endsWith("}")) {
                error("null", -32700, "Parse error");
            } else if (method == null) {
                if (id == null || !json.contains("\"result\"") && !json.contains("\"error\"")) error("null", -32600, "Invalid Request");
            } else if (id != null) {
                pool.execute(() -> {
                    try {
                        serve(id, method, json);
                    } catch (Exception e) {
                        error(id, -32603, e.toString());
                    }
                });
            }
        }
        pool.shutdown();
    }
}
