# SPDX-License-Identifier: Apache-2.0
# ping, echo and add on the server class of jsonrpclib-pelix.
import os

from jsonrpclib.SimpleJSONRPCServer import SimpleJSONRPCServer


def ping():
    return "pong"


def echo(*positional, **named):
    return list(positional) or named


def add(a, b):
    return a + b


server = SimpleJSONRPCServer(("127.0.0.1", int(os.environ["PORT"])), logRequests=False)
for function in (ping, echo, add):
    server.register_function(function)
server.serve_forever()
