"""What is fetched from a share, and when sharing ends."""

import io
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import zipfile

from share import AGENTS, FOLDER, PROGRAM, Share


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
        # A connection that comes at the wrong time once ended one of a hundred servers before it removed its files.
        for interval in [0.05] + 25 * [0]:
            with Share(FOLDER / "pairs") as share:
                share.process.kill()
                share.process.wait()
                deadline = time.monotonic() + 5
                with self.assertRaises(OSError):
                    while time.monotonic() < deadline:
                        socket.create_connection((share.host, share.port), timeout=1).close()
                        time.sleep(interval)
                # The server removes its files after it has closed its port.
                while os.listdir(share.temporary.name) and time.monotonic() < deadline:
                    time.sleep(0.05)
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
