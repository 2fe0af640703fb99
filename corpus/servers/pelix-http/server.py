# SPDX-License-Identifier: Apache-2.0
# ping, echo, add, sleep and fail on the server class of jsonrpclib-pelix.
import os
import time

from jsonrpclib.SimpleJSONRPCServer import SimpleJSONRPCServer


def ping():
    return "pong"


def echo(*positional, **named):
    return list(positional) or named


def add(a, b):
    return a + b


def sleep(milliseconds):
    time.sleep(min(milliseconds, 1000) / 1000)  # nothing else is answered meanwhile
    return "slept"


def fail():
    raise RuntimeError("it always fails")


server = SimpleJSONRPCServer(("127.0.0.1", int(os.environ["PORT"])), logRequests=False)
for function in (ping, echo, add, sleep, fail):
    server.register_function(function)
server.serve_forever()
