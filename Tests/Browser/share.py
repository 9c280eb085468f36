"""A running `livephoto share`, and who may ask it, for the tests of sharing.

The environment variables LIVEPHOTO and SHARE_FOLDER name the program and the folder that Tests/Scripts/share.sh makes.
"""

import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.parse

PROGRAM, FOLDER = os.environ["LIVEPHOTO"], pathlib.Path(os.environ["SHARE_FOLDER"])
AGENTS = {
    "iphone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
              "Version/18.0 Mobile/15E148 Safari/604.1",
    "android": "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile "
               "Safari/537.36",
    "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
           "Safari/605.1.15",
    "other": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
}


class Share:
    """A running `livephoto share`, with a folder of its own for temporary files."""

    def __init__(self, *arguments, address="127.0.0.1"):
        self.temporary = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [PROGRAM, "share", "--json", "--address", address, *map(str, arguments)], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": self.temporary.name},
            # What is started with nohup ignores this signal, and so would this program.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read())
        self.listening = json.loads(line)
        self.address = self.listening["address"]
        parts = urllib.parse.urlsplit(self.address)
        self.host, self.port, self.token = parts.hostname, parts.port, parts.path.strip("/")
        self.is_secure = parts.scheme == "https"

    def connect(self):
        if not self.is_secure:
            return http.client.HTTPConnection(self.host, self.port, timeout=20)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection(self.host, self.port, timeout=20, context=context)

    def get(self, path, method="GET", body=None, **fields):
        """The response to a request with the token, with its bytes in `body`."""
        return self.ask(f"/{self.token}/{path}", method, body, **fields)

    def ask(self, path, method="GET", body=None, **fields):
        connection = self.connect()
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in fields.items()})
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response

    def raw(self, data, seconds=5):
        """What comes back for some bytes."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as connection:
            connection.sendall(data)
            received = b""
            with contextlib.suppress(socket.timeout, ConnectionResetError):
                while part := connection.recv(65536):
                    received += part
            return received

    def events(self):
        """The events after the first, once the program has ended."""
        return [json.loads(line) for line in self.process.stdout.read().splitlines()]

    def end(self, number=signal.SIGINT):
        """Stops it. Returns the seconds that it took and what was left behind."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(10)
        return time.monotonic() - began, os.listdir(self.temporary.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stdout.close()
        self.process.stderr.close()
        self.temporary.cleanup()
