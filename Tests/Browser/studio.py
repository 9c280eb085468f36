"""A running `livephoto studio`, and who may ask it, for the tests of the studio.

The environment variables LIVEPHOTO and STUDIO_FOLDER name the program and the folder that Tests/Scripts/studio.sh makes.
"""

import atexit
import http.client
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import urllib.parse

PROGRAM, FOLDER = os.environ["LIVEPHOTO"], pathlib.Path(os.environ["STUDIO_FOLDER"])


class Studio:
    """A running `livephoto studio`, with folders of its own for temporary files and for what is made."""

    def __init__(self, *arguments, keep=True, output=None, before=()):
        """`before` are words before the command, such as those of another program that starts it."""
        self.temporary, self.made = tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()
        self.output = pathlib.Path(output or self.made.name)
        self.process = subprocess.Popen(
            [*before, PROGRAM, "studio", "--json", "--no-open", *(["--keep"] if keep else []), "--output", str(self.output),
             *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": self.temporary.name})
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read())
        self.address = json.loads(line)["address"]
        parts = urllib.parse.urlsplit(self.address)
        self.host, self.port, self.token = parts.hostname, parts.port, parts.path.strip("/")
        self.origin, self.cookie = f"http://{self.host}:{self.port}", None

    def ask(self, path, method="GET", body=None, **fields):
        """The response to a request without cookie and origin, with its bytes in `body`."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in fields.items()})
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response

    def enter(self):
        """Exchanges the token of the address for the cookie, as a browser does."""
        response = self.ask(f"/{self.token}/")
        self.cookie = response.getheader("Set-Cookie", "").split(";")[0]
        return response

    def get(self, path, **fields):
        return self.ask(f"/{path}", Cookie=self.cookie, **fields)

    def post(self, path, body=b"", **fields):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(f"/{path}", "POST", data, Cookie=self.cookie, Origin=self.origin,
                        **{"Content_Type": "application/json", **fields})

    def json(self, path, body=None):
        response = self.get(path) if body is None else self.post(path, body)
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {response.body.decode()}")
        return json.loads(response.body)

    def items(self, count=1):
        """All items, once everything has been searched and there are so many."""
        for _ in range(600):
            answer = self.json("api/items")
            if answer["isComplete"] and len(answer["items"]) >= count:
                return answer["items"]
            time.sleep(0.05)
        raise TimeoutError("the items are not found")

    def pack(self, path):
        """The header of a pack of frames, and its JPEGs."""
        response = self.get(path)
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {response.body.decode()}")
        size = struct.unpack(">I", response.body[:4])[0]
        header, place, pictures = json.loads(response.body[4:4 + size]), 4 + size, []
        for frame in header["frames"]:
            pictures.append(response.body[place:place + frame["bytes"]])
            place += frame["bytes"]
        assert place == len(response.body)
        return header, pictures

    def job(self, number, seconds=120):
        """A job, once it has ended."""
        for _ in range(seconds * 20):
            job = next(job for job in self.json("api/jobs?window=test")["jobs"] if job["id"] == number)
            if job["state"] not in ("waiting", "running"):
                return job
            time.sleep(0.05)
        raise TimeoutError(f"job {number} does not end")

    def close(self):
        """Ends the studio as Ctrl-C does; a second call does nothing.

        Returns the names of temporary files that are left."""
        if self.process.stdout.closed:
            return []
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
        self.made.cleanup()
        left = os.listdir(self.temporary.name)
        self.temporary.cleanup()
        return left

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def remade(command, studio):
    """The folder in which a shown command makes what the studio made in its own.

    It has the same name, on which the identifier of a conversion depends."""
    folder = pathlib.Path(tempfile.mkdtemp()) / studio.output.name
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    words = command.replace("livephoto ", f"'{PROGRAM}' ", 1).replace(str(studio.output), str(folder))
    subprocess.run(["bash", "-c", words + " --quiet"], check=True, stdout=subprocess.DEVNULL)
    return folder
