// SPDX-License-Identifier: Apache-2.0
// A naive server of prompts in C: buffers of a fixed size, and strstr in place of a parser. See README.md.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const names[] = {"birthday", "wedding"};
static const char* const texts[] = {"A toast to another year.", "A toast to both of you."};

// Copies what stands behind "name": up to the next comma or brace; 0 if there is no such member.
static int member(const char* line, const char* name, char* value, size_t size) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char* at = strstr(line, key);
  if (!at) return 0;
  at += strlen(key);
  at += strspn(at, " ");
  snprintf(value, size, "%.*s", (int)strcspn(at, ",}"), at);
  return 1;
}

static void say(const char* id, const char* body) {
  printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", id, body);
  fflush(stdout);
}

int main(void) {
  char line[4096], id[32], method[64], name[64], body[512];
  while (fgets(line, sizeof line, stdin)) {
    if (!member(line, "method", method, sizeof method)) {
      say("null", "\"error\":{\"code\":-32600,\"message\":\"no method\"}");
      continue;
    }
    if (!member(line, "id", id, sizeof id)) continue;  // a notification
    if (!strcmp(method, "\"initialize\"")) {
      say(id, "\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{\"prompts\":{}},"
              "\"serverInfo\":{\"name\":\"toasts\",\"version\":\"1\"}}");
    } else if (!strcmp(method, "\"ping\"")) {
      say(id, "\"result\":{}");
    } else if (!strcmp(method, "\"prompts/list\"")) {
      say(id, "\"result\":{\"prompts\":[{\"name\":\"birthday\"},{\"name\":\"wedding\"}]}");
    } else if (!strcmp(method, "\"prompts/get\"")) {
      if (!member(strstr(line, "\"params\""), "name", name, sizeof name)) {
        say(id, "\"error\":{\"code\":-32602,\"message\":\"which?\"}");
        continue;
      }
      int at = 0;
      while (strncmp(name + 1, names[at], strlen(names[at]))) at = (at + 1) % 2;
      snprintf(body, sizeof body, "\"result\":{\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}",
               texts[at]);
      say(id, body);
    } else {
      snprintf(body, sizeof body, "\"error\":{\"code\":-32601,\"message\":%s}", method);
      say(id, body);
    }
  }
  return 0;
}
