#!/usr/bin/env python3
"""Shares Live Photos with `livephoto share` and fetches them as phones, computers and strangers do.

Usage: share.py PROGRAM FOLDER

FOLDER has the pairs and the clip that Tests/Scripts/share.sh makes.
"""

import contextlib
import http.client
import io
import json
import os
import pathlib
import pty
import re
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import zipfile

from chromium import Chromium

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
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
            stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": self.temporary.name})
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


class FileTests(unittest.TestCase):
    """What is fetched is what is shared."""

    def check_zip(self, data):
        """The rules for archives that iOS and macOS are known to unpack. Returns the names."""
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.assertIsNone(archive.testzip())
            entries = archive.infolist()
        for entry in entries:
            self.assertEqual(entry.compress_type, zipfile.ZIP_STORED, entry.filename)
            self.assertFalse(entry.flag_bits & 0x8, "a data descriptor")
            self.assertEqual(bool(entry.flag_bits & 0x800), not entry.filename.isascii(), entry.filename)
        names = [entry.filename for entry in entries]
        for name in names:
            if "/" in name:
                folder = name.split("/")[0] + "/"
                self.assertLessEqual(names.index(folder), names.index(name), "the folder comes first")
        return names

    def test_everything_in_one_archive_verifies(self):
        with Share(FOLDER / "pairs", "--keep") as share, tempfile.TemporaryDirectory() as folder:
            response = share.get("all.pvt.zip")
            self.assertEqual(response.status, 200)
            names = self.check_zip(response.body)
            self.assertEqual(sum(name.endswith(".pvt/") for name in names), 3)
            target = pathlib.Path(folder)
            (target / "all.pvt.zip").write_bytes(response.body)
            subprocess.run([PROGRAM, "extract", target / "all.pvt.zip", "--output", target / "out"], check=True,
                           capture_output=True)
            subprocess.run(["unzip", "-q", "-d", target / "unzipped", target / "all.pvt.zip"], check=True)
            for place in ("out", "unzipped"):
                done = subprocess.run([PROGRAM, "verify", "--json", target / place], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout)
            for file in (FOLDER / "pairs").iterdir():
                self.assertEqual((target / "out" / file.name).read_bytes(), file.read_bytes(), file.name)
            files = self.check_zip(share.get("all.zip").body)
            self.assertEqual(sorted(files), sorted(file.name for file in (FOLDER / "pairs").iterdir()))

    def test_motion_photos_verify_also_of_a_heic(self):
        with Share(FOLDER / "pairs", "--keep") as share, tempfile.TemporaryDirectory() as folder:
            items = json.loads(share.get("latest.json").body)["items"]
            self.assertEqual(len(items), 3)
            for number, item in enumerate(items):
                path = urllib.parse.urlsplit(item["motionPhoto"]).path
                response = share.ask(path)
                self.assertEqual((response.status, response.getheader("Content-Type")), (200, "image/jpeg"))
                file = pathlib.Path(folder) / f"{number}.MP.jpg"
                file.write_bytes(response.body)
                done = subprocess.run([PROGRAM, "verify", file], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_ranges_give_the_bytes_and_stopped_downloads_continue(self):
        with Share(FOLDER / "pairs", "--keep") as share:
            whole = share.get("all.pvt.zip")
            size, tag = len(whole.body), whole.getheader("ETag")
            for start, end in [(0, 0), (0, 99), (29, 31), (1000, size - 1), (size - 200, size - 1), (size // 3, size // 2)]:
                part = share.get("all.pvt.zip", Range=f"bytes={start}-{end}", If_Range=tag)
                self.assertEqual(part.status, 206)
                self.assertEqual(part.body, whole.body[start:end + 1], (start, end))
            self.assertEqual(share.get("all.pvt.zip", Range="bytes=-100").body, whole.body[-100:])
            self.assertEqual(share.get("all.pvt.zip", Range=f"bytes={size}-").status, 416)
            self.assertEqual(share.get("all.pvt.zip", If_None_Match=tag).status, 304)
            head = share.get("all.pvt.zip", "HEAD")
            self.assertEqual((head.status, head.getheader("Content-Length"), head.body), (200, str(size), b""))

    def test_a_file_that_changes_meanwhile_is_not_given(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cp", *(FOLDER / "pairs").glob("beach.*"), folder], check=True)
            with Share(pathlib.Path(folder) / "beach.JPG", "--keep") as share:
                self.assertEqual(share.get("0/photo").status, 200)
                with open(pathlib.Path(folder) / "beach.JPG", "ab") as file:
                    file.write(b"x")
                for path in ("0/photo", "0/motion-photo", "all.pvt.zip"):
                    response = share.get(path)
                    self.assertEqual((response.status, response.body), (500, b"This Live Photo cannot be read any more.\n"))
                self.assertEqual(share.get("latest.json").status, 200)
                share.end()
                problems = [event for event in share.events() if event["event"] == "problem"]
                self.assertEqual(len(problems), 3)
                self.assertIn("was changed by another program", problems[0]["error"])

    def test_pairs_of_one_name_are_told_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                os.mkdir(f"{folder}/{name}")
                subprocess.run(["cp", *(FOLDER / "pairs").glob("beach.*"), f"{folder}/{name}"], check=True)
            with Share(folder) as share:
                first, second = share.get("0/zip"), share.get("1/zip", "HEAD")
                names = [response.getheader("Content-Disposition").split('"')[1] for response in (first, second)]
                self.assertEqual(names, ["beach.zip", "beach 2.zip"])
                self.assertEqual(share.get("1/zip", Range="bytes=0-99").status, 206)
                share.end()
                self.assertEqual([event["fetched"] for event in share.events() if event["event"] == "transfer"][-1], 1)

    def test_an_archive_of_many_can_be_shared(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = pathlib.Path(folder) / "all.pvt.zip"
            subprocess.run([PROGRAM, "pack", FOLDER / "pairs", "--as", "pvt.zip", "-o", archive], check=True, capture_output=True)
            with Share(archive, "--keep") as share:
                self.assertEqual(share.listening["count"], 3)
                self.assertEqual(share.get("all.pvt.zip").body, archive.read_bytes())


class EndTests(unittest.TestCase):
    """When sharing ends, and what it leaves."""

    def test_it_ends_when_everything_was_fetched(self):
        for paths in (["all.pvt.zip"], ["0/pvt.zip", "1/zip", "2/motion-photo"]):
            with Share(FOLDER / "pairs") as share:
                for path in paths:
                    self.assertIsNone(share.process.poll())
                    self.assertEqual(share.get(path).status, 200)
                self.assertEqual(share.process.wait(20), 0)
                events = share.events()
                self.assertEqual(events[-1], {"count": 3, "event": "ended", "fetched": 3, "reason": "fetched", "schema": 1})
                self.assertEqual(os.listdir(share.temporary.name), [])

    def test_it_goes_on_with_keep(self):
        with Share(FOLDER / "pairs", "--keep") as share:
            share.get("all.pvt.zip")
            time.sleep(6)
            self.assertIsNone(share.process.poll())
            self.assertEqual(share.get("all.pvt.zip").status, 200)
            # Ctrl-C is how it ends.
            share.end()
            self.assertEqual(share.process.returncode, 0)

    def test_signals_end_it_at_once_without_leftovers(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with Share(FOLDER / "pairs") as share:
                seconds, left = share.end(number)
                self.assertLess(seconds, 1, number)
                self.assertEqual((share.process.returncode, left), (128 + number, []))

    def test_a_signal_ends_it_also_while_somebody_fetches_slowly(self):
        with Share(FOLDER / "pairs") as share:
            with socket.create_connection((share.host, share.port)) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.sendall(f"GET /{share.token}/all.pvt.zip HTTP/1.1\r\nHost: {share.host}:{share.port}\r\n\r\n".encode())
                client.recv(10)
                seconds, left = share.end()
                self.assertLess(seconds, 1)
                self.assertEqual(left, [])

    def test_a_signal_ends_it_also_while_a_copy_is_made(self):
        for path in ("0/motion-photo", "0/movie", "0/photo"):
            with Share(FOLDER / "pairs") as share:
                with socket.create_connection((share.host, share.port)) as client:
                    client.sendall(f"GET /{share.token}/{path} HTTP/1.1\r\nHost: {share.host}:{share.port}\r\n\r\n".encode())
                    time.sleep(0.25)
                    seconds, left = share.end()
                self.assertLess(seconds, 1, path)
                self.assertEqual(left, [], path)

    def test_a_killed_front_takes_the_server_with_it(self):
        with Share(FOLDER / "pairs") as share:
            share.process.kill()
            share.process.wait()
            deadline = time.monotonic() + 5
            with self.assertRaises(OSError):
                while time.monotonic() < deadline:
                    socket.create_connection((share.host, share.port), timeout=1).close()
                    time.sleep(0.05)
            time.sleep(0.3)
            self.assertEqual(os.listdir(share.temporary.name), [])

    def test_a_clip_is_converted_and_leaves_nothing(self):
        with Share(FOLDER / "beach.mp4") as share:
            self.assertEqual(share.listening["count"], 1)
            self.assertNotEqual(os.listdir(share.temporary.name), [])
            with zipfile.ZipFile(io.BytesIO(share.get("0/pvt.zip").body)) as archive:
                self.assertEqual(archive.namelist(), ["beach.pvt/", "beach.pvt/beach.JPG", "beach.pvt/beach.MOV",
                                                      "beach.pvt/metadata.plist"])
            self.assertEqual(share.process.wait(20), 0)
            self.assertEqual(os.listdir(share.temporary.name), [])


class EventTests(unittest.TestCase):
    """What `--json` prints is what Documentation/JSON.md lists."""

    def test_events_have_the_documented_properties(self):
        page = pathlib.Path(__file__).parents[2] / "Documentation/JSON.md"
        section = page.read_text().split("## `share --json`")[1].split("\n## ")[0]
        names = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
        listed = set(re.findall(r"`(\w+)`", "".join(names)))
        with Share(FOLDER / "damaged", "--tls") as share:
            share.get("", User_Agent=AGENTS["iphone"])
            connection = share.connect()
            connection.request("GET", "/", headers={"Cookie": f"livephoto-{share.port}={share.token}"})
            connection.getresponse().read()
            connection.close()
            share.get("all.pvt.zip")
            share.process.wait(20)
            events = [share.listening, *share.events()]
        printed = {name for event in events for name in event}
        # The loopback has no name on some machines.
        self.assertEqual(printed | {"interface"}, listed)
        self.assertEqual({event["event"] for event in events}, {"listening", "opened", "transfer", "problem", "ended"})


class StrangerTests(unittest.TestCase):
    """What those get who have no right to it, or ask in a wrong way."""

    @classmethod
    def setUpClass(cls):
        cls.share = Share(FOLDER / "pairs", "--keep")

    @classmethod
    def tearDownClass(cls):
        with cls.share:
            pass

    def setUp(self):
        # Guesses are counted for a minute.
        if self.share.process.poll() is not None:
            self.fail("the program has ended")

    def test_without_the_token_there_is_nothing(self):
        for path in ("/", "/all.pvt.zip", "/latest.json", "/0/photo", "/wrong/all.pvt.zip", f"/{self.share.token[:-1]}/0/photo"):
            self.assertEqual(self.share.ask(path).status, 403, path)

    def test_paths_lead_nowhere(self):
        for path in ("../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "0/../../etc/passwd", "/etc/passwd", "0/photo/",
                     "0//photo", "0/photo%00", "-1/photo", "3/photo", "00/photo", "0/Photo", "..", ".", "\\etc\\passwd"):
            response = self.share.get(path.replace(" ", "%20"))
            self.assertEqual(response.status, 404, path)

    def test_other_names_and_sites_are_refused(self):
        own = f"http://{self.share.host}:{self.share.port}"
        for fields, status in [({"Host": "evil.example"}, 421), ({"Host": f"localhost:{self.share.port}"}, 421),
                               ({"Host": self.share.host}, 421), ({"Origin": "http://evil.example"}, 403),
                               ({"Origin": "null"}, 403), ({"Origin": own}, 200)]:
            self.assertEqual(self.share.get("latest.json", **fields).status, status, fields)

    def test_it_only_reads(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "MKCOL"):
            self.assertEqual(self.share.get("latest.json", method).status, 405, method)
        self.assertEqual(self.share.get("latest.json", "GET", b"x" * 100).status, 413)

    def test_a_version_or_order_of_somebody_else_is_refused(self):
        server = next(path for path in [pathlib.Path(PROGRAM).parent / "livephoto-server",
                                        pathlib.Path(PROGRAM).parent.parent / "libexec/livephoto/livephoto-server"]
                      if path.exists())
        for order, code in [("", 64), ("hello\n", 64), ('{"version":"9"}\n', 69),
                            ('{"version":"9","items":[],"port":0,"usesTLS":false,"sandbox":{"auto":{}}}\n', 69)]:
            done = subprocess.run([server], input=order, capture_output=True, text=True, timeout=20)
            self.assertEqual(done.returncode, code, order)
            self.assertIn('"failed"', done.stdout)

    def test_what_is_no_request_ends_the_connection(self):
        for data in (b"hello\r\n\r\n", b"GET /\r\n\r\n", b"\0" * 1000, b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00",
                     b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n"):
            answer = self.share.raw(data)
            self.assertRegex(answer, rb"\AHTTP/1\.1 4\d\d |\A\Z", data)

    def test_large_headers_are_refused(self):
        head = f"GET /{self.share.token}/latest.json HTTP/1.1\r\nHost: {self.share.host}:{self.share.port}\r\n"
        for data in (head + "X: " + "a" * 20_000 + "\r\n\r\n", head + "X: a\r\n" * 100 + "\r\n",
                     "GET /" + "a" * 20_000 + " HTTP/1.1\r\nHost: a\r\n\r\n"):
            self.assertRegex(self.share.raw(data.encode()), rb"\AHTTP/1\.1 4\d\d |\A\Z", data[:60])

    def test_what_strangers_write_cannot_control_the_terminal(self):
        with Share(FOLDER / "pairs", "--keep") as share:
            share.raw(b"GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: \x1b[31mred\x1b[m iPhone\r\nConnection: close\r\n\r\n")
            share.get("", User_Agent="\x1b]0;title\x07 iPhone")
            share.end()
            self.assertNotIn("\x1b", share.process.stdout.read() + share.process.stderr.read())

    def test_guesses_are_limited_and_others_are_served(self):
        with Share(FOLDER / "pairs", "--keep", address="127.0.0.1") as share:
            statuses = [share.ask(f"/guess{number}/x").status for number in range(40)]
            self.assertEqual(statuses[0], 403)
            self.assertEqual(statuses[-1], 429)
            # Also the same client, with the token.
            self.assertEqual(share.get("latest.json").status, 200)
            # Another client.
            connection = http.client.HTTPConnection(share.host, share.port, timeout=5, source_address=("127.0.0.2", 0))
            connection.request("GET", f"/{share.token}/latest.json")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()


    def test_a_stopped_terminal_stops_nobody(self):
        with Share(FOLDER / "pairs", "--keep", "--verbose") as share:
            share.process.send_signal(signal.SIGSTOP)
            for _ in range(700):
                self.assertIn(share.ask(f"/{'x' * 150}").status, (403, 429))
            time.sleep(1)
            self.assertEqual(share.get("latest.json").status, 200)
            share.process.send_signal(signal.SIGCONT)

    def test_reloading_the_page_costs_nothing_more(self):
        with Share(FOLDER / "pairs", "--keep") as share:
            cookie = f"livephoto-{share.port}={share.token}"
            for _ in range(80):
                self.assertEqual(share.ask("/", Cookie=cookie).status, 200)
            children = pathlib.Path(f"/proc/{share.process.pid}/task").glob("*/children")
            server = " ".join(file.read_text() for file in children).split()[0]
            status = pathlib.Path(f"/proc/{server}/status").read_text()
            self.assertLess(int(re.search(r"Threads:\s+(\d+)", status)[1]), 30)


class PageTests(unittest.TestCase):
    """The page in a browser."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()
        cls.share = Share(FOLDER / "pairs", "--keep")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        with cls.share:
            pass

    def open(self, name, width, **options):
        return self.browser.open(self.share.address, width=width, height=1100, user_agent=AGENTS[name], **options)

    def test_photos_are_shown_and_movies_play_on_every_device(self):
        for name, width, dark in [("iphone", 390, False), ("android", 412, True), ("mac", 1100, False), ("other", 1280, True)]:
            page = self.open(name, width, dark=dark, touch=width < 500)
            page.wait("[...document.querySelectorAll('live-photo')].every("
                      "e => e.shadowRoot.getElementById('photo').naturalWidth > 0)")
            for number in range(3):
                self.assertTrue(page.run(f"document.querySelectorAll('live-photo')[{number}].play()"), (name, number))
                page.wait(f"document.querySelectorAll('live-photo')[{number}].currentTime > 0.1")
                page.run(f"document.querySelectorAll('live-photo')[{number}].stop()")
            self.assertEqual(page.problems(), [], name)
            # Nothing is wider than the screen, and nothing comes from elsewhere.
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width, name)
            origin = self.share.address.rsplit("/", 2)[0]
            self.assertEqual([url for url in page.requests() if not url.startswith(origin + "/")], [], name)
            self.assertEqual(page.run("location.pathname"), "/", "the token stays out of the history")
            if folder := os.environ.get("SHARE_SCREENS"):
                page.screenshot(os.path.join(folder, f"share-{name}.png"))
            page.close()

    def test_each_device_gets_its_form(self):
        for name, paths in [("iphone", ["/all.pvt.zip", "/0/pvt.zip", "/1/pvt.zip", "/2/pvt.zip"]),
                            ("android", ["/0/motion-photo", "/1/motion-photo", "/2/motion-photo"]),
                            ("mac", ["/all.zip", "/0/zip", "/1/zip", "/2/zip"])]:
            page = self.open(name, 800)
            links = page.run("[...document.querySelectorAll('a[download]')].map(a => new URL(a.href).pathname)")
            self.assertEqual(links, paths)
            self.assertEqual(page.run("document.querySelectorAll('.steps li').length"), {"iphone": 3, "android": 1, "mac": 2}[name])
            page.close()

    def test_one_button_saves_all_on_android(self):
        folder = tempfile.TemporaryDirectory()
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder.name)
        page = self.open("android", 412)
        page.run("document.getElementById('each').click()")
        deadline = time.monotonic() + 20
        while len([name for name in os.listdir(folder.name) if name.endswith(".MP.jpg")]) < 3:
            self.assertLess(time.monotonic(), deadline, os.listdir(folder.name))
            time.sleep(0.1)
        page.close()
        folder.cleanup()

    def test_markup_in_names_stays_text(self):
        with Share(FOLDER / "hostile", "--keep") as share:
            page = self.browser.open(share.address, user_agent=AGENTS["iphone"])
            self.assertEqual(page.run("document.querySelectorAll('script[src], img[src=x]').length"), 0)
            self.assertIn("<img src=x onerror=alert(1)>", page.run("document.body.textContent"))
            self.assertEqual(page.problems(), [])
            page.close()


class TerminalTests(unittest.TestCase):
    """What a person sees."""

    def run_in_terminal(self, *arguments, columns=100, **environment):
        """What is shown until the address works; the address."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment})
            os.execv(PROGRAM, [PROGRAM, "share", "--address", "127.0.0.1", *map(str, arguments)])
        import fcntl
        import termios
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        text = b""
        with contextlib.suppress(OSError):
            while not re.search(rb"http\S+/\r\n", text):
                text += os.read(terminal, 65536)
        os.kill(pid, signal.SIGINT)
        with contextlib.suppress(OSError):
            while os.read(terminal, 65536):
                pass
        os.waitpid(pid, 0)
        os.close(terminal)
        text = text.decode().replace("\r\n", "\n")
        return text, re.search(r"https?://\S+/", text)[0]

    def scan(self, rows):
        """The text of a QR code whose rows are lists of darkness."""
        with tempfile.NamedTemporaryFile(suffix=".pgm") as file:
            scale = 6
            lines = [bytes(0 if dark else 255 for dark in row for _ in range(scale)) for row in rows for _ in range(scale)]
            file.write(b"P5 %d %d 255\n" % (len(lines[0]), len(lines)) + b"".join(lines))
            file.flush()
            done = subprocess.run(["zbarimg", "--quiet", "--raw", file.name], capture_output=True, text=True)
        return done.stdout.strip()

    def test_the_code_is_the_address(self):
        text, address = self.run_in_terminal(FOLDER / "pairs")
        lines = re.findall(r"\x1b\[30;107m([ ▀▄█]+)\x1b\[m", text)
        rows = []
        for line in lines:
            rows.append([character in "▀█" for character in line])
            rows.append([character in "▄█" for character in line])
        self.assertEqual(self.scan(rows), address)

    def test_without_half_blocks_the_code_is_the_address_too(self):
        text, address = self.run_in_terminal(FOLDER / "pairs", LC_ALL="C")
        rows = []
        for line in text.split("\n"):
            if re.fullmatch(r"(?:\x1b\[(?:40|107)m  )+\x1b\[m", line):
                rows.append([code == "40" for code in re.findall(r"\x1b\[(40|107)m  ", line)])
        self.assertEqual(self.scan(rows), address)
        text, address = self.run_in_terminal(FOLDER / "pairs", LC_ALL="C", TERM="dumb")
        code = [line for line in text.split("\n") if line.strip() and set(line) <= {"#", " "}]
        width = max(map(len, code))
        rows = [[line.ljust(width)[index] == "#" for index in range(0, width, 2)] for line in code]
        blank = [[False] * (len(rows[0]) + 8)] * 4
        self.assertEqual(self.scan([*blank, *([False] * 4 + row + [False] * 4 for row in rows), *blank]), address)

    def test_everything_fits_a_terminal_of_24_lines(self):
        text, _ = self.run_in_terminal(FOLDER / "pairs", columns=80)
        shown = re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", text[text.index("\x1b[30;107m"):])
        self.assertLessEqual(len(shown.rstrip("\n").split("\n")), 23)

    def test_an_address_of_ipv6_works(self):
        addresses = pathlib.Path("/proc/net/if_inet6")
        if not addresses.exists() or "0" * 31 + "1" not in addresses.read_text():
            self.skipTest("this machine has no IPv6")
        for address in ("::1", "[::1]"):
            with Share(FOLDER / "pairs", "--keep", address=address) as share:
                self.assertTrue(share.address.startswith("http://[::1]:"))
                self.assertEqual(share.get("latest.json").status, 200)

    def test_a_narrow_terminal_is_told(self):
        text, _ = self.run_in_terminal(FOLDER / "pairs", columns=30)
        self.assertIn("The terminal is too narrow for the QR code", text)
        self.assertNotIn("▀▀▀▀", text)

    def test_tls_shows_the_fingerprint_of_its_certificate(self):
        with Share(FOLDER / "pairs", "--keep", "--tls") as share:
            self.assertTrue(share.is_secure)
            connection = share.connect()
            connection.connect()
            import hashlib
            certificate = connection.sock.getpeercert(binary_form=True)
            self.assertEqual(hashlib.sha256(certificate).hexdigest(), share.listening["fingerprint"])
            connection.close()
            self.assertEqual(len(share.get("all.zip").body), int(share.get("all.zip", "HEAD").getheader("Content-Length")))
            # Nobody is answered without encryption.
            self.assertNotIn(b"HTTP/1.1 200", share.raw(f"GET /{share.token}/latest.json HTTP/1.1\r\n\r\n".encode()))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=0)
