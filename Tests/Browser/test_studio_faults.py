"""What becomes of the studio when a worker is killed, and when the disk for temporary files is full."""

import os
import pathlib
import signal
import subprocess
import time
import unittest

from studio import FOLDER, Studio

# A file system of two megabytes as the folder for temporary files, which nothing else sees.
SMALL = ["unshare", "--map-root-user", "--mount", "bash", "-c",
         'mount -t tmpfs -o size=2m small "$TMPDIR" && exec "$0" "$@"']


def workers(studio):
    """The numbers of all processes of livephoto-media below the studio."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name, fields = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        children.setdefault(int(fields.split()[1]), []).append((int(folder.name), name))
    below, found = [studio.process.pid], []
    while below:
        for number, name in children.get(below.pop(), []):
            below.append(number)
            if name.startswith("livephoto-media"):
                found.append(number)
    return found


class FaultTests(unittest.TestCase):
    def kill_workers(self, studio, seconds=10):
        for _ in range(int(seconds / 0.01)):
            if found := workers(studio):
                for number in found:
                    os.kill(number, signal.SIGKILL)
                return
            time.sleep(0.01)
        self.fail("no worker was started")

    def test_a_killed_worker_is_a_sentence_and_the_studio_goes_on(self):
        with Studio(FOLDER / "long.mp4") as studio:
            studio.enter()
            studio.items()
            job = studio.json("api/items/1/make", {"settings": {"end": "8"}})["job"]
            self.kill_workers(studio)
            ended = studio.job(job)
            self.assertEqual(ended["state"], "failed", ended)
            self.assertIn("killed", ended["parts"][0]["error"])
            self.assertEqual(os.listdir(studio.output), [])
            again = studio.job(studio.json("api/items/1/make", {"settings": {"end": "3"}})["job"])
            self.assertEqual(again["state"], "done", again)

    @unittest.skipIf(subprocess.run(["unshare", "--map-root-user", "--mount", "true"]).returncode,
                     "this machine allows no file systems of users")
    def test_a_full_disk_for_temporary_files_is_a_sentence_and_nothing_is_left(self):
        with Studio(FOLDER / "long.mp4", before=SMALL) as studio:
            studio.enter()
            studio.items()
            response = studio.post("api/uploads?name=a.mp4", b"x" * 3_000_000)
            self.assertEqual(response.status, 507, response.body)
            self.assertIn(b"disk is full", response.body)
            # What was begun is removed, so that there is room again.
            self.assertEqual(studio.post("api/uploads?name=a.mp4", b"x" * 1_000_000).status, 200)
            response = studio.get("api/items/1/frames?from=0&to=20")
            self.assertEqual(response.status, 500, response.body[:200])
            self.assertIn(b"for temporary files, is full", response.body)
            self.assertEqual(studio.get("api/items/1/thumbnail").status, 200)
            job = studio.job(studio.json("api/items/1/make", {"settings": {"end": "2"}})["job"])
            self.assertEqual(job["state"], "done", job)


if __name__ == "__main__":
    unittest.main()
