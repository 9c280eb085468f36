"""The page of a share in Chromium, and what a terminal shows."""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

from chromium import Chromium
from share import AGENTS, FOLDER, PROGRAM, Share


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
            certificate = connection.sock.getpeercert(binary_form=True)
            self.assertEqual(hashlib.sha256(certificate).hexdigest(), share.listening["fingerprint"])
            connection.close()
            self.assertEqual(len(share.get("all.zip").body), int(share.get("all.zip", "HEAD").getheader("Content-Length")))
            # Nobody is answered without encryption.
            self.assertNotIn(b"HTTP/1.1 200", share.raw(f"GET /{share.token}/latest.json HTTP/1.1\r\n\r\n".encode()))
