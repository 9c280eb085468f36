"""What the studio refuses, and how much of it one client can take."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time
import unittest
import urllib.parse

from studio import FOLDER, Studio


class StrangerTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(FOLDER / "beach.mp4")
        cls.studio.enter()
        cls.studio.items()

    @classmethod
    def tearDownClass(cls):
        cls.studio.close()

    def test_the_address_opens_one_window(self):
        response = self.studio.ask(f"/{self.studio.token}/")
        self.assertEqual(response.status, 403)
        self.assertIn(b"opened already", response.body)
        self.assertEqual(self.studio.ask(f"/{self.studio.token}/api/items").status, 403)

    def test_the_cookie_is_kept_from_scripts_and_other_sites(self):
        with Studio() as studio:
            cookie = studio.enter().getheader("Set-Cookie")
            for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
                self.assertIn(part, cookie)
            self.assertNotIn(studio.token, cookie)

    def test_nothing_is_answered_without_the_cookie(self):
        for path in ("", "page/main.js", "api/items", "api/jobs", "api/items/1/thumbnail"):
            for cookie in ("", "livephoto-1=x", self.studio.cookie[:-1], self.studio.cookie + "x"):
                self.assertEqual(self.studio.ask(f"/{path}", Cookie=cookie).status, 403, (path, cookie))

    def test_other_names_and_sites_are_refused(self):
        for fields in ({"Host": "evil.example"}, {"Host": f"localhost:{self.studio.port}"}, {"Host": self.studio.host},
                       {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
                       {"Sec_Fetch_Site": "same-site"}):
            self.assertIn(self.studio.get("api/items", **fields).status, (403, 421), fields)
        post = {"Cookie": self.studio.cookie, "Content_Type": "application/json"}
        for fields in ({}, {"Origin": "http://evil.example"}, {"Origin": f"http://{self.studio.host}"},
                       {"Origin": self.studio.origin, "Sec_Fetch_Site": "cross-site"}):
            response = self.studio.ask("/api/items/1/make", "POST", b"{}", **post, **fields)
            self.assertEqual(response.status, 403, fields)
        self.assertEqual(self.studio.json("api/jobs")["jobs"], [])

    def test_no_path_leads_to_a_file(self):
        for path in ("/etc/passwd", "../etc/passwd", "page/../../etc/passwd", "page/%2e%2e/%2e%2e/etc/passwd", "page//etc/passwd",
                     "api/items/../1/clip", "api/items/-1/clip", "api/items/0/clip", "api/items/2/clip",
                     "api/items/99999999999999999999/clip", "api/items/1/clip/x", "api/results/1", "api/results/1/photo",
                     "api/jobs/1/report", "api", "api/", "x"):
            response = self.studio.get(path)
            self.assertIn(response.status, (400, 404, 422), path)
            self.assertNotIn(b"root:", response.body)

    def test_other_methods_are_refused(self):
        for method in ("PUT", "DELETE"):
            for path in ("api/uploads?name=a.mp4", "api/items", "api/items/1/make"):
                response = self.studio.ask(f"/{path}", method, b"x" if method == "PUT" else None,
                                           Cookie=self.studio.cookie, Origin=self.studio.origin)
                self.assertEqual(response.status, 405, (method, path))
        self.assertEqual(self.uploaded(), [])

    def test_uploads_have_names_of_files_and_a_limit(self):
        for name in ("../x.mp4", "/etc/x", "a/b", "..", ".", "", "a\nb", "x" * 300):
            response = self.studio.post("api/uploads?" + urllib.parse.urlencode({"name": name}), b"x")
            self.assertEqual(response.status, 422, name)
        response = self.raw(f"POST /api/uploads?name=a.mp4 HTTP/1.1\r\nHost: {self.studio.host}:{self.studio.port}\r\n"
                            f"Origin: {self.studio.origin}\r\nCookie: {self.studio.cookie}\r\n"
                            "Content-Length: 99999999999999\r\n\r\n")
        self.assertRegex(response, rb"\AHTTP/1\.1 (413|507) ")
        self.assertEqual(self.uploaded(), [])

    def test_an_upload_that_breaks_off_leaves_nothing(self):
        with socket.create_connection((self.studio.host, self.studio.port)) as connection:
            connection.sendall(
                f"POST /api/uploads?name=half.mp4 HTTP/1.1\r\nHost: {self.studio.host}:{self.studio.port}\r\n"
                f"Origin: {self.studio.origin}\r\nCookie: {self.studio.cookie}\r\nContent-Length: 1000000\r\n\r\n".encode()
                + b"x" * 300_000)
            time.sleep(0.3)
        for _ in range(100):
            if not self.uploaded():
                break
            time.sleep(0.05)
        self.assertEqual(self.uploaded(), [])
        self.assertEqual(len(self.studio.items()), 1)

    def test_many_connections_and_slow_requests_are_bounded(self):
        connections = []
        head = f"GET /api/items HTTP/1.1\r\nHost: {self.studio.host}:{self.studio.port}\r\n".encode()
        for number in range(200):
            with contextlib.suppress(OSError):
                connection = socket.create_connection((self.studio.host, self.studio.port), timeout=5)
                connection.sendall(head if number % 2 else b"G")
                connections.append(connection)
        time.sleep(1)
        for connection in connections:
            connection.close()
        self.assertEqual(self.studio.get("api/items").status, 200)
        status = pathlib.Path(f"/proc/{self.server()}/status").read_text()
        memory = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
        self.assertLess(memory, 200_000)

    def raw(self, text):
        with socket.create_connection((self.studio.host, self.studio.port), timeout=5) as connection:
            connection.sendall(text.encode())
            received = b""
            with contextlib.suppress(socket.timeout, ConnectionResetError):
                while part := connection.recv(65536):
                    received += part
            return received

    def uploaded(self):
        """Files among the temporary ones that may be of an upload."""
        return [path for path in pathlib.Path(self.studio.temporary.name).rglob("upload-*")]

    def server(self):
        children = subprocess.run(["pgrep", "-P", str(self.studio.process.pid), "-f", "livephoto-server"],
                                  capture_output=True, text=True, check=True).stdout.split()
        return int(children[0])


class EndTests(unittest.TestCase):
    def test_a_signal_ends_it_and_leaves_nothing(self):
        studio = Studio(FOLDER / "long.mp4")
        studio.enter()
        studio.items()
        studio.json("api/items/1/make", {"settings": {"start": "0", "end": "60", "still": "30"}})
        time.sleep(0.5)
        self.assertEqual(os.listdir(studio.output), [name for name in os.listdir(studio.output) if name.startswith(".")])
        studio.process.send_signal(signal.SIGINT)
        studio.process.wait(20)
        self.assertEqual(os.listdir(studio.output), [])
        self.assertEqual(studio.close(), [])
        self.assertEqual(studio.process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
