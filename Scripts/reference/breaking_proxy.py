"""A proxy for HTTP that breaks some transfers, for Scripts/trial storage.

Usage: breaking_proxy.py PORT SERVER_PORT LOG [ACTION METHOD SUFFIX NUMBER]…

Listens on loopback. For the request with this number (from 1) among those with the method and this end of the path:
  cut    closes the connection in the middle of what is transferred
  hold   stops in the middle, until the client gives up
LOG gets a line for each broken request (ACTION METHOD PATH) and each complete one (done METHOD PATH STATUS).
"""

import socket
import sys
import threading
import time
import urllib.parse

BLOCK = 1 << 14
LONGEST_HOLD = 120  # seconds

port, server_port, log_path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rest = sys.argv[4:]
rules = [(rest[i], rest[i + 1], rest[i + 2], int(rest[i + 3])) for i in range(0, len(rest), 4)]
counts = [0] * len(rules)
lock = threading.Lock()


def log(*words):
    with lock, open(log_path, "a", encoding="utf-8") as file:
        print(*words, file=file)


def action_for(method, path):
    with lock:
        for index, (action, wanted, suffix, number) in enumerate(rules):
            if method == wanted and path.endswith(suffix):
                counts[index] += 1
                if counts[index] == number:
                    return action
    return None


def read_head(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        block = connection.recv(BLOCK)
        if not block:
            return None, None, b""
        data += block
    head, body = data.split(b"\r\n\r\n", 1)
    first, *lines = head.split(b"\r\n")
    fields = [line.split(b":", 1) for line in lines]
    return first, [(name.strip(), value.strip()) for name, value in fields], body


def value_of(fields, name):
    return next((value for field, value in fields if field.lower() == name), b"")


def transfer(source, target, body, length, action, words):
    """Sends `length` bytes (None: to the end) from source to target; half of them with an action. True if complete."""
    limit = length if action is None else length // 2
    sent = 0
    while True:
        if limit is not None:
            body = body[: limit - sent]
        target.sendall(body)
        sent += len(body)
        if limit is not None and sent >= limit:
            break
        body = source.recv(BLOCK)
        if not body:
            return limit is None
    if action is None:
        return True
    log(action, *words)
    if action == "hold":
        client = source if words[0] == "PUT" else target
        end = time.monotonic() + LONGEST_HOLD
        client.settimeout(1)
        while time.monotonic() < end:
            try:
                # What the client still sends has no effect on the server.
                if not client.recv(BLOCK):
                    break
            except TimeoutError:
                pass
    return False


def serve(client):
    with client:
        first, fields, body = read_head(client)
        if first is None:
            return
        method, target = first.decode().split(" ")[:2]
        path = urllib.parse.unquote(target.split("?")[0])
        action = action_for(method, path)
        if value_of(fields, b"expect"):
            client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        kept = [(name, value) for name, value in fields if name.lower() not in (b"expect", b"connection")]
        kept.append((b"Connection", b"close"))
        with socket.create_connection(("127.0.0.1", server_port)) as server:
            server.sendall(first + b"\r\n" + b"".join(b"%s: %s\r\n" % field for field in kept) + b"\r\n")
            length = int(value_of(fields, b"content-length") or 0)
            if not transfer(client, server, body, length, action if method == "PUT" else None, (method, path)):
                return
            first, fields, body = read_head(server)
            client.sendall(first + b"\r\n" + b"".join(b"%s: %s\r\n" % field for field in fields) + b"\r\n")
            if method != "HEAD":
                length = value_of(fields, b"content-length")
                length = int(length) if length else None
                if not transfer(server, client, body, length, action if method == "GET" else None, (method, path)):
                    return
            log("done", method, path, first.decode().split(" ")[1])


def serve_quietly(client):
    try:
        serve(client)
    except OSError:
        pass  # a client that was killed


def main():
    with socket.create_server(("127.0.0.1", port)) as listener:
        log("listening")
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve_quietly, args=(client,), daemon=True).start()


main()
