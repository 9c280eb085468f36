"""What clients without a right, or with bad manners, get from a share."""

import http.client
import pathlib
import re
import signal
import subprocess
import time
import unittest

from share import FOLDER, PROGRAM, Share


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
