# SPDX-License-Identifier: Apache-2.0
# WebSocket: PORT. Every opening handshake is answered as if its key were another one.
import socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    client, _ = listener.accept()
    head = b""
    while b"\r\n\r\n" not in head:
        more = client.recv(4096)
        if not more: break
        head += more
    client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                   b"Connection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n")
    client.recv(4096)
    client.close()
