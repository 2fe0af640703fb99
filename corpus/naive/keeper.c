/* SPDX-License-Identifier: Apache-2.0 */
/* A naive keeper of keys over a Unix socket (keeper PATH; plain JSON-RPC): strstr, fixed buffers, one client at a time. See README.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char store[16][2][64];
static int stored;

static int member(const char *text, const char *name, char *out, int size) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = strstr(text, key);
  if (!at) return 0;
  at += strlen(key);
  while (*at == ' ') at++;
  int n = 0, quoted = *at == '"';
  if (quoted) out[n++] = *at++;
  while (*at && n < size - 2) {
    if (quoted && *at == '"') break;
    if (!quoted && (*at == ',' || *at == '}' || *at == ']')) break;
    out[n++] = *at++;
  }
  if (quoted) out[n++] = '"';
  out[n] = 0;
  return 1;
}

static void serve(int fd, const char *line) {
  char id[64], method[64], key[64], reply[512];
  if (!member(line, "id", id, sizeof id)) strcpy(id, "0");
  if (!member(line, "method", method, sizeof method)) {
    snprintf(reply, sizeof reply, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32700,\"message\":\"bad message\"}}\n", id);
  } else if (!strcmp(method, "\"get\"")) {
    const char *value = "null";
    if (member(line, "key", key, sizeof key))
      for (int i = 0; i < stored; i++)
        if (!strcmp(store[i][0], key)) value = store[i][1];
    snprintf(reply, sizeof reply, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, value);
  } else if (!strcmp(method, "\"count\"")) {
    snprintf(reply, sizeof reply, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%d}\n", id, stored);
  } else if (!strcmp(method, "\"version\"")) {
    snprintf(reply, sizeof reply, "{\"id\":%s,\"result\":\"keeper 0.1\"}\n", id);
  } else {
    snprintf(reply, sizeof reply, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no method %s\"}}\n", id, method);
  }
  write(fd, reply, strlen(reply));
}

int main(int argc, char **argv) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  strncpy(a.sun_path, argv[1], sizeof a.sun_path - 1);
  unlink(a.sun_path);
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 8)) return 1;
  strcpy(store[0][0], "\"door\""), strcpy(store[0][1], "\"oak\""), stored = 1;
  for (;;) {
    int fd = accept(s, 0, 0);
    FILE *in = fdopen(fd, "r");
    char line[1024];
    while (fgets(line, sizeof line, in)) serve(fd, line);
    fclose(in);
  }
}
